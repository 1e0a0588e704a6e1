import { readCommandLine } from '../../../sandbox/commandLine';

it.each([
	[['--port', 'x'], '--port must be a number from 0 to 65535, not "x"'],
	[['--webhook-url', 'http://x'], '--webhook-url needs --webhook-secret'],
	[['--day=-1'], '--day must be a whole number from 0'],
	[['--host', 'everyone'], '--host must be an IP address, e.g. 0.0.0.0, not "everyone"'],
	[['--nonsense'], "Unknown option '--nonsense'"],
])('refuses %j', (args, message) => {
	expect(() => readCommandLine(args)).toThrow(message);
});
