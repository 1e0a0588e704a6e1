import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import type { ServiceNames } from '../answers/contract';
import { allResults } from '../answers/match';
import type { JobReading } from '../answers/reader';
import { toErrorItem } from '../execution/items';
import { createReportItem, isAllClear } from '../execution/reportItem';
import { rethrowUnlessScreeningError, type ScreeningError } from '../shared/errors';
import { toLogText } from '../shared/text';
import {
	createMemory,
	type DeliveryId,
	type DeliveryMemory,
	forgetfulMemory,
} from './deliveryMemory';
import {
	deliveryKey,
	fetchJob,
	isTemporary,
	lacksResults,
	readBody,
	requireJobId,
} from './reading';
import { type Reply, respond } from './respond';
import { isTest, readSettings, type Settings } from './settings';
import { type VerifiedDelivery, verifyDelivery, warn } from './verifyDelivery';

/** A signed delivery that can start the workflow. */
interface SignedDelivery {
	id: DeliveryId;
	/** The job in its body. */
	job: JobReading;
	/** The job whose results have to be fetched, if the body lacks them. */
	jobId: string | undefined;
	settings: Settings;
	serviceNames: ServiceNames | undefined;
}

/** Receives a delivery (section 6): verifies it, reads it, claims it, fetches what it lacks, and starts the workflow. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const verified = await verifyDelivery(context);
	if (!('bytes' in verified)) return respond(context, verified);
	let delivery: SignedDelivery;
	try {
		delivery = readDelivery(context, verified);
	} catch (error) {
		warn(
			context,
			'Refused a signed delivery',
			toLogText(rethrowUnlessScreeningError(error).message),
		);
		return respond(context, { answer: { status: 400, text: 'unreadable' } });
	}
	return respond(context, await handleOnce(context, delivery));
}

/** @throws {ScreeningError} `invalid_response` for a body that cannot start the workflow however often it comes */
function readDelivery(context: IWebhookFunctions, verified: VerifiedDelivery): SignedDelivery {
	const { workflow, node, bytes, messageId, serviceNames } = verified;
	const settings = readSettings(context);
	const job = readBody(serviceNames, bytes, settings.isBatch);
	const isFetched = settings.fetchResults && lacksResults(job);
	const jobId = isFetched ? requireJobId(job) : undefined;
	const key = deliveryKey({ node, messageId, job, isFetched, bytes });
	return { id: { workflow, key }, job, jobId, settings, serviceNames };
}

/** Handles a delivery that is no repeat, while no copy of it is handled. */
async function handleOnce(context: IWebhookFunctions, delivery: SignedDelivery): Promise<Reply> {
	const memory = isTest(context) ? forgetfulMemory : createMemory(context, delivery.id);
	if (!delivery.settings.ignoreRepeats) return await handle(context, delivery, memory);
	const claim = memory.claim();
	if (claim === 'repeat') return { answer: { status: 200, text: 'repeat' } };
	if (claim === 'underway') return { answer: { status: 503, text: 'underway' } };
	let reply: Reply = {};
	try {
		reply = await handle(context, delivery, memory);
		return reply;
	} finally {
		// A delivery that starts the workflow stays claimed until n8n has stored the execution.
		if (!reply.items) memory.release();
	}
}

/** Starts the workflow, or has the sender deliver again, for an hour, because what it refers to cannot be fetched for now. */
async function handle(
	context: IWebhookFunctions,
	delivery: SignedDelivery,
	memory: DeliveryMemory,
): Promise<Reply> {
	let items: INodeExecutionData[];
	try {
		items = await createItems(context, delivery);
	} catch (error) {
		return await handleFailure(context, delivery, rethrowUnlessScreeningError(error), memory);
	}
	const isStarting = items.length > 0;
	await memory.finish('accepted', isStarting);
	return isStarting ? { items } : { answer: { status: 200, text: 'accepted' } };
}

async function handleFailure(
	context: IWebhookFunctions,
	{ job, settings }: SignedDelivery,
	failure: ScreeningError,
	memory: DeliveryMemory,
): Promise<Reply> {
	if (isTemporary(failure) && memory.mayDefer()) {
		await memory.defer();
		warn(context, 'Could not complete a delivery', failure.message);
		return { answer: { status: 503, text: 'unavailable' } };
	}
	if (settings.ignoreRepeats && memory.hasFailed()) {
		return { answer: { status: 200, text: 'repeat' } };
	}
	await memory.finish('failed', true);
	return { items: [failureItem(context, job, failure, settings)] };
}

/** The items that the workflow starts with; none if the user wants none of them. @throws {ScreeningError} if there can be none */
async function createItems(
	context: IWebhookFunctions,
	{ job, jobId, settings, serviceNames }: SignedDelivery,
): Promise<INodeExecutionData[]> {
	if (settings.fault) throw settings.fault;
	const whole = jobId === undefined ? job : await fetchJob(context, jobId);
	if (settings.isBatch) return [batchItem(whole)];
	return reportItems(context, whole, settings, serviceNames);
}

/** One item with all that was delivered, untouched. */
function batchItem({ job_id, body }: JobReading): INodeExecutionData {
	return { json: { ...(job_id !== undefined && { job_id }), job: body } as IDataObject };
}

/**
 * One item for each report, for each result that is no report, and for the failure of the job; one with the whole body if it
 * has no results and none are fetched.
 */
function reportItems(
	context: IWebhookFunctions,
	job: JobReading,
	{ fetchResults, alertText, onlyNotGreen, simplify, deciding }: Settings,
	serviceNames: object | undefined,
): INodeExecutionData[] {
	const { state, results, remainder } = job;
	const isEmpty = state !== 'failed' && results.length === 0 && !remainder;
	if (isEmpty && !fetchResults) return [batchItem(job)];
	const retrievedAt = new Date();
	const outcomes = allResults(job).map((result) => {
		if (result.error) return result;
		const report = { report: result.value, retrievedAt, serviceNames };
		return createReportItem(context, report, deciding, { alertText, simplify });
	});
	return outcomes
		.filter((outcome) => !onlyNotGreen || !isAllClear(outcome))
		.map(({ value, error }) =>
			error ? toErrorItem(context, error, 'trigger', { alertText }) : value,
		);
}

/** The failure of a delivery with what was delivered, which is accepted and does not come again. */
function failureItem(
	context: IWebhookFunctions,
	{ job_id, body }: JobReading,
	failure: ScreeningError,
	{ alertText }: Settings,
): INodeExecutionData {
	const known = failure.withDetails({ job_id, body: failure.details.body ?? body });
	return toErrorItem(context, known, 'trigger', { alertText });
}
