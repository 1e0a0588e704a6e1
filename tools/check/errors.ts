import { ScreeningError } from '../../nodes/WalletScreening/shared/errors';

/**
 * What happened and what a person can do about it, in one line, with the words of the service, if it
 * gave any.
 *
 * @example The service does not accept the API key. The key may be mistyped, expired or of another
 * environment. The vendor issues keys. The service's own words: "Unknown key"
 */
export function describeError(error: Error): string {
	if (!(error instanceof ScreeningError)) return error.message;
	const { message, description, serviceMessage } = error;
	const ownWords = serviceMessage ? ` The service's own words: "${serviceMessage}"` : '';
	return `${message}. ${description}${ownWords}`;
}
