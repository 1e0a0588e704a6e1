import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { choice, field, select, toggle } from './fields';

/*
 * The fields of a rule, as the editor shows them. Their names are those that the JSON of a policy has,
 * so `policy/` reads both.
 */

const isNot = choice('Is Not', 'notEquals');
const is = choice('Is', 'equals');
const category = 'Category: higher is worse';

/**
 * Shows a parameter only if Field is Level. With `show`, n8n would also show it if Field is an
 * expression.
 */
const onlyForLevel: IDisplayOptions = { hide: { field: [{ _cnd: { not: 'level' } }] } };
const notForLevel: IDisplayOptions = { hide: { field: ['level'] } };

export const ruleFields: INodeProperties[] = [
	select('Field', 'field', 'level', [
		choice('Clean Exchange', 'clean_exchange', 'Category: higher is better, also above 1'),
		choice('Darknet', 'darknet', category),
		choice('Level', 'level', 'The risk level, for example green'),
		choice('Mixer', 'mixer', category),
		choice('Other Category', 'other', 'Any other category of the report'),
		choice('Sanctions', 'sanctions', category),
		choice('Scam', 'scam', category),
		choice('Score', 'score', 'The risk score. The vendor does not document its range.'),
		choice('Stolen', 'stolen', category),
		choice('Transaction Count', 'tx_count', 'How many transactions the wallet has'),
	]),
	field('Category Name', 'categoryKey', {
		placeholder: 'e.g. gambling',
		description: 'Category name exactly as in the report, with its underscores',
		displayOptions: { show: { field: ['other'] } },
	}),
	// Two parameters are named `operator`, and two `value`. n8n fills a new rule from the last one of
	// each name. A new rule is on Level, so the variant for Level is last.
	select(
		'Operator',
		'operator',
		'gte',
		[is, choice('Is at Least', 'gte'), choice('Is at Most', 'lte'), isNot],
		{ displayOptions: notForLevel },
	),
	select('Operator', 'operator', 'notEquals', [is, isNot], { displayOptions: onlyForLevel }),
	field('Value', 'value', { placeholder: 'e.g. 0.5', displayOptions: notForLevel }),
	field('Value', 'value', {
		default: 'green',
		placeholder: 'e.g. green',
		description: 'Upper and lower case make no difference',
		displayOptions: onlyForLevel,
	}),
	select('Outcome', 'outcome', 'review', [choice('Block', 'block'), choice('Review', 'review')]),
	toggle(
		'May Be Waived',
		'mayBeWaived',
		'Whether to let an exception waive this rule for an address. No exception waives a rule on sanctions.',
	),
];

/** The rules of a new node. A team that knows the scores of its service sets thresholds. */
export const firstRules = [
	{ field: 'sanctions', operator: 'notEquals', value: '0', outcome: 'block', mayBeWaived: false },
	{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review', mayBeWaived: false },
];
