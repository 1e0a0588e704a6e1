import { digestOfJson } from '../../../nodes/WalletScreening/risk/canonical';
import {
	exceptionsOfFields,
	policyOfFields,
	policyOfJson,
	policyOfRecord,
} from '../../../nodes/WalletScreening/risk/policy';
import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import refusals from './refused.json';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const rule = (given: object = {}) => ({
	...{ field: 'score', operator: 'gte', value: '0.5', outcome: 'block' },
	...given,
});
const exception = (given: object = {}) => ({
	...{ address, chain: 'ETH', until: '2026-12-31', reason: 'Known', approvedBy: 'MLRO' },
	...given,
});
const list = (given: object = {}) => ({
	...{ name: 'Partners', outcome: 'review', addresses: [address] },
	...given,
});
const amount = { field: { input: 'amount' }, operator: 'gte', value: 5 };

/** The message of the refusal, which comes with advice and names no label of the editor. */
function refusal(read: () => unknown): string {
	try {
		read();
	} catch (error) {
		if (!(error instanceof ScreeningError)) throw error;
		expect(error).toMatchObject({ errorClass: 'invalid_input', known: {} });
		expect(error.description).toMatch(/\.$/);
		expect(error.message.length).toBeLessThan(250);
		return error.message;
	}
	throw new Error('accepted');
}
const refused = (policy: unknown) => refusal(() => policyOfJson(policy));
const rulesOf = (rules: object[]) => policyOfJson(rules).record.rules;

test('rules of every kind are read, and recorded as JSON says them', () => {
	const common = { operator: 'gte', outcome: 'block', mayBeWaived: false };
	const all = [amount, { field: 'level', operator: 'equals', value: 'red' }];
	expect(
		rulesOf([
			{ field: 'level', operator: 'notEquals', value: ' Green ', outcome: 'review' },
			rule({ mayBeWaived: ' TRUE ' }),
			rule({ field: 'tx_count', value: -0, mayBeWaived: '' }),
			rule({ field: 'other', categoryKey: ' level ', value: ' 1e-3 ' }),
			rule({ field: 'other', categoryKey: 'mixer', mayBeWaived: ' False ' }),
			{ ...amount, field: { input: ' amount ' }, outcome: 'block' },
			{ ...amount, operator: 'equals', value: 'x', outcome: 'block' },
			{ all, outcome: 'block' },
			{ all: [amount], outcome: 'block' },
		]),
	).toEqual([
		{ ...common, field: 'level', operator: 'notEquals', value: 'Green', outcome: 'review' },
		{ ...common, field: 'score', value: 0.5, mayBeWaived: true },
		{ ...common, field: 'tx_count', value: 0 },
		{ ...common, field: 'other', categoryKey: 'level', value: 0.001 },
		{ ...common, field: 'mixer', value: 0.5 },
		{ ...common, ...amount },
		{ ...common, ...amount, operator: 'equals', value: 'x' },
		{ all, outcome: 'block', mayBeWaived: false },
		{ ...common, ...amount },
	]);
});

test('a number may be written in decimals, and in no other way', () => {
	for (const value of ['-0.5', '+7', '.25', '5.', '2e3', '1E-10', '9'.repeat(64)]) {
		expect(rulesOf([rule({ value })])).toMatchObject([{ value: Number(value) }]);
	}
	const said = "Rule 1 compares 'score' with a value that is not a number";
	for (const value of ['', '0,5', '0x10', 'NaN', '1e999', '5 %', null, [0.5], '9'.repeat(65)])
		expect(refused([rule({ value })])).toBe(said);
});

/** Policies of which the second of a kind is `given`, or differs from a usual one by it. */
const second: Record<string, (given: unknown) => unknown> = {
	Rule: (given) => [rule(), mixed(rule(), given)],
	Exception: (given) => ({ rules: [rule()], exceptions: [exception(), mixed(exception(), given)] }),
	List: (given) => ({ lists: [list({ name: 'First' }), mixed(list(), given)] }),
};
const mixed = (usual: object, given: unknown) =>
	typeof given !== 'object' || given === null || Array.isArray(given)
		? given
		: { ...usual, ...given };

test.each(Object.entries(refusals))('refused: %s', (message, all) => {
	const [kind = ''] = message.split(' ');
	for (const given of all) {
		expect(refused(second[kind]!(given)).slice(0, message.length)).toBe(message);
	}
});

const long = 'x'.repeat(10_000);
test.each<[string, unknown[]]>([
	['Rule 1 has an unknown field (xxx', [[rule({ field: long })]]],
	['Rule 1 has an unknown name (xxx', [[rule({ [long]: 1 })]]],
	["The policy has a 'name' that is too long", [{ name: 'x'.repeat(2_001), rules: [rule()] }]],
	['The policy has two lists of one name', [{ lists: [list(), list({ name: ' Partners ' })] }]],
	["The policy has a 'rules' that is not a list", [{ rules: 'x' }]],
	['Rule 2 is not an object', [[rule(), , rule()]]],
	["The policy has a 'name' that is not a text", [{ name: 7, rules: [rule()] }]],
	["The policy has a 'version' that is not a text", [{ version: NaN, rules: [rule()] }]],
	['The policy contains half of a character', [{ name: '\ud800', rules: [rule()] }]],
	['The policy has an unknown otherwise (Allow)', [{ otherwise: 'Allow', rules: [rule()] }]],
	['The policy has an unknown name (sha256)', [{ sha256: 'x', rules: [rule()] }]],
	[
		"The policy has a 'lists' whose expression gives nothing",
		[{ rules: [rule()], lists: undefined }],
	],
	['There is no rule', [' \n', '[]', '{}', { rules: null, lists: [] }]],
	['The policy is neither a list of rules nor an object', ['"x"', 'null', 7, undefined]],
	['The policy is not valid JSON: ', ['{', "{'rules': []}", '[1,]']],
	[
		'The policy is not valid JSON: an object in which the name "',
		['{"rules":[],"r\\u0075les":[]}'],
	],
])('refused: %s', (message, all) => {
	for (const given of all) expect(refused(given).slice(0, message.length)).toBe(message);
});

test('fields say the same as JSON, and the text of a hidden or an empty field says nothing', () => {
	const both = rule({ categoryKey: 'gambling' });
	expect(policyOfFields({ rules: [both] }).record.rules).toEqual(rulesOf([rule()]));
	expect(refusal(() => policyOfFields({ rules: [rule(), null] }))).toBe('Rule 2 is not an object');
	expect(refusal(() => policyOfFields({ rules: 'x' }))).toContain('not a list');
	for (const none of [undefined, null, {}, { rules: [] }]) {
		expect(refusal(() => policyOfFields(none))).toBe('There is no rule');
		expect(exceptionsOfFields(none)).toEqual([]);
	}
	const spaced = exception({ address: `\u200b ${address} `, until: ' 2026-12-31\n', chain: '' });
	expect(exceptionsOfFields({ entries: [spaced, exception({ until: '2024-02-29' })] })).toEqual([
		{ ...exception({ chain: undefined }), end: Date.UTC(2027, 0, 1) },
		{ ...exception({ until: '2024-02-29' }), end: Date.UTC(2024, 2, 1) },
	]);
	const blank = { entries: [exception({ chain: ' ' })] };
	expect(refusal(() => exceptionsOfFields(blank))).toContain("Exception 1 has a blank 'chain'");
	const lost = { entries: [exception({ chain: undefined })] };
	expect(refusal(() => exceptionsOfFields(lost))).toContain("a 'chain' whose expression gives");
});

test('a list may be as of a day or a time', () => {
	for (const as_of of ['2026-12-31', '2026-12-31T08:00Z', '2026-12-31T08:00:00.123+05:30']) {
		const { lists } = policyOfJson({ lists: [list({ as_of, max_age_days: 0.5 })] });
		expect(lists[0]?.madeAt).toBe(Date.parse(as_of));
	}
});

describe('the record of a policy', () => {
	const whole = {
		...{ name: ' Payments ', version: 0, otherwise: 'review' },
		rules: [rule(), { all: [amount, { ...amount, operator: 'lte' }], outcome: 'review' }],
		exceptions: [exception({ chain: null })],
		lists: [
			list({ addresses: [` ${address}`, address], as_of: '2026-12-31', max_age_days: 7 }),
			list({ name: 'Empty', addresses: null }),
		],
	};
	const { record } = policyOfJson(whole);

	it('says in JSON what was entered, and of a list its length and digest', () => {
		const { chain: _, ...anywhere } = exception();
		expect(record).toMatchObject({ name: 'Payments', version: 0, otherwise: 'review' });
		expect(record.exceptions).toEqual([anywhere]);
		expect(record.lists).toEqual([
			{
				...{ name: 'Partners', outcome: 'review', as_of: '2026-12-31', max_age_days: 7, length: 2 },
				digest: digestOfJson([` ${address}`, address]),
			},
			{ name: 'Empty', outcome: 'review', length: 0, digest: digestOfJson([]) },
		]);
		expect(policyOfJson([rule()]).record).not.toHaveProperty('lists');
	});

	it('has the digest of the rest, and reads as the same policy', () => {
		const { sha256, ...rest } = record;
		expect(sha256).toBe(digestOfJson(rest));
		const again = policyOfRecord({ ...rest, sha256: 'other' }, (name) => name === 'Partners');
		expect(again.record).toEqual(record);
		expect(again.lists.map(({ has }) => has('any'))).toEqual([true, false]);
		for (const odd of [{ addresses: [] }, { digest: '' }]) {
			const [first] = record.lists ?? [];
			refusal(() => policyOfRecord({ ...rest, lists: [{ ...first, ...odd }] }, () => true));
		}
	});

	it('takes from the fields what the policy does not say', () => {
		const fields = {
			...{ name: 'F', version: '7', otherwise: 'allow' },
			exceptions: exceptionsOfFields({ entries: [exception({ reason: 'second' })] }),
		};
		const longest = 'x'.repeat(2_000);
		const own = policyOfJson({ ...whole, exceptions: [exception({ reason: longest })] }, fields);
		expect(own.record).toMatchObject({ name: 'Payments', version: 0, otherwise: 'review' });
		expect(own.record.exceptions.map(({ reason }) => reason)).toEqual([longest, 'second']);
		expect([...own.exceptions.values()].map((all) => all.length)).toEqual([2]);
		for (const blank of [null, '', ' ']) {
			const policy = policyOfJson({ name: blank, version: blank, rules: [rule()] }, fields);
			expect(policy.record).toMatchObject({ name: 'F', version: '7', otherwise: 'allow' });
		}
		const bare = policyOfFields({ rules: [rule()] }, { version: '' }).record;
		expect(bare).toMatchObject({ name: '', otherwise: 'allowGreen' });
		expect(bare).not.toHaveProperty('version');
		expect(refusal(() => policyOfJson([rule()], { otherwise: 'Allow' }))).toContain('(Allow)');
	});
});

test('a refusal shows no part of a recovery phrase', () => {
	const phrase = `${'abandon '.repeat(11)}about`;
	const lists = [{ name: 'Own', outcome: 'block', addresses: [phrase] }];
	expect(() => policyOfJson({ lists })).toThrow(/^(?!.*abandon).*entry 1/);
});

test.each<[object, string]>([
	[{ rules: [rule({ operator: 'gt' })] }, 'Use gte, lte, equals or notEquals.'],
	[{ lists: [list({ addresses: ['Counterparty'] })] }, 'Give the wallet address.'],
	[{ lists: [list({ weight: 1 })] }, 'Use only name, outcome, as_of, max_age_days, addresses.'],
	[
		{ rules: [rule({ field: 'risk' })] },
		expect.stringMatching(/^Use level, score, tx_count, clean_exchange, /),
	],
])('a refusal of %j says what to use instead', (policy, advice) => {
	expect(() => policyOfJson(policy)).toThrow(expect.objectContaining({ description: advice }));
});
