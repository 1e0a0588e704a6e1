import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { type ContextOptions, createContext } from '../../support/unit/context';
import { execute } from '../../support/unit/execute';
import { createStopButton } from '../../support/unit/stopButton';
import { unrefTimers } from '../../support/unit/timers';
import { settlePromises } from '../../support/unit/virtualClock';
import { helperAnswer } from '../../support/unit/httpAnswers';
import { reportBody } from '../../support/unit/reports';

beforeEach(unrefTimers);
afterEach(() => jest.restoreAllMocks());

/** What the service answers to the screening of each address, and when. */
type Service = Record<string, () => Promise<object>>;

const at = (status: number) => async () => await Promise.resolve(helperAnswer(status, {}));

/** Answers when the other requests were answered. */
const later = (status: number) => async () => {
	for (let turn = 0; turn < 20; turn++) await settlePromises();
	return helperAnswer(status, {});
};

/** Screens the addresses that the service knows. */
async function screen(service: Service, { options = {}, ...more }: ContextOptions = {}) {
	const items = Object.keys(service).map((address) => ({ address }));
	const { error, items: made } = await execute(
		createContext({
			items,
			options,
			parameters: {
				resource: 'address',
				operation: 'screen',
				address: (index: number) => items[index]!.address,
			},
			http: async ({ body }: IHttpRequestOptions) =>
				await service[(body as { address: string }).address]!(),
			...more,
		}),
	);
	const { description = '' } = (error ?? {}) as { description?: string };
	return { made, error, description };
}

const once = { options: { maxRetries: 0 } };

describe('a screening that the service may bill, and that has no report', () => {
	test('is counted by the failure of another one, which ends its wait for a repetition', async () => {
		const { error, description } = await screen({ a1: at(504), b1: later(401) });
		expect(error?.context).toMatchObject({ errorClass: 'unauthorized', itemIndex: 1 });
		expect(description).toContain('No report arrived for 1 screening that the service may');
		expect(description).not.toContain('a1');
	});

	test('is not counted if the service did not carry it out', async () => {
		const refuse = async () =>
			await Promise.resolve(helperAnswer(429, {}, { 'retry-after': '100' }));
		const { error, description } = await screen({ a1: refuse, b1: later(403) });
		expect(error?.context).toMatchObject({ errorClass: 'forbidden', itemIndex: 1 });
		expect(description).not.toContain('No report arrived');
	});

	test('is counted beside others, and by its own failure only then', async () => {
		const both = await screen({ a1: at(504), b1: at(504), c1: later(200) }, once);
		expect(both.error?.context).toMatchObject({ errorClass: 'server', itemIndex: 0, sent: 1 });
		// The answer to the third one holds no report.
		expect(both.description).toContain('No report arrived for 3 screenings that');
		expect((await screen({ a1: at(504) }, once)).description).not.toContain('No report arrived');
		// The advice on an answer without a report does not tell of a charge.
		expect((await screen({ a1: later(200) }, once)).description).toContain('No report arrived');
	});

	test('is no matter of an item that leaves with a failure', async () => {
		const service = {
			a1: at(504),
			b1: async () => await Promise.resolve(helperAnswer(200, reportBody())),
		};
		const { made } = await screen(service, { ...once, continueOnFail: true });
		const [failed] = made.map(({ json }) => json.details as IDataObject);
		expect(failed).toMatchObject({ errorClass: 'server', sent: 1 });
		expect(failed!.description).not.toContain('No report arrived');
	});

	test('is counted in the log of n8n, if the user stops the execution', async () => {
		const stop = createStopButton();
		const log: string[] = [];
		const unanswered = async () => {
			for (let turn = 0; turn < 20; turn++) await settlePromises();
			stop.abort();
			return await new Promise<object>(() => {});
		};
		await screen({ a1: at(504), b1: unanswered }, { signal: stop.signal, log });
		expect(log).toEqual([
			"'Wallet Screening' was stopped. No report arrived for 2 screenings that the service may have carried out, and may charge for.",
		]);
	});
});
