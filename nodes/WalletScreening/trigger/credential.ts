import type { IWebhookFunctions } from 'n8n-workflow';
import { type Credential, credentialType, secretText } from '../n8n/credential';
import { invalidInput, type ScreeningError } from '../service/errors';
import { secretFault, type SignatureScheme } from './signature';

interface PendingRead {
	since: number;
	credential: Promise<Credential>;
}

/** A read that hangs must not hold up what comes later; milliseconds. */
const longestShared = 1000;

const reads = new Map<string, PendingRead>();

/**
 * The credential of the node. n8n takes 12 ms of processor time to read it in a webhook, so deliveries that arrive while the
 * same node of the same workflow reads the same credential share that read. None is kept after it has ended.
 * @param node the node of the workflow, as a key in this process
 */
export async function sharedCredential(
	context: IWebhookFunctions,
	node: string,
	now: number,
): Promise<Credential> {
	const id = context.getNode().credentials?.[credentialType]?.id;
	const key = `${node} ${id} ${context.getMode()}`;
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

/** Why the credential can verify no delivery; undefined for one that can. */
export function faultOf(
	{ webhookSecret, previousWebhookSecret }: Credential,
	scheme: SignatureScheme,
): ScreeningError | undefined {
	const previous = secretText(previousWebhookSecret);
	const fault = secretFault(secretText(webhookSecret), scheme);
	const previousFault = previous && secretFault(previous, scheme);
	if (!fault && !previousFault) return undefined;
	const parameter = fault ? 'Webhook Secret' : 'Previous Webhook Secret';
	return invalidInput(
		parameter,
		`'${parameter}' of the credential ${fault ?? previousFault}. Open the credential of this node and enter the secret that the service signs its webhooks with`,
		'Without the secret, the node cannot distinguish a delivery from a forgery, so the trigger does not start.',
	);
}
