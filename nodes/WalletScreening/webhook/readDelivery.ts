import type { IWebhookFunctions } from 'n8n-workflow';
import { cleanId } from '../address/input';
import type { JobAnswer } from '../answers/jobAnswer';
import { Reader } from '../answers/reader';
import type { ServiceNames } from '../answers/standardNames';
import {
	catchScreeningError,
	rethrowUnlessScreeningError,
	ScreeningError,
	type Settled,
} from '../shared/errors';
import { isObjectOrList, tryParseJson } from '../shared/json';
import { createDeliveryKey, createFailureKey } from './deliveryKey';
import type { DeliveryId } from './deliveryMemory';
import { type DeliveryOptions, readDeliveryOptions } from './deliveryOptions';
import type { AuthenticRequest } from './verifyDelivery';

/** A signed delivery that can start the workflow. */
export interface Delivery {
	/** The keys by which it is known again. */
	keys: Pick<DeliveryId, 'key' | 'failureKey'>;
	/** The job in its body. */
	job: JobAnswer;
	/** The job whose results have to be fetched, if the body lacks them. */
	jobIdToFetch: string | undefined;
	/** How the user wants it treated, or why the settings of the node cannot be used. */
	options: Settled<DeliveryOptions>;
}

/**
 * Reads a delivery. Unusable settings must not lose it: then any JSON object or list is read,
 * nothing is fetched, and the workflow starts with the problem.
 * @throws {ScreeningError} `invalid_response` for a body that cannot start the workflow however
 * often it comes
 */
export function readDelivery(context: IWebhookFunctions, request: AuthenticRequest): Delivery {
	const { bytes, messageId, credential } = request;
	const options = catchScreeningError(() => readDeliveryOptions(context, credential));
	const acceptsAny = options.value?.isBatch ?? true;
	const job = readBody(options.value?.serviceNames, bytes, acceptsAny);
	const needsFetch = options.value?.fetchResults === true && lacksResults(job);
	const jobIdToFetch = needsFetch ? requireJobId(job) : undefined;
	const node = context.getNode().id;
	const keys = {
		key: createDeliveryKey({ node, messageId, job, needsFetch, bytes }),
		failureKey: createFailureKey({ node, messageId, bytes }),
	};
	return { keys, job, jobIdToFetch, options };
}

/**
 * Reads the body of a delivery (section 6). Output Batch accepts any JSON object or list.
 * @throws {ScreeningError} `invalid_response` if the body has no result, no failure and no job ID
 */
function readBody(names: ServiceNames | undefined, bytes: Buffer, acceptsAny: boolean): JobAnswer {
	const content = tryParseJson(bytes);
	if (content === undefined) throw unreadableDelivery('its body is not JSON');
	const job = new Reader(names).readDeliveredJob(content);
	const { job_id, results, state, statedBy, body } = job;
	const isAboutJob = job_id !== undefined || results.length > 0 || state === 'failed';
	if (isAboutJob) return job;
	if (acceptsAny && isObjectOrList(body)) return job;
	if (state === 'running') {
		const what = `states that the job still runs (${statedBy.join(', ')})`;
		throw unreadableDelivery(`its body ${what}, and has no job ID in a known place`);
	}
	throw unreadableDelivery('its body contains neither results nor a job ID in a known place');
}

/**
 * Whether the results of the job have to be fetched. Every job has addresses, so a body without a
 * report did not contain the results.
 */
export function lacksResults({ job_id, state, results }: JobAnswer): boolean {
	return job_id !== undefined && state !== 'failed' && !results.some(({ report }) => report);
}

/**
 * Reads the ID of the job as one segment of a path.
 * @throws {ScreeningError} `invalid_response` for a text that is no ID
 */
function requireJobId({ job_id }: JobAnswer): string {
	try {
		return cleanId(job_id, 'Job ID');
	} catch (error) {
		throw unreadableDelivery(rethrowUnlessScreeningError(error).message);
	}
}

function unreadableDelivery(message: string): ScreeningError {
	const advice = 'Ask the vendor what the webhook of a complete job contains.';
	return new ScreeningError('invalid_response', message, advice);
}
