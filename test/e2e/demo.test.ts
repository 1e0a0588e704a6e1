import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { npm, run, start, stop } from '../../host/child';
import { projectFolder } from '../../host/paths';
import { until } from '../../host/until';
import { patience } from '../support/workflows';

const { WALLET_SCREENING_API_KEY, WALLET_SCREENING_BASE_URL, ...env } = process.env;
const command = [...npm, 'run', '--silent', 'n8n'];
const surroundings = { cwd: projectFolder, env };

describe('npm run n8n', () => {
	test(
		'with --once screens the list and in bulk in a real n8n, and ends',
		async () => {
			const output = await run([...command, '--', '--once'], surroundings);
			expect(output).toContain('25 reports');
			expect(output).toContain('641 addresses of the US sanctions list: 641 red.');
			expect(output).not.toContain('in your browser');
		},
		patience,
	);

	describe('without it', () => {
		let demo: ChildProcess;
		afterEach(() => stop(demo, 0));

		test(
			'leaves n8n running until Ctrl+C, and nothing after it',
			async () => {
				demo = start(command, surroundings, 'pipe');
				let output = '';
				demo.stdout?.on('data', (data: Buffer) => (output += data.toString()));
				const isUp = async () => (output.includes('Ctrl+C ends') ? true : undefined);
				await until('the editor', isUp, { patience, seen: () => output });
				const editor = /in your browser: (http:\S+?)\/workflow/.exec(output)?.[1] ?? '';
				expect((await fetch(`${editor}/healthz`)).status).toBe(200);
				const [, day = '', body = ''] = /curl -X PUT (\S+) -d (\d+)/.exec(output) ?? [];
				expect(await (await fetch(day, { method: 'PUT', body })).json()).toEqual({ day: 1 });

				// The terminal tells all processes of the command, npm and the demo among them.
				process.kill(-demo.pid!, 'SIGINT');
				await once(demo, 'exit', { signal: AbortSignal.timeout(30_000) });
				await expect(fetch(`${editor}/healthz`)).rejects.toThrow();
			},
			patience,
		);
	});
});
