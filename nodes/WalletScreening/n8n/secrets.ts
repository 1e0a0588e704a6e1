/** The secrets in a credential, as n8n stores them. */
interface Secrets {
	apiKey?: unknown;
	webhookSecret?: unknown;
	previousWebhookSecret?: unknown;
}

/** A secret as text, without surrounding white space. A credential from an import or an expression may hold a number. */
export function secretText(value: unknown): string {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' ? value.trim() : '';
}

/** The secrets that verify a delivery. None is empty. */
export function webhookSecrets({ webhookSecret, previousWebhookSecret }: Secrets): string[] {
	return [webhookSecret, previousWebhookSecret].map(secretText).filter((secret) => secret !== '');
}

/** The texts that must not leave this package. None is empty. */
export function allSecrets(secrets: Secrets): string[] {
	return [secretText(secrets.apiKey), ...webhookSecrets(secrets)].filter((text) => text !== '');
}
