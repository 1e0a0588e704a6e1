/** Names in small letters, as Node gives them. */
export type HeaderFields = Record<string, string | string[] | undefined>;

/** The answer of a server, with any status. */
export interface Answer {
	status: number;
	headers: HeaderFields;
	body: Buffer;
	/** Milliseconds that its header `Retry-After` asks for. */
	retryAfter: number | undefined;
}

/** Whether a status is 2xx. */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/**
 * Parses a URL. Returns undefined for text that is no URL. Node 20's `URL.canParse` fails with umlauts
 * after many calls, so it is not used.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** Decodes a segment of a path from percent-encoding; as it is, if that is invalid. */
export function decodeSegment(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

/** Whether this URL is of a loopback host: a request to it never leaves the machine. */
export const isLoopback = ({ hostname }: URL): boolean =>
	/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/**
 * Whether no one on the way can read a request to this URL: it is `https:`, or `http:` that never
 * leaves the machine.
 */
export const isEncryptedOrLocal = (url: URL): boolean =>
	url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
