import { help, readCommandLine } from '../../../sandbox/commandLine';
import { dialects } from '../../../sandbox/dialects';

const usual = {
	...{ host: '127.0.0.1', port: 4010, day: 0, latencyMs: 0, jobDurationMs: 1500 },
	...{ dialect: dialects.standard, rateLimitHeaders: false },
};

it('means port 4010 of this machine, the usual service, and no faults if it is empty', () => {
	expect(readCommandLine([])).toEqual({ options: usual, faults: [] });
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

it('asks for help', () => expect(readCommandLine(['--help', '--port', '1'])).toBeNull());

it.each([
	[['--port', 'x'], '--port must be a number from 0 to 65535, not "x"'],
	[['--latency', ''], '--latency must be a number'],
	[['--fault-status', '200'], '--fault-status must be a number from 400 to 599'],
	[['--webhook-url', 'nowhere'], '--webhook-url must be a URL'],
	[['--webhook-url', 'http://x'], '--webhook-url needs --webhook-secret'],
	[
		['--webhook-url', 'http://x', '--webhook-secret', 's', '--webhook-scheme', 'md5'],
		'--webhook-scheme must be one of body, timestampAndBody, stripe, standardWebhooks, not "md5"',
	],
	[['--day', '1.5'], '--day must be a whole number from 0, not "1.5"'],
	[['--day=-1'], '--day must be a whole number from 0'],
	[['--host', 'everyone'], '--host must be an IP address, e.g. 0.0.0.0, not "everyone"'],
	[['--nonsense'], "Unknown option '--nonsense'"],
])('refuses %j', (args, message) => {
	expect(() => readCommandLine(args)).toThrow(message);
});
