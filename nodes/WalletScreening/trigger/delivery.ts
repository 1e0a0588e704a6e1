import {
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	sleep,
} from 'n8n-workflow';
import { originOf } from '../n8n/reportItem';
import { own, ScreeningError } from '../service/errors';
import type { Completion } from '../service/dialect/reader';
import { type Reply, send, whenAnswered } from './answer';
import { keyOf } from './identity';
import { batchItem, failureItem, reportItems } from './items';
import { warn } from './log';
import { idOf, lacksResults, readBody } from './reading';
import { createFetch, isPassing } from './fetch';
import { createSeen, type Id, type Stored } from './seen';
import { isTest, type Settings, settingsOf } from './settings';
import { type Verified, verify } from './verification';

/** A signed delivery that can start the workflow. */
interface Delivery extends Id {
	completion: Completion;
	/** The ID of the job whose results have to be fetched; undefined if there is nothing to fetch. */
	jobId: string | undefined;
	settings: Settings;
	serviceNames: object | undefined;
}

const seen = createSeen(() => ({ day: Date.now(), process: performance.now() }));

/** Receives a delivery (section 6): verifies it, reads it, claims it, fetches what it lacks, and starts the workflow. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const verified = await verify(context);
	if (!('bytes' in verified)) return send(context, verified);
	const delivery = read(context, verified);
	if (delivery instanceof ScreeningError) {
		warn(context, 'Refused a signed delivery', delivery.message);
		return send(context, { answer: [400, 'unreadable'] });
	}
	return send(context, await claim(context, delivery));
}

/** The error is for a body that cannot start the workflow however often it comes. */
function read(context: IWebhookFunctions, verified: Verified): Delivery | ScreeningError {
	const { node, bytes, reader, messageId, serviceNames } = verified;
	const settings = settingsOf(context);
	try {
		const completion = readBody(reader, bytes, settings.isBatch);
		const isFetched = settings.fetchResults && lacksResults(completion);
		const jobId = isFetched ? idOf(completion) : undefined;
		return {
			node,
			key: keyOf({ messageId, completion, isFetched, bytes }),
			completion,
			jobId,
			settings,
			serviceNames,
		};
	} catch (error) {
		return own(error);
	}
}

/** Starts the workflow with a delivery that is not a repeat. */
async function claim(context: IWebhookFunctions, delivery: Delivery): Promise<Reply> {
	if (isTest(context) || !delivery.settings.ignoreRepeats) return await start(context, delivery);
	const claimed = seen.claim(delivery, storedIn(context));
	if (claimed === 'repeat') return { answer: [200, claimed] };
	if (claimed === 'underway') return { answer: [503, claimed] };
	let reply: Reply = {};
	try {
		reply = await start(context, delivery);
		return reply;
	} finally {
		// What starts the workflow is claimed until n8n has stored the execution.
		if (!reply.items) seen.release(delivery);
	}
}

/**
 * Starts the workflow, or has the sender deliver again because what the delivery refers to cannot be fetched for now. After
 * an hour of that, and if it can never be fetched, the workflow starts with the error.
 */
async function start(context: IWebhookFunctions, delivery: Delivery): Promise<Reply> {
	const { completion, settings } = delivery;
	const made = await itemsOf(context, delivery);
	const isFailure = made instanceof ScreeningError;
	if (isFailure && isPassing(made) && mayWait(context, delivery)) {
		warn(context, 'Could not complete a delivery', made.message);
		return { answer: [503, 'unavailable'] };
	}
	// Somebody may mend what an error came from, so a delivery that started with one is only a repeat if it fails again.
	const accepted = isFailure ? { ...delivery, key: `${delivery.key} failed` } : delivery;
	if (isFailure && isRepeat(context, accepted)) return { answer: [200, 'repeat'] };
	const items = isFailure ? [failureItem(completion, made, settings)] : made;
	if (!isTest(context)) accept(context, delivery, accepted, items.length > 0);
	return items.length > 0 ? { items } : { answer: [200, 'accepted'] };
}

/** The items, or why there are none. */
async function itemsOf(
	context: IWebhookFunctions,
	{ completion, jobId, settings, serviceNames }: Delivery,
): Promise<INodeExecutionData[] | ScreeningError> {
	if (settings.fault) return settings.fault;
	try {
		const fetch = createFetch(context);
		const whole = jobId === undefined ? completion : await fetch.job(jobId);
		return settings.isBatch
			? [batchItem(whole.body)]
			: await reportItems(whole, settings, originOf(context, serviceNames), fetch.reports);
	} catch (error) {
		return own(error);
	}
}

/** Whether the sender may be asked to deliver again. While only the editor listens, it always may. */
function mayWait(context: IWebhookFunctions, delivery: Delivery): boolean {
	if (isTest(context)) return true;
	const stored = storedIn(context);
	const changes = seen.wait(delivery, stored);
	if (changes) save(stored, changes);
	return changes !== undefined;
}

const isRepeat = (context: IWebhookFunctions, { node, key, settings }: Delivery) =>
	!isTest(context) && settings.ignoreRepeats && seen.isRepeat({ node, key }, storedIn(context));

/** If n8n fails to store the execution, the delivery counts as new when it comes again. */
function accept(context: IWebhookFunctions, claimed: Id, accepted: Id, isStarting: boolean): void {
	const stored = storedIn(context);
	save(stored, seen.accepting(accepted, stored));
	if (!isStarting) return seen.accept(accepted);
	whenAnswered(context, (status) => {
		if (status < 400) seen.accept(accepted);
		seen.release(claimed);
	});
}

const storedIn = (context: IWebhookFunctions) => context.getWorkflowStaticData('node') as Stored;

/**
 * n8n 2.41 stores the execution before it saves the static data, and makes a second workflow of the same static data for
 * that, whereby it forgets that they have changed. So they change again meanwhile.
 */
function save(stored: Stored, changes: Stored): void {
	Object.assign(stored, changes);
	void sleep(0).then(() => Object.assign(stored, changes));
}
