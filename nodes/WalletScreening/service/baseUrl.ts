import { invalidInput } from './errors';
import { parseUrl } from './url';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether this URL is of a loopback host: what is sent to it never leaves the machine. */
export function isLoopback(url: URL): boolean {
	return loopback.test(url.hostname);
}

/** Whether a request to this URL keeps the key private: `https:`, or `http:` that never leaves the machine. */
export function isPrivate(url: URL): boolean {
	return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/**
 * The base address as the client needs it: no trailing slash, no `/v1` (section 9 puts it into the path).
 * Throws `invalid_input` for anything that is not a plain `https:` address; `http:` is for loopback hosts alone.
 */
export function normalizeBaseUrl(text: unknown): string {
	const trimmed = typeof text === 'string' ? text.trim() : '';
	if (trimmed === '') {
		throw refusal('The base URL is empty', 'Enter the address of the service');
	}
	const url = parseUrl(trimmed);
	if (!url) throw refusal('The base URL is not an address', 'Enter it with its scheme');
	if (!isPrivate(url)) {
		throw refusal(
			'The base URL does not start with https://',
			'The API key is sent over encrypted connections only',
		);
	}
	if (url.username || url.password || url.search || url.hash) {
		throw refusal(
			'The base URL holds more than an address',
			"Remove user name, password, and anything from '?' or '#' on",
		);
	}
	return (url.origin + url.pathname).replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
}

function refusal(message: string, advice: string) {
	return invalidInput(
		'Base URL',
		message,
		`${advice}, e.g. https://api.example.com, in 'Base URL' of the credential.`,
	);
}
