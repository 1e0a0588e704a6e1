import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';
import { keepMessage } from '../execution/nodeErrors';
import { rethrowUnlessScreeningError } from '../shared/errors';
import { type Credential, credentialType } from '../transport/credential';
import { readDeliveryOptions } from './deliveryOptions';
import { findSecretError } from './secrets';
import { readVerificationSettings } from './verificationSettings';

/**
 * Checks the settings before the trigger starts.
 * @throws {NodeOperationError} if the trigger could accept no delivery, or could do nothing with it
 */
export async function activate(context: IHookFunctions): Promise<void> {
	const credential = await context.getCredentials<Credential>(credentialType);
	try {
		const { signedContent } = readVerificationSettings(context);
		const secretError = findSecretError(credential, signedContent);
		if (secretError) throw secretError;
		readDeliveryOptions(context, credential);
	} catch (error) {
		const { message, description, details } = rethrowUnlessScreeningError(error);
		// n8n shows only the message when the trigger of a published workflow does not start.
		const { parameter } = details;
		const isNamed = parameter === undefined || message.includes(`'${parameter}'`);
		const named = isNamed ? message : `${message} (see '${parameter}')`;
		throw keepMessage(new NodeOperationError(context.getNode(), named, { description }), named);
	}
}
