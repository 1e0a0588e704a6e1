import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	describeIdleExceptions,
	inputFieldNames,
	type Policy,
	readExceptions,
	readPolicy,
} from '../policy/policy';
import { otherwiseChoices } from '../policy/schema';
import { halfCharacter } from '../shared/canonical';
import { rethrowUnlessScreeningError, invalidInput } from '../shared/errors';
import { trimInvisible } from '../shared/text';
import { requireBoolean, requireChoice } from '../shared/userInput';
import { createSharedReader, type ParameterReader } from './parameters';

/** By what a report is decided on, and what is recorded of it. */
export interface DecisionSettings {
	/** Undefined if the user wants no decision. */
	policy: Policy | undefined;
	addEvidence: boolean;
	/** The user's own name of the matter, e.g. the ID of a payment. */
	reference?: string | undefined;
	/** The input item, for rules on its fields. */
	input?: IDataObject | undefined;
	/** When the report was made, if it is used again. */
	earlierReportAt?: Date | undefined;
}

export const noDecision: DecisionSettings = { policy: undefined, addEvidence: false };

/** The limit of a name that the user gives a matter, a policy or a version. */
const maxNameLength = 200;

/** Each parameter of a policy, and the value that counts while n8n hides it. */
const policyParameters: Record<string, unknown> = {
	rulesSource: 'fields',
	decisionRules: {},
	rulesJson: '',
	otherwise: 'allowGreen',
	'decisionOptions.policyName': '',
	'decisionOptions.policyVersion': '',
	'decisionOptions.exceptions': {},
};

/** Where Add Evidence and Reference are, as `recordFields` has them. n8n drops the one of the two that is hidden. */
const recordParameters = ['decisionOptions', 'options'];

/**
 * Reads what is decided on the reports of the trigger, which has no input item.
 * @throws {ScreeningError} `invalid_input`
 */
export function readTriggerDecision(read: ParameterReader): DecisionSettings {
	const policy = wantsDecision(read)
		? parsePolicyParameters(readPolicyParameters(read))
		: undefined;
	const rules = policy?.rules ?? [];
	const ruleOnInput = rules.findIndex((rule) => inputFieldNames([rule]).length > 0);
	if (ruleOnInput === -1) return { policy, ...readRecord(read) };
	throw invalidInput(
		'Policy (JSON)',
		`Rule ${ruleOnInput + 1} compares a field of the input item, and a delivery has none`,
		"Decide on the reports in a later node, with 'Decision: Decide'.",
	);
}

/** What a reader of decisions needs of the run. */
interface DecidingRun {
	context: IExecuteFunctions;
	/** Shows a warning about a policy above the output. */
	warnOfPolicy: (message: string) => void;
}

/**
 * Makes a reader of what is decided on the report of each item. Without `isWanted`, the user chooses whether a decision is made.
 * @throws {ScreeningError} The reader: `invalid_input`
 */
export function createDecisionReader(
	run: DecidingRun,
	isWanted = wantsDecision,
): (read: ParameterReader, itemIndex: number) => DecisionSettings {
	const { context } = run;
	const items = context.getInputData();
	const readIsWanted = createSharedReader(context, ['addDecision'], isWanted);
	const readItemPolicy = createPolicyReader(run);
	const readItemRecord = createSharedReader(context, recordParameters, readRecord);
	return (read, itemIndex) => ({
		policy: readIsWanted(read) ? readItemPolicy(read) : undefined,
		...readItemRecord(read),
		input: items[itemIndex]?.json,
	});
}

/**
 * Makes a reader of the policy of each item. Without an expression in its parameters it is read once, for all items. With one, an
 * item whose values equal those of the item before shares its policy, and any other has a new one.
 * @throws {ScreeningError} The reader: `invalid_input`
 */
function createPolicyReader({
	context,
	warnOfPolicy,
}: DecidingRun): (read: ParameterReader) => Policy {
	let last: { source: string; policy: Policy } | undefined;
	return createSharedReader(context, Object.keys(policyParameters), (read) => {
		const values = readPolicyParameters(read);
		const source = JSON.stringify(values);
		if (last?.source === source) return last.policy;
		const policy = parsePolicyParameters(values);
		last = { source, policy };
		for (const message of describeIdleExceptions(policy, new Date())) warnOfPolicy(message);
		return policy;
	});
}

function wantsDecision(read: ParameterReader): boolean {
	return requireBoolean(read('addDecision', false), 'Add Decision');
}

function readRecord(read: ParameterReader): Pick<DecisionSettings, 'addEvidence' | 'reference'> {
	const addEvidence = requireBoolean(readRecordValue(read, 'addEvidence', false), 'Add Evidence');
	return { addEvidence, reference: readReference(read) };
}

/** Reads the parameter in the one of the two places that n8n did not hide. */
function readRecordValue(read: ParameterReader, name: string, fallback: unknown): unknown {
	return read(`decisionOptions.${name}`, read(`options.${name}`, fallback));
}

/**
 * The user's own name of the matter.
 * @throws {ScreeningError} `invalid_input`
 */
export function readReference(read: ParameterReader): string | undefined {
	return requireShortText(readRecordValue(read, 'reference', ''), 'Reference') || undefined;
}

/** The values of the parameters of a policy, as the user gave them. */
function readPolicyParameters(read: ParameterReader): Record<string, unknown> {
	const entries = Object.entries(policyParameters);
	return Object.fromEntries(entries.map(([name, fallback]) => [name, read(name, fallback)]));
}

/**
 * Makes the policy of the values of its parameters.
 * @throws {ScreeningError} `invalid_input`, which names the label of the field
 */
function parsePolicyParameters(values: Record<string, unknown>): Policy {
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
 * A text, or an ID or a version that is a number; it may be empty. Evidence holds it, so it has no half of a character.
 * @throws {ScreeningError} `invalid_input`
 */
function requireShortText(value: unknown, label: string): string {
	const text = Number.isSafeInteger(value) ? String(value) : (value ?? '');
	if (typeof text === 'string' && text.length <= maxNameLength && !halfCharacter.test(text)) {
		return trimInvisible(text);
	}
	throw invalidInput(
		label,
		`'${label}' is not a text of at most ${maxNameLength} characters`,
		'Give a text, e.g. an ID.',
	);
}

/**
 * Does `work`, which does not know the label of the field that it reads.
 * @throws {ScreeningError} its error, with the label
 */
function withLabel<T>(parameter: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw rethrowUnlessScreeningError(error).withDetails({ parameter });
	}
}
