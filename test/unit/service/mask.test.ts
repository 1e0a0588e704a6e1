import fc from 'fast-check';
import { maskedBytes, maskOf } from '../../../nodes/WalletScreening/service/mask';

const key = 'sk_live/51+Hk"~é';
const mask = maskOf([key]);
const unit = (text: string, index: number) => text.charCodeAt(index).toString(16).padStart(4, '0');

/** One character in one of the ways that answers write it. */
const written = fc.constantFrom<(character: string) => string>(
	(character) => character,
	(character) => Buffer.from(character).toString('hex').replace(/../g, '%$&'),
	(character) => Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&'),
	(character) => encodeURIComponent(Buffer.from(character).toString('hex').replace(/../g, '%$&')),
	(character) => Buffer.from(character).toString('hex').replace(/../g, '\\x$&'),
	(character) => Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '=$&'),
	(character) => `\\u${unit(character, 0)}`,
	(character) => `&#${character.charCodeAt(0)};`,
	(character) => `&#x${unit(character, 0)};`,
	(character) => `\\\\u${unit(character, 0).toUpperCase()}`,
);

test.each([
	Buffer.from(key).toString('hex'),
	Buffer.from(key)
		.toString('hex')
		.replace(/..(?!$)/g, '$& '),
	[...Buffer.from(key)].join(', '),
	key.replace(/.{5}/g, '$&=\r\n'),
	JSON.stringify(JSON.stringify(JSON.stringify(key))).slice(7, -7),
	key.replace('/', '\\/').replace('"', '\\"'),
])('a secret is masked as %s', (spelling) => expect(mask(`a ${spelling} b`)).toBe('a *** b'));

test('a secret is masked with each character in a spelling of its own', () => {
	const ways = fc.array(written, { minLength: key.length, maxLength: key.length });
	fc.assert(
		fc.property(ways, (all) => {
			const spelling = Array.from(key, (character, index) => all[index]!(character)).join('');
			expect(mask(`a ${spelling} b`)).toBe('a *** b');
		}),
	);
});

test('a secret is masked in base64 and base64url, whatever stands around it', () => {
	fc.assert(
		fc.property(
			fc.string(),
			fc.string(),
			fc.constantFrom('base64', 'base64url'),
			(before, after, form) => {
				const text = Buffer.from(before + key + after).toString(form as BufferEncoding);
				expect(mask(text.replace(/.{4}/g, '$&\r\n'))).toContain('***');
				expect(mask(JSON.stringify(text.replace(/.{4}/g, '$&\n')))).toContain('***');
				const [left = '', right = ''] = mask(text).split('***');
				// What is left of it is at most a character on each side that also holds bits of its neighbour.
				const known = Buffer.from(text.slice(0, left.length), 'base64').length;
				expect(known).toBeLessThanOrEqual(Buffer.byteLength(before) + 1);
				const hidden = text.length - left.length - right.length;
				expect(hidden).toBeGreaterThanOrEqual(Math.floor((8 * Buffer.byteLength(key)) / 6) - 1);
			},
		),
	);
});

test('a secret is masked as a whole from six characters on: a shorter one may be a word', () => {
	expect(maskOf(['secret', 'secret-1', 'green', ''])('secret-1 secret green')).toBe(
		'*** *** green',
	);
});

test('all other text, and the bytes of it, stay as they came', () => {
	const other = maskOf([key, 'whsec_0123456789']);
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			const bytes = Buffer.from(text);
			expect(other(text)).toBe(text);
			expect(maskedBytes(bytes, other)).toBe(bytes);
		}),
	);
	expect(maskedBytes(Buffer.from(`é ${key}`), mask).toString()).toBe('é ***');
});
