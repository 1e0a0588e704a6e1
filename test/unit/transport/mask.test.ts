import fc from 'fast-check';
import { createMask, maskBytes } from '../../../nodes/WalletScreening/transport/mask';

const key = 'sk_live/51+Hk"~é';
const mask = createMask([key]);

test.each([
	key,
	JSON.stringify(key).slice(1, -1),
	// The first is the JSON of PHP and Python, the second that of .NET.
	'sk_live\\/51+Hk\\"~\\u00e9',
	'sk_live/51\\u002BHk\\u0022~\\u00E9',
])('a secret is masked as %s', (spelling) => expect(mask(`a ${spelling} b`)).toBe('a *** b'));

/** A pattern that tries every way to read a backslash does not end at a text that nearly fits. */
test.each([
	['backslashes alone', '\\'.repeat(100)],
	['escaped quotation marks', '\\"'.repeat(50)],
	['escaped slashes', '\\/'.repeat(50)],
])(
	'a secret of %s is masked as it is and in JSON, and a text that nearly fits stays as it came',
	(_, run) => {
		const secret = `${run}end`;
		const other = createMask([secret]);
		const almost = `${run}${run}en`;
		expect(other(almost)).toBe(almost);
		expect(other(`a ${secret} b`)).toBe('a *** b');
		expect(other(JSON.stringify({ secret }))).toBe('{"secret":"***"}');
	},
);

test('a secret is masked as a whole from six characters on: a shorter one may be a word', () => {
	expect(createMask(['secret', 'secret-1', 'green', ''])('secret-1 secret green')).toBe(
		'*** *** green',
	);
});

test('all other text, and the bytes of it, stay as they came', () => {
	const other = createMask([key, 'whsec_0123456789']);
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			const bytes = Buffer.from(text);
			expect(other(text)).toBe(text);
			expect(maskBytes(bytes, other)).toBe(bytes);
		}),
	);
	expect(maskBytes(Buffer.from(`é ${key}`), mask).toString()).toBe('é ***');
});
