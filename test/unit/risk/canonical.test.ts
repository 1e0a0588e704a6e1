import fc from 'fast-check';
import {
	canonicalJson,
	digestOfJson,
	sha256,
	stored,
} from '../../../nodes/WalletScreening/risk/canonical';

/** Appendix B of RFC 8785: the bits of a number, and how it is written. */
const numbers = [
	['0000000000000000', '0'],
	['8000000000000000', '0'],
	['0000000000000001', '5e-324'],
	['8000000000000001', '-5e-324'],
	['7fefffffffffffff', '1.7976931348623157e+308'],
	['ffefffffffffffff', '-1.7976931348623157e+308'],
	['4340000000000000', '9007199254740992'],
	['c340000000000000', '-9007199254740992'],
	['4430000000000000', '295147905179352830000'],
	['44b52d02c7e14af5', '9.999999999999997e+22'],
	['44b52d02c7e14af6', '1e+23'],
	['44b52d02c7e14af7', '1.0000000000000001e+23'],
	['444b1ae4d6e2ef4e', '999999999999999700000'],
	['444b1ae4d6e2ef4f', '999999999999999900000'],
	['444b1ae4d6e2ef50', '1e+21'],
	['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
	['3eb0c6f7a0b5ed8d', '0.000001'],
	['41b3de4355555553', '333333333.3333332'],
	['41b3de4355555554', '333333333.33333325'],
	['41b3de4355555555', '333333333.3333333'],
	['41b3de4355555556', '333333333.3333334'],
	['41b3de4355555557', '333333333.33333343'],
	['becbf647612f3696', '-0.0000033333333333333333'],
	['43143ff3c1cb0959', '1424953923781206.2'],
];
const numberOf = (bits = '') => Buffer.from(bits, 'hex').readDoubleBE();

test.each(numbers)('the number of the bits %s is %s', (bits, written) => {
	expect(canonicalJson(numberOf(bits))).toBe(written);
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

test.each([
	['\ud800', 'a lone half'],
	['x\udc00', 'a lone half at the end'],
	['\udc00\ud800', 'halves in the wrong order'],
])('%j is no text of JSON', (text) => {
	expect(() => canonicalJson(text)).toThrow(TypeError);
	expect(() => canonicalJson({ [text]: 1 })).toThrow(TypeError);
});

test.each([[undefined], [Symbol('x')], [() => 1], [10n]])('%p is no value of JSON', (value) => {
	expect(() => canonicalJson({ a: value })).toThrow(TypeError);
	expect(() => canonicalJson([value])).toThrow(TypeError);
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
