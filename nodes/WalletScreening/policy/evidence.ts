import { ScreeningError } from '../shared/errors';
import { type Fields, isNumber } from '../shared/json';
import { digestOfJson, sha256, stored } from '../shared/canonical';
import type { Decision } from './decision';
import { inputsIn, type Policy } from './policy';
import { valueAt } from './report';

/** A decision, with what it was made by. */
export interface Decided {
	decision: Decision;
	policy: Policy;
	at: Date;
	/** The input item, for rules on its fields. */
	input?: Fields | undefined;
}

/** How a report came. */
export interface Origin {
	/** When the service made it, for a new one; when it was fetched, for one that was made before. */
	screenedAt?: Date | undefined;
	retrievedAt?: Date | undefined;
	pdf?: Uint8Array | undefined;
	/** How many requests for it the service may have carried out, and may bill. */
	sent?: number | undefined;
	/** The names that the credential adds to those that the nodes know of the service. */
	serviceNames?: object | undefined;
}

/** What evidence is made of. */
interface Recorded extends Origin {
	/** As the service sent it. */
	report: object;
	/** Whether the evidence itself keeps the report, because the item does not. */
	keepsReport?: boolean;
	/** What the user calls the matter, e.g. the ID of a payment. */
	reference?: string | undefined;
	/** The chain that was asked for, if the report is of another one. */
	askedChain?: string | undefined;
	decided?: Decided | undefined;
	/** Name and version of the package, e.g. `n8n-nodes-wallet-screening@1.0.0`. */
	package: string;
	workflowId: string;
	executionId: string;
}

/**
 * Evidence for an item: what was known and decided of a report, with SHA-256 digests, in hex, of canonical JSON (RFC 8785),
 * and times in ISO 8601 in UTC. Throws `invalid_response` for a report that canonical JSON cannot hold.
 */
export function evidenceOf({ keepsReport = false, sent = 1, decided, pdf, ...known }: Recorded) {
	const { reference, askedChain, screenedAt, retrievedAt, serviceNames } = known;
	try {
		const report = stored(known.report) as Fields;
		const inputs = decided && inputsOf(decided);
		const evidence = {
			version: 1,
			...(reference && { reference }),
			...(askedChain && { asked_chain: askedChain }),
			...(screenedAt && { screened_at: screenedAt.toISOString() }),
			...(retrievedAt && { retrieved_at: retrievedAt.toISOString() }),
			...(decided && { decided_at: decided.at.toISOString() }),
			report_id: report.report_id ?? null,
			report_sha256: digestOfJson(report),
			...(keepsReport && { report }),
			...(pdf && { pdf_sha256: sha256(pdf) }),
			policy: decided?.policy.record ?? null,
			...(inputs && { inputs }),
			...(serviceNames && { service_names: stored(serviceNames) }),
			decision: decided ? recordOf(decided.decision) : null,
			package: known.package,
			workflow_id: known.workflowId,
			execution_id: known.executionId,
			...(sent > 1 && { sent }),
		};
		return { ...evidence, sha256: digestOfJson(evidence) };
	} catch {
		throw withoutDigest();
	}
}

const withoutDigest = () =>
	new ScreeningError(
		'invalid_response',
		'The report has no digest: it contains half of a character, or is nested too deeply',
		"Send the report to the service's support, or switch the evidence off.",
	);

const recordOf = ({ outcome, sanctions, summary, reasons }: Decision) =>
	stored({ outcome, sanctions, summary, reasons });

/** The texts and numbers of the input item that the policy compares, by the names in its rules; undefined if it has none. */
function inputsOf({ policy, input = {} }: Decided): Fields | undefined {
	const keys = inputsIn(policy.rules);
	const entries = keys
		.map((key) => [key, valueAt(input, key)] as const)
		.filter(([, value]) => typeof value === 'string' || isNumber(value));
	return keys.length > 0 ? Object.fromEntries(entries) : undefined;
}
