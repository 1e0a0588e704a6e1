import { counted } from '../../../nodes/WalletScreening/service/text';

test.each([
	[0, '0 minutes'],
	[0.5, '0.5 minutes'],
	[1, '1 minute'],
	[2, '2 minutes'],
])('only one is singular: %d', (count, text) => expect(counted(count, 'minute')).toBe(text));

test('a plural may be another word', () => {
	expect(counted(2, 'address', 'addresses')).toBe('2 addresses');
});
