import { readServiceNames } from '../../../nodes/WalletScreening/n8n/serviceNames';
import { usual } from '../../../nodes/WalletScreening/service/dialect/names';

test.each([undefined, null, '', ' ', '{}', {}])('%j adds nothing', (field) => {
	expect(readServiceNames(field)).toBeUndefined();
});

test.each(Object.keys(usual).filter((key) => key !== 'words'))('%s can be added to', (key) => {
	expect(readServiceNames({ [key]: ['x'] })).toEqual({ [key]: ['x'] });
});

test('words can be added to, by kind, and JSON is read', () => {
	const names = { results: ['verdicts'], words: { complete: ['scored'] }, categories: [] };
	expect(readServiceNames(JSON.stringify(names))).toEqual(names);
});

test.each<[unknown, RegExp]>([
	['{', /not valid JSON/],
	['[]', /not a JSON object/],
	[{ result: ['x'] }, /unknown key "result"/],
	[{ __proto__: null, constructor: ['x'] }, /unknown key "constructor"/],
	[{ results: 'x' }, /no list of names under "results"/],
	[{ results: ['-'] }, /no list of names under "results"/],
	[{ words: ['x'] }, /"words" that are not a JSON object/],
	[{ words: { words: ['x'] } }, /unknown key "words"\."words"/],
	[{ words: { complete: {} } }, /no list of names under "words"\."complete"/],
])('%j is refused by name', (field, said) => {
	expect(() => readServiceNames(field)).toThrow(
		expect.objectContaining({
			errorClass: 'invalid_input',
			message: expect.stringMatching(said) as string,
			known: { parameter: 'Service Names' },
		}) as Error,
	);
});
