import { addressKey } from '../../../nodes/WalletScreening/address/key';
import { digestOfJson } from '../../../nodes/WalletScreening/shared/canonical';
import {
	readExceptions,
	readPolicy,
	restorePolicy,
} from '../../../nodes/WalletScreening/policy/policy';
import { readTime } from '../../../nodes/WalletScreening/policy/policySchema';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { ethereum as address, privateKey } from '../../support/data/knownAddresses';
import { exception } from '../../support/unit/exceptions';

const rule = (given: object = {}) => ({
	field: 'score',
	operator: 'gte',
	value: '0.5',
	outcome: 'block',
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

/** The message and the advice of a refusal, which names no label of the editor. */
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
const refused = (policy: unknown) => refusal(() => readPolicy(policy));
const rulesOf = (rules: object[]) => readPolicy(rules).record.rules;

test('rules of every kind are read and recorded in one form', () => {
	const common = { operator: 'gte', outcome: 'block', mayBeWaived: false };
	const all = [amount, { field: 'level', operator: 'equals', value: 'red' }];
	const other = { field: 'other', categoryKey: 'level' };
	expect(
		rulesOf([
			{ field: 'level', operator: 'notEquals', value: ' Green ', outcome: 'review' },
			rule({ mayBeWaived: 'true' }),
			rule({ field: 'tx_count', value: 7, mayBeWaived: '' }),
			// JavaScript writes a small number so.
			rule({ field: 'mixer', value: ' 1e-3 ', mayBeWaived: 'false' }),
			rule({ ...other, categoryKey: ' level ', mayBeWaived: null }),
			// The text of a hidden field does not count.
			rule({ categoryKey: 'gambling', mayBeWaived: true }),
			{ ...amount, outcome: 'block' },
			{ ...amount, field: { input: ' amount\t' }, outcome: 'block' },
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
		{ ...common, ...amount },
		{ ...common, ...amount, operator: 'equals', value: 'x' },
		{ all, outcome: 'block', mayBeWaived: false },
	]);
});

test('quotation marks are part of a level that has them only at one end, and of a text of the item', () => {
	const level = { field: 'level', operator: 'equals', outcome: 'block' };
	const given = [
		{ ...level, value: 'like "red"' },
		{ ...level, value: '"red" or so' },
		{ ...level, field: { input: 'note' }, value: '"red"' },
	];
	expect(rulesOf(given)).toEqual(given.map((one) => ({ ...one, mayBeWaived: false })));
});

const long = 'x'.repeat(10_000);
const country = { field: { input: 'country' }, operator: 'equals', value: 'KP' };
const sanctionsLimit = { field: 'sanctions', operator: 'lte', value: 0.1 };
const reportedSanctions = {
	field: { input: 'report.risk.categories.sanctions' },
	operator: 'gte',
	value: 0.1,
};
const level = { field: 'level', operator: 'equals', value: 'red' };
const none = { field: null, operator: null, value: null };
const wrongCase = address.replace('d8dA', 'd8da');
const wrongDays = ['2026-02-29', '2100-02-29', '2026-13-01', '31.12.2026', '2026-12-31T00:00:00Z'];
const wrongTimes = ['31.12.2026', '2026-02-30', '2026-02-30T08:00:00Z', '2026-12-31T08:00:00'];
/** The day has no 24 hours and more, and no hour has 60 minutes and more. */
const wrongZones = ['2026-12-31T08:00:00+24:00', '2026-12-31T08:00:00-01:60'];
const old = { as_of: '2026-12-31' };

/**
 * Refused policies: the message, the beginning of the advice, and the changes to a valid policy
 * that lead to it.
 */
type Refusals = Array<[message: string, advice: string, ...changes: unknown[]]>;

const fieldAdvice =
	'level, score, tx_count, clean_exchange, darknet, mixer, sanctions, scam, stolen, other, or {';
const rules: Refusals = [
	['is not an object', 'A rule needs', null, [rule()], 'x'],
	['has an unknown name (mayBeWaved)', 'A rule needs', { mayBeWaved: true }],
	[
		"has an unknown name (outcome) in condition 2 of 'all'",
		"A condition needs a 'field', an 'operator' and a 'value'. 'outcome' and 'mayBeWaived' are of",
		{ ...none, all: [amount, rule()] },
	],
	["has nothing in 'field'", 'Use one of level, score', { field: null }, { ...none }],
	["has a wrong 'field' (risk)", fieldAdvice, { field: 'risk' }],
	['has a wrong \'field\' (["score"])', 'Use one of level', { field: ['score'] }],
	['has a wrong \'field\' ({"input":', 'Use one of level', { field: { input: ' ' } }],
	['has a wrong \'field\' ({"input":', 'Use one of level', { field: { input: 5 } }],
	['has a wrong \'field\' ({"input":', 'Use one of level', { field: { input: 'a', path: 'b' } }],
	["has a wrong 'field' (xxxxxxxxxxx…)", 'Use one of level', { field: long }],
	[
		"has nothing in 'categoryKey'",
		'Enter',
		{ field: 'other' },
		{ field: 'other', categoryKey: ' ' },
	],
	["has a wrong 'categoryKey' (7)", 'Enter the name', { categoryKey: 7 }],
	["has nothing in 'operator'", 'Use gte, lte', { operator: null }],
	["has a wrong 'operator' (gt)", 'Use gte, lte', { operator: 'gt' }],
	["has a wrong 'operator' (gte)", 'use equals or notEquals', { ...level, operator: 'gte' }],
	["has a wrong 'operator' (gte)", 'gte and lte compare numbers: write', { ...amount, value: '5' }],
	["has a wrong 'operator' (lte)", 'gte and lte compare numbers', { ...level, operator: 'lte' }],
	["has nothing in 'value'", 'Give a number, with', { value: ' ' }, { ...level, value: ' ' }],
	["has a wrong 'value' (0,5)", 'Give a number, with', { value: '0,5' }],
	["has a wrong 'value' (0x10)", 'Give a number, with', { value: '0x10' }],
	["has a wrong 'value' (0o17)", 'Give a number, with', { value: '0o17' }],
	["has a wrong 'value' (0b1)", 'Give a number, with', { value: '0b1' }],
	["has a wrong 'value' (7)", 'Give a number, with', { ...level, value: 7 }],
	// Levels have no quotation marks, and n8n does not evaluate an expression that is only a part of
	// the text.
	['has a wrong \'value\' ("red")', 'Give a number, with', { ...level, value: '"red"' }],
	["has a wrong 'value' ('red')", 'Give a number, with', { ...level, value: "'red'" }],
	["has a wrong 'value' (“red”)", 'Give a number, with', { ...level, value: '“red”' }],
	[
		"has a wrong 'value' ({{ $json.x …)",
		'Give a number, with',
		{ ...level, value: '{{ $json.x }}' },
	],
	[
		"has a wrong 'value' (={{ $json.x…)",
		'Give a number, with',
		{ ...level, value: '={{ $json.x }}' },
	],
	["has a wrong 'value' (", 'Give', { value: NaN }, { value: '1e999' }, { value: [5] }],
	[
		"has nothing in 'value'",
		'For a field of the item, give a text or a number.',
		{ ...country, value: '' },
	],
	["has a wrong 'value' (true)", 'give a text or a number.', { ...country, value: true }],
	[
		"has a wrong 'value' (KP",
		'It contains half of a character. Write this text again.',
		{ ...country, value: 'KP\ud83d' },
		{ ...level, value: 'KP\ud83d' },
	],
	[
		"has a wrong 'value' (xxxxxxxxxxx…)",
		'Shorten this text. A text of a policy has at most 2000 characters.',
		{ ...country, value: long },
		{ ...level, value: long },
	],
	["has a wrong 'value' (xxxxxxxxxxx…)", 'Give a number, with', { value: long }],
	["has a wrong 'outcome' (allow)", 'Use review', { outcome: 'allow' }],
	["has a wrong 'mayBeWaived' (yes)", 'Use true', { mayBeWaived: 'yes' }],
	["has nothing in 'value'", 'Give a number', { value: undefined }],
	["has nothing in 'categoryKey'", 'Enter', { categoryKey: undefined }],
	["has a wrong 'all' ([])", 'Put all', { ...none, all: [] }],
	["has nothing in entry 1 of 'all'", 'Put all', { ...none, all: [null] }],
	['has a wrong \'all\' ([{"field":{…)', 'Put all', { all: [amount] }],
	[
		"has a wrong 'operator' in condition 1 of 'all' (gt)",
		'Use gte',
		{ ...none, all: [{ ...amount, operator: 'gt' }] },
	],
	[
		"has nothing in 'value' in condition 2 of 'all'",
		'Give a number',
		{ ...none, all: [amount, { ...amount, value: null }] },
	],
];
const exceptions: Refusals = [
	['is not an object', 'An exception needs', null, 'x'],
	['has an unknown name (approved_by)', 'An exception needs', { approved_by: 'x' }],
	["has nothing in 'approvedBy'", 'Name the person', { approvedBy: null }],
	["has nothing in 'reason'", 'An exception needs', { reason: ' ' }],
	["has a wrong 'reason' (7)", 'An exception needs', { reason: 7 }],
	["has a wrong 'reason' (xxxxxxxxxxx…)", 'at most 2000 characters', { reason: 'x'.repeat(2_001) }],
	["has a wrong 'chain' (", 'Name the chain', { chain: '\u200b' }, { chain: 7 }],
	["has nothing in 'chain'", 'Name the chain', { chain: '' }],
	["has nothing in 'chain'", 'Name the chain', { chain: undefined }],
	["has a wrong 'address' (a b)", 'It contains a space', { address: 'a b' }],
	["has a wrong 'address' (0xd8da6BF26…)", 'It is not a valid', { address: wrongCase }],
	["has a wrong 'until' (", 'Give the last day', ...wrongDays.map((until) => ({ until }))],
];
const lists: Refusals = [
	['is not an object', 'A list needs', 'Partners'],
	['has an unknown name (adresses)', 'A list needs', { adresses: [] }],
	["has nothing in 'name'", 'A list needs', { name: ' ' }],
	["has a wrong 'outcome' (allow)", 'Use review', { outcome: 'allow' }],
	["has a wrong 'addresses' (x)", 'Give each', { addresses: 'x' }],
	[
		"has a wrong 'as_of' (",
		'Say when',
		...[...wrongTimes, ...wrongZones].map((as_of) => ({ as_of })),
	],
	["has nothing in 'as_of'", 'Say when', { max_age_days: 7 }],
	["has a wrong 'max_age_days' (0)", 'Give a number of days', { ...old, max_age_days: 0 }],
	["has a wrong 'max_age_days' (7)", 'without quotation marks', { ...old, max_age_days: '7' }],
	["has a wrong 'max_age_days' (", 'Give a number of days', { ...old, max_age_days: Infinity }],
	["has a wrong entry 2 of 'addresses' (7)", 'as a text', { addresses: [address, 7] }],
	["has a wrong entry 1 of 'addresses' (a b)", 'It contains a space', { addresses: ['a b'] }],
	[
		"has a wrong entry 1 of 'addresses' (0xd8da6BF26…)",
		'It is not a valid address. Its capital',
		{ addresses: [wrongCase] },
	],
	[
		"has a wrong entry 1 of 'addresses' (it is not shown)",
		'It contains a private key',
		{ addresses: [privateKey] },
	],
	["has nothing in entry 1 of 'addresses'", 'Give each', { addresses: [null] }],
];
const policies: Refusals = [
	['The policy is not an object', 'Give a list of rules', '"x"', 'null', 7, undefined],
	["The policy has a wrong 'name' (", 'half of a character', whole({ name: '\ud800' })],
	['The policy has an unknown name (sha256)', 'Give a list of rules', whole({ sha256: 'x' })],
	["The policy has a wrong 'name' (xxxx", 'at most 2000 char', whole({ name: 'x'.repeat(2_001) })],
	["The policy has a wrong 'version' (", 'Give', whole({ version: NaN }), whole({ version: {} })],
	["The policy has a wrong 'rules' (x)", 'Give a list of rules', { rules: 'x' }],
	["The policy has a wrong 'otherwise' (A", 'Use one of allowGreen,', whole({ otherwise: 'A' })],
	["The policy has nothing in 'lists'", 'Give', whole({ lists: undefined })],
	[
		'The policy has two lists with the same name',
		'Give each',
		{ lists: [list(), list({ name: ' Partners ' })] },
	],
	[
		'The policy has no rules',
		'A policy without rules',
		' \n',
		'[]',
		'{}',
		{ rules: null, lists: [] },
	],
	[
		'Rule 1 is on sanctions and may be waived',
		'No exception waives a rule on sanctions, whatever its operator.',
		[rule({ field: 'sanctions', mayBeWaived: true })],
		[rule({ field: 'other', categoryKey: 'Sanctions', mayBeWaived: true })],
		[rule({ field: 'other', categoryKey: 'ofac_sanctions', mayBeWaived: true })],
		[{ all: [amount, sanctionsLimit], outcome: 'review', mayBeWaived: true }],
		// The report is in the input item, too, in the field that the user named.
		...[
			'report.risk.categories.sanctions',
			' details.report.risk.categories.Sanctions ',
			'categories.sanctions',
			'categories.sanctions.at',
			'report.risk.categories.ofac_sanctions',
			'report.risk.Categories.Sanctioned Entity',
		].map((input) => [rule({ field: { input }, value: 0.5, mayBeWaived: true })]),
		[{ all: [amount, reportedSanctions], outcome: 'review', mayBeWaived: true }],
	],
	[
		"The policy has the name 'rules' twice in one object",
		'Only one of the two would count.',
		`{"rules":[${JSON.stringify(rule())}],"rules":[${JSON.stringify(rule())}]}`,
		`\ufeff{"rules":[],"name":"x","r\\u0075les" : [${JSON.stringify(rule())}]}`,
	],
	[
		"The policy has the name 'value' twice in one object",
		'Put both together, or remove one.',
		'[{"field":"score","operator":"gte","value":0.5,"value":5,"outcome":"block"}]',
	],
	[
		"The policy has the name 'lists' twice in one object",
		'Put both together',
		`{"lists":[${JSON.stringify(list())}],"lists":null}`,
	],
	['The policy is not valid JSON: ', 'Correct the text', '{', "{'rules': []}", '[1,]'],
];

const isChange = (given: unknown): given is object =>
	typeof given === 'object' && given !== null && !Array.isArray(given);
const changed = (whole: (change: object) => object, given: unknown) =>
	isChange(given) ? whole(given) : given;

test.each<[string, Refusals, (given: unknown) => unknown]>([
	['Rule 2 ', rules, (given) => [rule(), changed(rule, given)]],
	[
		'Exception 2 ',
		exceptions,
		(given) => whole({ exceptions: [exception(), changed(exception, given)] }),
	],
	['List 2 ', lists, (given) => ({ lists: [list({ name: 'First' }), changed(list, given)] })],
	['', policies, (given) => given],
])('%sis refused with what is wrong in it, and what to do', (subject, refusals, policyWith) => {
	for (const [message, advice, ...all] of refusals) {
		for (const given of all) {
			const [shown, toDo] = refused(policyWith(given));
			expect(shown).toContain(`${subject}${message}`);
			expect(shown.includes('condition')).toBe(message.includes('condition'));
			expect(shown.length).toBeLessThan(250);
			expect(toDo).toContain(advice);
		}
	}
});

test('a misspelt name is refused before any other fault, and a hole in a list is no rule', () => {
	expect(refused([rule({ outcome: 'allow', outcom: 'x' })])[0]).toContain('(outcom)');
	expect(refused([rule(), , rule()])[0]).toBe('Rule 2 is not an object');
});

test('a rule may be waived if it is on a field of the input item that is no category of a report', () => {
	const inputs = ['sanctions', 'mysanctions', 'mycategories.sanctions', 'categories.mixer'];
	const given = inputs.map((input) => rule({ field: { input }, value: 0.5, mayBeWaived: true }));
	expect(rulesOf(given).map(({ mayBeWaived }) => mayBeWaived)).toEqual(inputs.map(() => true));
});

test('exceptions are read without a policy', () => {
	expect(readExceptions([exception({ until: ' 2026-12-31\n' })])).toEqual([exception()]);
	expect(refusal(() => readExceptions([exception(), null]))[0]).toBe(
		'Exception 2 is not an object',
	);
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
	const { record, isOnList } = readPolicy(given);

	it('holds in JSON what was entered, and of a list its length and digest', () => {
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
		const key = addressKey(address);
		expect([isOnList('Partners', key), isOnList('Empty', key)]).toEqual([true, false]);
		expect([isOnList('Partners', 'any'), isOnList('any', key)]).toEqual([false, false]);
		expect(readPolicy([rule()]).record).not.toHaveProperty('lists');
	});

	it('has the digest of the rest, and reads as the same policy', () => {
		const { sha256, ...rest } = record;
		expect(sha256).toBe(digestOfJson(rest));
		const isOnRecorded = () => true;
		const again = restorePolicy({ ...rest, sha256: 'other' }, isOnRecorded);
		expect(again.record).toEqual(record);
		expect(again.isOnList).toBe(isOnRecorded);
	});

	it('has no addresses of a list, and a given list has no length and no digest', () => {
		const [first] = record.lists!;
		const restored = { ...record, lists: [{ ...first, addresses: [] }] };
		expect(refusal(() => restorePolicy(restored, () => true))[0]).toBe(
			'List 1 has an unknown name (addresses)',
		);
		expect(refused({ lists: [first] })[0]).toBe('List 1 has an unknown name (length)');
	});

	it('reads again with an address that is refused today', () => {
		const exceptions = [exception({ address: wrongCase })];
		expect(refused(whole({ exceptions }))[0]).toContain("has a wrong 'address'");
		const { sha256: _, ...rest } = record;
		const again = restorePolicy({ ...rest, exceptions }, isOnList);
		expect(again.record.exceptions).toEqual(exceptions);
	});

	it('takes from the fields what the policy itself does not hold', () => {
		const fields = {
			name: 'F',
			version: '7',
			otherwise: 'allow' as const,
			exceptions: readExceptions([exception({ reason: 'second' })]),
		};
		const longest = 'x'.repeat(2_000);
		const own = readPolicy({ ...given, exceptions: [exception({ reason: longest })] }, fields);
		expect(own.record).toMatchObject({ name: 'Payments', version: 0, otherwise: 'review' });
		expect(own.record.exceptions.map(({ reason }) => reason)).toEqual([longest, 'second']);
		expect([...own.exceptions.values()].map((all) => all.length)).toEqual([2]);
		for (const blank of [null, '', ' ']) {
			const policy = readPolicy({ name: blank, version: blank, rules: [rule()] }, fields);
			expect(policy.record).toMatchObject({ name: 'F', version: '7', otherwise: 'allow' });
		}
		expect(readPolicy(whole({ version: ' 2 ' }), fields).record.version).toBe('2');
		const bare = readPolicy([rule()]).record;
		expect(bare).toMatchObject({ name: '', otherwise: 'allowGreen' });
		expect(bare).not.toHaveProperty('version');
	});
});

test('a time is read with its zone, and no other text is one', () => {
	expect(readTime(' 2026-12-31T08:00:00+05:30 ')).toEqual(new Date(Date.UTC(2026, 11, 31, 2, 30)));
	const others = [...wrongTimes, ...wrongZones, '2026-12-31', '', undefined];
	expect(others.map(readTime)).toEqual(others.map(() => undefined));
});
