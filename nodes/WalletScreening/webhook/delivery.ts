import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import type { JobAnswer } from '../answers/jobAnswer';
import { listResults } from '../answers/match';
import { createDeliveryErrorItem } from '../execution/errorItems';
import { createServiceReportJson } from '../execution/reportItem';
import {
	catchScreeningError,
	catchScreeningErrorAsync,
	rethrowUnlessScreeningError,
	type ScreeningError,
	type Settled,
} from '../shared/errors';
import { toLogText } from '../shared/text';
import { isTest, workflowIdOf } from '../transport/context';
import { lacksResults, readBody, requireJobId } from './content';
import { createDeliveryKey, createFailureKey } from './deliveryKey';
import {
	createMemory,
	type DeliveryId,
	type DeliveryMemory,
	forgetfulMemory,
} from './deliveryMemory';
import { fetchJob, isTemporary } from './fetchJob';
import { logWarning, type Reply } from './reply';
import { readTriggerOptions, type TriggerOptions } from './settings';
import { type AuthenticRequest, verifyDelivery } from './verifyDelivery';

/** A signed delivery that can start the workflow. */
interface Delivery {
	/** The keys by which it is known again. */
	keys: Pick<DeliveryId, 'key' | 'failureKey'>;
	/** The job in its body. */
	job: JobAnswer;
	/** The job whose results have to be fetched, if the body lacks them. */
	jobIdToFetch: string | undefined;
	/** How the user wants it treated, or why the settings of the node cannot be used. */
	options: Settled<TriggerOptions>;
}

/**
 * Receives a delivery (section 6): verifies it, reads it, claims it, fetches what it lacks, and
 * starts the workflow.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { request, reply } = await verifyDelivery(context);
	if (reply) return respond(context, reply);
	let delivery: Delivery;
	try {
		delivery = readDelivery(context, request);
	} catch (error) {
		const problem = toLogText(rethrowUnlessScreeningError(error).message);
		logWarning(context, 'Refused a signed delivery', problem);
		return respond(context, { answer: { status: 400, text: 'unreadable' } });
	}
	return respond(context, await startOnce(context, delivery));
}

/**
 * Reads a delivery. Unusable settings must not lose it: then any JSON object or list is read,
 * nothing is fetched, and the workflow starts with the problem.
 * @throws {ScreeningError} `invalid_response` for a body that cannot start the workflow however
 * often it comes
 */
function readDelivery(context: IWebhookFunctions, request: AuthenticRequest): Delivery {
	const { bytes, messageId } = request;
	const options = catchScreeningError(() => readTriggerOptions(context, request));
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

/** Starts the workflow with a delivery that is no repeat, while no copy of it is handled. */
async function startOnce(context: IWebhookFunctions, delivery: Delivery): Promise<Reply> {
	const id = { workflow: workflowIdOf(context), ...delivery.keys };
	const memory = isTest(context) ? forgetfulMemory : createMemory(context, id);
	// Without a claim, `release` does nothing, and `finish` and `defer` only write marks.
	const claim = ignoresRepeats(delivery) ? memory.claim() : 'none';
	if (claim === 'repeat') return { answer: { status: 200, text: 'repeat' } };
	if (claim === 'underway') return { answer: { status: 503, text: 'underway' } };
	const work = startWorkflow(context, delivery, memory);
	// After a fault of this package. n8n's rules for nodes allow no `catch` that throws again.
	void work.catch(() => memory.release());
	return await work;
}

/** Whether a delivery that was accepted before starts nothing; also if that cannot be read. */
const ignoresRepeats = ({ options }: Delivery): boolean => options.value?.ignoreRepeats ?? true;

/**
 * Starts the workflow with what was delivered, and ends the claim by `finish`, `defer` or `release`.
 * A failure that may be over later has the sender deliver again, for an hour. Any other starts the
 * workflow, unless it did so before.
 */
async function startWorkflow(
	context: IWebhookFunctions,
	delivery: Delivery,
	memory: DeliveryMemory,
): Promise<Reply> {
	const { value: items, error: failure } = await catchScreeningErrorAsync(
		async () => await createItems(context, delivery),
	);
	if (!failure) {
		const isStarting = items.length > 0;
		await memory.finish('accepted', isStarting);
		return isStarting ? { items } : { answer: { status: 200, text: 'accepted' } };
	}
	if (isTemporary(failure) && memory.mayDefer()) {
		await memory.defer();
		logWarning(context, 'Could not complete a delivery', toLogText(failure.message));
		return { answer: { status: 503, text: 'unavailable' } };
	}
	if (ignoresRepeats(delivery) && memory.hasFailed()) {
		memory.release();
		return { answer: { status: 200, text: 'repeat' } };
	}
	await memory.finish('failed', true);
	return { items: [createFailureItem(context, delivery, failure)] };
}

/**
 * Creates the items that the workflow starts with; none if the user wants none of them.
 * @throws {ScreeningError} if parameters cannot be used, or results cannot be fetched
 */
async function createItems(
	context: IWebhookFunctions,
	{ job, jobIdToFetch, options }: Delivery,
): Promise<INodeExecutionData[]> {
	if (options.error) throw options.error;
	const whole = jobIdToFetch === undefined ? job : await fetchJob(context, jobIdToFetch);
	if (options.value.isBatch) return [createBatchItem(whole)];
	return createReportItems(context, whole, options.value);
}

/** Creates one item with all that was delivered, untouched. */
function createBatchItem({ job_id, body }: JobAnswer): INodeExecutionData {
	return { json: { ...(job_id !== undefined && { job_id }), job: body } as IDataObject };
}

/**
 * Creates one item for each report, for each result that is no report, and for the failure of the
 * job; one with the whole body if it has no results and none are fetched.
 */
function createReportItems(
	context: IWebhookFunctions,
	job: JobAnswer,
	options: TriggerOptions,
): INodeExecutionData[] {
	const { fetchResults, alertText, onlyNotGreen, simplify, reportSettings, serviceNames } = options;
	const { state, results, remainder } = job;
	const isEmpty = state !== 'failed' && results.length === 0 && !remainder;
	if (isEmpty && !fetchResults) return [createBatchItem(job)];
	const retrievedAt = new Date();
	const settled = listResults(job).map((result) => {
		if (result.error) return result;
		const received = { report: result.value, retrievedAt, serviceNames };
		return catchScreeningError(() =>
			createServiceReportJson(context, received, reportSettings, { alertText, simplify }),
		);
	});
	return settled
		.filter(({ value }) => !onlyNotGreen || !value?.isAllClear)
		.map(({ value, error }) =>
			error ? createDeliveryErrorItem(context, error, alertText) : { json: value.json },
		);
}

/**
 * Creates the item of a failure, with what was delivered: that is accepted and does not come again.
 */
function createFailureItem(
	context: IWebhookFunctions,
	{ job: { job_id, body }, options }: Delivery,
	failure: ScreeningError,
): INodeExecutionData {
	const alertText = options.value?.alertText === true;
	const known = failure.withDetails({ job_id, body: failure.details.body ?? body });
	return createDeliveryErrorItem(context, known, alertText);
}

/** Seconds after which the sender may deliver again what could not be processed now. */
const retryAfterSeconds = 60;

/** Ends the request with the answer, if there is one, and hands the items to n8n. */
function respond(context: IWebhookFunctions, { answer, items }: Reply): IWebhookResponseData {
	if (answer) {
		const { status, text } = answer;
		const response = context.getResponseObject();
		if (status === 503) response.setHeader('Retry-After', String(retryAfterSeconds));
		response.status(status).type('text/plain').send(text);
	}
	return { ...(answer && { noWebhookResponse: true }), ...(items && { workflowData: [items] }) };
}
