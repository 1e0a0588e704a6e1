import { createHmac, timingSafeEqual } from 'crypto';
import type { HeaderFields } from '../shared/http';
import { readHeader, type SchemeName, type SignatureScheme, splitTemplate } from './scheme';

/**
 * Why a delivery is refused: signature, time or ID is missing or malformed, no signature fits, or
 * the time is too far from now.
 */
export type RefusalReason = 'missing' | 'malformed' | 'mismatch' | 'stale';

/** A delivery that may be forged, and what its signature is verified with. */
export interface SignatureInput {
	/** The bytes as received. */
	body: Buffer;
	/** Names in any case; a repeated header as an array or joined by commas. */
	headers: HeaderFields;
	/** The Production URL of the node, which the service knows as that of the webhook. */
	url: string;
	/** The secrets that count, in any order; an empty one never verifies anything. */
	secrets: Array<string | undefined>;
	/** How far the time of signing may be from `now`, either way. */
	toleranceSeconds: number;
	/** Milliseconds since 1970. */
	now: number;
}

/**
 * What separates the parts of a signature header, such as `t=…,v1=…` or `ts=…;h1=…` or `v1,… v1,…`.
 */
const separators = /[\s,;]+/;

/**
 * A part of a header that ends with 32 bytes in hex or in either alphabet of base64, with any label
 * before them.
 */
const digestPattern = /(?:^|[=:])"?([\da-fA-F]{64}|[\w+/-]{42}[AEIMQUYcgkosw048]=?)"?$/;

const iso8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Verifies that the holder of one of the secrets signed this delivery with HMAC-SHA256, within the
 * tolerance. One digest of the signature header that fits is enough. Never throws for a template
 * without a problem. The time is judged after the signature, so a sender without a secret learns
 * nothing about the clock. Section 6 leaves open what is signed, hence the template.
 *
 * A template may have nothing between its places. Still no sender can move a part of the signed
 * text from one place to another, so that a second body or time fits the same signature. A time has
 * a fixed form, so it is the same to a second; for one after an ID, see `hasFixedLength`. No time and no ID holds blanks. The node uses only a
 * body that is a JSON object or list, from which nothing but blanks can be taken away, and to which
 * nothing else can be added. For the ID, see `identifiesMessages`.
 */
export function verifySignature(
	{ body, headers, url, secrets, toleranceSeconds, now }: SignatureInput,
	scheme: SignatureScheme,
): 'accepted' | RefusalReason {
	// An empty time or ID is missing from the headers; one that is undefined is not signed in this
	// scheme.
	const signature = readHeader(headers, scheme.signatureHeader);
	const timestamp = readTimestamp(headers, scheme);
	const id = readMessageId(headers, scheme);
	if (signature === '' || timestamp === '' || id === '') return 'missing';

	const digests = findDigests(signature);
	const signedAt = timestamp === undefined ? now : parseTime(timestamp);
	const isIdPrintable = id === undefined || /^[!-~]+$/.test(id);
	const isTimeClear = !/\{id\}\{timestamp\}/.test(scheme.template) || hasFixedLength(timestamp);
	if (digests.length === 0 || Number.isNaN(signedAt) || !isTimeClear || !isIdPrintable)
		return 'malformed';

	const values = new Map<string, string | Buffer | undefined>([
		['{body}', body],
		['{timestamp}', timestamp],
		['{id}', id],
		['{url}', url],
	]);
	const signed = splitTemplate(scheme.template).map((piece) => values.get(piece) ?? piece);
	const isGenuine = secrets.flatMap(deriveKeys).some((key) => {
		const expected = computeHmac(key, signed);
		return digests.some((digest) => timingSafeEqual(digest, expected));
	});
	if (!isGenuine) return 'mismatch';

	const isFresh = Math.abs(now - signedAt) <= toleranceSeconds * 1000;
	return timestamp === undefined || isFresh ? 'accepted' : 'stale';
}

/**
 * Reads the ID that the sender gave a message and keeps when it sends it again; empty if it is not
 * there, undefined if none is signed.
 */
export function readMessageId(headers: HeaderFields, scheme: SignatureScheme): string | undefined {
	if (!scheme.template.includes('{id}')) return undefined;
	if (scheme.idHeader.trim() !== '') return readHeader(headers, scheme.idHeader);
	return readLabelledValue(/^id=/i, readHeader(headers, scheme.signatureHeader));
}

/**
 * Whether the signed text shows where the ID begins. After a time it may not: the first digits of
 * the ID can be read as milliseconds. Then anyone who has seen a delivery could send it again with
 * another ID, so it is known by its content.
 */
export const identifiesMessages = ({ template }: SignatureScheme): boolean =>
	!/\{timestamp\}\.?\{id\}/.test(template);

/**
 * Whether a time directly after an ID shows where it begins: it is in ISO 8601, or has the ten
 * digits of seconds. The last digits of an ID and seconds could be read as milliseconds.
 */
const hasFixedLength = (timestamp = ''): boolean =>
	iso8601.test(timestamp) || /^\d{10}(?:\.\d{1,9})?$/.test(timestamp);

/** Reads the time as it was sent; empty if it is not there, undefined if none is signed. */
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
	return readLabelledValue(/^(?:t|ts|timestamp)=/i, signature);
}

/**
 * Reads what follows the label in the parts of a signature header. Two values join to a text that
 * is no time and no ID.
 */
function readLabelledValue(label: RegExp, signature: string): string {
	const parts = signature.split(separators).filter((part) => label.test(part));
	return parts.map((part) => part.replace(label, '')).join(', ');
}

/** Finds all digests of HMAC-SHA256 that a header may hold, of 32 bytes each. */
export function findDigests(signature: string): Buffer[] {
	return signature.split(separators).flatMap((part) => {
		const digest = digestPattern.exec(part)?.[1];
		return digest === undefined ? [] : Buffer.from(digest, digest.length === 64 ? 'hex' : 'base64');
	});
}

/**
 * Parses a time to milliseconds since 1970. It may be in seconds, also with a fraction, in
 * milliseconds (12 or 13 digits, because so many seconds are beyond the year 5000), or in ISO 8601
 * with a zone. Returns `NaN` for any other text, also for one that begins with a zero: the zero
 * could be the end of an ID before it.
 */
export function parseTime(text: string): number {
	if (iso8601.test(text)) return Date.parse(text);
	if (!/^[1-9]\d{0,10}(?:\.\d{1,9})?$|^[1-9]\d{11,12}$/.test(text)) return NaN;
	const time = Number(text);
	return time < 1e11 ? time * 1000 : time;
}

/**
 * Returns the problem of a secret that can never verify a delivery, to follow the name of its
 * field; undefined for a usable one.
 */
export function checkSecret(
	secret: string | undefined,
	schemeName: SchemeName,
): string | undefined {
	const keys = deriveKeys(secret);
	if (keys.length === 0) return 'is empty';
	const isStandard = schemeName === 'standardWebhooks' && secret?.trim().startsWith('whsec_');
	return isStandard && keys.length === 1 ? 'has no base64 text after "whsec_"' : undefined;
}

/**
 * Derives the keys of HMAC that a secret stands for: its text, and the bytes of its base64, with or
 * without the `whsec_` of Standard Webhooks. Stripe signs with a text that begins like that, and
 * some senders of Standard Webhooks sign with a text.
 */
function deriveKeys(secret: string | undefined): Buffer[] {
	const text = secret?.trim() ?? '';
	const base64 = text.replace(/^whsec_/, '');
	if (base64 === '') return [];
	const bytes = Buffer.from(base64, 'base64');
	const isBase64 = bytes.toString('base64') === base64;
	return isBase64 ? [Buffer.from(text), bytes] : [Buffer.from(text)];
}

function computeHmac(key: Buffer, pieces: Array<string | Buffer>): Buffer {
	const hmac = createHmac('sha256', key);
	for (const piece of pieces) hmac.update(piece);
	return hmac.digest();
}
