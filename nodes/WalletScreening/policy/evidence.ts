import { digestOfJson, sha256, stored } from '../shared/canonical';
import { ScreeningError } from '../shared/errors';
import { type Fields, isNumber } from '../shared/json';
import { valueAt } from '../shared/userInput';
import type { Decision } from './decision';
import { inputFieldNames, type Policy } from './policy';

/** A decision, with what it was made by. */
export interface DecisionRecord {
	decision: Decision;
	policy: Policy;
	at: Date;
	/** The input item, for rules on its fields. */
	input?: Fields | undefined;
}

/** How a report came. */
export interface Origin {
	/** When the service made a new report. */
	screenedAt?: Date | undefined;
	/** When a report was fetched that was made before. */
	retrievedAt?: Date | undefined;
	pdf?: Uint8Array | undefined;
	/** How many requests for it the service may have carried out, and may bill. */
	sent?: number | undefined;
	/** The names that the credential adds to those that the nodes know of the service. */
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
 * Makes the evidence for an item: what was known and decided of a report, with SHA-256 digests, in hex, of canonical JSON (RFC
 * 8785), and times in ISO 8601 in UTC.
 * @throws {ScreeningError} `invalid_response` for a report that canonical JSON cannot hold
 */
export function createEvidence(source: EvidenceSource) {
	const { reference, askedChain, screenedAt, retrievedAt, serviceNames, pdf } = source;
	const { keepsReport = false, sent = 1, decisionRecord } = source;
	try {
		const report = stored(source.report) as Fields;
		const inputs = decisionRecord && readInputs(decisionRecord);
		const evidence = {
			version: 1,
			...(reference && { reference }),
			...(askedChain && { asked_chain: askedChain }),
			...(screenedAt && { screened_at: screenedAt.toISOString() }),
			...(retrievedAt && { retrieved_at: retrievedAt.toISOString() }),
			...(decisionRecord && { decided_at: decisionRecord.at.toISOString() }),
			report_id: report.report_id ?? null,
			report_sha256: digestOfJson(report),
			...(keepsReport && { report }),
			...(pdf && { pdf_sha256: sha256(pdf) }),
			policy: decisionRecord?.policy.record ?? null,
			...(inputs && { inputs }),
			...(serviceNames && { service_names: stored(serviceNames) }),
			decision: decisionRecord ? decisionJson(decisionRecord.decision) : null,
			package: source.package,
			workflow_id: source.workflowId,
			execution_id: source.executionId,
			...(sent > 1 && { sent }),
		};
		return { ...evidence, sha256: digestOfJson(evidence) };
	} catch {
		throw noDigest();
	}
}

const noDigest = () =>
	new ScreeningError(
		'invalid_response',
		'The report has no digest: it contains half of a character, or is nested too deeply',
		"Send the report to the service's support, or switch the evidence off.",
	);

const decisionJson = ({ outcome, sanctions, summary, reasons }: Decision) =>
	stored({ outcome, sanctions, summary, reasons });

/** The texts and numbers of the input item that the policy compares, by the names in its rules; undefined if it has none. */
function readInputs({ policy, input = {} }: DecisionRecord): Fields | undefined {
	const names = inputFieldNames(policy.rules);
	if (names.length === 0) return undefined;
	const entries = names
		.map((name) => [name, valueAt(input, name)] as const)
		.filter(([, value]) => typeof value === 'string' || isNumber(value));
	return Object.fromEntries(entries);
}
