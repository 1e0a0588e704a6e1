/** Each scan takes seconds. So both look at what somebody spoiled, and find that and nothing else. */
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json';
import { projectFolder } from '../../tools/host/paths';
import { scan } from '../../tools/verify/scanner';
import { findingsIn, withPackage } from '../../tools/verify/verify';

jest.setTimeout(10 * 60_000);

const rulesOf = (findings: string[]) =>
	findings
		.map((finding) =>
			finding.replace(/^.*(: |\(@n8n\/community-nodes\/|\()/s, '').replace(/\)$/, ''),
		)
		.sort();

it("n8n's check finds in the sources what was put there, and nothing else", async () => {
	const folder = await mkdtemp(join(tmpdir(), 'wallet-screening-sources-'));
	try {
		for (const source of ['nodes', 'credentials'])
			await cp(join(projectFolder, source), join(folder, source), { recursive: true });
		const spoiled = [
			'import { readFileSync } from "node:fs";',
			// An exception in the code itself does not count.
			'// eslint-disable-next-line',
			'console.log(process.env.HOME);',
		].join('\n');
		await appendFile(join(folder, 'nodes/WalletScreening/WalletScreening.node.ts'), spoiled);
		const { homepage: _, ...rest } = { ...manifest, dependencies: { axios: '1.0.0' } };
		await writeFile(join(folder, 'package.json'), JSON.stringify(rest, undefined, 2));
		expect(rulesOf(await scan(folder, 'sources'))).toEqual([
			'no-console',
			'no-restricted-globals',
			'no-restricted-imports',
			'no-runtime-dependencies',
			'require-homepage',
		]);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});

it('the check of the tarball finds what was put there, and nothing else', async () => {
	const findings = await withPackage(async (folder) => {
		const code = join(folder, 'dist/nodes/WalletScreening/WalletScreening.node.js');
		await appendFile(code, '\nconsole.log(process.env);\n');
		return await findingsIn(folder);
	});
	expect(rulesOf(findings)).toEqual([
		'no-console',
		'no-restricted-globals',
		'writes to the console',
	]);
});
