import type { IWebhookFunctions } from 'n8n-workflow';
import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import { createFetch, isTemporary } from '../../../nodes/WalletScreening/trigger/fetch';
import { errorOf } from '../support/answers';

let keys = 0;
const service = { baseUrl: 'https://api.example.com', plan: 'enterprise' };
/** What a node fetches from a service. */
function fetchFrom(send: () => Promise<unknown>) {
	const context = {
		getNode: () => ({}),
		getCredentials: async () => await Promise.resolve({ apiKey: `key${++keys}`, ...service }),
		helpers: { httpRequestWithAuthentication: send },
	};
	return createFetch(context as unknown as IWebhookFunctions);
}

test('an outage, a limit and a job that runs may be over later, and nothing else', () => {
	const passing = ['server', 'network', 'rate_limited', 'job_timeout'] as const;
	const classes = [...passing, 'unauthorized', 'not_found', 'invalid_input'] as const;
	const over = classes.filter((one) => isTemporary(new ScreeningError(one, '', '')));
	expect(over).toEqual(passing);
});

test('the 25 seconds are for all of it', async () => {
	const controller = new AbortController();
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(controller.signal);
	const { job } = fetchFrom(async () => {
		setImmediate(() => controller.abort(new Error('too late')));
		return await new Promise(() => {});
	});
	expect(timeout).toHaveBeenCalledWith(25_000);
	timeout.mockRestore();
	expect((await errorOf(async () => await job('job_1'))).errorClass).toBe('network');
});
