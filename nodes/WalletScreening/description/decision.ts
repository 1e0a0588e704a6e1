import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	inputFieldNames,
	maxHints,
	type Policy,
	policyHints,
	readExceptions,
	readPolicy,
} from '../policy/policy';
import { otherwiseChoices } from '../policy/schema';
import { halfCharacter } from '../shared/canonical';
import { asScreeningError, invalidInput } from '../shared/errors';
import { withoutEdges } from '../shared/text';
import { booleanIn, choiceIn } from '../shared/userInput';
import { showHint } from '../transport/n8n';
import { type Read, readOnce } from './parameters';

/** What is decided about a report, and what is recorded of it. */
export interface DecisionSettings {
	/** Undefined if the user wants no decision. */
	policy: Policy | undefined;
	addEvidence: boolean;
	/** The user's own name of the matter, e.g. the ID of a payment. */
	reference?: string | undefined;
	/** The input item, for rules on its fields. */
	input?: IDataObject | undefined;
}

export const noDecision: DecisionSettings = { policy: undefined, addEvidence: false };

const maxReferenceLength = 200;

/** The parameters of a policy, with what counts for one that is hidden. */
const policyParameters: Record<string, unknown> = {
	rulesSource: 'fields',
	decisionRules: {},
	rulesJson: '',
	otherwise: 'allowGreen',
	'decisionOptions.policyName': '',
	'decisionOptions.policyVersion': '',
	'decisionOptions.exceptions': {},
};

/** Where Add Evidence and Reference are: in Decision Options if a decision is made, else in Options. n8n drops what is hidden. */
const recordParameters = ['decisionOptions', 'options'];

/** Reads what is decided on the reports of a trigger, which has no input item. Throws `invalid_input`. */
export function readDecisionSettings(read: Read): DecisionSettings {
	const policy = wantsDecision(read) ? policyOf(policyValues(read)) : undefined;
	const ofInput = policy?.rules.findIndex((rule) => inputFieldNames([rule]).length > 0) ?? -1;
	if (ofInput === -1) return { policy, ...readRecord(read) };
	throw invalidInput(
		'Policy (JSON)',
		`Rule ${ofInput + 1} compares a field of the input item, and a delivery has none`,
		"Decide on the reports in a later node, with 'Decision: Decide'.",
	);
}

/** Reads what is decided for each input item. Throws `invalid_input`. */
export function decisionSettingsReader(context: IExecuteFunctions, isWanted = wantsDecision) {
	const items = context.getInputData();
	const isWantedIn = readOnce(context, ['addDecision'], isWanted);
	const policyIn = policyReader(context);
	const recordIn = readOnce(context, recordParameters, readRecord);
	return (read: Read, itemIndex: number): DecisionSettings => ({
		policy: isWantedIn(read) ? policyIn(read) : undefined,
		...recordIn(read),
		input: items[itemIndex]?.json,
	});
}

/**
 * Reads the policy for each input item, and shows hints at what does nothing in it. A policy that is the same as for the item
 * before is not made again. Throws `invalid_input`.
 */
export function policyReader(context: IExecuteFunctions): (read: Read) => Policy {
	const shown = new Set<string>();
	let last: { source: string; policy: Policy } | undefined;
	return readOnce(context, Object.keys(policyParameters), (read) => {
		const values = policyValues(read);
		const source = JSON.stringify(values);
		if (last?.source === source) return last.policy;
		const policy = policyOf(values);
		last = { source, policy };
		for (const message of policyHints(policy, new Date())) {
			if (shown.has(message) || shown.size === maxHints) continue;
			shown.add(message);
			showHint(context, message, 'warning');
		}
		return policy;
	});
}

function wantsDecision(read: Read): boolean {
	return booleanIn(read('addDecision', false), 'Add Decision');
}

function readRecord(read: Read) {
	const addEvidence = booleanIn(recordValue(read, 'addEvidence', false), 'Add Evidence');
	return { addEvidence, reference: referenceIn(read) };
}

function recordValue(read: Read, name: string, otherwise: unknown): unknown {
	return read(`decisionOptions.${name}`, read(`options.${name}`, otherwise));
}

/** The user's own name of the matter. Throws `invalid_input`. */
export function referenceIn(read: Read): string | undefined {
	return shortTextIn(recordValue(read, 'reference', ''), 'Reference') || undefined;
}

function policyValues(read: Read): Record<string, unknown> {
	const given = Object.entries(policyParameters).map(([name, value]) => [name, read(name, value)]);
	return Object.fromEntries(given) as Record<string, unknown>;
}

function policyOf(values: Record<string, unknown>): Policy {
	const { rulesSource: source, rulesJson, decisionRules, otherwise } = values;
	const exceptions = values['decisionOptions.exceptions'];
	const beside = {
		name: shortTextIn(values['decisionOptions.policyName'], 'Policy Name'),
		version: shortTextIn(values['decisionOptions.policyVersion'], 'Policy Version'),
		otherwise: choiceIn(otherwise, 'Otherwise', otherwiseChoices),
		exceptions: withLabel('Exceptions', () => readExceptions(exceptions)),
	};
	const [label, given] =
		choiceIn(source, 'Rules', ['fields', 'json']) === 'json'
			? ['Policy (JSON)', rulesJson]
			: ['Decision Rules', decisionRules];
	return withLabel(label, () => readPolicy(given, beside));
}

/** A text, or an ID or a version that is a number; it may be empty. Evidence holds it. */
function shortTextIn(value: unknown, label: string): string {
	const text = Number.isSafeInteger(value) ? String(value) : (value ?? '');
	const isFine =
		typeof text === 'string' && text.length <= maxReferenceLength && !halfCharacter.test(text);
	if (isFine) return withoutEdges(text);
	throw invalidInput(
		label,
		`'${label}' is not a text of at most ${maxReferenceLength} characters`,
		'Give a text, e.g. an ID.',
	);
}

/** Adds the label of the field to the error of a function without it. */
function withLabel<T>(parameter: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw asScreeningError(error).withDetails({ parameter });
	}
}
