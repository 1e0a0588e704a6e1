import type { HeaderFields } from '../shared/http';
import { readHeader, resolveScheme, type SignatureSettings } from './scheme';
import { findDigests, type SignatureInput } from './signature';
import { parseTime, readLabelledTime } from './signedText';

/**
 * Settings of the node that a delivery may fit; those that their scheme does not need are absent.
 */
export interface Candidate extends Partial<SignatureSettings> {
	signedContent: SignatureSettings['signedContent'];
	signatureHeader: string;
}

/**
 * Templates to try with the scheme `custom`. One is that of Standard Webhooks, for senders that use
 * other header names. `{timestamp}.{body}` is not among them, because two named schemes have it.
 */
const publicTemplates = [
	'v0:{timestamp}:{body}',
	'{timestamp}:{body}',
	'{timestamp}{body}',
	'{id}{timestamp}{body}',
	'{id}.{timestamp}.{body}',
	'{url}{body}',
];

/*
 * Anyone can send a delivery that the node then looks into, so there are about 100 candidates at
 * most: for each of two signature headers, the named schemes and up to 46 combinations of a custom
 * template with headers.
 */
const maxSignatureHeaders = 2;
const maxTimes = 3;
const maxIds = 4;

/**
 * Lists the settings that a delivery may fit, by what its headers hold, the most likely ones first.
 * `current` are those of the node.
 */
export function listCandidates(
	{ headers, now }: SignatureInput,
	current: SignatureSettings,
): Candidate[] {
	const standard = resolveScheme({ ...current, signedContent: 'standardWebhooks' }, headers);
	const isCustom = current.signedContent === 'custom';
	const templates = new Set([...publicTemplates, ...(isCustom ? [current.signedTemplate] : [])]);
	const timestampHeaders = findTimestampHeaders(headers, now);
	const idHeaders = findIdHeaders(headers);
	return [
		{ signedContent: 'standardWebhooks', signatureHeader: standard.signatureHeader },
		...findSignatureHeaders(headers).flatMap((signatureHeader) => {
			const holdsTime = readLabelledTime(readHeader(headers, signatureHeader)) !== '';
			// An empty name stands for the signature header.
			const times = [...(holdsTime ? [''] : []), ...timestampHeaders].slice(0, maxTimes);
			return [
				...listNamedSchemes(signatureHeader, timestampHeaders),
				...listTemplates(signatureHeader, [...templates], times, idHeaders),
			];
		}),
	];
}

/**
 * Lists the settings of the schemes `body`, `stripe` and `timestampAndBody` for a signature header.
 */
function listNamedSchemes(signatureHeader: string, timestampHeaders: string[]): Candidate[] {
	return [
		{ signedContent: 'body', signatureHeader },
		{ signedContent: 'stripe', signatureHeader },
		...timestampHeaders.map((timestampHeader): Candidate => ({
			signedContent: 'timestampAndBody',
			signatureHeader,
			timestampHeader,
		})),
	];
}

/** Lists the settings of the scheme `custom` for a signature header, for each template. */
function listTemplates(
	signatureHeader: string,
	templates: string[],
	timestampHeaders: string[],
	idHeaders: string[],
): Candidate[] {
	return templates.flatMap((signedTemplate) =>
		combineHeaders(signedTemplate, timestampHeaders, idHeaders).map((others): Candidate => ({
			signedContent: 'custom',
			signedTemplate,
			signatureHeader,
			...others,
		})),
	);
}

/** Lists each choice of the headers that a template needs. */
function combineHeaders(
	template: string,
	timestampHeaders: string[],
	idHeaders: string[],
): Array<{ timestampHeader?: string; idHeader?: string }> {
	const times = template.includes('{timestamp}')
		? timestampHeaders.map((timestampHeader) => ({ timestampHeader }))
		: [{}];
	const ids = template.includes('{id}') ? idHeaders.map((idHeader) => ({ idHeader })) : [{}];
	return times.flatMap((time) => ids.map((id) => ({ ...time, ...id })));
}

/** Finds the headers that hold 32 bytes, those with the name of a signature first. */
const findSignatureHeaders = (headers: HeaderFields) =>
	rankHeaders(headers, maxSignatureHeaders, (name, text) => {
		if (findDigests(text).length === 0) return undefined;
		return /sign|hmac/i.test(name) ? 0 : 1;
	});

/** Finds the headers that hold a time, the one nearest to now first. */
const findTimestampHeaders = (headers: HeaderFields, now: number) =>
	rankHeaders(headers, maxTimes, (_name, text) => {
		const distance = Math.abs(now - parseTime(text));
		return Number.isNaN(distance) ? undefined : distance;
	});

/**
 * Finds the headers that hold what looks like an ID: those with the name of one first, those that
 * may be a time last.
 */
const findIdHeaders = (headers: HeaderFields) =>
	rankHeaders(headers, maxIds, (name, text) => {
		const isId = /^(?=.*\d)[\w-]{8,128}$/.test(text) && findDigests(text).length === 0;
		if (!isId) return undefined;
		if (/id$/i.test(name)) return 0;
		return Number.isNaN(parseTime(text)) ? 1 : 2;
	});

/**
 * The names of at most `max` headers, those of the lowest rank first, without those that have no
 * rank.
 */
function rankHeaders(
	headers: HeaderFields,
	max: number,
	rankOf: (name: string, text: string) => number | undefined,
): string[] {
	return Object.entries(headers)
		.map(([name, value]) => ({ name, rank: rankOf(name, [value ?? []].flat().join(', ')) }))
		.filter((ranked): ranked is { name: string; rank: number } => ranked.rank !== undefined)
		.sort((one, other) => one.rank - other.rank)
		.slice(0, max)
		.map(({ name }) => name);
}
