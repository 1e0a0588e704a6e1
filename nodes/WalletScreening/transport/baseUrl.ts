import { invalidInput } from '../shared/errors';
import { isEncryptedOrLocal, parseUrl } from '../shared/http';
import { trimInvisible } from '../shared/text';

/**
 * The end of a base URL that is dropped: `/v1`, which each path has (section 9), and slashes. It
 * never begins between two slashes, where the search would take quadratic time, nor after the scheme:
 * a host may be called v1.
 */
export const baseUrlEnd = /(?<!\/|^\w+:)(\/+v1)?\/*$/;

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
