import { help, readCommandLine } from '../../../sandbox/commandLine';
import { dialects } from '../../../sandbox/dialects';

it('means port 4010 of this machine and no faults if it is empty', () => {
	const options = expect.objectContaining({ host: '127.0.0.1', port: 4010 }) as object;
	expect(readCommandLine([])).toEqual({ options, faults: [] });
});

it('sets every option', () => {
	const args = [
		...['--port', '0', '--host', '0.0.0.0', '--day', '3', '--latency', '120', '--no-limit'],
		...['--rate-limit-headers', '--job-duration', '50', '--dialect', 'foreign'],
		...['--webhook-url', 'http://localhost:5678/x', '--webhook-secret', 's'],
		...['--webhook-scheme', 'stripe', '--fault-status', '429', '--fault-share', '0.5'],
	];
	const headers = expect.objectContaining({ 'retry-after': '1' });
	expect(readCommandLine(args)).toEqual({
		options: {
			...{ host: '0.0.0.0', port: 0, day: 3, latencyMs: 120, jobDurationMs: 50 },
			...{ dialect: dialects.foreign, rateLimitHeaders: true, limit: null },
			webhook: { url: 'http://localhost:5678/x', secret: 's', scheme: 'stripe' },
		},
		faults: [
			{ share: 0.5, effect: { kind: 'answer', status: 429, headers, body: expect.any(String) } },
		],
	});
	const named = [...args.filter((arg) => arg.startsWith('--')), '--help'].sort();
	expect(help.match(/--[a-z-]{3,}/g)?.sort()).toEqual(named);
});

it.each([
	[['--port', 'x'], '--port must be a number from 0 to 65535, not "x"'],
	[['--webhook-url', 'http://x'], '--webhook-url needs --webhook-secret'],
	[['--day=-1'], '--day must be a whole number from 0'],
	[['--host', 'everyone'], '--host must be an IP address, e.g. 0.0.0.0, not "everyone"'],
	[['--nonsense'], "Unknown option '--nonsense'"],
])('refuses %j', (args, message) => {
	expect(() => readCommandLine(args)).toThrow(message);
});
