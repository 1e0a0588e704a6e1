import fc from 'fast-check';

import { isEncryptedOrLocal } from '../../../nodes/WalletScreening/shared/http';
import { normalizeBaseUrl as normalize } from '../../../nodes/WalletScreening/transport/baseUrl';
import { errorOf } from '../../support/unit/errors';

const normalizeBaseUrl = (text: unknown) => normalize(text, 'Base URL');

test.each([
	[
		'  https://api.example.com//v1//\n',
		'https://api.example.com',
		'the client adds the version, and no slash may be doubled',
	],
	[
		'https://api.example.com/v1\u200b',
		'https://api.example.com',
		'an invisible character may be pasted with it',
	],
	['HTTPS://API.Example.COM:443', 'https://api.example.com', 'the case and this port mean nothing'],
	[
		'https://gateway.example.com:8443/screening/v1',
		'https://gateway.example.com:8443/screening',
		'a gateway may have a port and a path',
	],
	[
		'https://v1.example.com/v10/dev1',
		'https://v1.example.com/v10/dev1',
		'only a whole last part of the path is the version',
	],
	['https://v1/', 'https://v1', 'a host of a private network may have this name'],
	['https://v1/v1', 'https://v1', 'it is the host once only'],
	['https://api.example.com/a:/v1', 'https://api.example.com/a:', 'a colon may be in a path'],
	['https://bücher.example', 'https://xn--bcher-kva.example', 'the network has only ASCII names'],
	['http://LOCALHOST:8080/', 'http://localhost:8080', 'this machine needs no encryption'],
	['http://127.255.255.254', 'http://127.255.255.254', 'all of 127.0.0.0/8 is this machine'],
	['http://[0:0:0:0:0:0:0:1]', 'http://[::1]', 'it is this machine, in the short form of IPv6'],
])('%j is %j, because %s', (text, expected) => expect(normalizeBaseUrl(text)).toBe(expected));

test.each<[text: unknown, because: string]>([
	['  ', 'it is blank'],
	[42, 'a number is no URL'],
	[['https://api.example.com'], 'a list is no URL'],
	['api.example.com', 'the scheme is missing'],
	['https://', 'the host is missing'],
	['http://api.example.com', 'the key would travel without encryption'],
	['http://10.0.0.1', 'a private network is not this machine'],
	['http://[::2]', 'the loopback address of IPv6 is ::1'],
	['http://128.0.0.1', 'the loopback addresses of IPv4 begin with 127'],
	['http://localhost.example.com', 'the host only begins with localhost'],
	['http://127.0.0.1.example.com', 'the host only begins with a loopback address'],
	['http://localhost@example.com', 'localhost is a user here'],
	['ftp://localhost', 'the service speaks HTTP'],
	['javascript:alert(1)', 'the scheme is no network at all'],
	['https://user@api.example.com', 'a user does not belong into the address'],
	['https://:password@api.example.com', 'nor does a password'],
	['https://api.example.com/?key=x', 'paths are added behind it, so it has no query'],
	['https://api.example.com/#top', 'nor a fragment'],
])('%j is refused, because %s', async (text) =>
	expect(await errorOf(() => normalizeBaseUrl(text))).toMatchObject({
		errorClass: 'invalid_input',
		details: { parameter: 'Base URL' },
	}),
);

test('a text with very many slashes takes no time', () => {
	const began = performance.now();
	const text = `https://api.example.com${'/'.repeat(100_000)}x`;
	expect(normalizeBaseUrl(text)).toBe(text);
	expect(performance.now() - began).toBeLessThan(1000);
});

test('what comes out stays as it is, and is a private address without a slash at the end', () => {
	const text = fc.oneof(
		fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true }),
		fc.string(),
	);
	fc.assert(
		fc.property(text, (given) => {
			let result: string;
			try {
				result = normalizeBaseUrl(given);
			} catch {
				return;
			}
			expect(result).not.toMatch(/\/$|[?#]|[^/]\/v1$/);
			expect(isEncryptedOrLocal(new URL(result))).toBe(true);
			expect(normalizeBaseUrl(result)).toBe(result);
		}),
		{ numRuns: 200 },
	);
});
