import type { IDataObject } from 'n8n-workflow';
import { inputFieldNames, type Policy } from '../policy/policy';
import { invalidInput } from '../shared/errors';
import { requireBoolean } from '../shared/userInput';
import {
	evidenceCollections,
	type EvidenceSettings,
	readEvidenceSettings,
} from './evidenceSettings';
import { shownIf, toggle } from './fields';
import { createSharedReader, type ParameterReader } from './parameters';
import {
	createPolicyReader,
	policyFields,
	readTriggerPolicy,
	rulesJsonField,
	type PolicyReaderContext,
} from './policySettings';

/* What the user wants to be made of a report: the parameters, and how they are read. */

const addDecisionField = toggle(
	'Add Decision',
	'addDecision',
	'Whether to check each report against your rules and add a decision: allow, review or block',
);

/** The parameters of an operation that decides if the user wants it. */
export const decisionFields = [addDecisionField, ...shownIf({ addDecision: [true] }, policyFields)];

/** What the user set for a report: the policy that decides on it, and what its evidence holds. */
export interface ReportSettings extends EvidenceSettings {
	/** Undefined if the user wants no decision. */
	policy: Policy | undefined;
}

/** The settings for the report that one input item asks for or holds. */
export interface ItemSettings extends ReportSettings {
	/** That item, for rules on its fields. */
	input?: IDataObject | undefined;
}

/** The settings of what makes no decision and no evidence. */
export const noReportSettings: ReportSettings = { policy: undefined, addEvidence: false };

/**
 * Reads the settings for the reports of the trigger, which has no input item.
 * @throws {ScreeningError} `invalid_input`
 */
export function readTriggerSettings(read: ParameterReader): ReportSettings {
	const policy = readAddDecision(read) ? readTriggerPolicy(read) : undefined;
	const rules = policy?.rules ?? [];
	const ruleOnInput = rules.findIndex((rule) => inputFieldNames([rule]).length > 0);
	if (ruleOnInput !== -1) {
		throw invalidInput(
			rulesJsonField.displayName,
			`Rule ${ruleOnInput + 1} compares a field of the input item, and a delivery has none`,
			"Decide on the reports in a later node, with 'Decision: Decide'.",
		);
	}
	return { policy, ...readEvidenceSettings(read) };
}

/** Reads the settings for the report of an input item. */
type SettingsReader = (read: ParameterReader, itemIndex: number) => ItemSettings;

/**
 * Makes a reader of the settings for the report of each item, where the user chooses with Add
 * Decision whether to decide.
 * @throws {ScreeningError} The reader: `invalid_input`
 */
export function createSettingsReader(run: PolicyReaderContext): SettingsReader {
	const wantsDecision = createSharedReader(run.context, ['addDecision'], readAddDecision);
	const readItemPolicy = createPolicyReader(run);
	return createReader(run, (read) => (wantsDecision(read) ? readItemPolicy(read) : undefined));
}

/**
 * Makes a reader of the settings for the report of each item, for an operation that always decides.
 * @throws {ScreeningError} The reader: `invalid_input`
 */
export function createDecidingReader(run: PolicyReaderContext): SettingsReader {
	return createReader(run, createPolicyReader(run));
}

function createReader(
	{ context }: PolicyReaderContext,
	readItemPolicy: (read: ParameterReader) => Policy | undefined,
): SettingsReader {
	const items = context.getInputData();
	const readItemEvidence = createSharedReader(context, evidenceCollections, readEvidenceSettings);
	return (read, itemIndex) => ({
		policy: readItemPolicy(read),
		...readItemEvidence(read),
		input: items[itemIndex]?.json,
	});
}

/** @throws {ScreeningError} `invalid_input` */
function readAddDecision(read: ParameterReader<'addDecision'>): boolean {
	return requireBoolean(read('addDecision', false), addDecisionField.displayName);
}
