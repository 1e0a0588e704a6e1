import { digestOfJson, halfCharacter, toStoredForm } from '../shared/canonical';
import { ScreeningError } from '../shared/errors';
import { valueAt } from '../shared/fieldPath';
import { isNumber, type JsonObject } from '../shared/json';
import { formatValue } from '../shared/text';
import type { Decision } from './decision';
import { inputFieldNames, type Policy, type PolicyRecord } from './policy';

/** A decision, with everything needed to repeat it. */
export interface DecisionRecord {
	decision: Decision;
	policy: Policy;
	at: Date;
	/** The input item, for rules on its fields. */
	input?: JsonObject | undefined;
}

/** How a report came. */
export interface Origin {
	/** When the service made a new report. */
	screenedAt?: Date | undefined;
	/** When a report was fetched that was made before. */
	retrievedAt?: Date | undefined;
	/** The digest of its PDF, in hex. */
	pdfSha256?: string | undefined;
	/** How many requests for it the service may have carried out, and may bill. */
	sent?: number | undefined;
	/** The names that the user added for this service, see `ServiceNames`. */
	serviceNames?: object | undefined;
}

/** What evidence is made of. */
interface EvidenceSource extends Origin {
	/** The report as the service sent it. */
	report: object;
	/** Whether the evidence itself keeps the report, because the item does not. */
	keepsReport?: boolean;
	/** What the user calls the matter, e.g. the ID of a payment. */
	reference?: string | undefined;
	/** The chain that was asked for, if the report is of another one. */
	askedChain?: string | undefined;
	decisionRecord?: DecisionRecord | undefined;
	/** Name and version of the package, e.g. `n8n-nodes-wallet-screening@1.0.0`. */
	package: string;
	workflowId: string;
	executionId: string;
}

/**
 * What was known and decided of a report. Times are ISO 8601 in UTC, digests are SHA-256 in hex of
 * canonical JSON (RFC 8785).
 */
export interface Evidence {
	version: number;
	reference?: string;
	asked_chain?: string;
	screened_at?: string;
	retrieved_at?: string;
	decided_at?: string;
	/** Null if the report has none. */
	report_id: string | null;
	report_sha256: string;
	/** If the item holds no report. */
	report?: object;
	/** The digest of the bytes of the PDF. */
	pdf_sha256?: string;
	/** Null without a decision, like `decision`. */
	policy: PolicyRecord | null;
	/** The fields of the input item that the policy compares. */
	inputs?: object;
	/** The names that the credential adds to those of the contract. */
	service_names?: object;
	decision: Decision | null;
	/** Name and version of this package. */
	package: string;
	workflow_id: string;
	execution_id: string;
	/** How often the screening was sent, if more than once. */
	sent?: number;
	/** The digest of the evidence without this field. */
	sha256: string;
}

/**
 * Makes the evidence for an item.
 * @throws {ScreeningError} `invalid_response` for a report, or a field of the input item, that
 * canonical JSON cannot hold
 */
export function createEvidence(source: EvidenceSource): Evidence {
	const { reference, askedChain, screenedAt, retrievedAt, serviceNames, pdfSha256 } = source;
	const { keepsReport = false, sent = 1, decisionRecord } = source;
	const report = storedReport(source.report);
	const inputs = decisionRecord && readInputs(decisionRecord);
	refuseHalfCharacter({ reference, asked_chain: askedChain, ...inputs });
	const evidence = {
		version: 1,
		...(reference && { reference }),
		...(askedChain && { asked_chain: askedChain }),
		...(screenedAt && { screened_at: screenedAt.toISOString() }),
		...(retrievedAt && { retrieved_at: retrievedAt.toISOString() }),
		...(decisionRecord && { decided_at: decisionRecord.at.toISOString() }),
		report_id: report.report_id ?? null,
		report_sha256: requireDigest(report),
		...(keepsReport && { report }),
		...(pdfSha256 && { pdf_sha256: pdfSha256 }),
		policy: decisionRecord?.policy.record ?? null,
		...(inputs && { inputs }),
		...(serviceNames && { service_names: toStoredForm(serviceNames) }),
		decision: decisionRecord ? storedDecision(decisionRecord.decision) : null,
		package: source.package,
		workflow_id: source.workflowId,
		execution_id: source.executionId,
		...(sent > 1 && { sent }),
	};
	return { ...evidence, sha256: requireDigest(evidence) };
}

/**
 * The report as n8n stores it. The digest is of this form.
 * @throws {ScreeningError} `invalid_response` for a report that JSON cannot hold
 */
function storedReport(report: object): { report_id?: string } {
	try {
		return toStoredForm(report);
	} catch (error) {
		throw noDigestError(error);
	}
}

/** @throws {ScreeningError} `invalid_response` for a value that canonical JSON cannot hold */
function requireDigest(value: object): string {
	try {
		return digestOfJson(value);
	} catch (error) {
		throw noDigestError(error);
	}
}

const noDigestError = (cause: unknown) =>
	new ScreeningError(
		'invalid_response',
		'The evidence has no digest: it contains half of a character, or is nested too deeply',
		"Send the report to the service's support, or switch the evidence off.",
		{ stack: cause instanceof Error ? cause.stack : undefined },
	);

/** The decision with its fields in the order of an item. */
const storedDecision = ({ reasons, summary, ...verdict }: Decision): Decision =>
	toStoredForm({ ...verdict, summary, reasons });

/**
 * Reads the texts and numbers of the input item that the policy compares, by the names in its
 * rules; undefined if it has none.
 */
function readInputs({ policy, input = {} }: DecisionRecord): JsonObject | undefined {
	const names = inputFieldNames(policy.rules);
	if (names.length === 0) return undefined;
	const entries = names
		.map((name) => [name, valueAt(input, name)] as const)
		.filter(([, value]) => typeof value === 'string' || isNumber(value));
	return Object.fromEntries(entries);
}

/**
 * Refuses a text that canonical JSON cannot hold. It comes from the input item, because a parameter
 * with such a text is refused before.
 * @throws {ScreeningError} `invalid_response`, although the user gave the text: `invalid_input` would
 * mean that no request was sent, and the report may be a new one
 */
function refuseHalfCharacter(fields: JsonObject): void {
	const broken = Object.entries(fields).find(([, value]) => halfCharacter.test(String(value)));
	if (!broken) return;
	throw new ScreeningError(
		'invalid_response',
		`The evidence has no digest: '${formatValue(broken[0], 60)}' of the input item contains half of a character`,
		'Correct this field, or switch the evidence off.',
	);
}
