import { createHmac, timingSafeEqual } from 'crypto';
import type { Headers } from '../pace/answer';

/** What the service signs, and how it sends signature, time and id. */
export type SignatureScheme = 'body' | 'timestampAndBody' | 'stripe' | 'standardWebhooks';

/** Why a delivery is rejected: signature, time or ID is missing or malformed, no signature fits, or the time is too far from now. */
export type RejectionReason = 'missing' | 'malformed' | 'mismatch' | 'stale';

/** A delivery that may be forged, and what it is verified by. */
export interface ReceivedDelivery {
	/** The bytes as received. */
	body: Buffer;
	/** Names in any case; a repeated header as an array or joined by commas. */
	headers: Headers;
	/** The secrets that count, in any order; blank and unusable ones never verify anything. */
	secrets: Array<string | undefined>;
	scheme: SignatureScheme;
	/** Not read for `standardWebhooks`, which names its headers itself. */
	signatureHeader: string;
	/** Read for `timestampAndBody` only. */
	timestampHeader: string;
	/** How far the time of signing may be from `now`, either way. */
	toleranceSeconds: number;
	/** Milliseconds since 1970. */
	now: number;
}

/** What the headers say; an empty text stands for a header that is not there. */
interface SignatureParts {
	signatures: string[];
	id?: string;
	timestamp?: string;
}

/** Enough for every secret under rotation, and little work for a header full of nonsense. */
const entriesRead = 32;

const digestBytes = 32;

const separators = /[ \t,]+/;

/** Printable ASCII but the dot, so that `id.timestamp.body` can be read in one way only. */
const idPattern = /^[!-\-/-~]+$/;

const iso8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Whether the holder of one of the secrets signed these bytes, with HMAC-SHA256, within the tolerance. Digests are hex, base64
 * or base64url; one that fits is enough. Never throws. The time is judged after the signature, so nobody without a secret
 * learns about the clock. Section 6 leaves open what is signed, hence the schemes.
 */
export function verifySignature(delivery: ReceivedDelivery): 'accepted' | RejectionReason {
	const { body, secrets, scheme, toleranceSeconds, now } = delivery;
	const { signatures, id, timestamp } = readSignatureParts(delivery);
	if (signatures.length === 0 || id === '' || timestamp === '') return 'missing';

	const digests = signatures.map(decodeDigest).filter((digest) => digest.length === digestBytes);
	const read = scheme === 'timestampAndBody' ? anyTime : epochMilliseconds;
	const signedAt = timestamp === undefined ? now : read(timestamp);
	if (digests.length === 0 || Number.isNaN(signedAt) || (id !== undefined && !idPattern.test(id))) {
		return 'malformed';
	}

	const preamble = [id, timestamp].map((part) => (part === undefined ? '' : `${part}.`)).join('');
	const genuine = secrets
		.map((secret) => keyOfHmac(secret, scheme))
		.filter((key) => key.length > 0)
		.map((key) => createHmac('sha256', key).update(preamble).update(body).digest())
		.some((expected) => digests.some((digest) => timingSafeEqual(digest, expected)));
	if (!genuine) return 'mismatch';

	const fresh = Math.abs(now - signedAt) <= toleranceSeconds * 1000;
	return timestamp === undefined || fresh ? 'accepted' : 'stale';
}

/** Why a secret can never verify a delivery, to follow the name of its field; undefined for a usable one. */
export function faultOfSecret(secret: string | undefined, scheme: SignatureScheme) {
	if (keyOfHmac(secret, scheme).length > 0) return undefined;
	return /^(?:whsec_)?$/.test(secret?.trim() ?? '')
		? 'is empty'
		: 'is not a Standard Webhooks secret, which is base64 text, usually after "whsec_"';
}

/** The ID that the sender gave a message and keeps when it sends it again; undefined if the scheme has none. */
export function messageIdOf(headers: Headers, scheme: SignatureScheme): string | undefined {
	return scheme === 'standardWebhooks' ? headerText(headers, 'webhook-id') : undefined;
}

/** Whether a header may hold a signature in any of the schemes. */
export function mayHoldSignature(text: string): boolean {
	// All spellings of 32 bytes are that long; few other headers are.
	return (
		/[\w+/-]{43}/.test(text) &&
		bareSignatures(text).some((entry) => decodeDigest(entry).length === digestBytes)
	);
}

function readSignatureParts(delivery: ReceivedDelivery): SignatureParts {
	const textOf = (name: string) => headerText(delivery.headers, name);
	const given = textOf(delivery.signatureHeader);
	switch (delivery.scheme) {
		case 'body':
			return { signatures: bareSignatures(given) };
		case 'timestampAndBody':
			return { signatures: bareSignatures(given), timestamp: textOf(delivery.timestampHeader) };
		case 'stripe': {
			const entries = given.split(separators, entriesRead);
			// Two times join to a text that is no time: nobody is to choose between them.
			return {
				signatures: entriesAfter(entries, 'v1='),
				timestamp: entriesAfter(entries, 't=').join(),
			};
		}
		case 'standardWebhooks': {
			const entries = textOf('webhook-signature').split(/,?[ \t]+/, entriesRead);
			const [id, timestamp] = [textOf('webhook-id'), textOf('webhook-timestamp')];
			return { signatures: entriesAfter(entries, 'v1,'), id, timestamp };
		}
	}
}

/** The values of a header, joined by commas; empty if it is not there. */
function headerText(headers: Headers, name: string): string {
	const wanted = name.trim().toLowerCase();
	return Object.entries(headers)
		.filter(([key]) => key.toLowerCase() === wanted)
		.flatMap(([, value]) => value ?? [])
		.join(', ');
}

function bareSignatures(text: string): string[] {
	return text
		.split(separators, entriesRead)
		.map((entry) => entry.replace(/^(?:(?:hmac-)?sha256|v1)[=:]/i, '').replace(/^"([^"]*)"$/, '$1'))
		.filter((entry) => entry !== '');
}

/** What follows the label, in each entry that begins with it. */
function entriesAfter(entries: string[], label: string): string[] {
	return entries.flatMap((entry) => (entry.startsWith(label) ? entry.slice(label.length) : []));
}

/** The bytes of hex, or of base64 in either alphabet, with or without padding; none of any other text. */
function decodeDigest(text: string): Buffer {
	const ofHex = Buffer.from(text, 'hex');
	if (ofHex.toString('hex') === text.toLowerCase()) return ofHex;
	const unpadded = text.replace(/=$/, '');
	const bytes = Buffer.from(unpadded, 'base64');
	const spellings = [bytes.toString('base64').replace('=', ''), bytes.toString('base64url')];
	return spellings.includes(unpadded) ? bytes : Buffer.alloc(0);
}

/** Milliseconds since 1970 of a time in whole seconds or (12 digits and more: else beyond the year 5000) milliseconds, or `NaN`. */
function epochMilliseconds(text: string): number {
	if (!/^\d{1,13}$/.test(text)) return NaN;
	const time = Number(text);
	return time < 1e11 ? time * 1000 : time;
}

/**
 * Milliseconds since 1970 of a time as `epochMilliseconds` reads it, or in decimal seconds, or in ISO 8601 with a zone,
 * else `NaN`. A decimal point could change places with the dot before the body, but what is left behind it makes no JSON.
 */
export function anyTime(text: string): number {
	if (/^\d{1,11}\.\d{1,9}$/.test(text)) return Number(text) * 1000;
	if (iso8601.test(text)) return Date.parse(text);
	return epochMilliseconds(text);
}

/** The key of HMAC, in Standard Webhooks from canonical base64; empty for a secret that must not verify anything. */
function keyOfHmac(secret: string | undefined, scheme: SignatureScheme): Buffer {
	const text = secret?.trim() ?? '';
	if (scheme !== 'standardWebhooks') return Buffer.from(text);
	const base64 = text.replace(/^whsec_/, '');
	const bytes = Buffer.from(base64, 'base64');
	return bytes.toString('base64') === base64 ? bytes : Buffer.alloc(0);
}
