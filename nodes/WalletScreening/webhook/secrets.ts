import { invalidInput, type ScreeningError } from '../shared/errors';
import { type Credential, readSecret } from '../transport/credential';
import type { SchemeName } from './scheme';
import { checkSecret } from './signature';

/**
 * Returns the problem of a webhook secret that can verify no delivery; undefined if each that is
 * needed or given can.
 */
export function checkSecrets(
	{ webhookSecret, previousWebhookSecret }: Credential,
	schemeName: SchemeName,
): ScreeningError | undefined {
	const problem = checkSecret(readSecret(webhookSecret), schemeName);
	if (problem) return secretError('Webhook Secret', problem);
	const previous = readSecret(previousWebhookSecret);
	const previousProblem = previous && checkSecret(previous, schemeName);
	return previousProblem ? secretError('Previous Webhook Secret', previousProblem) : undefined;
}

function secretError(parameter: string, problem: string): ScreeningError {
	return invalidInput(
		parameter,
		`'${parameter}' of the credential ${problem}. Open the credential of this node and enter the secret that the service signs its webhooks with`,
		'Without the secret, the node cannot distinguish a delivery from a forgery, so the trigger does not start.',
	);
}
