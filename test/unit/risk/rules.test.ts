import { parseRules } from '../../../nodes/WalletScreening/risk/rules';
import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';

const rule = (given: object) => ({
	field: 'score',
	operator: 'gte',
	value: '0.5',
	outcome: 'block',
	...given,
});

function refusal(given: unknown): ScreeningError {
	try {
		parseRules(given);
	} catch (error) {
		return error as ScreeningError;
	}
	throw new Error('accepted');
}

test('reads rules of every kind of field, and numbers from text', () => {
	expect(
		parseRules({
			rules: [
				{ field: 'level', operator: 'notEquals', value: ' Green ', outcome: 'review' },
				rule({}),
				rule({ field: 'clean_exchange', operator: 'lte', value: -1.5 }),
				rule({ field: 'other', categoryKey: ' gambling ', value: ' 1e-3 ' }),
			],
		}),
	).toEqual([
		{ of: 'level', field: 'level', operator: 'notEquals', value: 'Green', outcome: 'review' },
		{ of: 'score', field: 'score', operator: 'gte', value: 0.5, outcome: 'block' },
		{ of: 'category', field: 'clean_exchange', operator: 'lte', value: -1.5, outcome: 'block' },
		{ of: 'category', field: 'gambling', operator: 'gte', value: 0.001, outcome: 'block' },
	]);
});

test.each([
	['250', 250],
	['12.5', 12.5],
	['-0.5', -0.5],
	['+7', 7],
	['.25', 0.25],
	['5.', 5],
	['2e3', 2000],
	['1E-10', 1e-10],
])('reads the number %s', (value, number) => {
	expect(parseRules({ rules: [rule({ value })] })).toMatchObject([{ value: number }]);
});

// Section 2.3
test.each(['sanctions', 'darknet', 'mixer', 'scam', 'stolen', 'clean_exchange'])(
	'knows the category %s',
	(field) => {
		expect(parseRules({ rules: [rule({ field })] })).toMatchObject([{ of: 'category', field }]);
	},
);

test.each([{ field: 'x'.repeat(10_000) }, { field: 'other', categoryKey: 'x'.repeat(10_000) }])(
	'a name without end does not make a message without end',
	(what) => {
		const { message } = refusal({ rules: [rule({ ...what, value: '' })] });
		expect(message.length).toBeLessThan(250);
	},
);

test('a category of the report may bear any name', () => {
	expect(parseRules({ rules: [rule({ field: 'other', categoryKey: 'score' })] })[0]).toMatchObject({
		of: 'category',
		field: 'score',
	});
});

test.each([undefined, null, {}, { rules: [] }, { rules: 'x' }, []])(
	'without a rule (%j) nothing is decided, because everything would be allowed',
	(given) => {
		expect(refusal(given)).toMatchObject({
			errorClass: 'invalid_input',
			message: "'Decision Rules' holds no rule",
			description: expect.stringMatching(/Add a rule/),
			known: { parameter: 'Decision Rules' },
		});
	},
);

test.each(
	[
		['', '0,5', '0.5.', 'high', '0x10', 'NaN', 'Infinity', '1e999', '5 %'],
		[null, undefined, true, NaN, Infinity, {}, [0.5]],
	].flat(),
)('a number comparison with %j is refused', (value) => {
	for (const what of [
		{ field: 'score' },
		{ field: 'mixer' },
		{ field: 'other', categoryKey: 'x' },
	]) {
		expect(refusal({ rules: [rule({ ...what, value })] }).message).toMatch(
			/^Rule 1 of 'Decision Rules' compares '.+' with something that is not a number$/,
		);
	}
});

test('the rule is named by its number', () => {
	const good = rule({});
	expect(refusal({ rules: [good, good, rule({ value: 'x' })] }).message).toBe(
		"Rule 3 of 'Decision Rules' compares 'score' with something that is not a number",
	);
});

test.each([
	[{ field: 'level', operator: 'gte', value: 'red' }, "compares 'level' like a number"],
	[{ field: 'level', operator: 'lte', value: '3' }, "compares 'level' like a number"],
	[{ field: 'level', operator: 'equals', value: ' ' }, 'names no level'],
	[{ field: 'level', operator: 'equals', value: 7 }, 'names no level'],
	[{ field: 'other', categoryKey: '  ' }, 'names no category'],
	[{ field: 'other' }, 'names no category'],
	[{ field: undefined }, 'names no category'],
	[{ field: 'sanctoins' }, 'has a field that is not known (sanctoins)'],
	[{ field: 'toString' }, 'has a field that is not known (toString)'],
	[{ operator: 'larger' }, 'compares in a way that is not known'],
	[{ value: 'x' }, "compares 'score' with something that is not a number"],
	[{ outcome: 'allow' }, 'has an outcome that is not known'],
	[null, 'compares in a way that is not known'],
])('the rule %j cannot be right', (given, what) => {
	const { message, errorClass, description } = refusal({ rules: [given && rule(given)] });
	expect(errorClass).toBe('invalid_input');
	expect(message).toContain(`Rule 1 of 'Decision Rules' ${what}`);
	expect(description).not.toBe('');
});
