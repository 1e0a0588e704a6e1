import { UserError } from 'n8n-workflow';
import { ScreeningError } from '../service/errors';
import type { Context } from './context';
import { saidBy } from './thrown';

export const credentialType = 'walletScreeningApi';

/** The credential as n8n decrypts it. */
export interface Credential {
	apiKey: string;
	baseUrl: string;
	plan: 'pro' | 'enterprise' | 'custom';
	requestsPerSecond?: number;
	burst?: number;
	webhookSecret?: string | number;
	previousWebhookSecret?: string | number;
	sharedBy?: number;
}

/** The credential of the node. Throws `network` if n8n cannot read it, see `notRead`. */
export async function readCredential(context: Context): Promise<Credential> {
	try {
		return await context.getCredentials<Credential>(credentialType);
	} catch (error) {
		const { description } = (error ?? {}) as { description?: string };
		const why = `n8n says: ${description || saidBy(error)}`;
		// What n8n throws for a credential that was deleted, or that the workflow may not use.
		throw notRead(why, error instanceof UserError);
	}
}

/**
 * The fault of a request that was not sent, because n8n could not read the credential: e.g. its database is down for now, or
 * the credential is gone for good.
 */
export function notRead(why: string, isGone = false): ScreeningError {
	const advice = isGone
		? 'Choose another credential in this node.'
		: 'Run it again later. If this returns, check whether n8n can open the credential.';
	// The reason is not in the message, because n8n replaces a message that holds a system's error code by its own.
	return new ScreeningError(
		'network',
		'n8n could not read the credential of this node',
		`This request was not sent. ${advice} ${why}`,
		{ networkCode: isGone ? 'CREDENTIAL_GONE' : 'CREDENTIAL' },
	);
}

/** A secret as text, without surrounding white space. A credential from an import or an expression may hold a number. */
export function secretText(value: unknown): string {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' ? value.trim() : '';
}

/** The secrets that verify a delivery. None is empty. */
export function webhookSecrets({ webhookSecret, previousWebhookSecret }: Credential): string[] {
	return [webhookSecret, previousWebhookSecret].map(secretText).filter((secret) => secret !== '');
}

/** The texts that must not leave this package. None is empty. */
export function allSecrets(credential: Credential): string[] {
	return [secretText(credential.apiKey), ...webhookSecrets(credential)].filter(
		(secret) => secret !== '',
	);
}
