import { findSecrets } from '../../../tools/host/engine/secrets';

const key = 'a secret key';
const quoted = `it's "one" \\ and\na line`;

test.each<[string, unknown]>([
	['the cause of an error', new Error('no', { cause: new Map([['Bearer', `Bearer ${key}`]]) })],
	['a hidden property', Object.defineProperty({}, 'hidden', { value: key, enumerable: false })],
	['Base64', { basic: Buffer.from(key).toString('base64') }],
	['bytes', { bytes: Buffer.from(`${'x'.repeat(100)}${key}`) }],
	['Base64 of a longer text', Buffer.from(`Bearer ${key} and more`).toString('base64')],
	['Base64 of one more byte', Buffer.from(`:${key}`).toString('base64')],
	['Base64 of two more bytes', Buffer.from(`u:${key}`).toString('base64url')],
	['an array of bytes', Uint8Array.from(Buffer.from(key))],
	['bytes as hex', Buffer.from(key).toString('hex')],
	['the path of a URL', `https://example.com/${encodeURIComponent(key)}`],
	['the query of a URL', new URL(`https://example.com/?${new URLSearchParams({ key })}`)],
	['a key', { [key]: 1 }],
	['a symbol', { [Symbol(key)]: 1 }],
	['a long text', 'x\n'.repeat(10_000) + key],
	['the depth', { a: { b: { c: { d: { e: [key] } } } } }],
])('a secret is seen in %s', (_, value) => {
	expect(findSecrets({ value }, [key, 'another'])).toHaveLength(1);
	expect(findSecrets({ value }, ['another'])).toEqual([]);
});

test.each<[string, unknown]>([
	['a text', quoted],
	['JSON', JSON.stringify({ quoted })],
	['JSON in JSON', JSON.stringify({ json: JSON.stringify({ quoted }) })],
	['a query', new URLSearchParams({ quoted }).toString()],
])('a secret with quotation marks, backslashes and newlines is seen in %s', (_, value) => {
	expect(findSecrets({ value }, [quoted, 'another'])).toHaveLength(1);
});
