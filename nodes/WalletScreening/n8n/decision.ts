import type {
	IDisplayOptions,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import {
	type Exception,
	exceptionsOfFields,
	type Policy,
	policyOfFields,
	policyOfJson,
} from '../risk/policy';
import { invalidInput, own } from '../service/errors';
import { type Read, readOnce, switchIn } from './parameters';

/*
 * The decision parameters of both nodes: their fields, and how they are read.
 */

const isNot = { name: 'Is Not', value: 'notEquals' };
const is = { name: 'Is', value: 'equals' };
const numeric: INodePropertyOptions[] = [
	is,
	{ name: 'Is at Least', value: 'gte' },
	{ name: 'Is at Most', value: 'lte' },
	isNot,
];

/** Shows a parameter only if Field is Level. With `show`, n8n would show it for an expression in Field too. */
const onlyForLevel: IDisplayOptions = { hide: { field: [{ _cnd: { not: 'level' } }] } };

const rule: INodeProperties[] = [
	{
		displayName: 'Field',
		name: 'field',
		type: 'options',
		default: 'level',
		description: 'Which value of the report to check',
		options: [
			{
				name: 'Clean Exchange',
				value: 'clean_exchange',
				description: 'Category: higher is better, and it can be greater than 1',
			},
			{ name: 'Darknet', value: 'darknet', description: 'Category: higher is worse' },
			{ name: 'Level', value: 'level', description: 'The risk level, for example green' },
			{ name: 'Mixer', value: 'mixer', description: 'Category: higher is worse' },
			{
				name: 'Other Category',
				value: 'other',
				description: 'Any other category of the report',
			},
			{ name: 'Sanctions', value: 'sanctions', description: 'Category: higher is worse' },
			{ name: 'Scam', value: 'scam', description: 'Category: higher is worse' },
			{
				name: 'Score',
				value: 'score',
				description: 'The overall risk score. The vendor does not document its range.',
			},
			{ name: 'Stolen', value: 'stolen', description: 'Category: higher is worse' },
		],
	},
	{
		displayName: 'Category Name',
		name: 'categoryKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. gambling',
		description: 'Category name exactly as in the report, with its underscores',
		displayOptions: { show: { field: ['other'] } },
	},
	// If two parameters have one name, n8n gives a new rule the default of the last. A new rule is on the level.
	{
		displayName: 'Operator',
		name: 'operator',
		type: 'options',
		default: 'gte',
		description: 'How to compare the number with the value',
		options: numeric,
		displayOptions: { hide: { field: ['level'] } },
	},
	{
		displayName: 'Operator',
		name: 'operator',
		type: 'options',
		default: 'notEquals',
		description: 'How to compare the level with the value',
		options: [is, isNot],
		displayOptions: onlyForLevel,
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		placeholder: 'e.g. 0.5',
		description: 'The number to compare with',
		displayOptions: { hide: { field: ['level'] } },
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: 'green',
		placeholder: 'e.g. green',
		description: 'The level to compare with. Upper and lower case make no difference.',
		displayOptions: onlyForLevel,
	},
	{
		displayName: 'Outcome',
		name: 'outcome',
		type: 'options',
		default: 'review',
		description: 'Decision if this rule matches',
		options: [
			{ name: 'Block', value: 'block' },
			{ name: 'Review', value: 'review' },
		],
	},
	{
		displayName: 'May Be Waived',
		name: 'mayBeWaived',
		type: 'boolean',
		default: false,
		description: 'Whether to let an exception waive this rule for an address',
	},
];

const exception: INodeProperties[] = [
	{
		displayName: 'Address',
		name: 'address',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
		description: 'The wallet address for which rules are waived',
	},
	{
		displayName: 'Chain',
		name: 'chain',
		type: 'string',
		default: '',
		placeholder: 'e.g. BTC',
		description: 'The chain as the report names it. Leave empty for every chain.',
	},
	{
		displayName: 'Until',
		name: 'until',
		type: 'string',
		default: '',
		placeholder: 'e.g. 2027-01-31',
		description: 'The last day of the exception (UTC), as year-month-day',
	},
	{
		displayName: 'Reason',
		name: 'reason',
		type: 'string',
		default: '',
		placeholder: 'e.g. Hot wallet of an exchange, ticket 4711',
		description: 'Why the rules are waived',
	},
	{
		displayName: 'Approved By',
		name: 'approvedBy',
		type: 'string',
		default: '',
		placeholder: 'e.g. Head of Compliance',
		description: 'Who approved the exception',
	},
];

/** The rules and exceptions, shown if all else in `show` holds. */
export function policyFields(show: NonNullable<IDisplayOptions['show']> = {}): INodeProperties[] {
	return [
		{
			displayName: 'Rules',
			name: 'rulesSource',
			type: 'options',
			default: 'fields',
			description: 'Where the decision rules come from',
			options: [
				{ name: 'Fields Below', value: 'fields', description: 'Enter each rule in fields' },
				{
					name: 'JSON',
					value: 'json',
					description: 'Enter a policy as text, or take it from an expression',
				},
			],
			displayOptions: { show },
		},
		{
			displayName: 'Decision Rules',
			name: 'decisionRules',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			placeholder: 'Add rule',
			description:
				'The strictest matching rule wins. If no rule matches, the address is allowed. If the report lacks a value that a rule needs, the decision is at least review.',
			default: {
				rules: [
					{
						field: 'level',
						operator: 'notEquals',
						value: 'green',
						outcome: 'review',
						mayBeWaived: false,
					},
				],
			},
			options: [{ displayName: 'Rule', name: 'rules', values: rule }],
			displayOptions: { show: { ...show, rulesSource: ['fields'] } },
		},
		{
			displayName: 'Policy (JSON)',
			name: 'rulesJson',
			type: 'json',
			default: '[]',
			// n8n shows no placeholder in a field of this type.
			hint: 'e.g. [{ "field": "sanctions", "operator": "gte", "value": 0.5, "outcome": "block" }]',
			description:
				"A list of rules, or an object with 'rules' and optionally 'name', 'version' and 'exceptions'",
			displayOptions: { show: { ...show, rulesSource: ['json'] } },
		},
		{
			displayName: 'Policy Name',
			name: 'policyName',
			type: 'string',
			default: '',
			placeholder: 'e.g. Payouts 2026',
			description:
				'The evidence shows this name. A name inside the JSON of the policy takes precedence.',
			displayOptions: { show },
		},
		{
			displayName: 'Exceptions',
			name: 'exceptions',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			placeholder: 'Add exception',
			description:
				'An exception waives rules for its address up to the end of its last day. It waives only rules that may be waived.',
			default: {},
			options: [{ displayName: 'Exception', name: 'entries', values: exception }],
			displayOptions: { show },
		},
	];
}

export const addEvidence: INodeProperties = {
	displayName: 'Add Evidence',
	name: 'addEvidence',
	type: 'boolean',
	default: false,
	description:
		'Whether to add a record of the report, the rules, the decision and their times, with digests that an auditor can verify',
};

/** The decision parameters, shown if all else in `show` holds. */
export function decisionFields(show: NonNullable<IDisplayOptions['show']> = {}): INodeProperties[] {
	return [
		{
			displayName: 'Add Decision',
			name: 'addDecision',
			type: 'boolean',
			default: false,
			description:
				'Whether to check each report against your rules and add a decision: allow, review or block',
			displayOptions: { show },
		},
		...policyFields({ ...show, addDecision: [true] }),
		{ ...addEvidence, displayOptions: { show } },
	];
}

/** The names of all decision parameters. */
export const decisionParameters = decisionFields().map(({ name }) => name);

/** What is decided about a report, and whether evidence of it is wanted. */
export interface Deciding {
	/** Undefined if the user wants no decision. */
	policy: Policy | undefined;
	addEvidence: boolean;
}

/** Throws `invalid_input`. */
export function readDeciding(read: Read): Deciding {
	const isWanted = switchIn(read('addDecision', false), 'Add Decision');
	return { policy: isWanted ? readPolicy(read) : undefined, addEvidence: readAddEvidence(read) };
}

/** Reads what is decided for each item. Throws `invalid_input`. */
export function decidingReader(context: IExecuteFunctions): (read: Read) => Deciding {
	return readOnce(context, decisionParameters, readDeciding);
}

/** Throws `invalid_input`. */
export function readAddEvidence(read: Read): boolean {
	return switchIn(read('addEvidence', false), 'Add Evidence');
}

/** Throws `invalid_input`. */
export function readPolicy(read: Read): Policy {
	const source = read('rulesSource', 'fields');
	const name = read('policyName', '');
	if (typeof name !== 'string') {
		throw invalidInput('Policy Name', "'Policy Name' is not a text", 'Enter a name, or none.');
	}
	const exceptions = labelled('Exceptions', (): Exception[] =>
		exceptionsOfFields(read('exceptions', {})),
	);
	const extra = { name, exceptions };
	if (source === 'json') {
		return labelled('Policy (JSON)', () => policyOfJson(read('rulesJson', ''), extra));
	}
	if (source !== 'fields') {
		throw invalidInput('Rules', "'Rules' has an unknown value", 'Choose Fields Below or JSON.');
	}
	return labelled('Decision Rules', () => policyOfFields(read('decisionRules', {}), extra));
}

/** Adds the field to an error of a function that does not know it. */
function labelled<T>(parameter: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw own(error).with({ parameter });
	}
}
