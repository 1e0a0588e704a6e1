import { ScreeningError } from '../service/errors';
import { cleanId } from '../service/input';
import { maskedJson } from '../service/json';
import { type Completion, parseCompletion } from '../service/shapes';

/**
 * The content of a body, without the secrets. Throws `invalid_response` for one that cannot start the workflow: a batch is any
 * JSON object or list, everything else needs a result, a failure, or the ID of a job.
 */
export function readBody(bytes: Buffer, secrets: string[], isBatch: boolean): Completion {
	const completion = parseCompletion(bytes, secrets);
	if (completion && (isBatch || !isVoid(completion))) return completion;
	const body = jsonIn(bytes, secrets);
	if (isBatch && typeof body === 'object' && body !== null) {
		return { job_id: undefined, state: 'running', entries: undefined, body };
	}
	throw unreadable('its body contains neither results nor a job ID in a known place');
}

/** Whether the results of the job have to be fetched. A job of no addresses cannot be submitted, so an empty list holds none. */
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

/** Whether it names no result, no job to get one from, and no failure. */
function isVoid({ job_id, entries, state }: Completion): boolean {
	return job_id === undefined && !entries?.length && state !== 'failed';
}

function jsonIn(bytes: Buffer, secrets: string[]): unknown {
	try {
		return maskedJson(bytes, secrets);
	} catch {
		throw unreadable('its body is not JSON');
	}
}

function unreadable(message: string): ScreeningError {
	return new ScreeningError(
		'invalid_response',
		message,
		'Ask the vendor what the webhook of a complete job contains.',
	);
}
