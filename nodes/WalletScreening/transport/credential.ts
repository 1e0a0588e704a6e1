import type { IDataObject } from 'n8n-workflow';
import { invalidInput, type ScreeningError } from '../shared/errors';
import { trimInvisible } from '../shared/text';
import { createMask, type Mask } from './mask';

export const credentialType = 'walletScreeningApi';

/** The credential as n8n decrypts it, with its expressions resolved. */
export interface Credential {
	apiKey: string | number;
	baseUrl: string;
	plan: 'pro' | 'enterprise' | 'custom';
	requestsPerSecond?: number;
	burst?: number;
	webhookSecret?: string | number;
	previousWebhookSecret?: string | number;
	sharedBy?: number;
	serviceNames?: string | IDataObject;
	/** A list in JSON of the expressions as entered, e.g. `["={{ $json.key }}"]`. */
	expressions?: string;
}

/**
 * Reads the key or a webhook secret as text, without what copy and paste leave around it; empty for
 * one that is no text. A credential from an import or an expression may hold a number.
 */
export function readSecret(value: unknown): string {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' ? trimInvisible(value) : '';
}

/**
 * Reads the key as it goes into a header (section 5).
 * @throws {ScreeningError} `invalid_input` for a key that is empty, no text, or has a character that
 * is not a visible one of ASCII
 */
export function requireApiKey(apiKey: unknown): string {
	const key = readSecret(apiKey);
	if (key === '') throw keyError(typeof (apiKey ?? '') === 'string' ? 'is empty' : 'is not a text');
	if (!/^[!-~]+$/.test(key)) throw keyError('contains invalid characters');
	return key;
}

const keyError = (problem: string): ScreeningError =>
	invalidInput(
		'API Key',
		`The API key ${problem}`,
		"Enter the key as the vendor sent it, in 'API Key' of the credential.",
	);

/** Lists the secrets that verify a delivery. None is empty. */
export function listWebhookSecrets({ webhookSecret, previousWebhookSecret }: Credential): string[] {
	return [webhookSecret, previousWebhookSecret].map(readSecret).filter(Boolean);
}

/** Makes the mask of the key and the webhook secrets, which must not leave this package. */
export function createCredentialMask(credential: Credential): Mask {
	return createMask([readSecret(credential.apiKey), ...listWebhookSecrets(credential)]);
}
