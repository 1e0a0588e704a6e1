import type { Completion, Reader } from '../service/dialect/reader';
import { ScreeningError } from '../service/errors';
import { cleanId } from '../service/input';
import { DoubledName, strictJson } from '../service/json';

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
