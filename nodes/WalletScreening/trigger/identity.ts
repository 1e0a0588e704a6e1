import { createHash } from 'crypto';
import type { Delivery } from '../service/reader/reader';

/** What a delivery is known by. */
interface Identity {
	messageId: string | undefined;
	completion: Pick<Delivery, 'job_id' | 'state' | 'says' | 'results'>;
	/** Whether its results are fetched. */
	isFetched: boolean;
	bytes: Buffer;
}

/**
 * The key by which a delivery is known when it comes again: the message ID of the scheme, else the job and what is said of it,
 * so that a body may count the attempts; else the bytes.
 */
export function keyOf({ messageId, completion, isFetched, bytes }: Identity): string {
	if (messageId !== undefined) return digest('message', messageId);
	const content = deliveryContent(completion, isFetched);
	return content === undefined ? digest('bytes', bytes) : digest('content', content);
}

/** The job, its state and its results in any order. Undefined without a job, and without results that are not fetched either. */
function deliveryContent(
	{ job_id, state, says, results }: Identity['completion'],
	isFetched: boolean,
): string | undefined {
	if (job_id === undefined) return undefined;
	if (!isFetched && results.length === 0 && state !== 'failed') return undefined;
	const all = results.map(({ by, address, value }) =>
		by === 'mention' ? '' : JSON.stringify([address, value]),
	);
	return JSON.stringify([job_id, state, says, all.sort()]);
}

/** 132 bits: enough for content that a secret has signed. */
function digest(kind: string, content: string | Buffer): string {
	const hash = createHash('sha256').update(`${kind}\n`).update(content);
	return hash.digest('base64url').slice(0, 22);
}
