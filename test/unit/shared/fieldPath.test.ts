import { describeFields, valueAt } from '../../../nodes/WalletScreening/shared/fieldPath';

test.each<[because: string, item: Record<string, unknown>, path: string]>([
	['it is the name of a field', { address: 'A' }, 'address'],
	['a name may have a dot', { 'a.b': 'A', a: { b: 'no' } }, 'a.b'],
	['the field is in another one', { a: { b: 'A' } }, 'a.b'],
	['a data table holds JSON text', { a: '{"b":"A"}' }, 'a.b'],
	['blanks around the path do not count', { address: 'A' }, ' address '],
])('a value is found, because %s', (_because, item, path) => {
	expect(valueAt(item, path)).toBe('A');
});

test('the names of fields show what cannot be seen', () => {
	expect(describeFields({ '\u{FEFF}wallet': 1, 'sent to ': 2 }, 'address')).toMatch(
		/^The item has these fields: '\\u\{FEFF\}wallet', 'sent to\\u\{20\}'\. \\u\{…\} is the code of an invisible character/,
	);
});
