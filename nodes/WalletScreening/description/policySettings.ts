import type { IExecuteFunctions } from 'n8n-workflow';
import { describeIdleExceptions, type Policy, readExceptions, readPolicy } from '../policy/policy';
import { otherwiseChoices } from '../policy/schema';
import { isSameJson } from '../shared/canonical';
import { rethrowUnlessScreeningError } from '../shared/errors';
import { requireChoice, requireShortText } from '../shared/userInput';
import { createSharedReader, type ParameterReader } from './parameters';

/* How the policy in the parameters of `decisionFields.ts` is read. */

/** Each parameter of a policy, and the value that counts while n8n hides it. */
const policyDefaults = {
	rulesSource: 'fields',
	decisionRules: {},
	rulesJson: '',
	otherwise: 'allowGreen',
	'decisionOptions.policyName': '',
	'decisionOptions.policyVersion': '',
	'decisionOptions.exceptions': {},
};
type PolicyParameter = keyof typeof policyDefaults;
const policyParameters = Object.keys(policyDefaults) as PolicyParameter[];

/** What the user entered in each of them. */
type PolicyValues = Record<PolicyParameter, unknown>;

/** What a reader of settings needs of the run. */
export interface RunContext {
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
}: RunContext): (read: ParameterReader) => Policy {
	let last: { values: PolicyValues; policy: Policy } | undefined;
	return createSharedReader(context, policyParameters, (read) => {
		const values = readPolicyValues(read);
		if (last && hasSameValues(last.values, values)) return last.policy;
		const policy = makePolicy(values);
		last = { values, policy };
		for (const message of describeIdleExceptions(policy, new Date())) warnOfPolicy(message);
		return policy;
	});
}

/** Values that JSON cannot hold are never the same: one of them may make a policy that is refused. */
const hasSameValues = (one: PolicyValues, other: PolicyValues): boolean =>
	policyParameters.every((name) => isSameJson(one[name], other[name]));

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
	const { rulesSource: source, rulesJson, decisionRules, otherwise } = values;
	const exceptions = values['decisionOptions.exceptions'];
	const settings = {
		name: requireShortText(values['decisionOptions.policyName'], 'Policy Name'),
		version: requireShortText(values['decisionOptions.policyVersion'], 'Policy Version'),
		otherwise: requireChoice(otherwise, 'Otherwise', otherwiseChoices),
		exceptions: withLabel('Exceptions', () => readExceptions(exceptions)),
	};
	if (requireChoice(source, 'Rules', ['fields', 'json']) === 'json') {
		return withLabel('Policy (JSON)', () => readPolicy(rulesJson, settings));
	}
	return withLabel('Decision Rules', () => readPolicy(decisionRules, settings));
}

/**
 * Does `work`, which does not know the label of the field that it reads.
 * @throws {ScreeningError} its error, with the label
 */
function withLabel<T>(label: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw rethrowUnlessScreeningError(error).withDetails({ parameter: label });
	}
}
