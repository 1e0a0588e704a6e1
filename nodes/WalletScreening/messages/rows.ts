import { isPrivate, parseUrl } from '../shared/http';
import { type Fields, isGiven } from '../shared/json';
import { inQuotes } from '../shared/neutralize';
import { formatValue } from '../shared/text';
import type { Row } from './message';

/* Rows that messages share. Each shows a value as no more than a value, and is of bounded length. */

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

/** A row for each part of the context that is there. */
export function contextRows(context: MessageContext): Row[] {
	const { reference, at, timeZone = 'UTC', policy = {}, askedChain } = context;
	const name = isGiven(policy.name) ? [formatValue(policy.name, 64)] : [];
	const version = isGiven(policy.version) ? [`version ${formatValue(policy.version, 32)}`] : [];
	return rowsFor({
		'Chain asked for': askedChain,
		Reference: reference,
		Date: at && dateText(at, timeZone),
		Policy: [...name, ...version].join(', '),
	});
}

/** @example "2026-11-23 00:05 UTC" */
function dateText(at: Date, timeZone: string): string {
	// Swedes write a date as year, month and day.
	const date = at.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
	return `${date} ${timeZone.replaceAll('_', ' ')}`;
}

/** A link to the report if it leads over a private connection and shows no other host before an @, else the value as a text. */
export function linkRows(value: unknown): Row[] {
	const url = typeof value === 'string' ? parseUrl(value) : undefined;
	const isSafe =
		url && isPrivate(url) && !url.username && !url.password && url.href.length <= 2_000;
	return isSafe ? [{ label: 'Report', url: url.href }] : [createRow('Report', value)];
}

export const createRow = (label: string, value: unknown, maxLength = 300): Row => ({
	label,
	value: formatValue(value, maxLength),
});

/** A row for each of the values, by its label, that is there. */
export const rowsFor = (values: Fields): Row[] =>
	Object.entries(values).flatMap(([label, value]) =>
		isGiven(value) ? [createRow(label, value)] : [],
	);

/** A row for each of the first `max` values, and one with the number of the others. */
export function firstRows<T>(all: readonly T[], max: number, rowOf: (one: T) => Row): Row[] {
	const rows = all.slice(0, max).map(rowOf);
	const others = all.length - max;
	return others > 0 ? [...rows, { value: `… and ${others} more` }] : rows;
}

/** A value as a part of a sentence. A text of more than one plain word stands in quotation marks. */
export function inSentence(value: unknown, maxLength = 24): string {
	const text = formatValue(value, maxLength);
	const isWord = !isGiven(value) || typeof value === 'number' || /^[\p{L}\p{N}]+$/u.test(text);
	return isWord ? text : inQuotes(text);
}

/** Letters and digits, perhaps after the name of a format. */
const addressPattern = /^(?:[a-z]{2,20}:)?(?=[a-z]*\d)[a-z\d]+$/i;

/** An address as it is. A text that does not look like one stands in quotation marks. */
export function addressText(value: unknown): string {
	const text = formatValue(value, 254);
	return addressPattern.test(text) || !isGiven(value) ? text : inQuotes(text);
}
