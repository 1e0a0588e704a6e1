import { readCommandLine } from '../../../sandbox/commandLine';

it.each([
	['is no number', ['--port', 'x'], '--port must be a number from 0 to 65535, not "x"'],
	['lacks another', ['--webhook-url', 'http://x'], '--webhook-url needs --webhook-secret'],
	['is out of range', ['--day=-1'], '--day must be a whole number from 0'],
	[
		'is no IP address',
		['--host', 'everyone'],
		'--host must be an IP address, e.g. 0.0.0.0, not "everyone"',
	],
	['does not exist', ['--nonsense'], "Unknown option '--nonsense'"],
])('refuses an option that %s: %j', (_because, args, message) => {
	expect(() => readCommandLine(args)).toThrow(message);
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
