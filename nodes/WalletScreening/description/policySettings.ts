import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { type Policy, readPolicy } from '../policy/policy';
import { otherwiseChoices } from '../policy/policySchema';
import { rethrowUnlessScreeningError } from '../shared/errors';
import { isSameValue } from '../shared/json';
import { requireChoice, requireEvidenceText } from '../shared/userInput';
import { evidenceFields } from './evidenceSettings';
import { describeIdleExceptions, exceptionsField, readExceptionEntries } from './exceptionSettings';
import { choice, field, select } from './fields';
import { createSharedReader, type ParameterReader } from './parameters';
import { firstRules, ruleFields } from './ruleFields';

/* The parameters of a policy, and how they are read. */

const rulesSourceField = select('Rules', 'rulesSource', 'fields', [
	choice('Fields Below', 'fields', 'Enter each rule in fields'),
	choice('JSON', 'json', 'Enter a policy as text, or take it from an expression'),
]);

const decisionRulesField = field('Decision Rules', 'decisionRules', {
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add rule',
	description:
		'The strictest matching rule wins. If the report lacks a value that a rule needs, the decision is at least review.',
	default: { rules: firstRules },
	options: [{ displayName: 'Rule', name: 'rules', values: ruleFields }],
	displayOptions: { show: { rulesSource: ['fields'] } },
});

export const rulesJsonField = field('Policy (JSON)', 'rulesJson', {
	type: 'json',
	default: '[]',
	// n8n shows no placeholder in a field of this type.
	hint: 'e.g. [{ "field": "sanctions", "operator": "gte", "value": 0.5, "outcome": "block" }]',
	description:
		"A list of rules, or an object with 'rules' and optionally 'name', 'version', 'otherwise', 'exceptions' and 'lists'",
	displayOptions: { show: { rulesSource: ['json'] } },
});

const otherwiseField = select(
	'Otherwise',
	'otherwise',
	'allowGreen',
	[
		choice('Allow', 'allow', 'At any level'),
		choice(
			'Allow If Green, Else Review',
			'allowGreen',
			'Unless an exception waives a rule on the level',
		),
		choice('Review', 'review', 'No address is allowed'),
	],
	{ description: 'Decision when no rule matches' },
);

const policyNameField = field('Policy Name', 'policyName', {
	placeholder: 'e.g. Payouts',
	description: 'Evidence and alerts show it. A name in the JSON of the policy takes precedence.',
});

const policyVersionField = field('Policy Version', 'policyVersion', {
	placeholder: 'e.g. 2026-11',
	description: 'Raise it with each change. A version in the JSON takes precedence.',
});

/** The parameters of an operation that always decides. */
export const policyFields: INodeProperties[] = [
	rulesSourceField,
	decisionRulesField,
	rulesJsonField,
	otherwiseField,
	field('Decision Options', 'decisionOptions', {
		type: 'collection',
		placeholder: 'Add decision option',
		default: {},
		options: [
			evidenceFields.addEvidence,
			exceptionsField,
			policyNameField,
			policyVersionField,
			evidenceFields.reference,
		],
	}),
];

/** Each parameter of a policy, and the value that counts while n8n hides it. */
const policyDefaults = {
	rulesSource: rulesSourceField.default,
	decisionRules: {},
	rulesJson: '',
	otherwise: otherwiseField.default,
	'decisionOptions.policyName': '',
	'decisionOptions.policyVersion': '',
	'decisionOptions.exceptions': {},
};
type PolicyParameter = keyof typeof policyDefaults;
const policyParameters = Object.keys(policyDefaults) as PolicyParameter[];

/** What the user entered in each of them. */
type PolicyValues = Record<PolicyParameter, unknown>;

/** What a reader of settings needs of the run. */
export interface PolicyReaderContext {
	context: IExecuteFunctions;
	/** Shows a warning about a policy above the output. */
	warnOfPolicy: (message: string) => void;
}

/**
 * Makes a reader of the policy of each item. Without an expression in its parameters it is read
 * once, for all items. With one, the values of each item are read: if they equal the last ones, the
 * last policy is used again.
 * @throws {ScreeningError} The reader: `invalid_input`
 */
export function createPolicyReader({
	context,
	warnOfPolicy,
}: PolicyReaderContext): (read: ParameterReader) => Policy {
	let last: { values: PolicyValues; policy: Policy } | undefined;
	return createSharedReader(context, policyParameters, (read) => {
		const values = readPolicyValues(read);
		if (last && isSameValue(last.values, values)) return last.policy;
		const policy = makePolicy(values);
		last = { values, policy };
		for (const message of describeIdleExceptions(policy, new Date())) warnOfPolicy(message);
		return policy;
	});
}

/**
 * Reads the policy of the trigger, which has one for all reports.
 * @throws {ScreeningError} `invalid_input`
 */
export const readTriggerPolicy = (read: ParameterReader): Policy =>
	makePolicy(readPolicyValues(read));

/** The values of the parameters of a policy, as the user gave them. */
function readPolicyValues(read: ParameterReader<PolicyParameter>): PolicyValues {
	const entries = policyParameters.map((name) => [name, read(name, policyDefaults[name])]);
	return Object.fromEntries(entries) as PolicyValues;
}

/**
 * Makes the policy of the values of its parameters.
 * @throws {ScreeningError} `invalid_input`, which names the label of the field
 */
function makePolicy(values: PolicyValues): Policy {
	const { rulesSource, rulesJson, decisionRules, otherwise } = values;
	const name = values['decisionOptions.policyName'];
	const version = values['decisionOptions.policyVersion'];
	const exceptions = values['decisionOptions.exceptions'];
	const supplement = {
		name: requireEvidenceText(name, policyNameField.displayName) || undefined,
		version: requireEvidenceText(version, policyVersionField.displayName) || undefined,
		otherwise: requireChoice(otherwise, otherwiseField.displayName, otherwiseChoices),
		exceptions: withLabelOf(exceptionsField, () => readExceptionEntries(exceptions)),
	};
	const source = requireChoice(rulesSource, rulesSourceField.displayName, ['fields', 'json']);
	return source === 'json'
		? withLabelOf(rulesJsonField, () => readPolicy(rulesJson, supplement))
		: withLabelOf(decisionRulesField, () => readPolicy(decisionRules, supplement));
}

/**
 * Does `work`, which reads the value of a field, and adds the label of the field to its error.
 * @throws {ScreeningError} that error
 */
function withLabelOf<T>({ displayName }: INodeProperties, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw rethrowUnlessScreeningError(error).withDetails({ parameter: displayName });
	}
}
