import { digestOfJson } from '../../../nodes/WalletScreening/risk/canonical';
import {
	exceptionsOfFields,
	policyOfJson,
	policyOfRecord,
} from '../../../nodes/WalletScreening/risk/policy';
import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const rule = (given: object = {}) => ({
	field: 'score',
	operator: 'gte',
	value: '0.5',
	outcome: 'block',
	...given,
});
const exception = (given: object = {}) => ({
	address,
	chain: 'ETH',
	until: '2026-12-31',
	reason: 'Known',
	approvedBy: 'MLRO',
	...given,
});
const list = (given: object = {}) => ({
	name: 'Partners',
	outcome: 'review',
	addresses: [address],
	...given,
});
const amount = { field: { input: 'amount' }, operator: 'gte', value: 5 };
const whole = (given: object = {}) => ({ rules: [rule()], ...given });

/** What the refusal says, and what it says to do; it names no label of the editor. */
function refusal(read: () => unknown): [message: string, advice: string] {
	try {
		read();
	} catch (error) {
		if (!(error instanceof ScreeningError)) throw error;
		expect(error).toMatchObject({ errorClass: 'invalid_input', details: {} });
		return [error.message, error.description];
	}
	throw new Error('accepted');
}
const refused = (policy: unknown) => refusal(() => policyOfJson(policy));
const rulesOf = (rules: object[]) => policyOfJson(rules).record.rules;

test('rules of every kind are read, and recorded as JSON says them', () => {
	const common = { operator: 'gte', outcome: 'block', mayBeWaived: false };
	const all = [amount, { field: 'level', operator: 'equals', value: 'red' }];
	const other = { field: 'other', categoryKey: 'level' };
	expect(
		rulesOf([
			{ field: 'level', operator: 'notEquals', value: ' Green ', outcome: 'review' },
			rule({ mayBeWaived: 'true' }),
			rule({ field: 'tx_count', value: 7, mayBeWaived: '' }),
			rule({ field: 'mixer', value: ' 1e-3 ', mayBeWaived: 'false' }),
			rule({ ...other, categoryKey: ' level ', mayBeWaived: null }),
			// The text of a hidden field says nothing.
			rule({ categoryKey: 'gambling', mayBeWaived: true }),
			{ ...amount, outcome: 'block' },
			{ ...amount, operator: 'equals', value: 'x', outcome: 'block' },
			{ all, field: null, outcome: 'block' },
		]),
	).toEqual([
		{ ...common, field: 'level', operator: 'notEquals', value: 'Green', outcome: 'review' },
		{ ...common, field: 'score', value: 0.5, mayBeWaived: true },
		{ ...common, field: 'tx_count', value: 7 },
		{ ...common, field: 'mixer', value: 0.001 },
		{ ...common, ...other, value: 0.5 },
		{ ...common, field: 'score', value: 0.5, mayBeWaived: true },
		{ ...common, ...amount },
		{ ...common, ...amount, operator: 'equals', value: 'x' },
		{ all, outcome: 'block', mayBeWaived: false },
	]);
});

const advice = {
	rule: "A rule needs a 'field', an 'operator', a 'value' and an 'outcome', and may have 'mayBeWaived'.",
	field:
		'Use one of level, score, tx_count, clean_exchange, darknet, mixer, sanctions, scam, stolen, other, or { "input": "the name of a field of the item" }.',
	categoryKey: 'Enter the name of the category.',
	operator: 'Use gte, lte, equals or notEquals. For a text, use equals or notEquals.',
	value:
		'Give a number, with a point for the decimals, e.g. 0.5. For the level, give a text, e.g. green.',
	outcome: 'Use review or block.',
	mayBeWaived: 'Use true or false.',
	all: "Put all conditions of the rule into the list 'all'.",
	exception:
		"An exception needs an 'address', 'until', 'reason' and 'approvedBy', and may have a 'chain'.",
	address: 'Give one address, without spaces or quotation marks.',
	chain: 'Name the chain, or leave it out for every chain.',
	until: 'Give the last day as year, month and day, e.g. 2026-12-31.',
	approvedBy: 'Name the person who approved it.',
	list: "A list needs a 'name', an 'outcome' and 'addresses', and may have 'as_of' and 'max_age_days'.",
	as_of:
		'Say when the list was made: a day, e.g. 2026-12-31, or a time with its zone, e.g. 2026-12-31T08:00:00Z.',
	max_age_days: 'Give a number of days above 0.',
	policy:
		"Give a list of rules, or an object with 'rules' and optionally 'name', 'version', 'otherwise', 'exceptions' and 'lists'.",
	otherwise: 'Use one of allowGreen, review, allow.',
};

const long = 'x'.repeat(10_000);
const level = { field: 'level', operator: 'equals', value: 'red' };
const none = { field: null, operator: null, value: null };
test.each<[string, string, unknown[]]>([
	['is not an object', advice.rule, [null, [rule()], 'x']],
	['has an unknown name (mayBeWaved)', advice.rule, [rule({ mayBeWaved: true })]],
	['has an unknown name (outcome)', advice.rule, [{ ...none, all: [rule()], outcome: 'block' }]],
	["has no 'field'", advice.field, [rule({ field: null }), { outcome: 'block' }]],
	["has a wrong 'field' (risk)", advice.field, [rule({ field: 'risk' })]],
	['has a wrong \'field\' (["score"])', advice.field, [rule({ field: ['score'] })]],
	[
		'has a wrong \'field\' ({"input":',
		advice.field,
		[{ input: ' ' }, { input: 5 }, { input: 'a', path: 'b' }].map((field) => rule({ field })),
	],
	["has a wrong 'field' (xxxxxxxxxxx…)", advice.field, [rule({ field: long })]],
	[
		"has no 'categoryKey'",
		advice.categoryKey,
		[rule({ field: 'other', categoryKey: ' ' }), rule({ field: 'other' })],
	],
	["has a wrong 'categoryKey' (7)", advice.categoryKey, [rule({ categoryKey: 7 })]],
	["has no 'operator'", advice.operator, [rule({ operator: null })]],
	["has a wrong 'operator' (gt)", advice.operator, [rule({ operator: 'gt' })]],
	[
		"has a wrong 'operator' (gte)",
		advice.operator,
		[
			{ ...level, operator: 'gte' },
			{ ...amount, value: '5' },
		].map(rule),
	],
	["has a wrong 'operator' (lte)", advice.operator, [rule({ ...level, operator: 'lte' })]],
	["has no 'value'", advice.value, [rule({ value: ' ' }), rule({ ...level, value: ' ' })]],
	["has a wrong 'value' (0,5)", advice.value, [rule({ value: '0,5' })]],
	["has a wrong 'value' (7)", advice.value, [rule({ ...level, value: 7 })]],
	[
		"has a wrong 'value' (",
		advice.value,
		[NaN, '1e999', '5 %', [5]].map((value) => rule({ value })),
	],
	["has a wrong 'outcome' (allow)", advice.outcome, [rule({ outcome: 'allow' })]],
	["has a wrong 'mayBeWaived' (yes)", advice.mayBeWaived, [rule({ mayBeWaived: 'yes' })]],
	["gets nothing from the expression in 'value'", advice.value, [rule({ value: undefined })]],
	[
		"gets nothing from the expression in 'categoryKey'",
		advice.categoryKey,
		[rule({ categoryKey: undefined })],
	],
	["has a wrong 'all' ([])", advice.all, [{ ...none, all: [], outcome: 'block' }]],
	["has a wrong 'all' ([null])", advice.all, [{ all: [null], outcome: 'block' }]],
	['has a wrong \'all\' ([{"field":{…)', advice.all, [rule({ all: [amount] })]],
	[
		"has a wrong 'operator' (gt)",
		advice.operator,
		[{ all: [{ ...amount, operator: 'gt' }], outcome: 'block' }],
	],
])('a rule that %s is refused', (message, how, all) => {
	for (const given of all) {
		const [said, toDo] = refused([rule(), given]);
		expect(said.slice(0, message.length + 7)).toBe(`Rule 2 ${message}`);
		expect(toDo).toBe(how);
	}
});

test.each<[string, string, unknown[]]>([
	['is not an object', advice.exception, [null, 'x']],
	['has an unknown name (approved_by)', advice.exception, [exception({ approved_by: 'x' })]],
	["has no 'approvedBy'", advice.approvedBy, [exception({ approvedBy: null })]],
	["has no 'reason'", advice.exception, [exception({ reason: ' ' })]],
	["has a wrong 'reason' (7)", advice.exception, [exception({ reason: 7 })]],
	[
		"has a wrong 'chain' (",
		advice.chain,
		[exception({ chain: '\u200b' }), exception({ chain: 7 })],
	],
	["has no 'chain'", advice.chain, [exception({ chain: '' })]],
	["gets nothing from the expression in 'chain'", advice.chain, [exception({ chain: undefined })]],
	["has a wrong 'address' (a b)", advice.address, [exception({ address: 'a b' })]],
	[
		"has a wrong 'until' (",
		advice.until,
		['2026-02-29', '2100-02-29', '2026-13-01', '31.12.2026', '2026-12-31T00:00:00Z'].map((until) =>
			exception({ until }),
		),
	],
])('an exception that %s is refused', (message, how, all) => {
	for (const given of all) {
		const [said, toDo] = refused(whole({ exceptions: [exception(), given] }));
		expect(said.slice(0, message.length + 12)).toBe(`Exception 2 ${message}`);
		expect(toDo).toBe(how);
	}
});

test.each<[string, string | RegExp, unknown[]]>([
	['is not an object', advice.list, ['Partners']],
	['has an unknown name (adresses)', advice.list, [list({ adresses: [] })]],
	["has no 'name'", advice.list, [list({ name: ' ' })]],
	["has a wrong 'outcome' (allow)", advice.outcome, [list({ outcome: 'allow' })]],
	["has a wrong 'addresses' (x)", advice.list, [list({ addresses: 'x' })]],
	[
		"has a wrong 'as_of' (",
		advice.as_of,
		['31.12.2026', '2026-02-30', '2026-02-30T08:00:00Z', '2026-12-31T08:00:00', 'today'].map(
			(as_of) => list({ as_of }),
		),
	],
	["has no 'as_of'", advice.as_of, [list({ max_age_days: 7 })]],
	[
		"has a wrong 'max_age_days' (",
		advice.max_age_days,
		[0, -1, '7', Infinity].map((max_age_days) => list({ as_of: '2026-12-31', max_age_days })),
	],
	['has an entry that is not an address (entry 2)', /text/, [list({ addresses: [address, 7] })]],
	['has an entry that is not an address (entry 1: a b)', /one/, [list({ addresses: ['a b'] })]],
	[
		`has an entry that is not an address (entry 1: ${address.toUpperCase().replace('X', 'x').slice(0, -1)})`,
		/hexadecimal/,
		[list({ addresses: [address.toUpperCase().replace('X', 'x').slice(0, -1)] })],
	],
])('a list that %s is refused', (message, how, all) => {
	for (const given of all) {
		const [said, toDo] = refused({ lists: [list({ name: 'First' }), given] });
		expect(said.slice(0, message.length + 7)).toBe(`List 2 ${message}`);
		if (typeof how === 'string') expect(toDo).toBe(how);
		else expect(toDo).toMatch(how);
	}
});

test.each<[string, string, unknown[]]>([
	['The policy is not an object', advice.policy, ['"x"', 'null', 7, undefined]],
	[
		'The policy holds half of a character',
		'Write the texts of the policy anew.',
		[whole({ name: '\ud800' })],
	],
	['The policy has an unknown name (sha256)', advice.policy, [whole({ sha256: 'x' })]],
	["The policy has a wrong 'name' (xxxx", advice.policy, [whole({ name: 'x'.repeat(2_001) })]],
	[
		"The policy has a wrong 'version' (",
		advice.policy,
		[NaN, {}].map((version) => whole({ version })),
	],
	["The policy has a wrong 'rules' (x)", advice.policy, [{ rules: 'x' }]],
	["The policy has a wrong 'otherwise' (Allow)", advice.otherwise, [whole({ otherwise: 'Allow' })]],
	[
		"The policy gets nothing from the expression in 'lists'",
		advice.policy,
		[whole({ lists: undefined })],
	],
	[
		'The policy has two lists of one name',
		'Give each list a name of its own.',
		[{ lists: [list(), list({ name: ' Partners ' })] }],
	],
	[
		'There is no rule',
		'Without a rule a policy decides nothing. Add a rule.',
		[' \n', '[]', '{}', { rules: null, lists: [] }],
	],
	[
		'The policy is not valid JSON: ',
		'Correct the text of the policy.',
		['{', "{'rules': []}", '[1,]'],
	],
])('refused: %s', (message, how, all) => {
	for (const given of all) {
		const [said, toDo] = refused(given);
		expect(said.slice(0, message.length)).toBe(message);
		expect(said.length).toBeLessThan(250);
		expect(toDo).toBe(how);
	}
});

test('of two faults the misspelt name is said, and a hole in a list is no rule', () => {
	expect(refused([rule({ outcome: 'allow', outcom: 'x' })])[0]).toContain('(outcom)');
	expect(refused([rule(), , rule()])[0]).toBe('Rule 2 is not an object');
});

test('the exceptions of fields are those of JSON, on every chain if nobody filled in the chain', () => {
	const spaced = exception({ address: `\u200b ${address} `, until: ' 2026-12-31\n', chain: '' });
	const { chain: _, ...anywhere } = exception();
	expect(exceptionsOfFields({ entries: [spaced, exception()] })).toEqual([anywhere, exception()]);
	for (const nothing of [undefined, null, {}]) expect(exceptionsOfFields(nothing)).toEqual([]);
	const read = (entries: unknown) => refusal(() => exceptionsOfFields({ entries }))[0];
	expect(read([exception(), null])).toBe('Exception 2 is not an object');
	expect(read('x')).toBe('Exception 1 is not an object');
});

describe('the record of a policy', () => {
	const given = {
		name: ' Payments ',
		version: 0,
		otherwise: 'review',
		rules: [rule(), { all: [amount, { ...amount, operator: 'lte' }], outcome: 'review' }],
		exceptions: [exception({ chain: null })],
		lists: [
			list({ addresses: [` ${address}`, address], as_of: '2026-12-31', max_age_days: 7 }),
			list({ name: 'Empty', addresses: null, as_of: '2026-12-31T08:00:00.123+05:30' }),
		],
	};
	const { record, lists } = policyOfJson(given);

	it('says in JSON what was entered, and of a list its length and digest', () => {
		const { chain: _, ...anywhere } = exception();
		expect(record).toMatchObject({ name: 'Payments', version: 0, otherwise: 'review' });
		expect(record.exceptions).toEqual([anywhere]);
		expect(record.lists).toEqual([
			{
				name: 'Partners',
				outcome: 'review',
				as_of: '2026-12-31',
				max_age_days: 7,
				length: 2,
				digest: digestOfJson([` ${address}`, address]),
			},
			{
				name: 'Empty',
				outcome: 'review',
				as_of: '2026-12-31T08:00:00.123+05:30',
				length: 0,
				digest: digestOfJson([]),
			},
		]);
		expect(lists.map(({ has }) => has('any'))).toEqual([false, false]);
		expect(policyOfJson([rule()]).record).not.toHaveProperty('lists');
	});

	it('has the digest of the rest, and reads as the same policy', () => {
		const { sha256, ...rest } = record;
		expect(sha256).toBe(digestOfJson(rest));
		const again = policyOfRecord({ ...rest, sha256: 'other' }, (name) => name === 'Partners');
		expect(again.record).toEqual(record);
		expect(again.lists.map(({ has }) => has('any'))).toEqual([true, false]);
		const [first] = record.lists!;
		const more = { ...rest, lists: [{ ...first, addresses: [] }] };
		expect(policyOfRecord(more, () => true).record.lists).toEqual([first]);
	});

	it('takes from the fields what the policy does not say', () => {
		const fields = {
			name: 'F',
			version: '7',
			otherwise: 'allow' as const,
			exceptions: exceptionsOfFields({ entries: [exception({ reason: 'second' })] }),
		};
		const longest = 'x'.repeat(2_000);
		const own = policyOfJson({ ...given, exceptions: [exception({ reason: longest })] }, fields);
		expect(own.record).toMatchObject({ name: 'Payments', version: 0, otherwise: 'review' });
		expect(own.record.exceptions.map(({ reason }) => reason)).toEqual([longest, 'second']);
		expect([...own.exceptions.values()].map((all) => all.length)).toEqual([2]);
		for (const blank of [null, '', ' ']) {
			const policy = policyOfJson({ name: blank, version: blank, rules: [rule()] }, fields);
			expect(policy.record).toMatchObject({ name: 'F', version: '7', otherwise: 'allow' });
		}
		expect(policyOfJson(whole({ version: ' 2 ' }), fields).record.version).toBe('2');
		const bare = policyOfJson([rule()], { version: '' }).record;
		expect(bare).toMatchObject({ name: '', otherwise: 'allowGreen' });
		expect(bare).not.toHaveProperty('version');
	});
});
