import { type IHookFunctions, NodeOperationError } from 'n8n-workflow';
import { rethrowUnlessScreeningError, invalidInput, type ScreeningError } from '../shared/errors';
import { type Credential, credentialType, readSecret } from '../transport/credential';
import { readSigning, readTriggerOptions } from './settings';
import { checkSecret, type SignedContent } from './signature';

/**
 * Checks the settings before the trigger starts.
 * @throws {NodeOperationError} if the trigger could accept no delivery, or could do nothing with it
 */
export async function activate(context: IHookFunctions): Promise<void> {
	const credential = await context.getCredentials<Credential>(credentialType);
	try {
		const { signedContent } = readSigning(context).signing;
		const problem = checkSecrets(credential, signedContent) ?? readTriggerOptions(context).problem;
		if (problem) throw problem;
	} catch (error) {
		const { message, description, details } = rethrowUnlessScreeningError(error);
		// n8n shows only the message when the trigger of a published workflow does not start.
		const { parameter } = details;
		const isNamed = parameter === undefined || message.includes(`'${parameter}'`);
		const named = isNamed ? message : `${message} (see '${parameter}')`;
		throw new NodeOperationError(context.getNode(), named, { description });
	}
}

/** Returns the problem of a webhook secret that can verify no delivery; undefined if each that is needed or given can. */
export function checkSecrets(
	{ webhookSecret, previousWebhookSecret }: Credential,
	signedContent: SignedContent,
): ScreeningError | undefined {
	const problem = checkSecret(readSecret(webhookSecret), signedContent);
	if (problem) return secretError('Webhook Secret', problem);
	const previous = readSecret(previousWebhookSecret);
	const previousProblem = previous && checkSecret(previous, signedContent);
	return previousProblem ? secretError('Previous Webhook Secret', previousProblem) : undefined;
}

function secretError(parameter: string, problem: string): ScreeningError {
	return invalidInput(
		parameter,
		`'${parameter}' of the credential ${problem}. Open the credential of this node and enter the secret that the service signs its webhooks with`,
		'Without the secret, the node cannot distinguish a delivery from a forgery, so the trigger does not start.',
	);
}
