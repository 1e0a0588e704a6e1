import fc from 'fast-check';

import {
	isPrivate,
	normalizeBaseUrl as normalize,
} from '../../../nodes/WalletScreening/shared/http';
import { errorOf } from '../support/answers';

const normalizeBaseUrl = (text: unknown) => normalize(text, 'Base URL');

test.each([
	['  https://api.example.com//v1//\n', 'https://api.example.com'],
	['HTTPS://API.Example.COM:443', 'https://api.example.com'],
	['https://gateway.example.com:8443/screening/v1', 'https://gateway.example.com:8443/screening'],
	['https://v1.example.com/v10/dev1', 'https://v1.example.com/v10/dev1'],
	['https://bücher.example', 'https://xn--bcher-kva.example'],
	['http://LOCALHOST:8080/', 'http://localhost:8080'],
	['http://127.255.255.254', 'http://127.255.255.254'],
	['http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
])('%j is %j', (text, expected) => expect(normalizeBaseUrl(text)).toBe(expected));

test.each([
	'  ',
	42,
	['https://api.example.com'],
	'api.example.com',
	'https://',
	'http://api.example.com',
	'http://10.0.0.1',
	'http://[::2]',
	'http://128.0.0.1',
	'http://localhost.example.com',
	'http://127.0.0.1.example.com',
	'http://localhost@example.com',
	'ftp://localhost',
	'javascript:alert(1)',
	'https://user@api.example.com',
	'https://:password@api.example.com',
	'https://api.example.com/?key=x',
	'https://api.example.com/#top',
])('%j is refused', async (text) =>
	expect(await errorOf(() => normalizeBaseUrl(text))).toMatchObject({
		errorClass: 'invalid_input',
		details: { parameter: 'Base URL' },
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
