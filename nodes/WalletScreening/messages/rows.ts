import { isEncryptedOrLocal, parseUrl } from '../shared/http';
import { hasValue, type JsonObject } from '../shared/json';
import { inQuotes } from '../shared/neutralize';
import { formatValue } from '../shared/text';
import type { FactRow, Row, SentenceRow, ValueRow } from './message';

/*
 * Rows that messages share. Each shows a value as no more than a value, and is of bounded length.
 */

/** What a message shows beside its report, failure or items. */
export interface MessageContext {
	/** What the user calls the matter, e.g. the ID of the payment or the customer. */
	reference?: unknown;
	/** When the report was decided on, or the request failed. */
	at?: Date | undefined;
	/** The time zone in which `at` is shown. */
	timeZone?: string | undefined;
	policy?: { name?: unknown; version?: unknown } | undefined;
	/** The chain that was asked for, if the report is of another one. */
	askedChain?: unknown;
}

/** Makes a row for each part of the context that is there. */
export function contextRows(context: MessageContext): ValueRow[] {
	const { reference, at, timeZone = 'UTC', policy = {}, askedChain } = context;
	const name = hasValue(policy.name) ? [formatValue(policy.name, 64)] : [];
	const version = hasValue(policy.version) ? [`version ${formatValue(policy.version, 32)}`] : [];
	return rowsFor({
		'Chain asked for': askedChain,
		Reference: reference,
		Date: at && formatDate(at, timeZone),
		Policy: [...name, ...version].join(', '),
	});
}

/** @example "2026-11-23 00:05 UTC", also for a time zone that this machine does not know */
function formatDate(at: Date, givenZone: string): string {
	const timeZone = isTimeZone(givenZone) ? givenZone : 'UTC';
	// Swedes write a date as year, month and day.
	const date = at.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
	return `${date} ${timeZone.replaceAll('_', ' ')}`;
}

function isTimeZone(name: string): boolean {
	try {
		new Intl.DateTimeFormat('en', { timeZone: name });
		return true;
	} catch {
		return false;
	}
}

const maxUrlLength = 2_000;

/**
 * Makes a link to the report if it leads over a private connection and shows no other host before
 * an @, else a row of its text.
 */
export function createLinkRow(value: unknown): FactRow {
	const url = typeof value === 'string' ? parseUrl(value) : undefined;
	const isSafe =
		url &&
		isEncryptedOrLocal(url) &&
		!url.username &&
		!url.password &&
		url.href.length <= maxUrlLength;
	return isSafe ? { kind: 'link', label: 'Report', url: url.href } : createRow('Report', value);
}

export const createRow = (label: string, value: unknown, maxLength = 300): ValueRow => ({
	kind: 'value',
	label,
	value: formatValue(value, maxLength),
});

export const createSentence = (text: string): SentenceRow => ({ kind: 'sentence', text });

/** Makes a row for each of the values, by its label, that is there. */
export const rowsFor = (values: JsonObject): ValueRow[] =>
	Object.entries(values).flatMap(([label, value]) =>
		hasValue(value) ? [createRow(label, value)] : [],
	);

/** Makes a text for each of the first `max` values, and one with the number of the others. */
export function firstTextsAndCount<T>(
	all: readonly T[],
	max: number,
	write: (one: T) => string,
): string[] {
	return [...all.slice(0, max).map(write), ...othersText(all, max)];
}

/** Makes a row for each of the first `max` values, and one with the number of the others. */
export function firstRowsAndCount<T>(
	all: readonly T[],
	max: number,
	createRowOf: (one: T) => Row,
): Row[] {
	return [...all.slice(0, max).map(createRowOf), ...othersText(all, max).map(createSentence)];
}

/** The one text that counts the values beyond the first `max`; none if there are no others. */
function othersText(all: readonly unknown[], max: number): string[] {
	return all.length > max ? [`… and ${all.length - max} more`] : [];
}

/**
 * Writes a value as a part of a sentence. A text of more than one plain word stands in quotation
 * marks.
 */
export function formatInSentence(value: unknown, maxLength = 24): string {
	const text = formatValue(value, maxLength);
	const isWord = !hasValue(value) || typeof value === 'number' || /^[\p{L}\p{N}]+$/u.test(text);
	return isWord ? text : inQuotes(text);
}

/** Letters and digits, perhaps after the name of a format. */
const addressPattern = /^(?:[a-z]{2,20}:)?(?=[a-z]*\d)[a-z\d]+$/i;

/**
 * Writes an address. One of letters and digits, perhaps after the name of a format, stands without
 * quotation marks. Any other text has them, e.g. “nano‗1…”: when the message is written, characters
 * that could become a link or formatting are replaced.
 */
export function formatAddress(value: unknown): string {
	const text = formatValue(value, 254);
	return addressPattern.test(text) || !hasValue(value) ? text : inQuotes(text);
}
