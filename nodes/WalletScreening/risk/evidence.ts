import { ScreeningError } from '../service/errors';
import type { Fields } from '../service/json';
import { digestOfJson, sha256, stored } from './canonical';
import type { Decision } from './decision';
import type { Policy, PolicyRecord } from './policy';
import { valueAt } from './report';
import { isNumber } from './values';

/** What was known and decided of a report, with digests: SHA-256, in hex, of canonical JSON (RFC 8785). */
export interface Evidence {
	version: 1;
	/** What the user calls the matter, e.g. the ID of a payment. */
	reference?: string;
	/** The chain that was asked for, if the report is of another one. */
	asked_chain?: string;
	/** Times are ISO 8601 in UTC. */
	screened_at?: string;
	retrieved_at?: string;
	decided_at?: string;
	/** Null if the report has none. */
	report_id: unknown;
	/** The names of the report's fields, sorted by UTF-16 code units. */
	report_fields: string[];
	report_sha256: string;
	/** The report itself, if the item does not hold it as it came. */
	report?: Fields;
	/** Of the bytes of the file. */
	pdf_sha256?: string;
	policy: PolicyRecord | null;
	/** The texts and numbers of the input item that the policy compares, by the names in its rules. */
	inputs?: Fields;
	/** The names that the user added to those that the nodes know of the service. */
	service_names?: object;
	decision: Decision | null;
	package: string;
	workflow_id: string;
	execution_id: string;
	/** Of this evidence without this field. */
	sha256: string;
}

/** A decision, with what it was made by. */
export interface Decided {
	decision: Decision;
	policy: Policy;
	at: Date;
	/** The input item, for rules on its fields. */
	input?: Fields | undefined;
}

/** What evidence is made of. */
export interface Subject {
	/** The fields of the report: as the service sent them, or as they were found in an item. */
	fields: object;
	/** Whether the item holds these fields in a simplified form only. */
	isSimplified?: boolean;
	reference?: string | undefined;
	askedChain?: string | undefined;
	screenedAt?: Date | undefined;
	retrievedAt?: Date | undefined;
	decided?: Decided | undefined;
	pdf?: Uint8Array | undefined;
	serviceNames?: object | undefined;
	/** Name and version of the package, e.g. `n8n-nodes-wallet-screening@1.0.0`. */
	package: string;
	workflowId: string;
	executionId: string;
}

/** Evidence for an item. Throws `invalid_response` for a report that canonical JSON cannot hold. */
export function evidenceOf(subject: Subject): Evidence {
	const { reference, askedChain, screenedAt, retrievedAt, decided, pdf, serviceNames } = subject;
	try {
		const report = stored(subject.fields) as Fields;
		const inputs = decided && inputsOf(decided);
		const evidence: Omit<Evidence, 'sha256'> = {
			version: 1,
			...(reference && { reference }),
			...(askedChain && { asked_chain: askedChain }),
			...(screenedAt && { screened_at: screenedAt.toISOString() }),
			...(retrievedAt && { retrieved_at: retrievedAt.toISOString() }),
			...(decided && { decided_at: decided.at.toISOString() }),
			report_id: report.report_id ?? null,
			report_fields: Object.keys(report).sort(),
			report_sha256: digestOfJson(report),
			...(subject.isSimplified && { report }),
			...(pdf && { pdf_sha256: sha256(pdf) }),
			policy: decided?.policy.record ?? null,
			...(inputs && { inputs }),
			...(serviceNames && { service_names: stored(serviceNames) }),
			decision: decided ? stored(decided.decision) : null,
			package: subject.package,
			workflow_id: subject.workflowId,
			execution_id: subject.executionId,
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

/** What the policy saw of the input item; undefined if it has no rule on its fields. */
function inputsOf({ policy, input = {} }: Decided): Fields | undefined {
	const keys = policy.rules.flatMap(({ conditions }) =>
		conditions.filter(({ of }) => of === 'input').map(({ key }) => key),
	);
	const entries = keys
		.map((key) => [key, valueAt(input, key)] as const)
		.filter(([, value]) => typeof value === 'string' || isNumber(value));
	return keys.length > 0 ? Object.fromEntries(entries) : undefined;
}
