import type { IWebhookFunctions } from 'n8n-workflow';
import type { ServiceNames } from '../answers/contract';
import { toErrorItem } from '../execution/items';
import type { HeaderFields } from '../shared/http';
import { setBounded } from '../shared/bounded';
import { wordsOf } from '../shared/errors';
import { toLogText } from '../shared/text';
import { minute } from '../shared/time';
import {
	allSecrets,
	createMask,
	type Credential,
	credentialType,
	maskBytes,
	readServiceNames,
	webhookSecrets,
} from '../transport/credential';
import type { Reply } from './respond';
import { faultOfCredential, isTest, readSigning } from './settings';
import {
	messageIdOf,
	type ReceivedDelivery,
	type RejectionReason,
	schemeOf,
	type SigningSettings,
	verifySignature,
} from './signature';
import { isSearchable, suggestionFor } from './suggestion';

/** A delivery that the service signed. */
export interface VerifiedDelivery {
	/** The ID of the workflow, and that of the node in it. */
	workflow: string;
	node: string;
	/** The body, without any secret in it. */
	bytes: Buffer;
	/** The names that the credential adds to those that the nodes know of the service. */
	serviceNames: ServiceNames | undefined;
	/** The ID that was signed with it, if any. */
	messageId: string | undefined;
}

/** Verifies a delivery (section 6): returns it if the service signed it, else the reply to it. It never throws. */
export async function verifyDelivery(
	context: IWebhookFunctions,
): Promise<VerifiedDelivery | Reply> {
	const workflow = String(context.getWorkflow().id);
	const node = context.getNode().id;
	const bytes = context.getRequestObject().rawBody as Buffer | undefined;
	if (!bytes) return refused(context, 'malformed');
	try {
		const credential = await sharedCredential(context);
		const { settings, toleranceSeconds } = readSigning(context);
		const headers = context.getHeaderData() as HeaderFields;
		const scheme = schemeOf(settings, headers);
		const url = context.getNodeWebhookUrl('default') ?? '';
		const secrets = webhookSecrets(credential);
		const now = Date.now();
		const delivery = { body: bytes, headers, url, secrets, toleranceSeconds, now };
		const verdict = verifySignature(delivery, scheme);
		if (verdict === 'accepted') {
			return {
				workflow,
				node,
				bytes: maskBytes(bytes, createMask(allSecrets(credential))),
				serviceNames: readServiceNames(credential.serviceNames),
				messageId: messageIdOf(headers, scheme),
			};
		}
		const fault = faultOfCredential(credential, settings.signedContent);
		// The secret that is not there may be the one that fits.
		if (fault && verdict === 'mismatch') return unverified(context, fault.message);
		const isStale = verdict === 'stale';
		return refused(context, verdict, isStale ? undefined : { delivery, settings });
	} catch (error) {
		// n8n starts an execution for every error that leaves the node, and no signature has been verified yet.
		return unverified(context, wordsOf(error));
	}
}

/** The key of the node in this process. */
const nodeKey = (context: IWebhookFunctions) =>
	`${context.getWorkflow().id} ${context.getNode().id}`;

function unverified(context: IWebhookFunctions, why: string): Reply {
	if (isWarningDue(`${nodeKey(context)} unverified`)) {
		warn(context, 'Could not verify a delivery', toLogText(why));
	}
	return { answer: { status: 503, text: 'unavailable' } };
}

const rejectionTexts: Record<RejectionReason, string> = {
	missing: 'the signature, time or ID is not in the headers that the settings name',
	malformed: 'the signature, time or ID is not in the form of the signature scheme',
	mismatch: 'it is signed with another secret or in another scheme, or was changed on the way',
	stale: "it was signed at a time beyond 'Tolerance (Seconds)' from the clock of this n8n",
};

/** A delivery that does not fit the settings of the node. */
interface UnsignedDelivery {
	delivery: ReceivedDelivery;
	settings: SigningSettings;
}

const checkSecret = "No other settings fit it either: check 'Webhook Secret' in the credential.";
const checkUrl = 'A service that signs the URL has to deliver to the Production URL.';
const sendLess =
	'It is too long to search for matching settings: let the service deliver the results of a smaller job.';

/** Refuses a delivery. While the editor listens, it shows the settings that fit. In production, n8n's log names them, once a minute. */
function refused(
	context: IWebhookFunctions,
	reason: RejectionReason,
	unsigned?: UnsignedDelivery,
): Reply {
	const answer: Reply['answer'] = { status: 401, text: reason };
	// Only the holder of a secret can cause a stale delivery, so no stranger can keep the line about it out of the log.
	const subject = reason === 'stale' ? 'stale' : 'unsigned';
	if (!isTest(context) && !isWarningDue(`${nodeKey(context)} ${subject}`)) return { answer };
	const fitting = unsigned && suggestionFor(unsigned.delivery, unsigned.settings);
	if (fitting && isTest(context)) {
		return { answer, items: [toErrorItem(context, fitting, 'trigger')] };
	}
	const words = [`${reason}: ${rejectionTexts[reason]}.`];
	if (fitting) words.push(fitting.description);
	else if (unsigned && !isSearchable(unsigned.delivery)) words.push(sendLess);
	else if (unsigned) words.push(checkSecret, ...(isTest(context) ? [checkUrl] : []));
	warn(context, 'Refused a delivery', words.join(' '));
	return { answer };
}

const reads = new Map<string, Promise<Credential>>();

/**
 * The credential of the node. n8n takes 12 ms of processor time to read it in a webhook, so deliveries that arrive while the
 * same node reads the same credential share that read.
 */
async function sharedCredential(context: IWebhookFunctions): Promise<Credential> {
	const id = context.getNode().credentials?.[credentialType]?.id;
	const key = `${nodeKey(context)} ${id} ${context.getMode()}`;
	const end = () => reads.delete(key);
	const read = reads.get(key) ?? context.getCredentials<Credential>(credentialType);
	if (!reads.has(key)) void read.then(end, end);
	reads.set(key, read);
	return await read;
}

const maxSubjects = 400;

/** The time of the last line on each subject, in milliseconds of the process. */
const lastWarnings = new Map<string, number>();

/** Whether a line on this subject is due: there is one a minute, so that strangers cannot fill the log. */
function isWarningDue(subject: string): boolean {
	const now = performance.now();
	if (now - (lastWarnings.get(subject) ?? -Infinity) < minute) return false;
	setBounded(lastWarnings, subject, now, maxSubjects);
	return true;
}

/** Writes to n8n's log what the node did with a delivery, and why. */
export function warn(context: IWebhookFunctions, what: string, why: string): void {
	const node = toLogText(context.getNode().name);
	const workflow = toLogText(context.getWorkflow().name ?? '');
	context.logger.warn(`${what} to '${node}' of workflow '${workflow}': ${why}`);
}
