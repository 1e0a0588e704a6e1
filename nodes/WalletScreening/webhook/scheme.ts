import { type Headers } from '../shared/http';

/** The choices of 'Signature Scheme'. */
export type SignedContent = 'body' | 'timestampAndBody' | 'stripe' | 'standardWebhooks' | 'custom';

/** The parameters of the node that say how the service signs. A scheme that does not need one ignores it. */
export interface SigningSettings {
	signedContent: SignedContent;
	/** The text that is signed in the scheme `custom`. */
	signedTemplate: string;
	signatureHeader: string;
	timestampHeader: string;
	idHeader: string;
}

/** The settings of a new node. */
export const defaultSettings: SigningSettings = {
	signedContent: 'body',
	signedTemplate: '{timestamp}.{body}',
	signatureHeader: 'X-Signature',
	timestampHeader: 'X-Timestamp',
	idHeader: '',
};

/** How the service signs: a text with places in it, and the headers that hold the signature and what belongs in the places. */
export interface SigningScheme {
	/** The text that is signed, with `{body}` once and, as needed, `{timestamp}`, `{id}` and `{url}`. */
	template: string;
	signatureHeader: string;
	/** Empty: the time is a part of the signature header, after `t=`, `ts=` or `timestamp=`. */
	timestampHeader: string;
	/** Empty: the ID is a part of the signature header, after `id=`. */
	idHeader: string;
}

const places = ['{body}', '{timestamp}', '{id}', '{url}'];

/** The scheme that the settings name. That of Standard Webhooks depends on the headers, because Svix has names of its own. */
export function schemeOf(settings: SigningSettings, headers: Headers): SigningScheme {
	const { signedContent, signedTemplate, signatureHeader, timestampHeader, idHeader } = settings;
	const given = { signatureHeader, timestampHeader, idHeader };
	switch (signedContent) {
		case 'body':
			return { ...given, template: '{body}' };
		case 'timestampAndBody':
			return { ...given, template: '{timestamp}.{body}' };
		case 'stripe':
			return { ...given, template: '{timestamp}.{body}', timestampHeader: '' };
		case 'standardWebhooks': {
			const family = headerText(headers, 'webhook-signature') === '' ? 'svix' : 'webhook';
			return {
				template: '{id}.{timestamp}.{body}',
				signatureHeader: `${family}-signature`,
				timestampHeader: `${family}-timestamp`,
				idHeader: `${family}-id`,
			};
		}
		case 'custom':
			return { ...given, template: signedTemplate };
	}
}

/** The places of a template and the texts between them, in their order. */
export function piecesOf(template: string): string[] {
	return template.split(/(\{[^{}]*\})/);
}

/** Why a template cannot say what is signed, to follow the name of its field; undefined for a usable one. */
export function faultOfTemplate(template: string): string | undefined {
	const pieces = piecesOf(template);
	const unknown = pieces.find((piece) => /[{}]/.test(piece) && !places.includes(piece));
	if (unknown !== undefined) {
		return `contains '${unknown}'. Braces stand only around body, timestamp, id and url`;
	}
	const bodies = pieces.filter((piece) => piece === '{body}').length;
	return bodies === 1 ? undefined : 'needs {body} exactly once, because the body must be signed';
}

/** The values of a header, whose name may be in any case, joined by commas; empty if it is not there. */
export function headerText(headers: Headers, name: string): string {
	const key = name.trim().toLowerCase();
	return Object.entries(headers)
		.filter(([header]) => header.toLowerCase() === key)
		.flatMap(([, value]) => value ?? [])
		.join(', ');
}
