import {
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	sleep,
} from 'n8n-workflow';
import { allSecrets, webhookSecrets } from '../n8n/credential';
import { toErrorItem, toNodeError } from '../n8n/nodeError';
import { originOf } from '../n8n/reportItem';
import { saidBy } from '../n8n/thrown';
import { own, type ScreeningError } from '../service/errors';
import type { Completion } from '../service/shapes';
import { answer, nodeName, whenAnswered } from './answer';
import { sharedCredential } from './credential';
import { keysOf, subjectOf } from './identity';
import { batchItem, reportItems } from './items';
import type { Times } from './ledger';
import { eachMinute } from './minute';
import { createPatience, type Subject } from './patience';
import { idOf, lacksResults, readBody } from './reading';
import { createRepeats } from './repeats';
import { createFetch, isPassing } from './results';
import { type Options, optionsOf, decidingOf, schemeOf, wantsBatch } from './settings';
import { type Headers, messageIdOf, verifySignature } from './signature';
import { suggest } from './suggestion';

/** What the node keeps in its static data. */
interface Stored {
	/** The keys of accepted deliveries, and when. */
	deliveries?: Times;
	/** Jobs whose results could not be fetched yet, and since when. */
	waiting?: Times;
}

/** A delivery that the service signed. */
interface Verified {
	/** The node of the workflow, as a key in this process. */
	node: string;
	bytes: Buffer;
	/** The texts that must not appear in an item. */
	secrets: string[];
	messageId: string | undefined;
}

/** A signed delivery that can start the workflow. */
interface Readable extends Verified {
	completion: Completion;
	/** The ID of the job whose results have to be fetched; undefined if there is nothing to fetch. */
	jobId: string | undefined;
	/** See `keysOf`. */
	keys: string[];
	options: Options;
}

const repeats = createRepeats();
const patience = createPatience();

/** What n8n's log has said, in this minute, of deliveries that were not verified. */
const saidOf = eachMinute(() => ({ unverifiable: false }));

/**
 * Receives a delivery (section 6): verifies and reads it, claims it, fetches what it lacks, and starts the workflow. Throws
 * only n8n's errors, for a parameter that cannot be read, and only for a signed delivery.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const verified = await verify(context);
	if (!('bytes' in verified)) return verified;
	const options = readOptions(context);
	let delivery: Readable;
	try {
		delivery = read(context, verified, options);
	} catch (error) {
		const { message } = own(error);
		context.logger.warn(`Refused a signed delivery to ${nodeName(context)}: ${message}`);
		return answer(context, 400, 'unreadable');
	}
	return await start(context, delivery);
}

/** The options; for an invalid one n8n's error, which the failed execution shows. */
function readOptions(context: IWebhookFunctions): Options {
	try {
		return optionsOf(context);
	} catch (error) {
		throw toNodeError(context.getNode(), own(error), 'trigger');
	}
}

/** The delivery that the service signed, or the answer to every other. */
async function verify(context: IWebhookFunctions): Promise<Verified | IWebhookResponseData> {
	const bytes = context.getRequestObject().rawBody as Buffer | undefined;
	if (!bytes) return answer(context, 401, 'malformed');
	const now = Date.now();
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	try {
		const credential = await sharedCredential(context, node, now);
		const scheme = schemeOf(context);
		const headers = context.getHeaderData() as Headers;
		const sent = {
			body: bytes,
			headers,
			secrets: webhookSecrets(credential),
			scheme,
			signatureHeader: context.getNodeParameter('signatureHeader', '') as string,
			timestampHeader: context.getNodeParameter('timestampHeader', '') as string,
			toleranceSeconds: context.getNodeParameter('tolerance', 300) as number,
			now,
		};
		const verdict = verifySignature(sent);
		if (verdict.accepted) {
			const messageId = messageIdOf(headers, scheme);
			return { node, bytes, secrets: allSecrets(credential), messageId };
		}
		// The settings fit a stale delivery.
		const item = verdict.reason === 'stale' ? undefined : suggest(context, node, sent);
		return { ...answer(context, 401, verdict.reason), ...(item && { workflowData: [[item]] }) };
	} catch (error) {
		// n8n starts an execution for every error that leaves the node, and nobody has signed this yet.
		const said = saidOf(node, now);
		if (!said.unverifiable) {
			const why = saidBy(error);
			context.logger.warn(`Could not verify a delivery to ${nodeName(context)}: ${why}`);
		}
		said.unverifiable = true;
		return answer(context, 503, 'unavailable');
	}
}

/** Throws `invalid_response` for a body that cannot start the workflow however often it comes. */
function read(context: IWebhookFunctions, verified: Verified, options: Options): Readable {
	const { bytes, secrets, messageId } = verified;
	const completion = readBody(bytes, secrets, wantsBatch(context));
	const isFetched = options.fetchResults && lacksResults(completion);
	const jobId = isFetched ? idOf(completion) : undefined;
	return { ...verified, completion, jobId, keys: keysOf(completion, bytes, messageId), options };
}

/** Starts the workflow with a delivery that is not a repeat. */
async function start(
	context: IWebhookFunctions,
	delivery: Readable,
): Promise<IWebhookResponseData> {
	const stored = context.getWorkflowStaticData('node') as Stored;
	const remembers = delivery.options.ignoreRepeats && !isTest(context);
	if (remembers) {
		const claim = repeats.claim(delivery, stored.deliveries ?? {}, Date.now());
		if (claim === 'repeat') return answer(context, 200, 'repeat');
		if (claim === 'underway') return answer(context, 503, 'underway');
	}
	let holdsClaim = remembers;
	try {
		const items = await itemsOf(context, delivery, stored);
		if (!items) return answer(context, 503, 'unavailable');
		if (remembers) {
			const deliveries = repeats.toStore(delivery, stored.deliveries ?? {}, Date.now());
			save(stored, { deliveries });
		}
		if (items.length > 0) {
			if (remembers) acceptWhenStored(context, delivery);
			holdsClaim = false;
			return { workflowData: [items] };
		}
		if (remembers) repeats.accept(delivery, Date.now());
		return answer(context, 200, 'accepted');
	} finally {
		if (holdsClaim) repeats.release(delivery);
	}
}

/** n8n stores the execution after this. If it fails to, the delivery counts as new when it comes again. */
function acceptWhenStored(context: IWebhookFunctions, delivery: Readable): void {
	whenAnswered(context, (status) => {
		if (status < 400) repeats.accept(delivery, Date.now());
		else repeats.release(delivery);
	});
}

/**
 * The items that the workflow starts with; undefined if the sender is to deliver again, because what the delivery refers to
 * cannot be fetched for now. After an hour of that, and if it can never be fetched, the item is the error.
 */
async function itemsOf(
	context: IWebhookFunctions,
	{ node, completion, jobId, keys, options }: Readable,
	stored: Stored,
): Promise<INodeExecutionData[] | undefined> {
	const subject = { node, key: subjectOf(completion, keys) };
	try {
		const deciding = decidingOf(context);
		const fetch = createFetch(context);
		const whole = jobId === undefined ? completion : await fetch.job(jobId);
		const items = wantsBatch(context)
			? [batchItem(whole.body)]
			: await reportItems(whole, { options, deciding, origin: originOf(context), fetch });
		endWait(context, subject, stored);
		return items;
	} catch (error) {
		const failure = own(error);
		if (isPassing(failure) && mayWait(context, subject, stored)) {
			const name = nodeName(context);
			context.logger.warn(`Could not complete a delivery to ${name}: ${failure.message}`);
			return undefined;
		}
		endWait(context, subject, stored);
		return [failureItem(completion, failure, options)];
	}
}

/** Whether the sender may be asked to deliver again. While the editor listens nothing is remembered. */
function mayWait(context: IWebhookFunctions, subject: Subject, stored: Stored): boolean {
	if (isTest(context)) return true;
	const waiting = patience.again(subject, stored.waiting ?? {}, Date.now());
	if (waiting) save(stored, { waiting });
	return waiting !== undefined;
}

function endWait(context: IWebhookFunctions, subject: Subject, stored: Stored): void {
	if (isTest(context)) return;
	const waiting = patience.over(subject, stored.waiting ?? {});
	if (waiting) save(stored, { waiting });
}

/** The failure with what was delivered, which is accepted and does not come again. */
function failureItem(
	{ job_id, body }: Completion,
	failure: ScreeningError,
	{ alertText }: Options,
): INodeExecutionData {
	return toErrorItem(
		failure.with({
			...(job_id !== undefined && { job_id }),
			...(failure.known.body === undefined && { body }),
		}),
		'trigger',
		{ alertText },
	);
}

function isTest(context: IWebhookFunctions): boolean {
	return context.getMode() === 'manual';
}

/**
 * n8n 2.41 stores the execution before it saves the static data, and makes a second workflow of the same static data for
 * that, whereby it forgets that they have changed. So they change again meanwhile.
 */
function save(stored: Stored, changes: Stored): void {
	Object.assign(stored, changes);
	void sleep(0).then(() => Object.assign(stored, changes));
}
