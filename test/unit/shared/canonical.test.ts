import {
	canonicalJson,
	digestOfJson,
	toStoredForm,
} from '../../../nodes/WalletScreening/shared/canonical';
import { sha256Hex } from '../../../nodes/WalletScreening/shared/sha256';
import rfc8785 from './rfc8785.json';

const { numbers, example, names } = rfc8785;

const numberOf = (bits: string) => Buffer.from(bits, 'hex').readDoubleBE();

test('numbers are written as appendix B of RFC 8785 has them, by their bits', () => {
	for (const [bits, written] of Object.entries(numbers)) {
		expect(canonicalJson(numberOf(bits))).toBe(written);
	}
});

test('the example of section 3.2.2 has the bytes of section 3.2.4', () => {
	const written = canonicalJson(JSON.parse(example.json));
	expect(Buffer.from(written).toString('hex')).toBe(example.bytes);
});

test('the names of section 3.2.3 stand in its order, by UTF-16 code units', () => {
	const written = canonicalJson(JSON.parse(names.json));
	expect([...written.matchAll(/:"([^"]+)"/g)].map(([, name]) => name)).toEqual(names.order);
});

test('half of a character and what JSON does not have are refused, as name and as value', () => {
	for (const text of ['\ud800', 'x\udc00', '\udc00\ud800']) {
		expect(() => canonicalJson(text)).toThrow(TypeError);
		expect(() => canonicalJson({ [text]: 1 })).toThrow(TypeError);
	}
	for (const value of [undefined, Symbol('x'), () => 1, 10n, NaN, Infinity]) {
		expect(() => canonicalJson({ a: value })).toThrow(TypeError);
		expect(() => canonicalJson([value])).toThrow(TypeError);
	}
});

// printf '{"a":1,"b":"\303\244"}' | openssl dgst -sha256
test('digests are those of openssl', () => {
	expect(digestOfJson({ b: 'ä', a: 1 })).toBe(
		'f5300ffcfd6fd3fc2de46d700be90d43fd799cd9eb69da4737201006143d48a1',
	);
	// FIPS 180-2, appendix B.1
	expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
	expect(sha256Hex(Buffer.from('abc'))).toBe(sha256Hex('abc'));
});

test('a value is stored without what is undefined, and with times as text', () => {
	const time = new Date('2026-11-21T12:00:00Z');
	expect(toStoredForm({ a: undefined, b: [undefined, -0], c: time, d: NaN })).toStrictEqual({
		b: [null, 0],
		c: '2026-11-21T12:00:00.000Z',
		d: null,
	});
});
