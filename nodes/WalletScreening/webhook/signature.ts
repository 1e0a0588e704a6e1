import { createHmac, timingSafeEqual } from 'crypto';
import type { HeaderFields } from '../shared/http';
import { readHeader, type SignatureScheme, splitParts } from './scheme';
import { deriveKeys } from './secrets';
import { fillTemplate, isWellFormed, parseTime, readSentValues } from './signedText';

/**
 * Why a signature does not count: it, the time or the ID is missing or malformed, it fits no secret,
 * or the time is too far from now.
 */
export type SignatureProblem = 'missing' | 'malformed' | 'mismatch' | 'stale';

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
 * Verifies that the holder of one of the secrets signed this delivery with HMAC-SHA256, within the
 * tolerance. One digest of the signature header that fits is enough. The time is judged after the
 * signature, so a sender without a secret learns nothing about the clock. Section 6 leaves open what
 * is signed, hence the template, which must have passed `checkTemplate`; `signedText.ts` shows why
 * the same signature fits no other body and no other time.
 */
export function verifySignature(
	{ body, headers, url, secrets, toleranceSeconds, now }: SignatureInput,
	scheme: SignatureScheme,
): 'accepted' | SignatureProblem {
	const signature = readHeader(headers, scheme.signatureHeader);
	const sent = readSentValues(headers, scheme);
	if ([signature, sent.timestamp, sent.id].includes('')) return 'missing';

	const digests = findDigests(signature);
	if (digests.length === 0 || !isWellFormed(sent, scheme)) return 'malformed';

	const signed = fillTemplate(scheme.template, { ...sent, body, url });
	const isGenuine = secrets.flatMap(deriveKeys).some((key) => {
		const expected = computeHmac(key, signed);
		return digests.some((digest) => timingSafeEqual(digest, expected));
	});
	if (!isGenuine) return 'mismatch';

	if (sent.timestamp === undefined) return 'accepted';
	const isFresh = Math.abs(now - parseTime(sent.timestamp)) <= toleranceSeconds * 1000;
	return isFresh ? 'accepted' : 'stale';
}

/**
 * A part of a header that ends with 32 bytes in hex or in either alphabet of base64, with any label
 * before them.
 */
const digestPattern = /(?:^|[=:])"?([\da-fA-F]{64}|[\w+/-]{42}[AEIMQUYcgkosw048]=?)"?$/;

/** Finds all digests of HMAC-SHA256 that a header may hold, of 32 bytes each. */
export function findDigests(signature: string): Buffer[] {
	return splitParts(signature).flatMap((part) => {
		const digest = digestPattern.exec(part)?.[1];
		return digest === undefined ? [] : Buffer.from(digest, digest.length === 64 ? 'hex' : 'base64');
	});
}

function computeHmac(key: Buffer, pieces: Array<string | Buffer>): Buffer {
	const hmac = createHmac('sha256', key);
	for (const piece of pieces) hmac.update(piece);
	return hmac.digest();
}
