import type { ServiceNames } from '../answers/contract';
import { type JobAnswer, Reader } from '../answers/reader';
import { rethrowUnlessScreeningError, ScreeningError } from '../shared/errors';
import { tryParseJson, tryStringify } from '../shared/json';
import { sha256 } from '../shared/sha256';
import { cleanId } from '../shared/userInput';

/**
 * Reads the body of a delivery (section 6). A batch is any JSON object or list.
 * @throws {ScreeningError} `invalid_response` if the body has no result, no failure and no job ID
 */
export function readBody(
	names: ServiceNames | undefined,
	bytes: Buffer,
	isBatch: boolean,
): JobAnswer {
	const content = tryParseJson(bytes);
	if (content === undefined) throw unreadableDelivery('its body is not JSON');
	const job = new Reader(names).readDeliveredJob(content);
	const { job_id, results, state, body } = job;
	const isVoid = job_id === undefined && results.length === 0 && state !== 'failed';
	if (!isVoid || (isBatch && typeof body === 'object' && body !== null)) return job;
	throw unreadableDelivery('its body contains neither results nor a job ID in a known place');
}

/** Whether the results of the job have to be fetched: no job is without addresses, so without a report they were not sent. */
export function lacksResults({ job_id, state, results }: JobAnswer): boolean {
	return job_id !== undefined && state !== 'failed' && !results.some(({ report }) => report);
}

/**
 * Reads the ID of the job as one segment of a path.
 * @throws {ScreeningError} `invalid_response` for a text that is no ID
 */
export function requireJobId({ job_id }: JobAnswer): string {
	try {
		return cleanId(job_id, 'Job ID');
	} catch (error) {
		throw unreadableDelivery(rethrowUnlessScreeningError(error).message);
	}
}

function unreadableDelivery(message: string): ScreeningError {
	const advice = 'Ask the vendor what the webhook of a complete job contains.';
	return new ScreeningError('invalid_response', message, advice);
}

/** The facts by which a delivery is known again. */
interface Identity {
	/** The node that received it. */
	node: string;
	messageId: string | undefined;
	job: Pick<JobAnswer, 'job_id' | 'state' | 'statements' | 'results'>;
	/** Whether its results are fetched. */
	isFetched: boolean;
	bytes: Buffer;
}

/**
 * Creates the key by which a delivery is known when it comes again: the message ID of the scheme, else the job and its state
 * and results, so that a body may count the attempts; else the bytes. JSON can be read that is nested too deeply to be written.
 */
export function createDeliveryKey({ node, messageId, job, isFetched, bytes }: Identity): string {
	if (messageId !== undefined) return digest(node, 'message', messageId);
	const { job_id, state, statements, results } = job;
	const hasContent = isFetched || results.length > 0 || state === 'failed';
	const contents = results.map(({ address, value }) => tryStringify([address, value]));
	const isNestedTooDeeply = contents.includes(undefined);
	if (job_id === undefined || !hasContent || isNestedTooDeeply) return digest(node, 'bytes', bytes);
	// A sender may give the results in any order.
	return digest(node, 'content', JSON.stringify([job_id, state, statements, contents.sort()]));
}

/**
 * Creates the key by which a delivery is known whose results could not be fetched: the message ID, else the bytes. The job ID in it may
 * have been misread, so another body may be about another job.
 */
export function createFailureKey({
	node,
	messageId,
	bytes,
}: Pick<Identity, 'node' | 'messageId' | 'bytes'>): string {
	return messageId === undefined
		? digest(node, 'bytes', bytes)
		: digest(node, 'message', messageId);
}

/** 132 bits of SHA-256 in base64url, which are enough for content that a secret has signed. */
function digest(node: string, kind: string, content: string | Buffer): string {
	const bytes = Buffer.concat([Buffer.from(`${node}\n${kind}\n`), Buffer.from(content)]);
	return sha256(bytes).toString('base64url').slice(0, 22);
}
