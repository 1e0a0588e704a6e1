import { readCommandLine } from '../../../sandbox/commandLine';

it.each([
	['is no number', ['--port', 'x'], '--port must be a whole number from 0 to 65535, not "x"'],
	['lacks another', ['--webhook-url', 'http://x'], '--webhook-url needs --webhook-secret'],
	['is a fraction', ['--port', '4010.5'], '--port must be a whole number'],
	['is a fraction', ['--fault-status', '450.5'], '--fault-status must be a whole number'],
	[
		'is no share',
		['--fault-status', '500', '--fault-share', '1.5'],
		'--fault-share must be a number from 0 to 1, not "1.5"',
	],
	['is out of range', ['--day=-1'], '--day must be a whole number from 0'],
	[
		'is no IP address',
		['--host', 'everyone'],
		'--host must be an IP address, e.g. 0.0.0.0, not "everyone"',
	],
	[
		'is a host and a port without a scheme',
		['--webhook-url', 'localhost:5678/webhook', '--webhook-secret', 'x'],
		'--webhook-url must be a URL that begins with http:// or https://',
	],
	...['not base64!', 'testsecret', 'secret', 'whsec_'].map((secret): [string, string[], string] => [
		'is no secret of the scheme',
		[
			...['--webhook-url', 'http://x', '--webhook-secret', secret],
			...['--webhook-scheme', 'standardWebhooks'],
		],
		'--webhook-secret must be base64 with its padding',
	]),
	['means nothing alone', ['--webhook-secret', 'x'], '--webhook-secret needs --webhook-url'],
	['means nothing alone', ['--webhook-scheme', 'body'], '--webhook-scheme needs --webhook-url'],
	['means nothing alone', ['--fault-share', '0.5'], '--fault-share needs --fault-status'],
	['is on no calendar', ['--day', '100000000'], '--day must be a whole number from 0 to 36500'],
	['does not exist', ['--nonsense'], "Unknown option '--nonsense'"],
])('refuses an option that %s: %j', (_because, args, message) => {
	expect(() => readCommandLine(args)).toThrow(message);
});

it('takes a base64 secret of Standard Webhooks, with and without its prefix', () => {
	for (const secret of ['c2VjcmV0', 'whsec_c2VjcmV0Cg==']) {
		const target = ['--webhook-url', 'https://x', '--webhook-secret', secret];
		const { options } = readCommandLine([...target, '--webhook-scheme', 'standardWebhooks'])!;
		expect(options.webhook).toEqual({ url: 'https://x', secret, scheme: 'standardWebhooks' });
	}
});

it.each([
	[400, 'bad_request', 'section 7 names the status'],
	[401, 'unauthorized', 'section 7 names the status'],
	[403, 'forbidden', 'section 7 names the status'],
	[404, 'not_found', 'the sandbox answers so for an unknown ID'],
	[418, 'bad_request', 'the client caused it, as it causes each 4xx'],
	[429, 'rate_limited', 'section 7 names the status'],
	[500, 'server_error', 'section 7 names 5xx'],
	[503, 'server_error', 'section 7 names 5xx'],
])('--fault-status %i answers with the code %s, because %s', (status, code) => {
	const effect = readCommandLine(['--fault-status', String(status)])!.faults[0]!.effect;
	if (effect.kind !== 'answer') throw new Error(`The fault is of the kind ${effect.kind}`);
	expect(effect.status).toBe(status);
	expect(JSON.parse(String(effect.body))).toEqual({
		error: { code, message: expect.any(String) as string },
	});
});
