/*
 * What saved workflows refer to: a line of `contract.jsonl` loses one only with a new version of
 * the node.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	Expression,
	type IDisplayOptions,
	type INodeParameters,
	type INodeProperties,
	NodeHelpers,
} from 'n8n-workflow';
import { resources } from '../../../nodes/WalletScreening/actions';
import {
	action,
	choices,
	credential,
	groups,
	isShown,
	trigger,
} from '../../support/unit/nodeFields';

const isEntered = ({ type }: INodeProperties) => !['notice', 'hidden'].includes(type);
const byName = ({ name: one }: { name: string }, { name: other }: { name: string }) =>
	one < other ? -1 : 1;

/** Returns for each parameter its name, its default, when it is shown, and in which operations. */
function contractOf(properties: INodeProperties[]) {
	const found = new Map<string, string[]>();
	const visit = (fields: INodeProperties[], path: string, outer: string) => {
		for (const field of fields.filter(isEntered)) {
			const name = `${path}${field.name}`;
			const { resource, operation, ...shown } = field.displayOptions?.show ?? {};
			const within = resource ? [resource, operation].flat().join(' ').trim() : outer;
			const values = choices(field).map(({ value }) => value);
			const entry = JSON.stringify({
				name,
				default: field.default,
				...(field.required && { required: true }),
				...(values.length > 0 && { values }),
				...(Object.keys(shown).length > 0 && { shown }),
				...(field.displayOptions?.hide && { hidden: field.displayOptions.hide }),
			});
			found.set(entry, [...(found.get(entry) ?? []), within]);
			if (field.type === 'collection') {
				visit(field.options as INodeProperties[], `${name}.`, within);
			}
			for (const group of groups(field)) visit(group.values, `${name}.${group.name}.`, within);
		}
	};
	visit(properties, '', '');
	const entries = [...found].map(([entry, of]) => {
		const operations = [...new Set(of)].filter(Boolean).sort();
		const parameter = JSON.parse(entry) as { name: string };
		return { ...parameter, ...(operations.length > 0 && { operations }) };
	});
	return entries.sort(byName);
}

const contract = readFileSync(join(__dirname, 'contract.jsonl'), 'utf8')
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as { of: string });

it.each([
	['action', action.properties],
	['trigger', trigger.properties],
	['credential', credential.properties],
])('the %s has the parameters of the contract and no other', (of, properties) => {
	const expected = contract.filter((parameter) => parameter.of === of);
	expect(contractOf(properties).map((parameter) => ({ of, ...parameter }))).toEqual(expected);
});

describe('a rule', () => {
	const [decisionRules] = action.properties.filter(({ name }) => name === 'decisionRules');
	const whole = { outcome: 'review', mayBeWaived: false };

	/** The rule as n8n completes it for the node. */
	const completed = (rule: INodeParameters) =>
		NodeHelpers.getNodeParameters(
			[{ ...decisionRules!, displayOptions: {} }],
			{ decisionRules: { rules: [rule] } },
			true,
			false,
			{ typeVersion: 1 },
			action,
		)?.decisionRules;

	it.each<[INodeParameters, because: string, INodeParameters]>([
		[
			{ field: 'level' },
			'a level is compared with green',
			{ field: 'level', operator: 'notEquals', value: 'green' },
		],
		[
			{ field: 'score' },
			'a number is at least a limit',
			{ field: 'score', operator: 'gte', value: '' },
		],
		[
			{ field: '={{ 1 }}' },
			'any field may come of it',
			{ field: '={{ 1 }}', categoryKey: '', operator: 'gte', value: '' },
		],
		[
			{ operator: '={{ 1 }}' },
			'the field is the level',
			{ field: 'level', operator: '={{ 1 }}', value: 'green' },
		],
	])('saved as %j means the same in every version: %s', (saved, _because, rule) =>
		expect(completed(saved)).toEqual({ rules: [{ ...rule, ...whole }] }),
	);

	it('that is new begins as a valid one', () => {
		const values = groups(decisionRules!).flatMap((group) => group.values);
		// n8n's editor adds a rule with these defaults.
		const added = Object.fromEntries(values.map(({ name, default: given }) => [name, given]));
		expect(completed(added as INodeParameters)).toEqual({
			rules: [{ field: 'level', operator: 'notEquals', value: 'green', ...whole }],
		});
	});
});

it('the credential knows of each field that is always shown whether it may differ from item to item', () => {
	const fields = credential.properties;
	const { default: expression } = fields.find(({ name }) => name === 'expressions')!;
	const [listed] = /\[("\w+"(, ?)?)+\]/.exec(String(expression)) ?? [];
	const asked = fields.filter((field) => isEntered(field) && !field.displayOptions);
	expect(JSON.parse(listed!)).toEqual(asked.map(({ name }) => name));
});

it('goes by the names of the contract', () => {
	expect([action.name, trigger.name, credential.name]).toEqual([
		'walletScreening',
		'walletScreeningTrigger',
		'walletScreeningApi',
	]);
	expect([action.version, trigger.version]).toEqual([1, 1]);
	expect(trigger.credentials).toEqual([{ name: 'walletScreeningApi', required: true }]);
	expect(action.credentials).toEqual([
		{ name: 'walletScreeningApi', required: true, displayOptions: expect.anything() },
	]);
});

it('each operation is named on the canvas', () => {
	for (const { value: resource, name, operations } of resources)
		for (const { value: operation, name: title } of operations) {
			// n8n's guard of computed names is not in question here.
			const data = { $parameter: { resource, operation }, __sanitize: (key: unknown) => key };
			Expression.initializeGlobalContext(data as never);
			const subtitle = Expression.resolveWithoutWorkflow(action.subtitle!.slice(1), data as never);
			expect(subtitle).toBe(`${name}: ${title}`);
		}
});

it('an operation has a credential if it sends a request', () => {
	const [{ displayOptions }] = action.credentials as unknown as [
		{ displayOptions: IDisplayOptions },
	];
	for (const { value: resource, operations } of resources)
		for (const { value: operation, sendsNothing = false } of operations)
			expect(isShown({ displayOptions }, { resource, operation })).toBe(!sendsNothing);
});
