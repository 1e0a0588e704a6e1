import type { Delivery, Reader } from '../service/reader/reader';
import { ScreeningError } from '../service/errors';
import { cleanId } from '../service/input';
import { jsonOrNothing } from '../service/json';

/** The content of a body. Throws `invalid_response` if it has no result, failure or job ID; a batch is any JSON object or list. */
export function readBody(reader: Reader, bytes: Buffer, isBatch: boolean): Delivery {
	const content = jsonOrNothing(bytes);
	if (content === undefined) throw unreadableDelivery('its body is not JSON');
	const delivery = reader.delivery(content);
	const { job_id, results, state, body, unread } = delivery;
	const isNothing = results.every(({ by }) => by === 'mention');
	const isVoid = job_id === undefined && isNothing && state !== 'failed';
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
