import type { SignatureSettings } from '../../../nodes/WalletScreening/webhook/scheme';
import conventions from './conventions.json';

/** When the deliveries of `conventions.json` were signed, in milliseconds of Unix time. */
export const conventionTime = Date.UTC(2026, 2, 11, 9, 14, 31);

/** The URL of the webhook, which is a part of what Square signs. */
export const conventionUrl = 'https://client.example/hooks/screening';

/** A delivery as a public service signs it, and the settings of the node for it. */
export interface Convention {
	service: string;
	/** Only the settings that the scheme needs. */
	settings: Partial<SignatureSettings> &
		Pick<SignatureSettings, 'signedContent' | 'signatureHeader'>;
	headers: Record<string, string>;
	body: string;
	secret: string;
}

const settings: Record<string, Convention['settings']> = {
	Stripe: { signedContent: 'stripe', signatureHeader: 'Stripe-Signature' },
	GitHub: { signedContent: 'body', signatureHeader: 'X-Hub-Signature-256' },
	Shopify: { signedContent: 'body', signatureHeader: 'X-Shopify-Hmac-Sha256' },
	'Standard Webhooks (Svix, OpenAI, Replicate, Clerk, Resend)': {
		signedContent: 'standardWebhooks',
		signatureHeader: 'webhook-signature',
	},
	Slack: {
		signedContent: 'custom',
		signedTemplate: 'v0:{timestamp}:{body}',
		signatureHeader: 'X-Slack-Signature',
		timestampHeader: 'X-Slack-Request-Timestamp',
	},
	Zendesk: {
		signedContent: 'custom',
		signedTemplate: '{timestamp}{body}',
		signatureHeader: 'X-Zendesk-Webhook-Signature',
		timestampHeader: 'X-Zendesk-Webhook-Signature-Timestamp',
	},
	'Twitch EventSub': {
		signedContent: 'custom',
		signedTemplate: '{id}{timestamp}{body}',
		signatureHeader: 'Twitch-Eventsub-Message-Signature',
		timestampHeader: 'Twitch-Eventsub-Message-Timestamp',
		idHeader: 'Twitch-Eventsub-Message-Id',
	},
	'Paddle Billing': {
		signedContent: 'custom',
		signedTemplate: '{timestamp}:{body}',
		signatureHeader: 'Paddle-Signature',
		timestampHeader: '',
	},
	Typeform: { signedContent: 'body', signatureHeader: 'Typeform-Signature' },
	Square: {
		signedContent: 'custom',
		signedTemplate: '{url}{body}',
		signatureHeader: 'x-square-hmacsha256-signature',
	},
};

/** Returns settings in which the names of headers are in lower case, as in a suggestion. */
export const withLowerCaseHeaders = (given: object): object =>
	Object.fromEntries(
		Object.entries(given).map(([name, value]) => [
			name,
			name.endsWith('Header') ? String(value).toLowerCase() : (value as unknown),
		]),
	);

export const publicConventions: Convention[] = conventions.map((delivery) => ({
	...delivery,
	headers: delivery.headers as Record<string, string>,
	settings: settings[delivery.service]!,
}));
