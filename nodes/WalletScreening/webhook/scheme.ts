import type { HeaderFields } from '../shared/http';

/*
 * How a service signs, from what the user chose to what a delivery is verified with:
 *
 *     scheme name   the choice under 'Signature Scheme',   custom
 *                   whose parameter is `signedContent`
 *     template      the text that is signed, with places   {timestamp}.{body}
 *     settings      the parameters of the node about it    { signedContent: 'custom', … }
 *     scheme        what they mean for one delivery        { template: '{timestamp}.{body}', … }
 */

/** The choices of 'Signature Scheme', in the order of the editor. */
export const schemeNames = [
	'body',
	'custom',
	'standardWebhooks',
	'stripe',
	'timestampAndBody',
] as const;
export type SchemeName = (typeof schemeNames)[number];

/**
 * The parameters of the node that say how the service signs. A scheme that does not need one
 * ignores it.
 */
export interface SignatureSettings {
	signedContent: SchemeName;
	/** The template of the scheme `custom`, in which `\n` stands for a line break. */
	signedTemplate: string;
	signatureHeader: string;
	timestampHeader: string;
	idHeader: string;
}

/** The parameters of a new node. */
export const defaultSignatureSettings: SignatureSettings = {
	signedContent: 'body',
	signedTemplate: '{timestamp}.{body}',
	signatureHeader: 'X-Signature',
	timestampHeader: 'X-Timestamp',
	idHeader: '',
};

/**
 * How one delivery is signed: by which template, and which headers hold the signature and what
 * belongs in the places.
 */
export interface SignatureScheme {
	/** It has `{body}` once and, as needed, `{timestamp}`, `{id}` and `{url}`. */
	template: string;
	signatureHeader: string;
	/**
	 * Empty: the time is a part of the signature header, after `t=`, `ts=`, `time=` or `timestamp=`.
	 */
	timestampHeader: string;
	/** Empty: the ID is a part of the signature header, after `id=`. */
	idHeader: string;
}

const places = ['{body}', '{timestamp}', '{id}', '{url}'];

/**
 * Resolves the settings for a delivery. For Standard Webhooks its headers matter, because Svix has
 * names of its own for them.
 */
export function resolveScheme(settings: SignatureSettings, headers: HeaderFields): SignatureScheme {
	const { signedContent: schemeName, signedTemplate } = settings;
	const { signatureHeader, timestampHeader, idHeader } = settings;
	const given = { signatureHeader, timestampHeader, idHeader };
	switch (schemeName) {
		case 'body':
			return { ...given, template: '{body}' };
		case 'timestampAndBody':
			return { ...given, template: '{timestamp}.{body}' };
		case 'stripe':
			return { ...given, template: '{timestamp}.{body}', timestampHeader: '' };
		case 'standardWebhooks': {
			const family = readHeader(headers, 'webhook-signature') === '' ? 'svix' : 'webhook';
			return {
				template: '{id}.{timestamp}.{body}',
				signatureHeader: `${family}-signature`,
				timestampHeader: `${family}-timestamp`,
				idHeader: `${family}-id`,
			};
		}
		case 'custom':
			// A line break cannot be typed into the field.
			return { ...given, template: signedTemplate.replaceAll('\\n', '\n') };
	}
}

/** Splits a template into its places and the texts between them. */
export function splitTemplate(template: string): string[] {
	return template.split(/(\{[^{}]*\})/);
}

/**
 * Returns the problem of a template that cannot say what is signed, to follow the name of its
 * field; undefined for a usable one.
 */
export function checkTemplate(template: string): string | undefined {
	const pieces = splitTemplate(template);
	const unknown = pieces.find((piece) => /[{}]/.test(piece) && !places.includes(piece));
	if (unknown !== undefined) {
		return `contains '${unknown}'. Braces stand only around body, timestamp, id and url`;
	}
	const bodies = pieces.filter((piece) => piece === '{body}').length;
	return bodies === 1 ? undefined : 'needs {body} exactly once, because the body must be signed';
}

/**
 * Reads the values of a header, whose name may be in any case, joined by commas; empty if it is not
 * there.
 */
export function readHeader(headers: HeaderFields, name: string): string {
	const key = name.trim().toLowerCase();
	return Object.entries(headers)
		.filter(([header]) => header.toLowerCase() === key)
		.flatMap(([, value]) => value ?? [])
		.join(', ');
}

/**
 * Splits a signature header into its parts, such as those of `t=…,v1=…` or `ts=…;h1=…` or
 * `v1,… v1,…`.
 */
export const splitParts = (header: string): string[] => header.split(/[\s,;]+/);
