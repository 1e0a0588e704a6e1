import {
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	sleep,
} from 'n8n-workflow';
import { printable } from '../n8n/context';
import { asScreeningError, ScreeningError } from '../service/errors';
import { createDeliveryLog, type Stored } from './deliveryLog';
import { fetchJob, isTemporary } from './fetch';
import { batchItem, failureItem, reportItems } from './items';
import { idOf, keyOf, lacksResults, readBody } from './reading';
import { type Reply, respond, whenAnswered } from './respond';
import { isTest, settingsOf } from './settings';
import { type Verified, verifyDelivery } from './verifyDelivery';
import { warn } from './warnings';

/** A signed delivery that can start the workflow. */
type SignedDelivery = ReturnType<typeof parse>;

const log = createDeliveryLog(() => Date.now());

/** Receives a delivery (section 6): verifies it, reads it, claims it, fetches what it lacks, and starts the workflow. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const verified = await verifyDelivery(context);
	if (!('bytes' in verified)) return respond(context, verified);
	let delivery: SignedDelivery;
	try {
		delivery = parse(context, verified);
	} catch (error) {
		warn(context, 'Refused a signed delivery', printable(asScreeningError(error).message));
		return respond(context, { answer: [400, 'unreadable'] });
	}
	return respond(context, await claim(context, delivery));
}

/** Throws `invalid_response` for a body that cannot start the workflow however often it comes. */
function parse(context: IWebhookFunctions, verified: Verified) {
	const { node, bytes, messageId, serviceNames } = verified;
	const settings = settingsOf(context);
	const completion = readBody(serviceNames, bytes, settings.isBatch);
	const isFetched = settings.fetchResults && lacksResults(completion);
	/** The job whose results have to be fetched. */
	const jobId = isFetched ? idOf(completion) : undefined;
	const key = keyOf({ messageId, completion, isFetched, bytes });
	/** Where deliveries are remembered: nowhere while only the editor listens. */
	const stored = isTest(context) ? undefined : (context.getWorkflowStaticData('node') as Stored);
	return { node, key, completion, jobId, settings, serviceNames, stored };
}

/** Starts the workflow with a delivery that is not a repeat. */
async function claim(context: IWebhookFunctions, delivery: SignedDelivery): Promise<Reply> {
	const { settings, stored } = delivery;
	if (!stored || !settings.ignoreRepeats) return await startWorkflow(context, delivery);
	const claimed = log.tryClaim(delivery, stored);
	if (claimed === 'repeat') return { answer: [200, claimed] };
	if (claimed === 'underway') return { answer: [503, claimed] };
	let reply: Reply = {};
	try {
		reply = await startWorkflow(context, delivery);
		return reply;
	} finally {
		// What starts the workflow is claimed until n8n has stored the execution.
		if (!reply.items) log.release(delivery);
	}
}

/** Starts the workflow, or has the sender deliver again, for an hour, because what it refers to cannot be fetched for now. */
async function startWorkflow(context: IWebhookFunctions, delivery: SignedDelivery): Promise<Reply> {
	const { completion, settings, stored } = delivery;
	const made = await deliveredItems(context, delivery);
	const isFailure = made instanceof ScreeningError;
	if (isFailure && isTemporary(made) && isDeferred(delivery)) {
		warn(context, 'Could not complete a delivery', made.message);
		return { answer: [503, 'unavailable'] };
	}
	const isRepeat = isFailure && settings.ignoreRepeats && stored && log.hasFailed(delivery, stored);
	if (isRepeat) return { answer: [200, 'repeat'] };
	const items = isFailure ? [failureItem(context, completion, made, settings)] : made;
	const isStarting = items.length > 0;
	if (stored) {
		const state = isFailure ? 'failed' : 'accepted';
		save(stored, log.toPersist(delivery, state, stored));
		const end = (status: number) => {
			// If n8n failed to store the execution, the delivery counts as new when it comes again.
			if (status < 400) log.commit(delivery, state);
			log.release(delivery);
		};
		if (isStarting) whenAnswered(context, end);
		else end(200);
	}
	return isStarting ? { items } : { answer: [200, 'accepted'] };
}

/** The items, or why there are none. */
async function deliveredItems(
	context: IWebhookFunctions,
	{ completion, jobId, settings, serviceNames }: SignedDelivery,
): Promise<INodeExecutionData[] | ScreeningError> {
	if (settings.fault) return settings.fault;
	try {
		const whole = jobId === undefined ? completion : await fetchJob(context, jobId);
		return settings.isBatch
			? [batchItem(whole)]
			: reportItems(context, whole, settings, serviceNames);
	} catch (error) {
		return asScreeningError(error);
	}
}

/** Whether the sender may be asked to come again. While only the editor listens, it always may. */
function isDeferred({ stored, ...id }: SignedDelivery): boolean {
	if (!stored) return true;
	const changes = log.defer(id, stored);
	if (changes) save(stored, changes);
	return changes !== undefined;
}

/**
 * n8n 2.41 stores the execution before it saves the static data, and makes a second workflow of the same static data for
 * that, whereby it forgets that they have changed. So they change again meanwhile.
 */
function save(stored: Stored, changes: Stored): void {
	Object.assign(stored, changes);
	void sleep(0).then(() => Object.assign(stored, changes));
}
