import fc from 'fast-check';

import {
	isPrivate,
	normalizeBaseUrl as normalize,
} from '../../../nodes/WalletScreening/service/baseUrl';
import { errorOf } from '../support/answers';

const normalizeBaseUrl = (text: unknown) => normalize(text, 'Base URL');

test.each([
	['https://api.example.com', 'https://api.example.com'],
	['https://api.example.com/', 'https://api.example.com'],
	['https://api.example.com///', 'https://api.example.com'],
	['https://api.example.com/v1', 'https://api.example.com'],
	['https://api.example.com/v1/', 'https://api.example.com'],
	['https://api.example.com//v1//', 'https://api.example.com'],
	['  https://api.example.com/v1\n', 'https://api.example.com'],
	['HTTPS://API.Example.COM', 'https://api.example.com'],
	['https://api.example.com:443', 'https://api.example.com'],
	['https://api.example.com:8443/', 'https://api.example.com:8443'],
	['https://gateway.example.com/screening/v1', 'https://gateway.example.com/screening'],
	['https://gateway.example.com/screening/', 'https://gateway.example.com/screening'],
	['https://gateway.example.com/a/../b', 'https://gateway.example.com/b'],
	['https://v1.example.com', 'https://v1.example.com'],
	['https://api.example.com/v10', 'https://api.example.com/v10'],
	['https://api.example.com/dev1', 'https://api.example.com/dev1'],
	['https://192.0.2.7', 'https://192.0.2.7'],
	['https://[2001:db8::1]/v1', 'https://[2001:db8::1]'],
	['https://bücher.example', 'https://xn--bcher-kva.example'],
	['http://localhost:8080/', 'http://localhost:8080'],
	['http://LOCALHOST:8080/v1', 'http://localhost:8080'],
	['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
	['http://127.1', 'http://127.0.0.1'],
	['http://127.255.255.254', 'http://127.255.255.254'],
	['http://[::1]:8080', 'http://[::1]:8080'],
	['http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
])('%j is %j', (text, expected) => expect(normalizeBaseUrl(text)).toBe(expected));

test.each([
	'',
	'  ',
	undefined,
	null,
	42,
	{},
	['https://api.example.com', 'x'],
	'api.example.com',
	'//api.example.com',
	'/v1',
	'https://',
	'https://a b.example.com',
	'https://api.example.com:99999',
	'http://api.example.com',
	'http://192.0.2.7',
	'http://10.0.0.1',
	'http://0.0.0.0',
	'http://[::]',
	'http://128.0.0.1',
	'http://localhost.example.com',
	'http://notlocalhost',
	'http://127.0.0.1.example.com',
	'http://localhost@example.com',
	'http://[::2]',
	'ftp://api.example.com',
	'file:///etc/passwd',
	'javascript:alert(1)',
	'data:text/plain,x',
	'ws://localhost',
	'https://user:password@api.example.com',
	'https://user@api.example.com',
	'https://:password@api.example.com',
	'https://api.example.com/?key=x',
	'https://api.example.com/#top',
])('%j is refused', async (text) =>
	expect(await errorOf(() => normalizeBaseUrl(text))).toMatchObject({
		errorClass: 'invalid_input',
		known: { parameter: 'Base URL' },
	}),
);

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
			expect(result).not.toMatch(/\/$|[?#]|\/v1$/);
			expect(isPrivate(new URL(result))).toBe(true);
			expect(normalizeBaseUrl(result)).toBe(result);
		}),
		{ numRuns: 200 },
	);
});

test.each([
	['https://example.com', true],
	['http://example.com', false],
	['http://localhost', true],
	['http://127.8.9.10', true],
	['http://[::1]', true],
	['ftp://localhost', false],
])('a request to %s keeps the key private: %s', (url, expected) =>
	expect(isPrivate(new URL(url))).toBe(expected),
);
