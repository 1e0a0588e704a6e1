import { createHash } from 'crypto';
import type { Completion, Reader } from '../service/dialect/reader';
import { ScreeningError } from '../service/errors';
import { cleanId } from '../service/input';
import { DoubledName, isFields, strictJson } from '../service/json';

/** The content of a body. Throws `invalid_response` if it has no result, failure or job ID; a batch is any JSON object or list. */
export function readBody(reader: Reader, bytes: Buffer, isBatch: boolean): Completion {
	const completion = reader.delivery(anyJsonIn(bytes));
	const { job_id, entries, state, body, unread } = completion;
	const isVoid = job_id === undefined && !entries && state !== 'failed';
	if (!isVoid || (isBatch && typeof body === 'object' && body !== null)) return completion;
	const unknown = unread.length > 0 ? `. The node does not know ${unread.join(', ')}` : '';
	throw unreadable(`its body contains neither results nor a job ID in a known place${unknown}`);
}

/** Whether the results of the job have to be fetched. No job is without addresses, so an empty list says that they were not sent. */
export function lacksResults({ job_id, state, entries }: Completion): boolean {
	return job_id !== undefined && !entries?.length && state !== 'failed';
}

/** The ID of the job as one segment of a path. Throws `invalid_response` for a text that is no ID. */
export function idOf({ job_id }: Completion): string {
	try {
		return cleanId(job_id, 'Job ID');
	} catch (error) {
		throw unreadable((error as Error).message);
	}
}

function anyJsonIn(bytes: Buffer): unknown {
	try {
		return strictJson(bytes);
	} catch (error) {
		const what = error instanceof DoubledName ? error.message : 'not JSON';
		throw unreadable(`its body is ${what}`);
	}
}

function unreadable(message: string): ScreeningError {
	const advice = 'Ask the vendor what the webhook of a complete job contains.';
	return new ScreeningError('invalid_response', message, advice);
}

/** What a delivery is known by. */
interface Identity {
	messageId: string | undefined;
	completion: Pick<Completion, 'job_id' | 'state' | 'kinds' | 'entries'>;
	/** Whether its results are fetched. */
	isFetched: boolean;
	bytes: Buffer;
}

/**
 * The key by which a delivery is known when it comes again: its message ID (Standard Webhooks), job and results. Without an
 * ID and a job, its bytes. So the rest of the body may count the attempts, and a sender that uses a message ID twice loses no
 * results. In doubt a delivery is new: one too many starts rather than one too few.
 */
export function keyOf({ messageId, completion, isFetched, bytes }: Identity): string {
	const results = resultsOf(completion, isFetched);
	const isOfJob = completion.job_id !== undefined && results !== undefined;
	if (messageId === undefined && !isOfJob) return digest('bytes', bytes);
	return digest('content', JSON.stringify([messageId, results]));
}

/** The job, what the delivery says of it, and its results, in any order. Undefined without results, unless they are fetched. */
function resultsOf(
	{ job_id, state, kinds, entries = [] }: Identity['completion'],
	isFetched: boolean,
): unknown {
	if (isFetched) return [job_id, state, kinds];
	if (entries.length === 0 && state !== 'failed') return undefined;
	try {
		const all = entries.map(({ address, value }) => JSON.stringify([address, value], inOrder));
		return [job_id, state, kinds, all.sort()];
	} catch {
		// Nested too deeply for JSON.
		return undefined;
	}
}

/** For `JSON.stringify`: the same for objects that differ in the order of their fields. */
function inOrder(_: string, value: unknown): unknown {
	if (!isFields(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** 132 bits: enough for content that a secret has signed. */
function digest(kind: string, content: string | Buffer): string {
	const hash = createHash('sha256').update(`${kind}\n`).update(content);
	return hash.digest('base64url').slice(0, 22);
}
