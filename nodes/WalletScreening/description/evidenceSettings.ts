import { isNumber, type JsonObject, nonBlankText } from '../shared/json';
import { requireBoolean, requireEvidenceText } from '../shared/userInput';
import { field, toggle } from './fields';
import type { ParameterReader } from './parameters';

/*
 * Evidence, and the reference in it: the fields, and how they are read. n8n shows them in Decision
 * Options if a decision is made, else in Options. Those that it hides have no value.
 */

export const evidenceFields = {
	addEvidence: {
		...toggle(
			'Add Evidence',
			'addEvidence',
			'Whether to add a record of the report, the rules, the decision and their times, with digests that an auditor can verify',
		),
		// Add Evidence is off until the user adds it. Then it is on.
		default: true,
	},
	reference: field('Reference', 'reference', {
		placeholder: 'e.g. a payment or customer ID',
		description: 'Your own reference, for example a payment ID. It appears in evidence and alerts.',
	}),
};
export type EvidenceName = keyof typeof evidenceFields;

/** The collections that offer these fields. */
export const evidenceCollections = ['decisionOptions', 'options'] as const;
type EvidenceReader = ParameterReader<(typeof evidenceCollections)[number]>;

/** What the user set in them. */
export interface EvidenceSettings {
	addEvidence: boolean;
	/** The user's own name of the matter, e.g. the ID of a payment. */
	reference?: string | undefined;
}

/**
 * Reads Add Evidence and Reference.
 * @throws {ScreeningError} `invalid_input`
 */
export function readEvidenceSettings(read: EvidenceReader): EvidenceSettings {
	const addEvidence = readEvidenceParameter(read, 'addEvidence', false);
	return {
		addEvidence: requireBoolean(addEvidence, evidenceFields.addEvidence.displayName),
		reference: readReference(read),
	};
}

/** Reads the field from Decision Options, else from Options. n8n shows only one of the two. */
function readEvidenceParameter(
	read: EvidenceReader,
	name: EvidenceName,
	fallback: unknown,
): unknown {
	const inOptions = read(`options.${name}`, fallback);
	return read(`decisionOptions.${name}`, inOptions);
}

/**
 * Reads Reference.
 * @throws {ScreeningError} `invalid_input`
 */
export function readReference(read: EvidenceReader): string | undefined {
	const reference = readEvidenceParameter(read, 'reference', '');
	return requireEvidenceText(reference, evidenceFields.reference.displayName) || undefined;
}

/** The reference that an item holds. A sheet returns one of digits as a number. */
export function referenceOf({ reference }: JsonObject): string | undefined {
	return nonBlankText(isNumber(reference) ? String(reference) : reference);
}
