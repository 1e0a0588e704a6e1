import { invalidInput, type ScreeningError } from '../shared/errors';
import { type Credential, readSecret } from '../transport/credential';
import type { SchemeName } from './scheme';

/**
 * Derives the keys of HMAC that a secret stands for: its text, the bytes of its base64, with or
 * without the `whsec_` of Standard Webhooks, and the bytes of its hex, if these are 16 or more.
 * Stripe signs with a text that begins with `whsec_`, some senders of Standard Webhooks sign with a
 * text, and Adyen signs with the bytes of hex.
 */
export function deriveKeys(secret: string | undefined): Buffer[] {
	const text = secret?.trim() ?? '';
	const base64 = text.replace(/^whsec_/, '');
	if (base64 === '') return [];
	const bytes = Buffer.from(base64, 'base64');
	const isBase64 = bytes.toString('base64') === base64;
	const isHex = /^(?:[\da-f]{2}){16,}$/i.test(text);
	return [
		Buffer.from(text),
		...(isBase64 ? [bytes] : []),
		...(isHex ? [Buffer.from(text, 'hex')] : []),
	];
}

/**
 * Returns the problem of a secret that can never verify a delivery, to follow the name of its
 * field; undefined for a usable one.
 */
export function checkSecret(
	secret: string | undefined,
	schemeName: SchemeName,
): string | undefined {
	const keys = deriveKeys(secret);
	if (keys.length === 0) return 'is empty';
	const isStandard = schemeName === 'standardWebhooks' && secret?.trim().startsWith('whsec_');
	return isStandard && keys.length === 1
		? 'is not base64 with its padding after "whsec_"'
		: undefined;
}

/**
 * Finds the error of a webhook secret that can verify no delivery; undefined if all can. The
 * previous one may be absent.
 */
export function findSecretError(
	{ webhookSecret, previousWebhookSecret }: Credential,
	schemeName: SchemeName,
): ScreeningError | undefined {
	const problem = checkSecret(readSecret(webhookSecret), schemeName);
	if (problem) return createSecretError('Webhook Secret', problem);
	const previous = readSecret(previousWebhookSecret);
	const previousProblem = previous && checkSecret(previous, schemeName);
	return previousProblem
		? createSecretError('Previous Webhook Secret', previousProblem)
		: undefined;
}

function createSecretError(parameter: string, problem: string): ScreeningError {
	return invalidInput(
		parameter,
		`'${parameter}' of the credential ${problem}. Open the credential of this node and enter the secret that the service signs its webhooks with`,
		'Without the secret, the node cannot distinguish a delivery from a forgery, so the trigger does not start.',
	);
}
