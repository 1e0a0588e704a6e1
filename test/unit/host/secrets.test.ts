import { findSecrets } from '../../../tools/host/engine/secrets';

const key = 'a secret key';

test.each<[string, unknown]>([
	['the cause of an error', new Error('no', { cause: new Map([['Bearer', `Bearer ${key}`]]) })],
	['a hidden property', Object.defineProperty({}, 'hidden', { value: key, enumerable: false })],
	['Base64', { basic: Buffer.from(key).toString('base64') }],
	['bytes', { bytes: Buffer.from(`${'x'.repeat(100)}${key}`) }],
	['a key', { [key]: 1 }],
	['a symbol', { [Symbol(key)]: 1 }],
	['a long text', 'x\n'.repeat(10_000) + key],
	['the depth', { a: { b: { c: { d: { e: [key] } } } } }],
])('a secret is seen in %s', (_, value) => {
	expect(findSecrets({ value }, [key, 'another'])).toHaveLength(1);
	expect(findSecrets({ value }, ['another'])).toEqual([]);
});
