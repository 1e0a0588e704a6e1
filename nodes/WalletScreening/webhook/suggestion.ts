import { invalidInput, type ScreeningError } from '../shared/errors';
import type { HeaderFields } from '../shared/http';
import { toLogText } from '../shared/text';
import { readHeader, resolveScheme, type SignatureSettings } from './scheme';
import { labelOf, schemeWords } from './settings';
import { findDigests, type SignatureInput, verifySignature } from './signature';
import { parseTime, readLabelledTime } from './signedText';

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
 * Anyone can send a delivery that the node then looks into, so the work has limits: for each key of
 * the secrets, a body of at most half a megabyte is hashed for about 100 candidates at most. Those
 * are, for each of two signature headers, the named schemes and up to 46 combinations of a custom
 * template with headers.
 */
const maxBodyBytes = 2 ** 19;
const maxSignatureHeaders = 2;
const maxTimes = 3;
const maxIds = 4;

/**
 * Settings of the node that a delivery may fit; those that their scheme does not need are absent.
 */
export interface Suggestion extends Partial<SignatureSettings> {
	signedContent: SignatureSettings['signedContent'];
	signatureHeader: string;
}

/** Whether the delivery is small enough to look for settings that it fits. */
export const isSearchable = ({ body }: SignatureInput) => body.length <= maxBodyBytes;

/**
 * Finds the settings that a delivery fits at any time; undefined if it fits none, or is too large
 * to look for any.
 */
export function findFittingSettings(
	input: SignatureInput,
	current: SignatureSettings,
): Suggestion | undefined {
	if (!isSearchable(input)) return undefined;
	return listCandidates(input, current).find((candidate) => {
		const scheme = resolveScheme({ ...current, ...candidate }, input.headers);
		const verdict = verifySignature(input, scheme);
		return verdict === 'accepted' || verdict === 'stale';
	});
}

/** Lists the settings to try, the most likely ones first. */
function listCandidates(
	{ headers, now }: SignatureInput,
	current: SignatureSettings,
): Suggestion[] {
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
function listNamedSchemes(signatureHeader: string, timestampHeaders: string[]): Suggestion[] {
	return [
		{ signedContent: 'body', signatureHeader },
		{ signedContent: 'stripe', signatureHeader },
		...timestampHeaders.map((timestampHeader): Suggestion => ({
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
): Suggestion[] {
	return templates.flatMap((signedTemplate) =>
		combineHeaders(signedTemplate, timestampHeaders, idHeaders).map((others): Suggestion => ({
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
		if (findDigests(text).length === 0) return NaN;
		return /sign|hmac/i.test(name) ? 0 : 1;
	});

/** Finds the headers that hold a time, the one nearest to now first. */
const findTimestampHeaders = (headers: HeaderFields, now: number) =>
	rankHeaders(headers, maxTimes, (_name, text) => Math.abs(now - parseTime(text)));

/**
 * Finds the headers that hold what looks like an ID: those with the name of one first, those that
 * may be a time last.
 */
const findIdHeaders = (headers: HeaderFields) =>
	rankHeaders(headers, maxIds, (name, text) => {
		const isId = /^(?=.*\d)[\w-]{8,128}$/.test(text) && findDigests(text).length === 0;
		if (!isId) return NaN;
		if (/id$/i.test(name)) return 0;
		return Number.isNaN(parseTime(text)) ? 1 : 2;
	});

/**
 * Ranks headers, and gives the names of at most `max`, those of the lowest rank first, without
 * those whose rank is `NaN`.
 */
function rankHeaders(
	headers: HeaderFields,
	max: number,
	rankOf: (name: string, text: string) => number,
): string[] {
	return Object.entries(headers)
		.map(([name, value]) => ({ name, rank: rankOf(name, [value ?? []].flat().join(', ')) }))
		.filter(({ rank }) => !Number.isNaN(rank))
		.sort((one, other) => one.rank - other.rank)
		.slice(0, max)
		.map(({ name }) => name);
}

/**
 * Creates the error that names the settings which a delivery fits while those of the node refuse
 * it; undefined if it fits none.
 */
export function createSuggestionError(
	input: SignatureInput,
	current: SignatureSettings,
): ScreeningError | undefined {
	const found = findFittingSettings(input, current);
	if (!found) return undefined;
	const suggestion = makePrintable(found);
	const changes = findChanges(suggestion, current);
	const advice = changes.map(
		({ label, value }) => `'${label}' to ${value === '' ? 'an empty text' : `'${value}'`}`,
	);
	return invalidInput(
		changes[0]?.label ?? '',
		'The delivery is signed with the webhook secret, but the settings of this node do not match it',
		`Set ${advice.join(', ')}.`,
		{ suggestion },
	);
}

/** Whether a setting is the name of a header. */
const isHeaderName = (setting: string): boolean => setting.endsWith('Header');

/**
 * Makes the names of the headers printable, because the sender wrote them. The template is the
 * node's own.
 */
function makePrintable(suggestion: Suggestion): Suggestion {
	const printable = Object.entries(suggestion).map(([setting, text]) => [
		setting,
		isHeaderName(setting) ? toLogText(text) : text,
	]);
	return Object.fromEntries(printable) as Suggestion;
}

/** A field of the node, and the value that it should have. */
interface SettingChange {
	label: string;
	value: string;
}

/** Finds the fields of the node that differ from the suggestion, by their labels in the editor. */
function findChanges(suggestion: Suggestion, current: SignatureSettings): SettingChange[] {
	const { signedContent, signedTemplate, signatureHeader, timestampHeader, idHeader } = suggestion;
	// Standard Webhooks names its headers itself.
	const isStandard = signedContent === 'standardWebhooks';
	const values: Record<keyof SignatureSettings, string | undefined> = {
		signedContent: schemeWords[signedContent].name,
		signedTemplate,
		signatureHeader: isStandard ? undefined : signatureHeader,
		timestampHeader,
		idHeader,
	};
	const currentValues = { ...current, signedContent: schemeWords[current.signedContent].name };
	const names = Object.keys(values) as Array<keyof SignatureSettings>;
	return names.flatMap((name) => {
		const value = values[name];
		const before = currentValues[name];
		// Headers have no case, and a template counts as it is.
		const isSame =
			value === undefined ||
			(isHeaderName(name) ? value.toLowerCase() === before.trim().toLowerCase() : value === before);
		return isSame ? [] : [{ label: labelOf(name), value }];
	});
}
