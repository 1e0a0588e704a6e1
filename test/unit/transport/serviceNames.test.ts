import { readServiceNames } from '../../../nodes/WalletScreening/transport/serviceNames';

test.each([undefined, null, '', ' ', '{}', {}])('%j adds nothing', (field) => {
	expect(readServiceNames(field)).toBeUndefined();
});

const keys = ['jobId', 'state', 'reports', 'complete', 'failed', 'running', 'categories'];
test.each(keys)('%s is a list of texts, also as JSON', (key) => {
	expect(readServiceNames({ [key]: ['x.y'] })).toEqual({ [key]: ['x.y'] });
	expect(readServiceNames(JSON.stringify({ [key]: [] }))).toEqual({ [key]: [] });
});

test.each<[unknown, RegExp]>([
	['{', /not valid JSON/],
	['[]', /not a JSON object/],
	[{ words: { complete: ['x'] } }, /unknown key "words"/],
	[{ failures: ['late'] }, /unknown key "failures"/],
	[{ __proto__: null, constructor: ['x'] }, /unknown key "constructor"/],
	[{ state: 'x' }, /no list of texts under "state"/],
	[{ state: ['-'] }, /no list of texts under "state"/],
])('%j is refused by name', (field, words) => {
	expect(() => readServiceNames(field)).toThrow(
		expect.objectContaining({
			errorClass: 'invalid_input',
			message: expect.stringMatching(words) as string,
			details: { parameter: 'Service Names' },
		}) as Error,
	);
});
