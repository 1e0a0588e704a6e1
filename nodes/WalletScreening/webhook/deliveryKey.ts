import type { JobAnswer } from '../answers/jobAnswer';
import { sha256 } from '../shared/sha256';

/** What every key of a delivery is made of. */
interface KeyParts {
	/** The node that received it. */
	node: string;
	/**
	 * The ID that was signed with it, if any. It may be the same in many deliveries, such as that of
	 * the customer or of the job, so it tells deliveries apart, but does not show that two are one.
	 */
	messageId: string | undefined;
	bytes: Buffer;
}

/** The facts by which a delivery is known again. */
interface Identity extends KeyParts {
	job: Pick<
		JobAnswer,
		'job_id' | 'state' | 'statedBy' | 'results' | 'missingResults' | 'unnamedLack'
	>;
	/** Whether its results have to be fetched. */
	needsFetch: boolean;
}

/**
 * Creates the key by which a delivery is known when it comes again: the job with its state, its
 * results and what is missing, so that a counter of attempts in the body makes no new delivery; else
 * the bytes.
 */
export function createDeliveryKey({ job, needsFetch, ...parts }: Identity): string {
	const { job_id, results, state } = job;
	const hasContent = needsFetch || results.length > 0 || state === 'failed';
	const content = job_id !== undefined && hasContent ? writeContent(job) : undefined;
	if (content === undefined) return digest('bytes', parts, parts.bytes);
	return digest('content', parts, content);
}

/** Writes what a delivery tells of a job; undefined if a part of it is nested too deeply. */
function writeContent({
	job_id,
	state,
	statedBy,
	results,
	missingResults,
	unnamedLack,
}: Identity['job']): string | undefined {
	try {
		// A sender may give the results in any order.
		const written = results.map(({ address, value, flaw }) =>
			JSON.stringify([address, value, flaw]),
		);
		// Only whether more is promised: a link to the next page may differ with each attempt.
		const isMorePromised = missingResults !== undefined;
		return JSON.stringify([job_id, state, statedBy, isMorePromised, unnamedLack, written.sort()]);
	} catch {
		return undefined;
	}
}

/**
 * Creates the key under which the failure of a delivery is noted: of its bytes, because the job ID in
 * it may have been misread, and another body may be about another job. It differs from the key of the
 * delivery, so that one delivery can be noted as deferred and as failed at the same time.
 */
export const createFailureKey = (parts: KeyParts): string => digest('failure', parts, parts.bytes);

/** 132 bits of SHA-256 in base64url, which are enough for content that a secret has signed. */
function digest(
	kind: string,
	{ node, messageId = '' }: KeyParts,
	content: string | Buffer,
): string {
	// Neither the ID of a node nor that of a message has a line break.
	const head = Buffer.from(`${node}\n${messageId}\n${kind}\n`);
	const hash = sha256(Buffer.concat([head, Buffer.from(content)]));
	return hash.toString('base64url').slice(0, 22);
}
