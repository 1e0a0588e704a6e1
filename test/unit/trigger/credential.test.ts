import { type IWebhookFunctions, UserError } from 'n8n-workflow';
import { createFetch, isPassing } from '../../../nodes/WalletScreening/trigger/results';
import { errorOf } from '../support/answers';

test.each([
	[new Error('Connection terminated unexpectedly'), true],
	[new UserError('Credential with ID "7" does not exist'), false],
])('a credential that n8n cannot read is an error of its own: %s', async (thrown, isForNow) => {
	const context = {
		getNode: () => ({}),
		getCredentials: async () => await Promise.reject(thrown),
	} as unknown as IWebhookFunctions;
	const error = await errorOf(async () => await createFetch(context).job('job_9'));
	expect(error.message).toBe('n8n could not read the credential of this node');
	expect(isPassing(error)).toBe(isForNow);
});
