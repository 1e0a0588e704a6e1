import vectors from './signatureVectors.json';

/*
 * Bodies and their signatures, all made with openssl. For a body in FILE:
 *
 *   body              openssl dgst -sha256 -hmac SECRET <FILE
 *   timestampAndBody  (printf '%s.' 1614265330; cat FILE) | openssl dgst -sha256 -hmac SECRET
 *   standardWebhooks  (printf '%s.%s.' msg_p5jXN8AQM9LWM0D4loKWxJek 1614265330; cat FILE) |
 *                     openssl dgst -sha256 -mac HMAC -macopt hexkey:KEY -binary | base64
 *
 * where KEY is $(printf %s MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw | base64 -d | xxd -p).
 * `jsonBase64` comes from the first command with `-binary | base64`.
 */

export const SECRET = 'wallet-hook-secret-2026';
export const PREVIOUS_SECRET = 'wallet-hook-secret-2025';
export const STANDARD_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const MESSAGE_ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
export const SIGNED_AT = 1614265330;

/** A body with its signature in each scheme. */
export interface Vector {
	readonly content: Buffer;
	readonly body: string;
	readonly timestampAndBody: string;
	readonly standardWebhooks: string;
}

const readVector = ({ content, encoding, ...signatures }: (typeof vectors)['json']): Vector => ({
	...signatures,
	content: Buffer.from(content, encoding as BufferEncoding),
});

/** The body that most tests use. It is JSON. */
export const json = readVector(vectors.json);
export const bodies = [
	json,
	...[vectors.unicode, vectors.invalidUtf8, vectors.empty].map(readVector),
];
/** Other signatures of the body of `json`: in Base64, and with the previous secret. */
export const { jsonBase64, byPreviousSecret } = vectors;
