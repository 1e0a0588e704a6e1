import { createHash } from 'crypto';
import { canonicalJson } from '../risk/canonical';
import type { Completion } from '../service/dialect/reader';

/** What a delivery is known by. */
interface Identity {
	messageId: string | undefined;
	completion: Pick<Completion, 'job_id' | 'state' | 'kinds' | 'entries'>;
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
	const content = contentOf(completion, isFetched);
	return content === undefined ? digest('bytes', bytes) : digest('content', content);
}

/** The job, its state and its results, in any order. Undefined without a job, and without results that are not fetched either. */
function contentOf(
	{ job_id, state, kinds, entries = [] }: Identity['completion'],
	isFetched: boolean,
): string | undefined {
	if (job_id === undefined) return undefined;
	if (!isFetched && entries.length === 0 && state !== 'failed') return undefined;
	try {
		const results = entries.map(({ address, value }) => canonicalJson([address ?? null, value]));
		return JSON.stringify([job_id, state, kinds, results.sort()]);
	} catch {
		// Nested too deeply for JSON.
		return undefined;
	}
}

/** 132 bits: enough for content that a secret has signed. */
function digest(kind: string, content: string | Buffer): string {
	const hash = createHash('sha256').update(`${kind}\n`).update(content);
	return hash.digest('base64url').slice(0, 22);
}
