import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { rethrowUnlessScreeningError, type ScreeningError } from '../shared/errors';
import { toLogText } from '../shared/text';
import { workflowIdOf } from '../transport/context';
import { createMemory, type DeliveryMemory } from './deliveryMemory';
import { isTemporary } from './fetchJob';
import { createFailureItem, createItems } from './items';
import { logWarning } from './log';
import { type Delivery, readDelivery } from './readDelivery';
import { createReply, type Reply, sendReply } from './reply';
import { verifyDelivery } from './verifyDelivery';

/**
 * Receives a delivery (section 6): verifies it, reads it, claims it, fetches what it lacks, and
 * starts the workflow.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { request, reply } = await verifyDelivery(context);
	if (reply) return sendReply(context, reply);
	let delivery: Delivery;
	try {
		delivery = readDelivery(context, request);
	} catch (error) {
		const problem = toLogText(rethrowUnlessScreeningError(error).message);
		logWarning(context, 'Refused a signed delivery', problem);
		return sendReply(context, createReply(400, 'unreadable'));
	}
	return sendReply(context, await startOnce(context, delivery));
}

/** Starts the workflow with a delivery that is no repeat, while no copy of it is handled. */
async function startOnce(context: IWebhookFunctions, delivery: Delivery): Promise<Reply> {
	const memory = createMemory(context, { workflow: workflowIdOf(context), ...delivery.keys });
	// Without a claim, `release` does nothing, and `finish` and `defer` only write marks.
	const claim = ignoresRepeats(delivery) ? memory.claim() : undefined;
	if (claim === 'repeat') return createReply(200, 'repeat');
	if (claim === 'underway') return createReply(503, 'underway');
	const work = startWorkflow(context, delivery, memory);
	// A fault of this package must end the claim, too. This is no try and catch, because n8n's lint
	// rule `require-node-api-error` forbids a `catch` to throw what it caught.
	void work.catch(() => memory.release());
	return await work;
}

/** Whether a delivery that was accepted before starts nothing; also if that cannot be read. */
const ignoresRepeats = ({ options }: Delivery): boolean => options.value?.ignoreRepeats ?? true;

/** Starts the workflow with what was delivered, and ends the claim. */
async function startWorkflow(
	context: IWebhookFunctions,
	delivery: Delivery,
	memory: DeliveryMemory,
): Promise<Reply> {
	let items: INodeExecutionData[];
	try {
		items = await createItems(context, delivery);
	} catch (error) {
		return await replyToFailure(context, delivery, memory, rethrowUnlessScreeningError(error));
	}
	const isStarting = items.length > 0;
	await memory.finish('accepted', isStarting);
	return isStarting ? { items } : createReply(200, 'accepted');
}

/**
 * Ends the claim of a delivery of which no items could be made. A failure that may be over later has
 * the sender deliver again, for an hour. Any other starts the workflow, unless it did so before.
 */
async function replyToFailure(
	context: IWebhookFunctions,
	delivery: Delivery,
	memory: DeliveryMemory,
	failure: ScreeningError,
): Promise<Reply> {
	if (isTemporary(failure) && memory.mayDefer()) {
		await memory.defer();
		logWarning(context, 'Could not complete a delivery', toLogText(failure.message));
		return createReply(503, 'unavailable');
	}
	if (ignoresRepeats(delivery) && memory.hasFailed()) {
		memory.release();
		return createReply(200, 'repeat');
	}
	await memory.finish('failed', true);
	return { items: [createFailureItem(context, delivery, failure)] };
}
