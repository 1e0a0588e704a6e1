import { createHash } from 'crypto';
import type { ServiceNames } from '../answers/contract';
import { createReader, type Delivery } from '../answers/reader';
import { ScreeningError } from '../shared/errors';
import { jsonOrNothing } from '../shared/json';
import { cleanId } from '../client/ids';

/** The content of a body. Throws `invalid_response` if it has no result, failure or job ID; a batch is any JSON object or list. */
export function readBody(
	names: ServiceNames | undefined,
	bytes: Buffer,
	isBatch: boolean,
): Delivery {
	const content = jsonOrNothing(bytes);
	if (content === undefined) throw unreadableDelivery('its body is not JSON');
	const delivery = createReader(names).readDelivery(content);
	const { job_id, results, state, body, unread } = delivery;
	const isVoid = job_id === undefined && results.length === 0 && state !== 'failed';
	if (!isVoid || (isBatch && typeof body === 'object' && body !== null)) return delivery;
	const unknown = unread.length > 0 ? `. The node does not know ${unread.join(', ')}` : '';
	throw unreadableDelivery(
		`its body contains neither results nor a job ID in a known place${unknown}`,
	);
}

/** Whether the results of the job have to be fetched: no job is without addresses, so without a report they were not sent. */
export function lacksResults({ job_id, state, results }: Delivery): boolean {
	return job_id !== undefined && state !== 'failed' && !results.some(({ report }) => report);
}

/** The ID of the job as one segment of a path. Throws `invalid_response` for a text that is no ID. */
export function idOf({ job_id }: Delivery): string {
	try {
		return cleanId(job_id, 'Job ID');
	} catch (error) {
		throw unreadableDelivery((error as Error).message);
	}
}

function unreadableDelivery(message: string): ScreeningError {
	const advice = 'Ask the vendor what the webhook of a complete job contains.';
	return new ScreeningError('invalid_response', message, advice);
}

/** What a delivery is known by. */
interface Identity {
	/** The node that received it. */
	node: string;
	messageId: string | undefined;
	completion: Pick<Delivery, 'job_id' | 'state' | 'statements' | 'results'>;
	/** Whether its results are fetched. */
	isFetched: boolean;
	bytes: Buffer;
}

/**
 * The key by which a delivery is known when it comes again: the message ID of the scheme, else the job and what is said of it,
 * so that a body may count the attempts; else the bytes.
 */
export function keyOf({ node, messageId, completion, isFetched, bytes }: Identity): string {
	if (messageId !== undefined) return digest(node, 'message', messageId);
	const { job_id, state, statements, results } = completion;
	const isSaid = isFetched || results.length > 0 || state === 'failed';
	if (job_id === undefined || !isSaid) return digest(node, 'bytes', bytes);
	// In any order.
	const all = results.map(({ address, value }) => JSON.stringify([address, value]));
	return digest(node, 'content', JSON.stringify([job_id, state, statements, all.sort()]));
}

/** 132 bits: enough for content that a secret has signed. */
function digest(node: string, kind: string, content: string | Buffer): string {
	const hash = createHash('sha256').update(`${node}\n${kind}\n`).update(content);
	return hash.digest('base64url').slice(0, 22);
}
