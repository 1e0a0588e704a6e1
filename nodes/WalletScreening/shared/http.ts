import { invalidInput } from './errors';
import { trimInvisible } from './text';

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
export function isSuccess({ status }: Pick<Answer, 'status'>): boolean {
	return status >= 200 && status < 300;
}

/** Reads the first value of a header; empty if the answer lacks it. */
export function firstHeaderValue(header: string | string[] | undefined): string {
	return (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
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
 * Whether a request to this URL keeps the key private: `https:`, or `http:` that never leaves the
 * machine.
 */
export const isEncryptedOrLocal = (url: URL): boolean =>
	url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));

/** The end of a base URL that is dropped: `/v1`, which each path has (section 9), and slashes. */
export const baseUrlEnd = /(\/+v1)?\/*$/;

/**
 * Normalizes the base URL of the service, e.g. `https://api.example.com`.
 * @throws {ScreeningError} `invalid_input`, which names the `label`
 */
export function normalizeBaseUrl(text: unknown, label: string): string {
	const baseUrlError = (what: string, advice: string) =>
		invalidInput(label, `'${label}' ${what}`, `${advice}, e.g. https://api.example.com.`);
	const url = parseUrl(typeof text === 'string' ? trimInvisible(text) : '');
	if (!url || !isEncryptedOrLocal(url)) {
		const advice =
			'The nodes send the API key over encrypted connections only. Enter the address of the service';
		throw baseUrlError('is not an address with https://', advice);
	}
	if (url.username || url.password || url.search || url.hash) {
		const advice = "Remove user name, password, and everything from '?' or '#' on";
		throw baseUrlError('holds more than an address', advice);
	}
	return (url.origin + url.pathname).replace(baseUrlEnd, '');
}
