import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import {
	createSettingsReader,
	readTriggerSettings,
} from '../../../nodes/WalletScreening/description/reportSettings';
import { createItemReader } from '../../../nodes/WalletScreening/description/parameters';
import { catchScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { createWarner } from '../../../nodes/WalletScreening/execution/warnings';
import { createContext, node } from '../../support/unit/context';
import { numberedAddresses } from '../../support/data/addresses';
import { errorOf } from '../../support/unit/errors';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const rule = (rest: object = {}) => ({
	field: 'score',
	operator: 'gte',
	value: 0.5,
	outcome: 'block',
	...rest,
});
const exception = { address, until: '2026-11-20', reason: 'r', approvedBy: 'a' };

const readerIn = (context: IExecuteFunctions) =>
	createSettingsReader({ context, warnOfPolicy: createWarner(context) });

const inDecisionOptions = ['addEvidence', 'exceptions', 'policyName', 'policyVersion', 'reference'];

/**
 * Makes a reader for each item. `values` has the parameters of the node, and those of Decision
 * Options beside them.
 */
function reading(values: IDataObject, items: IDataObject[], hints: NodeExecutionHint[] = []) {
	const entries = Object.entries(values);
	const isOption = ([name]: [string, unknown]) => inDecisionOptions.includes(name);
	const parameters = {
		...Object.fromEntries(entries.filter((entry) => !isOption(entry))),
		decisionOptions: Object.fromEntries(entries.filter(isOption)),
	} as IDataObject;
	const given = { addDecision: true, rulesSource: 'json', ...parameters };
	const context = createContext({ parameters: given, items, hints });
	Object.assign(context, { getNode: () => ({ ...node, parameters }) });
	const readSettings = readerIn(context);
	return items.map((_, index) => () => readSettings(createItemReader(context, index), index));
}
const refusal = (parameters: IDataObject) =>
	errorOf(() => reading({ rulesJson: [rule()], ...parameters }, [{}])[0]!());

test('what is decided of an item: by which policy, on which input, for which matter', () => {
	const parameters = {
		rulesJson: JSON.stringify([rule()]),
		otherwise: 'review',
		policyName: ' Payouts ',
		policyVersion: 7,
		addEvidence: true,
		reference: ' Payment 17\u200b',
		exceptions: { entries: [{ ...exception, chain: '' }] },
	};
	const { policy, ...rest } = reading(parameters, [{ amount: 5 }])[0]!();
	const expected = { name: 'Payouts', version: '7', otherwise: 'review', exceptions: [exception] };
	expect(policy?.record).toMatchObject(expected);
	expect(rest).toEqual({ addEvidence: true, reference: 'Payment 17', input: { amount: 5 } });
	expect(reading({ addDecision: false }, [{}])[0]!().policy).toBeUndefined();
});

test.each<[reference: string | number, read: string | undefined, because: string]>([
	[4711, '4711', 'a system may count its payments'],
	[' \u200b', undefined, 'nothing is left of it'],
	['x'.repeat(200), 'x'.repeat(200), 'it may be so long'],
])('the reference %j is %j, because %s', (reference, expected) => {
	const [one] = reading({ rulesJson: [rule()], reference }, [{}]);
	expect(one!().reference).toBe(expected);
});

test.each<[parameter: string, parameters: IDataObject, because: string]>([
	['Reference', { reference: 'x'.repeat(201) }, 'it has at most 200 characters'],
	['Reference', { reference: '\ud800' }, 'half of a character has no digest'],
	['Policy Name', { policyName: {} }, 'an object is no name'],
	['Otherwise', { otherwise: 'Allow' }, 'the value is written small'],
	['Rules', { rulesSource: 'elsewhere' }, 'there is no such source'],
	['Exceptions', { exceptions: { entries: [{}] } }, 'an exception needs an address'],
	['Policy (JSON)', { rulesJson: [{}] }, 'a rule needs a field'],
	['Decision Rules', { rulesSource: 'fields', decisionRules: {} }, 'a policy needs a rule'],
	['Add Decision', { addDecision: 'maybe' }, 'a switch is on or off'],
	['Add Evidence', { addEvidence: 'maybe' }, 'a switch is on or off'],
])("'%s' names itself in its refusal: %j, because %s", async (parameter, parameters) => {
	const { errorClass, details } = await refusal(parameters);
	expect({ errorClass, details }).toEqual({ errorClass: 'invalid_input', details: { parameter } });
});

test('a policy is made once for items that have the same one', () => {
	const fixed = reading({ rulesJson: JSON.stringify([rule()]) }, [{}, {}]);
	expect(fixed[0]!().policy).toBe(fixed[1]!().policy);

	const rulesJson = (item: number) => [rule({ value: [0.5, 0.5, 0.7][item] })];
	const parameters = { addDecision: true, rulesSource: 'json', rulesJson };
	const context = createContext({ parameters, items: 3 });
	Object.assign(context, { getNode: () => ({ ...node, parameters: { rulesJson: '={{ 1 }}' } }) });
	const readSettings = readerIn(context);
	const [first, second, third] = [0, 1, 2].map(
		(index) => readSettings(createItemReader(context, index), index).policy,
	);
	expect(second).toBe(first);
	expect(third?.record.rules).toMatchObject([{ value: 0.7 }]);
});

test('a long list from an expression takes each further item no time', () => {
	const addresses = numberedAddresses(5000);
	const lists = [{ name: 'Ours', outcome: 'block', addresses }];
	const rulesJson = () => ({ rules: [rule()], lists: structuredClone(lists) });
	const parameters = { addDecision: true, rulesSource: 'json', rulesJson };
	const context = createContext({ parameters, items: 100 });
	Object.assign(context, { getNode: () => ({ ...node, parameters: { rulesJson: '={{ 1 }}' } }) });
	const readSettings = readerIn(context);
	const began = performance.now();
	for (let item = 0; item < 100; item++) readSettings(createItemReader(context, item), item);
	expect(performance.now() - began).toBeLessThan(1000);
});

test('the policy of an item does not depend on that of the item before', () => {
	const policyWith = (rest: object = {}) => ({ rules: [rule()], exceptions: [exception], ...rest });
	const exceptionWith = (rest: object) => policyWith({ exceptions: [{ ...exception, ...rest }] });
	const circular: IDataObject = {};
	circular.itself = circular;
	const policies: unknown[] = [
		policyWith(),
		exceptionWith({ chain: null }),
		exceptionWith({ chain: undefined }),
		exceptionWith({ chain: 'ETH' }),
		exceptionWith({ reason: '\ud800' }),
		exceptionWith({ itself: circular }),
		policyWith({ rules: [rule({ value: circular })] }),
		policyWith({ rules: [rule({ value: NaN })] }),
		policyWith({ rules: [rule({ value: null })] }),
		policyWith({ rules: [rule({ value: () => 1 })] }),
		JSON.stringify(policyWith()),
	];
	/** Reads the policies in turn, and returns the digest or the refusal of the last one. */
	const readInTurn = (...inTurn: unknown[]) => {
		const rulesJson = (index: number) => inTurn[index];
		const parameters = { addDecision: true, rulesSource: 'json', rulesJson };
		const context = createContext({ parameters, items: inTurn.length });
		const readSettings = readerIn(context);
		const read = (index: number) => readSettings(createItemReader(context, index), index).policy;
		const settled = inTurn.map((_, index) => catchScreeningError(() => read(index)));
		const { value, error } = settled.at(-1)!;
		return value?.record.sha256 ?? `${error?.errorClass}: ${error?.message}`;
	};
	for (const before of policies)
		for (const policy of policies) expect(readInTurn(before, policy)).toBe(readInTurn(policy));
	expect(readInTurn(policies[5])).toMatch(/^invalid_input: Exception 1 has an unknown name/);
});

test('a trigger has no input item, so rules on its fields are refused', async () => {
	const rules = [rule(), rule({ field: { input: 'amount' } })];
	const read = createItemReader(
		createContext({ parameters: { addDecision: true, rulesSource: 'json', rulesJson: rules } }),
		0,
	);
	const { message, details } = await errorOf(() => readTriggerSettings(read));
	expect(message).toBe('Rule 2 compares a field of the input item, and a delivery has none');
	expect(details).toEqual({ parameter: 'Policy (JSON)' });
});

test('hints on exceptions that do nothing appear once for each, and five at most', () => {
	const shown: NodeExecutionHint[] = [];
	const exceptions = {
		entries: [1, 2, 3, 4, 5, 6].map((day) => ({ ...exception, until: `2020-01-0${day}` })),
	};
	const rulesJson = [rule({ mayBeWaived: true })];
	for (const read of reading({ rulesJson, exceptions }, [{}, {}], shown)) read();
	expect(shown).toHaveLength(5);
	expect(shown[0]).toMatchObject({ type: 'warning', location: 'outputPane' });
});
