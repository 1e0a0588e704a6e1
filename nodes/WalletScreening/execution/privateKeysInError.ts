import {
	containsPrivateKey,
	removeNestedPrivateKeys,
	removePrivateKeys,
} from '../address/privateKey';
import type { ScreeningError } from '../shared/errors';

/**
 * Removes private keys from an error: one may stand where a name of a field, a reference, a report
 * or an address in a result of the service was meant.
 */
export function hidePrivateKeys(error: ScreeningError): ScreeningError {
	const { message, description, serviceMessage, details, stack = '' } = error;
	const { reportItem, ...others } = details;
	const replaced = Object.entries(others).map(([name, value]) => [
		name,
		removeNestedPrivateKeys(value),
	]);
	const hidden = error
		.withText({
			message: removePrivateKeys(message),
			description: removePrivateKeys(description),
			// The service may repeat what it was asked for.
			serviceMessage: serviceMessage && removePrivateKeys(serviceMessage),
		})
		.withDetails({
			...(Object.fromEntries(replaced) as typeof others),
			...(reportItem && { reportItem: fieldsWithoutPrivateKeys(reportItem) }),
		});
	// It begins with the message.
	hidden.stack = removePrivateKeys(stack);
	return hidden;
}

/**
 * The fields of an item that contain no private key. No text in a field is replaced: evidence would
 * not match a report whose text was replaced.
 */
const fieldsWithoutPrivateKeys = (item: object): object =>
	Object.fromEntries(
		Object.entries(item).filter(([name, value]) => !containsPrivateKey({ [name]: value })),
	);
