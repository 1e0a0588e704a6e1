import { help, readCommandLine } from '../../../sandbox/commandLine';

describe('command line', () => {
	it('means port 4010, no latency, the usual limit and no faults if it is empty', () => {
		expect(readCommandLine([])).toEqual({
			options: { port: 4010, day: 0, latencyMs: 0, jobDurationMs: 1500 },
			faults: [],
		});
	});

	it('sets port, latency, limit and duration of jobs', () => {
		const args = ['--port', '0', '--latency', '120', '--no-limit', '--job-duration', '50'];
		expect(readCommandLine(args)?.options).toEqual({
			port: 0,
			day: 0,
			latencyMs: 120,
			jobDurationMs: 50,
			limit: null,
		});
	});

	it('sets the headers of the rate limit', () => {
		expect(readCommandLine(['--rate-limit-headers'])?.options.rateLimitHeaders).toBe(true);
	});

	it('sets the day of the timeline, and the address to listen on', () => {
		const args = ['--day', '3', '--host', '0.0.0.0'];
		expect(readCommandLine(args)?.options).toMatchObject({ day: 3, host: '0.0.0.0' });
	});

	it('sets the webhook', () => {
		const args = ['--webhook-url', 'http://localhost:5678/x', '--webhook-secret', 's'];
		expect(readCommandLine(args)?.options.webhook).toEqual({
			url: 'http://localhost:5678/x',
			secret: 's',
			scheme: 'body',
		});
	});

	it('sets faults, each with the share', () => {
		const args = [
			'--fault-delay',
			'9',
			'--fault-reset',
			'--fault-truncate',
			'--fault-status',
			'429',
		];
		expect(readCommandLine([...args, '--fault-share', '0.5'])?.faults).toEqual([
			{ share: 0.5, effect: { kind: 'delay', ms: 9 } },
			{ share: 0.5, effect: { kind: 'reset', at: 'beforeAnswer' } },
			{ share: 0.5, effect: { kind: 'truncate' } },
			{
				share: 0.5,
				effect: expect.objectContaining({
					kind: 'answer',
					status: 429,
					headers: expect.objectContaining({ 'retry-after': '1' }),
				}),
			},
		]);
	});

	it('asks for help, which names every option', () => {
		expect(readCommandLine(['--help', '--port', '1'])).toBeNull();
		expect(help).toContain('--webhook-scheme');
	});

	it.each([
		[['--port', 'x'], '--port must be a number from 0 to 65535, not "x"'],
		[['--port', '65536'], '--port must be a number from 0 to 65535'],
		[['--latency', ''], '--latency must be a number'],
		[['--fault-share', '2'], '--fault-share must be a number from 0 to 1'],
		[['--fault-status', '200'], '--fault-status must be a number from 400 to 599'],
		[['--webhook-url', 'nowhere'], '--webhook-url must be a URL'],
		[['--webhook-url', 'http://x'], '--webhook-url needs --webhook-secret'],
		[
			['--webhook-url', 'http://x', '--webhook-secret', 's', '--webhook-scheme', 'md5'],
			'--webhook-scheme must be one of body, timestampAndBody, stripe, standardWebhooks',
		],
		[['--day', '1.5'], '--day must be a whole number, not "1.5"'],
		[['--day=-1'], '--day must be a number from 0'],
		[['--host', 'everyone'], '--host must be an IP address, e.g. 0.0.0.0, not "everyone"'],
		[['--nonsense'], "Unknown option '--nonsense'"],
	])('refuses %j', (args, message) => {
		expect(() => readCommandLine(args)).toThrow(message);
	});
});
