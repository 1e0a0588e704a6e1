import type { IWebhookFunctions } from 'n8n-workflow';
import { allSecrets, type Credential, credentialType, webhookSecrets } from '../n8n/credential';
import { readServiceNames } from '../n8n/serviceNames';
import { wordsOf } from '../n8n/context';
import type { Headers } from '../pace/answer';
import { createReader, type Reader } from '../service/dialect/reader';
import { maskedBytes, maskOf } from '../service/mask';
import type { Reply } from './answer';
import { logRefused, logUnverified } from './log';
import { faultOfCredential, isTest, signingOf } from './settings';
import {
	messageIdOf,
	type ReceivedDelivery,
	type RejectionReason,
	verifySignature,
} from './signature';
import { suggestionFor } from './suggestion';

/** A delivery that the service signed. */
export interface Verified {
	/** The node of the workflow, as a key in this process. */
	node: string;
	/** The body, without any secret in it. */
	bytes: Buffer;
	reader: Reader;
	/** The names that the credential adds to those that the nodes know of the service. */
	serviceNames: object | undefined;
	messageId: string | undefined;
}

/** The delivery that the service signed, or the reply to every other. */
export async function verify(context: IWebhookFunctions): Promise<Verified | Reply> {
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	const bytes = context.getRequestObject().rawBody as Buffer | undefined;
	if (!bytes) return refused(context, node, 'malformed');
	try {
		const credential = await sharedCredential(context, node);
		const signing = signingOf(context);
		const headers = context.getHeaderData() as Headers;
		const secrets = webhookSecrets(credential);
		const delivery = { ...signing, body: bytes, headers, secrets, now: Date.now() };
		const verdict = verifySignature(delivery);
		if (verdict === 'accepted') {
			const serviceNames = readServiceNames(credential.serviceNames);
			return {
				node,
				bytes: maskedBytes(bytes, maskOf(allSecrets(credential))),
				reader: createReader(serviceNames),
				serviceNames,
				messageId: messageIdOf(headers, signing.scheme),
			};
		}
		const fault = faultOfCredential(credential, signing.scheme);
		// The secret that is not there may be the one that fits.
		if (fault && verdict === 'mismatch') return unverified(context, node, fault.message);
		return refused(context, node, verdict, delivery);
	} catch (error) {
		// n8n starts an execution for every error that leaves the node, and nobody has signed this yet.
		return unverified(context, node, wordsOf(error));
	}
}

function unverified(context: IWebhookFunctions, node: string, why: string): Reply {
	logUnverified(context, node, why);
	return { answer: [503, 'unavailable'] };
}

/** While the editor listens, it shows the settings that fit; a stale delivery fits those of the node. */
function refused(
	context: IWebhookFunctions,
	node: string,
	reason: RejectionReason,
	delivery?: ReceivedDelivery,
): Reply {
	const item =
		delivery && reason !== 'stale' && isTest(context) ? suggestionFor(delivery) : undefined;
	if (!item) logRefused(context, node, reason);
	return { answer: [401, reason], ...(item && { items: [item] }) };
}

/** A read that hangs must not hold up what comes later; milliseconds. */
const longestShared = 1000;

const reads = new Map<string, { since: number; credential: Promise<Credential> }>();

/**
 * The credential of the node. n8n takes 12 ms of processor time to read it in a webhook, so deliveries that arrive while the
 * same node reads the same credential share that read. None is kept after it has ended.
 */
async function sharedCredential(context: IWebhookFunctions, node: string): Promise<Credential> {
	const id = context.getNode().credentials?.[credentialType]?.id;
	const key = `${node} ${id} ${context.getMode()}`;
	const now = performance.now();
	const shared = reads.get(key);
	if (shared && now - shared.since < longestShared) return await shared.credential;

	const read = { since: now, credential: context.getCredentials<Credential>(credentialType) };
	reads.set(key, read);
	try {
		return await read.credential;
	} finally {
		if (reads.get(key) === read) reads.delete(key);
	}
}
