import { invalidInput } from './errors';
import { parseUrl } from './url';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether this URL is of a loopback host: a request to it never leaves the machine. */
export function isLoopback(url: URL): boolean {
	return loopback.test(url.hostname);
}

/** Whether a request to this URL keeps the key private: `https:`, or `http:` that never leaves the machine. */
export function isPrivate(url: URL): boolean {
	return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/**
 * The base address as the client needs it: no trailing slash, no `/v1` (section 9 puts it into the path).
 * Throws `invalid_input`, which names the field by `label`, for any other text than an `https:` address; `http:` is for
 * loopback hosts only.
 */
export function normalizeBaseUrl(text: unknown, label: string): string {
	const refuse = (message: string, advice: string) => invalidInput(label, message, advice);
	const trimmed = typeof text === 'string' ? text.trim() : '';
	const example = 'e.g. https://api.example.com.';
	if (trimmed === '') {
		throw refuse(`'${label}' is empty`, `Enter the address of the service, ${example}`);
	}
	const url = parseUrl(trimmed);
	if (!url) {
		throw refuse(`'${label}' is not a web address`, `Start '${label}' with https://, ${example}`);
	}
	if (!isPrivate(url)) {
		throw refuse(
			`'${label}' does not start with https://`,
			`The nodes send the API key over encrypted connections only. Start '${label}' with https://, ${example}`,
		);
	}
	if (url.username || url.password || url.search || url.hash) {
		throw refuse(
			`'${label}' holds more than an address`,
			`Remove user name, password, and everything from '?' or '#' on, ${example}`,
		);
	}
	return (url.origin + url.pathname).replace(/(\/+v1)?\/*$/, '');
}
