import { formatCount, parseDecimal } from '../../../nodes/WalletScreening/shared/text';

test.each([
	[0, '0 minutes'],
	[0.5, '0.5 minutes'],
	[1, '1 minute'],
	[2, '2 minutes'],
])('only one is singular: %d', (count, text) => expect(formatCount(count, 'minute')).toBe(text));

test('a plural may be another word', () => {
	expect(formatCount(2, 'address', 'addresses')).toBe('2 addresses');
});

test.each([
	['0.5', 0.5, 'a point comes before the fraction'],
	[' 10 ', 10, 'blanks around it do not count'],
	['-3', -3, 'it may have a sign'],
	['+3', 3, 'it may have a sign'],
	['.5', 0.5, 'a zero before the point may be missing'],
	['5.', 5, 'the fraction may be missing'],
	['1e-7', 1e-7, 'JSON writes small numbers so'],
	['1E3', 1000, 'the exponent may be written large'],
])('%j is the decimal %d, because %s', (text, number) => expect(parseDecimal(text)).toBe(number));

test.each<[text: string, because: string]>([
	['', 'Number() makes 0 of it'],
	[' ', 'Number() makes 0 of it'],
	['0x10', 'it is hexadecimal'],
	['0o17', 'it is octal'],
	['0b1', 'it is binary'],
	['1_000', 'the separator is one of program code'],
	['1,5', 'the comma may be a point or a separator of thousands'],
	['1 000', 'a blank is inside'],
	['5%', 'the unit is not known here'],
	['.', 'it has no digit'],
	['e5', 'an exponent needs a number'],
	['1e999', 'it is larger than any number'],
	['Infinity', 'it is no finite number'],
	['NaN', 'it is no number'],
	['١', 'the digit is not ASCII'],
])('%j is none, because %s', (text) => expect(parseDecimal(text)).toBeUndefined());
