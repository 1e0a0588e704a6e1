import { readServiceNames } from '../../../nodes/WalletScreening/transport/serviceNames';

test.each([undefined, null, '', ' ', '{}', {}])('%j adds nothing', (field) => {
	expect(readServiceNames(field)).toBeUndefined();
});

const keys = ['jobId', 'state', 'reports', 'complete', 'failed', 'running', 'categories'];
test.each(keys)('%s is a list of texts, also as JSON', (key) => {
	expect(readServiceNames({ [key]: ['x.y'] })).toEqual({ [key]: ['x.y'] });
	expect(readServiceNames(JSON.stringify({ [key]: [] }))).toEqual({ [key]: [] });
});

test.each<[field: unknown, because: string, words: RegExp]>([
	['{', 'it ends too early', /not valid JSON/],
	['[]', 'a list has no names', /not a JSON object/],
	[
		{ words: { complete: ['x'] } },
		'the words of a state have no key above them',
		/unknown key "words"/,
	],
	[{ failures: ['late'] }, 'the key is failed', /unknown key "failures"/],
	[
		{ __proto__: null, constructor: ['x'] },
		'each object has it, but the setting does not',
		/unknown key "constructor"/,
	],
	[{ state: 'x' }, 'it is a text', /needs a list of texts with letters or digits under "state"/],
	[
		{ state: ['-'] },
		'a name has a letter or digit',
		/needs a list of texts with letters or digits under "state"/,
	],
])('%j is refused by name: %s', (field, _because, words) => {
	expect(() => readServiceNames(field)).toThrow(
		expect.objectContaining({
			errorClass: 'invalid_input',
			message: expect.stringMatching(words) as string,
			details: { parameter: 'Service Names' },
		}) as Error,
	);
});
