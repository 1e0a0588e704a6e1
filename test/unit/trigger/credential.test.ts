import { type IWebhookFunctions, UserError } from 'n8n-workflow';
import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';
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
	const { job, reports } = createFetch(context);
	const named = {
		address: undefined,
		outcome: new ScreeningError('invalid_response', 'not a report', ''),
		reportId: 'rep_1',
	};
	for (const work of [async () => await job('job_9'), async () => await reports([named])]) {
		const error = await errorOf(work);
		expect(error.message).toBe('n8n could not read the credential of this node');
		expect(isPassing(error)).toBe(isForNow);
	}
});
