import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm, run } from '../../host/child';
import { projectFolder } from '../../host/paths';

test('npm run n8n says before any download that the registry is out of reach, and what to do', async () => {
	const cache = await mkdtemp(join(tmpdir(), 'wallet-screening-cache-'));
	try {
		const env = {
			...process.env,
			WALLET_SCREENING_CACHE: cache,
			npm_config_registry: 'http://127.0.0.1:9',
		};
		const running = run([...npm, 'run', '--silent', 'n8n'], { cwd: projectFolder, env });
		const error = await running.catch((thrown: Error) => thrown);
		expect(error).toMatchObject({ message: expect.stringContaining('from its registry') });
		expect(error).toMatchObject({ message: expect.stringMatching(/ECONNREFUSED[^]*proxy/) });
		expect(error).toMatchObject({ message: expect.stringContaining(`not in ${cache} yet`) });
		expect(await readdir(cache)).toEqual([]);
	} finally {
		await rm(cache, { recursive: true });
	}
});
