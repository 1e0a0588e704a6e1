import type { IWebhookFunctions } from 'n8n-workflow';
import { cleanId } from '../address/input';
import type { ServiceNames } from '../answers/contract';
import { jobTimeout } from '../answers/match';
import { type Job, type JobReading, Reader } from '../answers/reader';
import { isPermanent } from '../client/faults';
import { sha256 } from '../shared/canonical';
import { type ErrorClass, rethrowUnlessScreeningError, ScreeningError } from '../shared/errors';
import { jsonOf, jsonOrNothing } from '../shared/json';
import { systemClock } from '../transport/n8n';
import { createClients } from '../transport/send';

/**
 * Reads the body of a delivery (section 6). A batch is any JSON object or list.
 * @throws {ScreeningError} `invalid_response` if the body has no result, no failure and no job ID
 */
export function readBody(
	names: ServiceNames | undefined,
	bytes: Buffer,
	isBatch: boolean,
): JobReading {
	const content = jsonOrNothing(bytes);
	if (content === undefined) throw unreadableDelivery('its body is not JSON');
	const job = new Reader(names).readDelivery(content);
	const { job_id, results, state, body, unread } = job;
	const isVoid = job_id === undefined && results.length === 0 && state !== 'failed';
	if (!isVoid || (isBatch && typeof body === 'object' && body !== null)) return job;
	const unknown = unread.length > 0 ? `. The node does not know ${unread.join(', ')}` : '';
	throw unreadableDelivery(
		`its body contains neither results nor a job ID in a known place${unknown}`,
	);
}

/** Whether the results of the job have to be fetched: no job is without addresses, so without a report they were not sent. */
export function lacksResults({ job_id, state, results }: JobReading): boolean {
	return job_id !== undefined && state !== 'failed' && !results.some(({ report }) => report);
}

/**
 * The ID of the job as one segment of a path.
 * @throws {ScreeningError} `invalid_response` for a text that is no ID
 */
export function requireJobId({ job_id }: JobReading): string {
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

/** The facts by which a delivery is known again. */
interface Identity {
	/** The node that received it. */
	node: string;
	messageId: string | undefined;
	job: Pick<JobReading, 'job_id' | 'state' | 'statements' | 'results'>;
	/** Whether its results are fetched. */
	isFetched: boolean;
	bytes: Buffer;
}

/**
 * The key by which a delivery is known when it comes again: the message ID of the scheme, else the job and its state
 * and results, so that a body may count the attempts; else the bytes. JSON can be read that is nested too deeply to be written.
 */
export function deliveryKey({ node, messageId, job, isFetched, bytes }: Identity): string {
	if (messageId !== undefined) return digest(node, 'message', messageId);
	const { job_id, state, statements, results } = job;
	const hasContent = isFetched || results.length > 0 || state === 'failed';
	const contents = results.map(({ address, value }) => jsonOf([address, value]));
	const isNestedTooDeeply = contents.includes(undefined);
	if (job_id === undefined || !hasContent || isNestedTooDeeply) return digest(node, 'bytes', bytes);
	// A sender may give the results in any order.
	return digest(node, 'content', JSON.stringify([job_id, state, statements, contents.sort()]));
}

/** 132 bits of SHA-256 in base64url, which are enough for content that a secret has signed. */
function digest(node: string, kind: string, content: string | Buffer): string {
	const bytes = Buffer.concat([Buffer.from(`${node}\n${kind}\n`), Buffer.from(content)]);
	return Buffer.from(sha256(bytes), 'hex').toString('base64url').slice(0, 22);
}

/** Seconds that the sender of a delivery waits at most while its results are fetched. */
const maxFetchSeconds = 25;
/** The limits of requests. One of them may hang without using up all of that time. */
const requestLimits = { maxRetries: 2, resends: 0, requestTimeout: 10 };
const temporaryClasses: ErrorClass[] = ['server', 'network', 'rate_limited', 'job_timeout'];
/** Answers of a service that reports a job as complete before all of its servers know it. */
const notYetVisible: ErrorClass[] = ['not_found', 'invalid_response'];
const isNotYetVisible = (error: ScreeningError): boolean =>
	!isPermanent(error) && notYetVisible.includes(error.errorClass);
/** Milliseconds until the next requests after such an answer. */
const earlyPauses = [1000, 2000];

/**
 * Fetches the job of a delivery, which is over (section 4.4), within 25 seconds, even if a request hangs.
 * @throws {ScreeningError} `job_timeout` for a job that still runs, `network` after that time, and the errors of the requests
 */
export async function fetchJob(context: IWebhookFunctions, jobId: string): Promise<Job> {
	const signal = AbortSignal.timeout(maxFetchSeconds * 1000);
	const clock = systemClock(signal);
	try {
		const client = await createClients(context, { ...requestLimits, signal })(0);
		for (const pause of earlyPauses) {
			try {
				return requireOver(await client.getBulk(jobId));
			} catch (error) {
				const failure = rethrowUnlessScreeningError(error);
				if (!isNotYetVisible(failure)) throw failure;
				await clock.sleep(pause);
			}
		}
		return requireOver(await client.getBulk(jobId));
	} catch (error) {
		throw toTimeout(signal, error);
	}
}

/** Whether an error may be over when the sender delivers again. One by a rule of this n8n stays. */
export function isTemporary(error: ScreeningError): boolean {
	return !isPermanent(error) && temporaryClasses.includes(error.errorClass);
}

function requireOver(job: Job): Job {
	if (job.state === 'running') throw jobTimeout(job, 'yet');
	return job;
}

/** The error that a request threw, or that of the time if this has ended. */
function toTimeout(signal: AbortSignal, error: unknown): unknown {
	if (!signal.aborted || error instanceof ScreeningError) return error;
	return new ScreeningError(
		'network',
		`The service did not send the results within ${maxFetchSeconds} seconds`,
		'The service may answer later.',
		{ faultCode: 'TIMEOUT' },
	);
}
