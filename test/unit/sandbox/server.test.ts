import { baseUrlOf } from '../../../sandbox/server';

it.each([
	['127.0.0.1', 'http://127.0.0.1:4010', 'it is the default'],
	['192.168.1.20', 'http://192.168.1.20:4010', 'the sandbox listens on no other address'],
	['::1', 'http://[::1]:4010', 'an IPv6 address stands in brackets in a URL'],
	['0.0.0.0', 'http://127.0.0.1:4010', 'a wildcard cannot be called'],
	['::', 'http://127.0.0.1:4010', 'a wildcard cannot be called'],
])('a sandbox that listens on %s has the base URL %s, because %s', (address, url) => {
	expect(baseUrlOf({ address, port: 4010 })).toBe(url);
});
