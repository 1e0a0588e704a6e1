import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { evidenceFields } from './evidence';
import { choice, field, select, shownIf, toggle } from './fields';

/* The decision parameters of both nodes. `policySettings.ts` reads them. */

const isNot = choice('Is Not', 'notEquals');
const is = choice('Is', 'equals');
const category = 'Category: higher is worse';

/**
 * Shows a parameter only if Field is Level. With `show`, n8n would also show it if Field is an
 * expression.
 */
const onlyForLevel: IDisplayOptions = { hide: { field: [{ _cnd: { not: 'level' } }] } };
const notForLevel: IDisplayOptions = { hide: { field: ['level'] } };

const ruleFields: INodeProperties[] = [
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

const exceptionFields: INodeProperties[] = [
	field('Address', 'address', { placeholder: 'e.g. 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }),
	field('Chain', 'chain', {
		placeholder: 'e.g. BTC',
		description: 'The chain as the report names it. Leave empty for every chain.',
	}),
	field('Until', 'until', {
		placeholder: 'e.g. 2027-01-31',
		description: 'The last day of the exception (UTC), as year-month-day',
	}),
	field('Reason', 'reason', { placeholder: 'e.g. Hot wallet of an exchange, ticket 4711' }),
	field('Approved By', 'approvedBy', { placeholder: 'e.g. Head of Compliance' }),
];

/** The rules of a new node. A team that knows the scores of its service sets thresholds. */
const firstRules = [
	{ field: 'sanctions', operator: 'notEquals', value: '0', outcome: 'block', mayBeWaived: false },
	{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review', mayBeWaived: false },
];

/** The parameters of an operation that always decides. */
export const policyFields: INodeProperties[] = [
	select('Rules', 'rulesSource', 'fields', [
		choice('Fields Below', 'fields', 'Enter each rule in fields'),
		choice('JSON', 'json', 'Enter a policy as text, or take it from an expression'),
	]),
	field('Decision Rules', 'decisionRules', {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add rule',
		description:
			'The strictest matching rule wins. If the report lacks a value that a rule needs, the decision is at least review.',
		default: { rules: firstRules },
		options: [{ displayName: 'Rule', name: 'rules', values: ruleFields }],
		displayOptions: { show: { rulesSource: ['fields'] } },
	}),
	field('Policy (JSON)', 'rulesJson', {
		type: 'json',
		default: '[]',
		// n8n shows no placeholder in a field of this type.
		hint: 'e.g. [{ "field": "sanctions", "operator": "gte", "value": 0.5, "outcome": "block" }]',
		description:
			"A list of rules, or an object with 'rules' and optionally 'name', 'version', 'otherwise', 'exceptions' and 'lists'",
		displayOptions: { show: { rulesSource: ['json'] } },
	}),
	select(
		'Otherwise',
		'otherwise',
		'allowGreen',
		[
			choice('Allow', 'allow', 'Whatever the level is'),
			choice(
				'Allow If Green, Else Review',
				'allowGreen',
				'Unless an exception waives a rule on the level',
			),
			choice('Review', 'review', 'No address is allowed'),
		],
		{ description: 'Decision when no rule matches' },
	),
	field('Decision Options', 'decisionOptions', {
		type: 'collection',
		placeholder: 'Add decision option',
		default: {},
		options: [
			evidenceFields.addEvidence,
			field('Exceptions', 'exceptions', {
				type: 'fixedCollection',
				typeOptions: { multipleValues: true, sortable: true },
				placeholder: 'Add exception',
				description:
					'An exception waives rules for its address up to the end of its last day. It waives only rules that may be waived.',
				default: {},
				options: [{ displayName: 'Exception', name: 'entries', values: exceptionFields }],
			}),
			field('Policy Name', 'policyName', {
				placeholder: 'e.g. Payouts',
				description:
					'Evidence and alerts show it. A name in the JSON of the policy takes precedence.',
			}),
			field('Policy Version', 'policyVersion', {
				placeholder: 'e.g. 2026-11',
				description: 'Raise it with each change. A version in the JSON takes precedence.',
			}),
			evidenceFields.reference,
		],
	}),
];

export const addDecisionField = toggle(
	'Add Decision',
	'addDecision',
	'Whether to check each report against your rules and add a decision: allow, review or block',
);

/** The parameters of an operation that decides if the user wants it. */
export const decisionFields = [addDecisionField, ...shownIf({ addDecision: [true] }, policyFields)];
