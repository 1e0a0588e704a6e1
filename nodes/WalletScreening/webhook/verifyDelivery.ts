import type { IWebhookFunctions } from 'n8n-workflow';
import { printable, wordsOf } from '../n8n/context';
import { allSecrets, type Credential, credentialType, webhookSecrets } from '../n8n/credential';
import { toErrorItem } from '../n8n/nodeError';
import { readServiceNames } from '../n8n/serviceNames';
import type { Headers } from '../pace/answer';
import type { ServiceNames } from '../service/reader/names';
import { maskedBytes, maskOf } from '../service/mask';
import type { Reply } from './respond';
import { faultOfCredential, isTest, signingOf } from './settings';
import {
	messageIdOf,
	type ReceivedDelivery,
	type RejectionReason,
	verifySignature,
} from './signature';
import { suggestionFor } from './suggestion';
import { isDue, warn } from './warnings';

/** A delivery that the service signed. */
export interface Verified {
	/** The node of the workflow, as a key in this process. */
	node: string;
	/** The body, without any secret in it. */
	bytes: Buffer;
	/** The names that the credential adds to those that the nodes know of the service. */
	serviceNames: ServiceNames | undefined;
	messageId: string | undefined;
}

/** The delivery that the service signed, or the reply to every other. */
export async function verifyDelivery(context: IWebhookFunctions): Promise<Verified | Reply> {
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
			return {
				node,
				bytes: maskedBytes(bytes, maskOf(allSecrets(credential))),
				serviceNames: readServiceNames(credential.serviceNames),
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
	if (isDue(`${node} unverified`)) warn(context, 'Could not verify a delivery', printable(why));
	return { answer: [503, 'unavailable'] };
}

const rejectionTexts: Record<RejectionReason, string> = {
	missing: 'the signature, time or ID is not in the headers that the settings name',
	malformed: 'the signature, time or ID is not in the form of the signature scheme',
	mismatch: 'it is signed with another secret or in another scheme, or was changed on the way',
	stale: "it was signed at a time beyond 'Tolerance (Seconds)' from the clock of this n8n",
};

/** While the editor listens, it shows the settings that fit. In production, n8n's log names them, once a minute. */
function refused(
	context: IWebhookFunctions,
	node: string,
	reason: RejectionReason,
	delivery?: ReceivedDelivery,
): Reply {
	const answer: Reply['answer'] = [401, reason];
	if (!isTest(context) && !isDue(`${node} ${reason}`)) return { answer };
	// A stale delivery fits the settings of the node.
	const fitting = delivery && reason !== 'stale' ? suggestionFor(delivery) : undefined;
	if (fitting && isTest(context))
		return { answer, items: [toErrorItem(context, fitting, 'trigger')] };
	const otherwise = "No other settings fit it either: check 'Webhook Secret' in the credential.";
	const advice = reason === 'stale' ? '' : ` ${fitting?.description ?? otherwise}`;
	warn(context, 'Refused a delivery', `${reason}: ${rejectionTexts[reason]}.${advice}`);
	return { answer };
}

const reads = new Map<string, Promise<Credential>>();

/**
 * The credential of the node. n8n takes 12 ms of processor time to read it in a webhook, so deliveries that arrive while the
 * same node reads the same credential share that read.
 */
async function sharedCredential(context: IWebhookFunctions, node: string): Promise<Credential> {
	const id = context.getNode().credentials?.[credentialType]?.id;
	const key = `${node} ${id} ${context.getMode()}`;
	const end = () => reads.delete(key);
	const read = reads.get(key) ?? context.getCredentials<Credential>(credentialType);
	if (!reads.has(key)) void read.then(end, end);
	reads.set(key, read);
	return await read;
}
