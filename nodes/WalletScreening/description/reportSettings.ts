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
import { invalidInput, rethrowUnlessScreeningError } from '../shared/errors';
import { trimInvisible } from '../shared/text';
import { requireBoolean, requireChoice } from '../shared/userInput';
import type { evidenceFields } from './options';
import { createSharedReader, type ParameterReader } from './parameters';

/** What the user set for a report: the policy that decides on it, and what its evidence holds. */
export interface ReportSettings {
	/** Undefined if the user wants no decision. */
	policy: Policy | undefined;
	addEvidence: boolean;
	/** The user's own name of the matter, e.g. the ID of a payment. */
	reference?: string | undefined;
}

/** The settings for the report that one input item asks for or holds. */
export interface ItemSettings extends ReportSettings {
	/** That item, for rules on its fields. */
	input?: IDataObject | undefined;
}

/** The settings of what makes no decision and no evidence. */
export const noReportSettings: ReportSettings = { policy: undefined, addEvidence: false };

/** The limit of a name that the user gives a matter, a policy or a version. */
const maxNameLength = 200;

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

/** The collections that offer `evidenceFields`. n8n drops the one of the two that is hidden. */
const evidenceParameters = ['decisionOptions', 'options'] as const;
type EvidenceReader = ParameterReader<(typeof evidenceParameters)[number]>;

/**
 * Reads the settings for the reports of the trigger, which has no input item.
 * @throws {ScreeningError} `invalid_input`
 */
export function readTriggerSettings(read: ParameterReader): ReportSettings {
	const policy = wantsDecision(read) ? makePolicy(readPolicyValues(read)) : undefined;
	const rules = policy?.rules ?? [];
	const ruleOnInput = rules.findIndex((rule) => inputFieldNames([rule]).length > 0);
	if (ruleOnInput === -1) return { policy, ...readEvidenceSettings(read) };
	throw invalidInput(
		'Policy (JSON)',
		`Rule ${ruleOnInput + 1} compares a field of the input item, and a delivery has none`,
		"Decide on the reports in a later node, with 'Decision: Decide'.",
	);
}

/** What a reader of settings needs of the run. */
interface RunContext {
	context: IExecuteFunctions;
	/** Shows a warning about a policy above the output. */
	warnOfPolicy: (message: string) => void;
}

/**
 * Makes a reader of the settings for the report of each item. `wantsPolicy` says whether they have
 * a policy: unless an operation always decides, the user chooses that.
 * @throws {ScreeningError} The reader: `invalid_input`
 */
export function createSettingsReader(
	run: RunContext,
	wantsPolicy: (read: ParameterReader<'addDecision'>) => boolean = wantsDecision,
): (read: ParameterReader, itemIndex: number) => ItemSettings {
	const { context } = run;
	const items = context.getInputData();
	const itemWantsPolicy = createSharedReader(context, ['addDecision'], wantsPolicy);
	const readItemPolicy = createPolicyReader(run);
	const readItemEvidence = createSharedReader(context, evidenceParameters, readEvidenceSettings);
	return (read, itemIndex) => ({
		policy: itemWantsPolicy(read) ? readItemPolicy(read) : undefined,
		...readItemEvidence(read),
		input: items[itemIndex]?.json,
	});
}

/**
 * Makes a reader of the policy of each item. Without an expression in its parameters it is read
 * once, for all items. With one, an item whose values equal those of the item before shares its
 * policy, and any other has a new one.
 * @throws {ScreeningError} The reader: `invalid_input`
 */
function createPolicyReader({
	context,
	warnOfPolicy,
}: RunContext): (read: ParameterReader) => Policy {
	let last: { source: string; policy: Policy } | undefined;
	return createSharedReader(context, policyParameters, (read) => {
		const values = readPolicyValues(read);
		const source = JSON.stringify(values);
		if (last?.source === source) return last.policy;
		const policy = makePolicy(values);
		last = { source, policy };
		for (const message of describeIdleExceptions(policy, new Date())) warnOfPolicy(message);
		return policy;
	});
}

function wantsDecision(read: ParameterReader<'addDecision'>): boolean {
	return requireBoolean(read('addDecision', false), 'Add Decision');
}

function readEvidenceSettings(read: EvidenceReader): Omit<ReportSettings, 'policy'> {
	const addEvidence = readEvidenceParameter(read, 'addEvidence', false);
	return {
		addEvidence: requireBoolean(addEvidence, 'Add Evidence'),
		reference: readReference(read),
	};
}

/** Reads the parameter in the one of the two places that n8n did not hide. */
function readEvidenceParameter(
	read: EvidenceReader,
	name: keyof typeof evidenceFields,
	fallback: unknown,
): unknown {
	const inOptions = read(`options.${name}`, fallback);
	return read(`decisionOptions.${name}`, inOptions);
}

/**
 * The user's own name of the matter.
 * @throws {ScreeningError} `invalid_input`
 */
export function readReference(read: EvidenceReader): string | undefined {
	return requireShortText(readEvidenceParameter(read, 'reference', ''), 'Reference') || undefined;
}

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
 * A text, or an ID or a version that is a number; it may be empty. Evidence holds it, so it has no
 * half of a character.
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
