import type { IWebhookFunctions } from 'n8n-workflow';
import { messageOf } from '../shared/errors';
import type { HeaderFields } from '../shared/http';
import { toLogText } from '../shared/text';
import { workflowIdOf } from '../transport/context';
import {
	createCredentialMask,
	type Credential,
	credentialType,
	listWebhookSecrets,
} from '../transport/credential';
import { maskBytes } from '../transport/mask';
import { isLineDue, logWarning } from './log';
import { refuseDelivery } from './refuseDelivery';
import { createReply, type Reply } from './reply';
import { resolveScheme } from './scheme';
import { findSecretError } from './secrets';
import { readVerificationSettings } from './verificationSettings';
import { type SignatureInput, verifySignature } from './signature';
import { identifiesMessages, readMessageId } from './signedText';

/** A request that the service signed. */
export interface AuthenticRequest {
	/** The body, without any secret in it. */
	bytes: Buffer;
	/** The ID that was signed with it, if any, and if the signed text shows where it begins. */
	messageId: string | undefined;
	/** The credential that it was verified with. n8n reads it once for a delivery. */
	credential: Credential;
}

/** The request, if the service signed it, else the reply to it. */
type RequestOrReply =
	{ request: AuthenticRequest; reply?: undefined } | { request?: undefined; reply: Reply };

/** Verifies a delivery (section 6). It never throws. */
export async function verifyDelivery(context: IWebhookFunctions): Promise<RequestOrReply> {
	const body = context.getRequestObject().rawBody as Buffer | undefined;
	if (!body) return { reply: refuseDelivery(context, 'withoutBody') };
	try {
		return verifyWithCredential(context, body, await readSharedCredential(context));
	} catch (error) {
		// n8n starts an execution for every error that leaves the node, and no signature has been
		// verified yet.
		return { reply: replyUnavailable(context, messageOf(error)) };
	}
}

/** @throws {ScreeningError} `invalid_input` for a parameter or a credential that cannot be used */
function verifyWithCredential(
	context: IWebhookFunctions,
	body: Buffer,
	credential: Credential,
): RequestOrReply {
	const settings = readVerificationSettings(context);
	const headers = context.getHeaderData() as HeaderFields;
	const scheme = resolveScheme(settings, headers);
	const input: SignatureInput = {
		body,
		headers,
		url: context.getNodeWebhookUrl('default') ?? '',
		secrets: listWebhookSecrets(credential),
		toleranceSeconds: settings.toleranceSeconds,
		now: Date.now(),
	};
	const verdict = verifySignature(input, scheme);
	if (verdict === 'accepted') {
		const bytes = maskBytes(body, createCredentialMask(credential));
		const messageId = identifiesMessages(scheme) ? readMessageId(headers, scheme) : undefined;
		return { request: { bytes, messageId, credential } };
	}
	const secretError = findSecretError(credential, settings.signedContent);
	// A secret of the credential is unusable, and the delivery may be signed with the right one. So
	// the sender tries again.
	if (secretError && verdict === 'mismatch') {
		return { reply: replyUnavailable(context, secretError.message) };
	}
	// The settings fit a stale delivery: only its time is too far from now.
	const unmatched = verdict === 'stale' ? undefined : { input, settings };
	return { reply: refuseDelivery(context, verdict, unmatched) };
}

/**
 * Has the sender deliver again what could not be verified, and logs the problem, once a minute for
 * each node.
 */
function replyUnavailable(context: IWebhookFunctions, problem: string): Reply {
	if (isLineDue(context, 'unverified')) {
		logWarning(context, 'Could not verify a delivery', toLogText(problem));
	}
	return createReply(503, 'unavailable');
}

/** The reads of credentials that n8n has not finished. */
const pendingReads = new Map<string, Promise<Credential>>();

/**
 * Reads the credential of the node. n8n takes 12 ms of processor time to read it in a webhook, so
 * deliveries that arrive while the same node reads the same credential share that read.
 */
async function readSharedCredential(context: IWebhookFunctions): Promise<Credential> {
	const { id: nodeId, credentials } = context.getNode();
	const credentialId = credentials?.[credentialType]?.id;
	const key = `${workflowIdOf(context)} ${nodeId} ${credentialId} ${context.getMode()}`;
	const pending = pendingReads.get(key);
	if (pending) return await pending;
	const read = context.getCredentials<Credential>(credentialType);
	const forget = () => pendingReads.delete(key);
	pendingReads.set(key, read);
	void read.then(forget, forget);
	return await read;
}
