import { digestOfJson } from '../../../nodes/WalletScreening/risk/canonical';
import {
	exceptionsOfFields,
	policyOfFields,
	policyOfJson,
} from '../../../nodes/WalletScreening/risk/policy';
import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';

const rule = (given: object = {}) => ({
	field: 'score',
	operator: 'gte',
	value: '0.5',
	outcome: 'block',
	...given,
});
const exception = (given: object = {}) => ({
	address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
	chain: 'ETH',
	until: '2026-12-31',
	reason: 'False positive',
	approvedBy: 'MLRO',
	...given,
});

/** The error that is thrown; none names a label of the editor. */
function refusal(read: () => unknown): ScreeningError {
	try {
		read();
	} catch (error) {
		if (!(error instanceof ScreeningError)) throw error;
		expect(error.errorClass).toBe('invalid_input');
		expect(error.description).toMatch(/\.$/);
		expect(error.known).toEqual({});
		return error;
	}
	throw new Error('accepted');
}
const refusedRule = (given: unknown) => {
	const inFields = refusal(() => policyOfFields({ rules: [given] })).message;
	expect(refusal(() => policyOfJson([given])).message).toBe(inFields);
	return inFields;
};

describe('rules', () => {
	it('of every kind of field are read, and numbers from text', () => {
		const rules = [
			{ field: 'level', operator: 'notEquals', value: ' Green ', outcome: 'review' },
			rule({ mayBeWaived: true }),
			rule({ field: 'clean_exchange', operator: 'lte', value: -1.5, mayBeWaived: false }),
			rule({ field: 'other', categoryKey: ' gambling ', value: ' 1e-3 ' }),
		];
		const common = { outcome: 'block', mayBeWaived: false };
		const read = [
			{
				...{ of: 'level', field: 'level', operator: 'notEquals', value: 'Green' },
				...{ outcome: 'review', mayBeWaived: false },
			},
			{ ...common, of: 'score', field: 'score', operator: 'gte', value: 0.5, mayBeWaived: true },
			{ ...common, of: 'category', field: 'clean_exchange', operator: 'lte', value: -1.5 },
			{ ...common, of: 'category', field: 'gambling', operator: 'gte', value: 0.001 },
		];
		expect(policyOfFields({ rules }).rules).toEqual(read);
		expect(policyOfJson(rules).rules).toEqual(read);
		expect(policyOfJson({ rules }).rules).toEqual(read);
		expect(policyOfJson(`\uFEFF ${JSON.stringify({ rules })}\n`).rules).toEqual(read);
	});

	it.each([
		['250', 250],
		['12.5', 12.5],
		['-0.5', -0.5],
		['+7', 7],
		['.25', 0.25],
		['5.', 5],
		['2e3', 2000],
		['1E-10', 1e-10],
	])('may hold the number %s', (value, number) => {
		expect(policyOfJson([rule({ value })]).rules).toMatchObject([{ value: number }]);
	});

	// Section 2.3
	it.each(['sanctions', 'darknet', 'mixer', 'scam', 'stolen', 'clean_exchange'])(
		'know the category %s',
		(field) => {
			expect(policyOfJson([rule({ field })]).rules).toMatchObject([{ of: 'category', field }]);
		},
	);

	it.each(['score', 'level', '__proto__', 'constructor'])(
		'may be about another category named %s',
		(categoryKey) => {
			const { rules, record } = policyOfJson([rule({ field: 'other', categoryKey })]);
			expect(rules).toMatchObject([{ of: 'category', field: categoryKey }]);
			expect(record.rules).toMatchObject([{ field: 'other', categoryKey }]);
		},
	);

	it.each([
		[undefined, false],
		[null, false],
		[false, false],
		['false', false],
		['', false],
		[true, true],
		['true', true],
		[' TRUE ', true],
	])('with mayBeWaived %j: %j', (mayBeWaived, expected) => {
		expect(policyOfJson([rule({ mayBeWaived })]).rules[0]?.mayBeWaived).toBe(expected);
	});

	it.each([1, 0, 'yes', 'tru', {}, [true]])('with mayBeWaived %j are refused', (mayBeWaived) => {
		expect(refusedRule(rule({ mayBeWaived }))).toBe(
			"Rule 1 has a 'mayBeWaived' that is neither true nor false",
		);
	});

	it.each(
		[
			['', '0,5', '0.5.', 'high', '0x10', 'NaN', 'Infinity', '1e999', '5 %', '1_000', '٣'],
			[null, undefined, true, NaN, Infinity, {}, [0.5]],
		].flat(),
	)('that compare a number with %j are refused', (value) => {
		for (const what of [
			{ field: 'score' },
			{ field: 'mixer' },
			{ field: 'other', categoryKey: 'x' },
		]) {
			expect(refusedRule(rule({ ...what, value }))).toMatch(
				/^Rule 1 compares '.+' with a value that is not a number$/,
			);
		}
	});

	it.each([
		[{ field: 'level', operator: 'gte', value: 'red' }, "compares 'level' by size"],
		[{ field: 'level', operator: 'lte', value: '3' }, "compares 'level' by size"],
		[{ field: 'level', operator: 'equals', value: ' ' }, 'names no level'],
		[{ field: 'level', operator: 'equals', value: 7 }, 'names no level'],
		[{ field: 'other', categoryKey: '  ' }, 'names no field'],
		[{ field: 'other', categoryKey: 7 }, 'names no field'],
		[{ field: 'other' }, 'names no field'],
		[{ field: undefined }, 'names no field'],
		[{ field: ['score'] }, 'names no field'],
		[{ field: 'sanctoins' }, 'has an unknown field (sanctoins)'],
		[{ field: ' score' }, 'has an unknown field (score)'],
		[{ field: 'Score' }, 'has an unknown field (Score)'],
		[{ field: 'toString' }, 'has an unknown field (toString)'],
		[{ operator: 'larger' }, 'uses an unknown operator (larger)'],
		[{ operator: ['gte'] }, 'uses an unknown operator (["gte"])'],
		[{ operator: undefined }, 'uses an unknown operator (not given)'],
		[{ outcome: 'allow' }, 'has an unknown outcome (allow)'],
		[{ mayBeWaved: true }, 'has an unknown name (mayBeWaved)'],
		[{ MayBeWaived: true }, 'has an unknown name (MayBeWaived)'],
		[null, 'is not an object'],
		['[]', 'is not an object'],
		[JSON.stringify(rule()), 'is not an object'],
		[[rule()], 'is not an object'],
	])('such as %j are refused', (given, what) => {
		const isRule = typeof given === 'object' && given !== null && !Array.isArray(given);
		expect(refusedRule(isRule ? rule(given) : given)).toContain(`Rule 1 ${what}`);
	});

	it('are named by their number', () => {
		const rules = [rule(), rule(), rule({ value: 'x' })];
		expect(refusal(() => policyOfFields({ rules })).message).toBe(
			"Rule 3 compares 'score' with a value that is not a number",
		);
	});

	it.each([
		{ field: 'x'.repeat(10_000) },
		{ ['x'.repeat(10_000)]: 1 },
		{ operator: 'x'.repeat(10_000) },
	])('with a name without end do not make a message without end', (what) =>
		expect(refusedRule(rule(what)).length).toBeLessThan(250),
	);

	it('keep a category name in a hidden field, and in JSON it is a contradiction', () => {
		const both = rule({ categoryKey: 'gambling' });
		expect(policyOfFields({ rules: [both] }).rules).toMatchObject([{ of: 'score' }]);
		expect(refusal(() => policyOfJson([both])).message).toBe(
			"Rule 1 has a 'categoryKey' and a field that is not 'other'",
		);
	});

	it.each([undefined, null, {}, { rules: [] }, { rules: null }, []])(
		'must be there (%j): without one everything would be allowed',
		(given) => {
			expect(refusal(() => policyOfFields(given)).message).toBe('There is no rule');
		},
	);

	it('are a list', () => {
		for (const read of [policyOfFields, policyOfJson]) {
			expect(refusal(() => read({ rules: 'x' })).message).toBe("'rules' is not a list");
			expect(refusal(() => read({ rules: { 0: rule() } })).message).toBe("'rules' is not a list");
		}
		expect(refusal(() => policyOfJson([rule(), , rule()])).message).toBe('Rule 2 is not an object');
	});
});

describe('a policy in JSON', () => {
	it('may have a name, a version and exceptions', () => {
		const { record } = policyOfJson(
			{ name: ' Payments ', version: 3, rules: [rule()], exceptions: [exception()] },
			{ name: 'of the field' },
		);
		expect(record).toMatchObject({ name: 'Payments', version: 3, exceptions: [exception()] });
		expect(policyOfJson({ version: '2026-11', rules: [rule()] }).record.version).toBe('2026-11');
	});

	it.each([undefined, null, '', ' '])('without a name (%j) takes that of the field', (name) => {
		expect(policyOfJson({ name, rules: [rule()] }, { name: 'F' }).record.name).toBe('F');
		expect(policyOfJson({ name, rules: [rule()] }).record.name).toBe('');
	});

	it.each(['', ' \n', '[]', '{}', '{"rules":[]}'])('without a rule (%j) is refused', (text) => {
		expect(refusal(() => policyOfJson(text)).message).toBe('There is no rule');
	});

	it.each(['7', '"x"', 'null', 'true', 7, null, undefined, true])('is no %j', (given) => {
		expect(refusal(() => policyOfJson(given)).message).toBe(
			'The policy is neither a list of rules nor an object',
		);
	});

	it.each(['{', '{"rules": [}', '{rules: []}', "{'rules': []}", '[1,]', 'rules'])(
		'that is broken (%j) is said to be broken',
		(text) => {
			expect(refusal(() => policyOfJson(text)).message).toMatch(/^The policy is not valid JSON: /);
		},
	);

	it.each([
		'[{"field":"score","operator":"gte","value":1,"outcome":"block","outcome":"review"}]',
		'{"rules":[],"exceptions":[],"rules":[]}',
		'{"rules":[],"r\\u0075les":[]}',
		'{"exceptions":[{"until":"2026-01-01","x":{"until":1},"until" : "2027-01-01"}]}',
	])('does not say a thing twice: %s', (text) => {
		expect(refusal(() => policyOfJson(text)).message).toMatch(
			/^The policy is not valid JSON: The name ".+" stands twice in one object$/,
		);
	});

	it('may say the same of two rules, and hold brackets and quotation marks in texts', () => {
		const given = {
			name: '{"rules": ["}',
			rules: [rule(), rule(), { ...rule(), field: 'other', categoryKey: 'a\\":{' }],
		};
		expect(policyOfJson(JSON.stringify(given)).rules).toHaveLength(3);
	});

	it.each([
		[{ name: 7 }, "'name' of the policy is not a text"],
		[{ version: {} }, "'version' of the policy is neither a text nor a number"],
		[{ version: NaN }, "'version' of the policy is neither a text nor a number"],
		[{ exception: [] }, 'The policy has an unknown name (exception)'],
		[{ sha256: 'x' }, 'The policy has an unknown name (sha256)'],
		[{ exceptions: {} }, "'exceptions' is not a list"],
		[{ name: '\ud800' }, 'The policy contains half of a character'],
	])('with %j is refused', (given, message) => {
		expect(refusal(() => policyOfJson({ rules: [rule()], ...given })).message).toBe(message);
	});
});

describe('exceptions', () => {
	const message = (given: unknown) => {
		const inFields = refusal(() => exceptionsOfFields({ entries: [exception(), given] })).message;
		const json = { rules: [rule()], exceptions: [exception(), given] };
		expect(refusal(() => policyOfJson(json)).message).toBe(inFields);
		return inFields;
	};

	it('are an empty list if nothing is entered', () => {
		for (const none of [undefined, null, {}, { entries: [] }]) {
			expect(exceptionsOfFields(none)).toEqual([]);
		}
	});

	it('end with their day in UTC', () => {
		const ends = ['2026-12-31', '2024-02-29', '0001-01-01'].map(
			(until) => exceptionsOfFields({ entries: [exception({ until })] })[0]?.end,
		);
		expect(ends).toEqual([
			Date.UTC(2027, 0, 1),
			Date.UTC(2024, 2, 1),
			Date.parse('0001-01-02T00:00:00.000Z'),
		]);
	});

	it('are freed of what copy and paste leave around a text', () => {
		const entries = [
			exception({ address: '\u200b bc1q0 ', chain: ' ', until: ' 2026-12-31\n', reason: ' r ' }),
		];
		expect(exceptionsOfFields({ entries })).toMatchObject([
			{ address: 'bc1q0', chain: '', until: '2026-12-31', reason: 'r' },
		]);
	});

	it.each([
		[{ address: '' }, 'has no address'],
		[{ address: undefined }, 'has no address'],
		[{ address: ' \u200b' }, 'has no address'],
		[{ address: 7 }, "has a 'address' that is not a text"],
		[{ address: 'a b' }, 'has an invalid address'],
		[{ address: 'a,b' }, 'has an invalid address'],
		[{ address: '"a"' }, 'has an invalid address'],
		[{ address: 'x'.repeat(257) }, 'has an invalid address'],
		[{ address: 'x'.repeat(2_001) }, "has a 'address' that is too long"],
		[{ chain: 7 }, "has a 'chain' that is not a text"],
		[{ until: '' }, 'has no last day'],
		[{ until: null }, 'has no last day'],
		[{ until: new Date() }, "has a 'until' that is not a text"],
		[{ until: 1798675200000 }, "has a 'until' that is not a text"],
		[{ reason: ' ' }, 'has no reason'],
		[{ reason: false }, "has a 'reason' that is not a text"],
		[{ approvedBy: '' }, 'does not name the person who approved it'],
		[{ approvedBy: {} }, "has a 'approvedBy' that is not a text"],
		[{ approved_by: 'x' }, 'has an unknown name (approved_by)'],
		[null, 'is not an object'],
		[JSON.stringify(exception()), 'is not an object'],
	])('such as %j are refused', (given, what) => {
		const isOne = typeof given === 'object' && given !== null;
		expect(message(isOne ? exception(given) : given)).toBe(`Exception 2 ${what}`);
	});

	it.each(
		[
			['2026-02-29', '2026-02-30', '2026-13-01', '2026-00-01', '2026-01-00', '2100-02-29'],
			['2026-1-1', '26-01-01', '31.12.2026', '2026-12-31T00:00:00Z', '2026-12-31 ', 'never'],
			['+012026-12-31', '2026/12/31', '2026-12-32', '9999-99-99', '٢٠٢٦-١٢-٣١'],
		]
			.flat()
			.filter((day) => day.trim() === day),
	)('do not end on %j', (until) => {
		expect(message(exception({ until }))).toBe(
			`Exception 2 has a last day that is not a date (${until})`,
		);
	});
});

describe('the record of a policy', () => {
	const exceptions = exceptionsOfFields({ entries: [exception({ chain: '' })] });
	const { record } = policyOfFields(
		{
			rules: [
				{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review' },
				rule({ field: 'other', categoryKey: 'mixer', mayBeWaived: true }),
				rule({ field: 'other', categoryKey: 'gambling', value: -0 }),
			],
		},
		{ name: ' Payments ', exceptions },
	);

	it('says in JSON what was entered', () => {
		const level = { field: 'level', operator: 'notEquals', value: 'green' };
		const numeric = { operator: 'gte', outcome: 'block' };
		expect(record).toEqual({
			name: 'Payments',
			rules: [
				{ ...level, outcome: 'review', mayBeWaived: false },
				{ ...numeric, field: 'mixer', value: 0.5, mayBeWaived: true },
				{ ...numeric, field: 'other', categoryKey: 'gambling', value: 0, mayBeWaived: false },
			],
			exceptions: [exception({ chain: '' })],
			sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
		});
	});

	it('has the digest of the rest, and reads as the same policy', () => {
		const { sha256, ...rest } = record;
		expect(sha256).toBe(digestOfJson(rest));
		expect(policyOfJson(rest).record).toEqual(record);
		expect(policyOfJson(JSON.stringify(rest)).record).toEqual(record);
	});

	it('comes with the exceptions of the fields after those of the policy', () => {
		const json = { rules: [rule()], exceptions: [exception({ reason: 'first' })] };
		const both = policyOfJson(json, { exceptions });
		expect(both.record.exceptions.map(({ reason }) => reason)).toEqual(['first', 'False positive']);
		expect([...both.exceptions.values()].map((list) => list.length)).toEqual([2]);
	});
});
