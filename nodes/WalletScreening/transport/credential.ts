import type { IDataObject } from 'n8n-workflow';
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

/** Lists the secrets that verify a delivery. None is empty. */
export function listWebhookSecrets({ webhookSecret, previousWebhookSecret }: Credential): string[] {
	return [webhookSecret, previousWebhookSecret].map(readSecret).filter(Boolean);
}

/** Makes the mask of the key and the webhook secrets, which must not leave this package. */
export function createCredentialMask(credential: Credential): Mask {
	return createMask([readSecret(credential.apiKey), ...listWebhookSecrets(credential)]);
}
