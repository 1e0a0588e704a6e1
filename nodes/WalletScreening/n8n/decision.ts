import type {
	IDisplayOptions,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { Rule } from '../risk/decision';
import { parseRules } from '../risk/rules';
import { holdsExpression, type Read, switchIn } from './parameters';

const isNot = { name: 'Is Not', value: 'notEquals' };
const is = { name: 'Is', value: 'equals' };
const numeric: INodePropertyOptions[] = [
	is,
	{ name: 'Is at Least', value: 'gte' },
	{ name: 'Is at Most', value: 'lte' },
	isNot,
];

const rule: INodeProperties[] = [
	{
		displayName: 'Field',
		name: 'field',
		type: 'options',
		default: 'level',
		description: 'What of the report to look at',
		options: [
			{ name: 'Clean Exchange', value: 'clean_exchange' },
			{ name: 'Darknet', value: 'darknet' },
			{ name: 'Level', value: 'level' },
			{ name: 'Mixer', value: 'mixer' },
			{ name: 'Other Category', value: 'other' },
			{ name: 'Sanctions', value: 'sanctions' },
			{ name: 'Scam', value: 'scam' },
			{ name: 'Score', value: 'score' },
			{ name: 'Stolen', value: 'stolen' },
		],
	},
	{
		displayName: 'Category Name',
		name: 'categoryKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. gambling',
		description: 'Name of the category, as it stands in the report',
		displayOptions: { show: { field: ['other'] } },
	},
	{
		displayName: 'Operator',
		name: 'operator',
		type: 'options',
		default: 'notEquals',
		description: 'How to compare it',
		options: [is, isNot],
		displayOptions: { show: { field: ['level'] } },
	},
	{
		displayName: 'Operator',
		name: 'operator',
		type: 'options',
		default: 'gte',
		description: 'How to compare it',
		options: numeric,
		displayOptions: { hide: { field: ['level'] } },
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: 'green',
		placeholder: 'e.g. green',
		description: 'What to compare it with. Upper and lower case are the same.',
		displayOptions: { show: { field: ['level'] } },
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		placeholder: 'e.g. 0.5',
		description: 'The number to compare it with',
		displayOptions: { hide: { field: ['level'] } },
	},
	{
		displayName: 'Outcome',
		name: 'outcome',
		type: 'options',
		default: 'review',
		description: 'What to decide where this is so',
		options: [
			{ name: 'Block', value: 'block' },
			{ name: 'Review', value: 'review' },
		],
	},
];

/** The decision parameters, where all else in `show` holds. */
export function decisionFields(show: IDisplayOptions['show'] = {}): INodeProperties[] {
	return [
		{
			displayName: 'Add Decision',
			name: 'addDecision',
			type: 'boolean',
			default: false,
			description: 'Whether to decide by rules if an address is allowed, to review or to block',
			...(Object.keys(show).length > 0 && { displayOptions: { show } }),
		},
		{
			displayName: 'Decision Rules',
			name: 'decisionRules',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			placeholder: 'Add rule',
			description:
				'Each rule that applies asks for a review or a block; the worst counts. What no rule applies to is allowed.',
			default: {
				rules: [{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review' }],
			},
			options: [{ displayName: 'Rule', name: 'rules', values: rule }],
			displayOptions: { show: { ...show, addDecision: [true] } },
		},
	];
}

/** The decision rules; undefined if the user wants no decision. Throws `invalid_input`. */
export function readRules(read: Read): Rule[] | undefined {
	const isWanted = switchIn(read('addDecision', false), 'Add Decision');
	return isWanted ? parseRules(read('decisionRules', {})) : undefined;
}

/** Reads the decision rules of an item. Rules without an expression are read once, for all items. */
export function rulesReader(context: IExecuteFunctions): (read: Read) => Rule[] | undefined {
	if (holdsExpression(context, ['addDecision', 'decisionRules'])) return readRules;
	let first: { rules: Rule[] | undefined } | undefined;
	return (read) => (first ??= { rules: readRules(read) }).rules;
}
