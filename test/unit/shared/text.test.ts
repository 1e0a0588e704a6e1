import { counted, parseDecimal } from '../../../nodes/WalletScreening/shared/text';

test.each([
	[0, '0 minutes'],
	[0.5, '0.5 minutes'],
	[1, '1 minute'],
	[2, '2 minutes'],
])('only one is singular: %d', (count, text) => expect(counted(count, 'minute')).toBe(text));

test('a plural may be another word', () => {
	expect(counted(2, 'address', 'addresses')).toBe('2 addresses');
});

test.each([
	['0.5', 0.5],
	[' 10 ', 10],
	['-3', -3],
	['+3', 3],
	['.5', 0.5],
	['5.', 5],
	['1e-7', 1e-7],
	['1E3', 1000],
])('%j is a decimal', (text, number) => expect(parseDecimal(text)).toBe(number));

test.each([
	'',
	' ',
	'0x10',
	'0o17',
	'0b1',
	'1_000',
	'1,5',
	'1 000',
	'5%',
	'.',
	'e5',
	'1e999',
	'Infinity',
	'NaN',
	'١',
])('%j is none', (text) => expect(parseDecimal(text)).toBeUndefined());
