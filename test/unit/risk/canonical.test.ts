import fc from 'fast-check';
import {
	canonicalJson,
	digestOfJson,
	sha256,
	stored,
} from '../../../nodes/WalletScreening/risk/canonical';
import numbers from './rfc8785Numbers.json';

const numberOf = (bits: string) => Buffer.from(bits, 'hex').readDoubleBE();

test('numbers are written as appendix B of RFC 8785 has them, by their bits', () => {
	for (const [bits, written] of Object.entries(numbers)) {
		expect(canonicalJson(numberOf(bits))).toBe(written);
	}
});

test.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])(
	'the bits %s are no number of JSON',
	(bits) => expect(() => canonicalJson({ a: [numberOf(bits)] })).toThrow(TypeError),
);

test('the example of section 3.2.2 has the bytes of section 3.2.4', () => {
	const example = String.raw`{
		"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
		"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
		"literals": [null, true, false]
	}`;
	expect(Buffer.from(canonicalJson(JSON.parse(example))).toString('hex')).toBe(
		[
			'7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a',
			'5b3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d32375d',
			'2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d',
		].join(''),
	);
});

test('the names of section 3.2.3 stand in its order, by UTF-16 code units', () => {
	const example = String.raw`{
		"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
		"1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
		"\u00f6": "Latin Small Letter O With Diaeresis"
	}`;
	const names = [...canonicalJson(JSON.parse(example)).matchAll(/:"([^"]+)"/g)].map(([, n]) => n);
	expect(names).toEqual([
		'Carriage Return',
		'One',
		'Control',
		'Latin Small Letter O With Diaeresis',
		'Euro Sign',
		'Emoji: Grinning Face',
		'Hebrew Letter Dalet With Dagesh',
	]);
});

test('half of a character and what JSON does not have are refused, as name and as value', () => {
	for (const text of ['\ud800', 'x\udc00', '\udc00\ud800']) {
		expect(() => canonicalJson(text)).toThrow(TypeError);
		expect(() => canonicalJson({ [text]: 1 })).toThrow(TypeError);
	}
	for (const value of [undefined, Symbol('x'), () => 1, 10n]) {
		expect(() => canonicalJson({ a: value })).toThrow(TypeError);
		expect(() => canonicalJson([value])).toThrow(TypeError);
	}
});

test('whatever the order of its names, a value has one form, which says the same', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
			const turned = (given: unknown): unknown => {
				if (Array.isArray(given)) return given.map(turned);
				if (typeof given !== 'object' || given === null) return given;
				const entries = Object.entries(given).map(([name, own]) => [name, turned(own)]);
				return Object.fromEntries(entries.reverse() as Array<[string, unknown]>);
			};
			const json = canonicalJson(value);
			expect(canonicalJson(turned(value))).toBe(json);
			expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
			expect(canonicalJson(JSON.parse(json))).toBe(json);
		}),
		{ numRuns: 200 },
	);
});

// printf '{"a":1,"b":"\303\244"}' | openssl dgst -sha256
test('digests are those of openssl', () => {
	expect(digestOfJson({ b: 'ä', a: 1 })).toBe(
		'f5300ffcfd6fd3fc2de46d700be90d43fd799cd9eb69da4737201006143d48a1',
	);
	// FIPS 180-2, appendix B.1
	expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
	expect(sha256(Buffer.from('abc'))).toBe(sha256('abc'));
});

test('a value is stored without what is undefined, and with times as text', () => {
	const time = new Date('2026-11-21T12:00:00Z');
	expect(stored({ a: undefined, b: [undefined, -0], c: time, d: NaN })).toStrictEqual({
		b: [null, 0],
		c: '2026-11-21T12:00:00.000Z',
		d: null,
	});
});
