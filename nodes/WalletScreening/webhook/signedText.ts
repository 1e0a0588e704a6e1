import type { HeaderFields } from '../shared/http';
import { readHeader, type SignatureScheme, splitParts, splitTemplate } from './scheme';

/*
 * The text that a service signs: the template, with a value in each place. A signature covers the
 * text, but not where one value ends and the next one begins. So a stranger who has seen a delivery
 * could divide its text in another way, and send a part of one value as a part of the next, under
 * the same signature. In none of these ways does another body count, or another time that is near
 * enough to now:
 *
 * 1. `{id}{body}`: a body, and what is beside it. The node uses only a body that is a JSON object or
 *    list (`readDelivery.ts`). With more or less than that it is no JSON, but for blanks. No time and
 *    no ID begins or ends with a blank, so the blanks stay in the body, where they mean nothing.
 * 2. `{id}{timestamp}`, with nothing or only digits of the template between the two: `msg_176` and
 *    `1764265330`, in seconds, could be read as `msg_` and `1761764265330`, in milliseconds. So
 *    there the time has a fixed length.
 * 3. `{timestamp}.{id}`, with nothing or only a dot and digits between the two: `1764265330` and
 *    `123x` could be read as `1764265330123` and `x`. Either way the time is the same to a
 *    second, or decades away. The ID is not the same, so it does not count: `identifiesMessages`.
 * 4. `v1:{url}`: a URL, and a text of the template. They are the node's own, and the sender gives
 *    neither.
 *
 * With another text between two places, a stranger has less choice: the text must also stand where
 * the two values are divided anew. A value in two places is the same in both.
 */

/** The values that the sender names in the headers. */
interface SentValues {
	/** As it was sent; empty if it is not there, undefined if none is signed. */
	timestamp: string | undefined;
	/** Empty if it is not there, undefined if none is signed. */
	id: string | undefined;
}

/** A value for each place. */
interface SignedValues extends SentValues {
	body: Buffer;
	url: string;
}

/** Reads the values that the sender names in the headers. */
export function readSentValues(headers: HeaderFields, scheme: SignatureScheme): SentValues {
	return { timestamp: readTimestamp(headers, scheme), id: readMessageId(headers, scheme) };
}

/**
 * Whether the values of the sender have the form that the rules at the top of this file need: the
 * time can be read, and none of them is missing.
 */
export function isWellFormed(
	{ timestamp, id }: SentValues,
	{ template }: SignatureScheme,
): boolean {
	const isTime = timestamp === undefined || !Number.isNaN(parseTime(timestamp));
	const isPrintable = id === undefined || /^[!-~]+$/.test(id);
	const isTimeClear = !/\{id\}\d*\{timestamp\}/.test(template) || hasFixedLength(timestamp);
	return isTime && isPrintable && isTimeClear;
}

/** Fills a template with the values, and gives the pieces of the signed text in their order. */
export function fillTemplate(template: string, values: SignedValues): Array<string | Buffer> {
	const { body, timestamp, id, url } = values;
	const places = new Map<string, string | Buffer | undefined>([
		['{body}', body],
		['{timestamp}', timestamp],
		['{id}', id],
		['{url}', url],
	]);
	return splitTemplate(template).map((piece) => places.get(piece) ?? piece);
}

/**
 * Whether the ID of a message is certain, so that it tells deliveries apart. After a time it is not
 * (rule 3): anyone who has seen a delivery could send it again with another ID. Then a delivery is
 * known by its content alone.
 */
export const identifiesMessages = ({ template }: SignatureScheme): boolean =>
	!/\{timestamp\}[.\d]*\{id\}/.test(template);

/**
 * Reads the ID that the sender gave a message and keeps when it sends it again; empty if it is not
 * there, undefined if none is signed. Other messages may have the same.
 */
export function readMessageId(headers: HeaderFields, scheme: SignatureScheme): string | undefined {
	if (!scheme.template.includes('{id}')) return undefined;
	if (scheme.idHeader.trim() !== '') return readHeader(headers, scheme.idHeader);
	return readLabelledValue(/^id=/i, readHeader(headers, scheme.signatureHeader));
}

function readTimestamp(headers: HeaderFields, scheme: SignatureScheme): string | undefined {
	if (!scheme.template.includes('{timestamp}')) return undefined;
	if (scheme.timestampHeader.trim() !== '') return readHeader(headers, scheme.timestampHeader);
	return readLabelledTime(readHeader(headers, scheme.signatureHeader));
}

/**
 * Reads the time from a header that contains it together with the signature; empty if it is not
 * there.
 */
export function readLabelledTime(signature: string): string {
	return readLabelledValue(/^(?:t|ts|time|timestamp)=/i, signature);
}

/**
 * Reads what follows the label in the parts of a signature header. It may stand there twice, as in
 * `t=1,v1=… t=1,v1=…` while a secret is changed. Two different values join to a text that is no
 * time and no ID.
 */
function readLabelledValue(label: RegExp, signature: string): string {
	const parts = splitParts(signature).filter((part) => label.test(part));
	const values = new Set(parts.map((part) => part.replace(label, '')));
	return [...values].join(', ');
}

const iso8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Whether a text is a date of HTTP (RFC 9110), such as `Thu, 25 Feb 2021 15:02:10 GMT`. */
const isHttpDate = (text: string): boolean =>
	!Number.isNaN(Date.parse(text)) && new Date(text).toUTCString() === text;

const unixTime = /^[1-9]\d{0,10}(?:\.\d{1,9})?$|^[1-9]\d{11,12}$|^[1-9]\d{15}$/;

/**
 * Parses a time to milliseconds since 1970. It may be in seconds, also with a fraction, in
 * milliseconds (12 or 13 digits, because so many seconds are beyond the year 5000), in microseconds
 * (16 digits), in ISO 8601 with its zone, or a date of HTTP. Returns `NaN` for any other text, also
 * for one that begins with a zero: the zero could be the end of an ID before it.
 */
export function parseTime(text: string): number {
	// The standard of JavaScript has a colon in the zone, and Node.js also reads it without one.
	if (iso8601.test(text) || isHttpDate(text)) return Date.parse(text);
	if (!unixTime.test(text)) return NaN;
	const time = Number(text);
	if (time < 1e11) return time * 1000;
	return time < 1e15 ? time : time / 1000;
}

/** Whether a time is in ISO 8601, a date of HTTP, or has the ten digits of seconds (rule 2). */
const hasFixedLength = (timestamp = ''): boolean =>
	iso8601.test(timestamp) || isHttpDate(timestamp) || /^\d{10}(?:\.\d{1,9})?$/.test(timestamp);
