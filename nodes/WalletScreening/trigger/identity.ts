import { createHash } from 'crypto';
import type { Completion } from '../service/dialect/reader';

/** What a delivery is known by. */
interface Known {
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
export function keyOf({ messageId, completion, isFetched, bytes }: Known): string {
	const results = resultsOf(completion, isFetched);
	const isOfJob = completion.job_id !== undefined && results !== undefined;
	if (messageId === undefined && !isOfJob) return digest('bytes', bytes);
	return digest('content', JSON.stringify([messageId, results]));
}

/** The job, what the delivery says of it, and its results, in any order. Undefined without results, unless they are fetched. */
function resultsOf(
	{ job_id, state, kinds, entries = [] }: Known['completion'],
	isFetched: boolean,
): unknown {
	if (isFetched) return [job_id, state, kinds];
	if (entries.length === 0 && state !== 'failed') return undefined;
	try {
		const all = entries.map(({ address, value }) => JSON.stringify([address, inOrder(value)]));
		return [job_id, state, kinds, all.sort()];
	} catch {
		// Nested too deeply for a recursion.
		return undefined;
	}
}

/** The same for values that differ in the order of their fields. */
function inOrder(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(inOrder);
	const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
	return Object.fromEntries(fields.map(([name, inner]) => [name, inOrder(inner)]));
}

/** 132 bits: enough for content that a secret has signed. */
function digest(kind: string, content: string | Buffer): string {
	const hash = createHash('sha256').update(`${kind}\n`).update(content);
	return hash.digest('base64url').slice(0, 22);
}
