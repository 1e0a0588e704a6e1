import type { JobAnswer } from '../answers/jobAnswer';
import { tryStringify } from '../shared/json';
import { sha256 } from '../shared/sha256';

/** The facts by which a delivery is known again. */
interface Identity {
	/** The node that received it. */
	node: string;
	messageId: string | undefined;
	job: Pick<JobAnswer, 'job_id' | 'state' | 'statedBy' | 'results' | 'gap'>;
	/** Whether its results have to be fetched. */
	needsFetch: boolean;
	bytes: Buffer;
}

/**
 * Creates the key by which a delivery is known when it comes again: the message ID of the scheme,
 * else the job with its state, results and gap, so that a counter of attempts in the body makes no
 * new delivery; else the bytes. The bytes also count if a result is nested too deeply to be written
 * as JSON.
 */
export function createDeliveryKey({ node, messageId, job, needsFetch, bytes }: Identity): string {
	if (messageId !== undefined) return digest(node, 'message', messageId);
	const { job_id, state, statedBy, results, gap } = job;
	const hasContent = needsFetch || results.length > 0 || state === 'failed';
	const contents = results.map(({ address, value, flaw }) => tryStringify([address, value, flaw]));
	const isNestedTooDeeply = contents.includes(undefined);
	if (job_id === undefined || !hasContent || isNestedTooDeeply) return digest(node, 'bytes', bytes);
	// A sender may give the results in any order.
	const content = [job_id, state, statedBy, gap, contents.sort()];
	return digest(node, 'content', JSON.stringify(content));
}

/**
 * Creates the key by which a delivery is known whose results could not be fetched: the message ID,
 * else the bytes. The job ID in it may have been misread, so another body may be about another job.
 * It is never the key of the delivery: while the sender is asked to come again, that is known as
 * deferred, and still as failed.
 */
export function createFailureKey({
	node,
	messageId,
	bytes,
}: Pick<Identity, 'node' | 'messageId' | 'bytes'>): string {
	return digest(node, 'failure', messageId ?? bytes);
}

/** 132 bits of SHA-256 in base64url, which are enough for content that a secret has signed. */
function digest(node: string, kind: string, content: string | Buffer): string {
	const bytes = Buffer.concat([Buffer.from(`${node}\n${kind}\n`), Buffer.from(content)]);
	return sha256(bytes).toString('base64url').slice(0, 22);
}
