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
	const { job_id, state, says, results } = completion;
	const isSaid = isFetched || results.length > 0 || state === 'failed';
	if (job_id === undefined || !isSaid) return digest('bytes', bytes);
	// In any order.
	const all = results.map(({ by, address, value }) =>
		by === 'mention' ? '' : JSON.stringify([address, value]),
	);
	return digest('content', JSON.stringify([job_id, state, says, all.sort()]));
}

/** 132 bits: enough for content that a secret has signed. */
function digest(kind: string, content: string | Buffer): string {
	const hash = createHash('sha256').update(`${kind}\n`).update(content);
	return hash.digest('base64url').slice(0, 22);
}
