import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	NodeExecutionHint,
} from 'n8n-workflow';

import { response } from '../support/answers';
import { badExpression, createContext } from '../support/context';
import { execute } from '../support/execute';
import { unholdTimers } from '../support/timers';
import { addressesOf } from '../../support/addresses';
import { BTC, ETH, reportOf } from '../service/bulk/samples';

beforeEach(unholdTimers);
afterEach(() => jest.restoreAllMocks());

type Service = (list: string[], number: number) => ReturnType<typeof response> | void;

/**
 * Runs a bulk operation, as a rule where it continues after failures. `service` sees each list before it is answered: as a
 * rule a job that is complete at once, `job_0` and so on.
 */
async function run(
	operation: 'submit' | 'screenAndWait',
	input: { addresses?: string[]; items?: IDataObject[] },
	{ service = (() => {}) as Service, continueOnFail = true, parameters = {}, options = {} } = {},
) {
	const lists: string[][] = [];
	const said = { log: [] as string[], editor: [] as string[], hints: [] as NodeExecutionHint[] };
	let atOnce = 0;
	let mostAtOnce = 0;
	const context = createContext({
		items: input.items ?? input.addresses!.map((address) => ({ address })),
		continueOnFail,
		parameters: { resource: 'bulkJob', operation, ...parameters },
		options: { maxRetries: 0, pollInterval: 0.01, ...options },
		async http({ method, url, body }: IHttpRequestOptions) {
			mostAtOnce = Math.max(mostAtOnce, ++atOnce);
			await new Promise((resolve) => setImmediate(resolve));
			atOnce--;
			if (method === 'POST') {
				const { addresses } = body as { addresses: string[] };
				const number = lists.push(addresses) - 1;
				return service(addresses, number) ?? response(200, { job_id: `job_${number}` });
			}
			const list = lists[Number(url.split('_').at(-1))]!;
			const results = list.map((address) => reportOf(address));
			return response(200, { status: 'completed', results });
		},
		...said,
	});
	const executed = await execute(context);
	// The last hint says what came of the reports.
	return { ...executed, ...said, hints: said.hints.slice(0, 1), lists, mostAtOnce };
}

const detailsOf = ({ json }: INodeExecutionData) => json['details'] as IDataObject;

describe.each(['submit', 'screenAndWait'] as const)('%s', (operation) => {
	test('names each job in the log and in the editor as soon as it is accepted', async () => {
		const { log, editor } = await run(
			operation,
			{ addresses: addressesOf(1001) },
			{ options: { concurrency: 1 } },
		);
		expect(log).toEqual([
			'The service accepted bulk job job_0',
			'The service accepted bulk job job_1',
		]);
		expect(editor).toEqual(['Bulk job job_0: 1000 addresses', 'Bulk job job_1: 1 address']);
	});

	test('says what it sent, and what it did not send again', async () => {
		const once = await run(operation, { addresses: [ETH] });
		expect(once.hints).toEqual([
			{ message: '1 address in 1 bulk job.', location: 'outputPane', type: 'info' },
		]);
		const twice = await run(operation, { addresses: [ETH, BTC, ETH, ETH.toLowerCase()] });
		expect(twice.hints).toMatchObject([
			{ message: '2 addresses in 1 bulk job, 2 duplicates not sent again.', type: 'info' },
		]);
		const doubled = await run(operation, { addresses: [ETH, ETH] });
		expect(doubled.hints).toMatchObject([
			{ message: '1 address in 1 bulk job, 1 duplicate not sent again.' },
		]);
		const none = await run(operation, { addresses: [''] });
		expect(none.hints).toMatchObject([
			{ message: '0 addresses in 0 bulk jobs, 1 address without a report.', type: 'warning' },
		]);
	});

	test('has an error item for an input item that cannot be read, and sends the others', async () => {
		const addressField = (index: number) => (index === 1 ? badExpression() : 'address');
		const input = { addresses: [ETH, 'unread', BTC] };
		const parameters = { addressField };
		const { items, lists, hints } = await run(operation, input, { parameters });
		expect(lists).toEqual([[ETH, BTC]]);
		const failed = items.filter(({ json }) => json['error'] !== undefined);
		expect(failed).toMatchObject([{ pairedItem: { item: 1 } }]);
		expect(detailsOf(failed[0]!)).toMatchObject({ errorClass: 'invalid_input' });
		expect(hints).toMatchObject([
			{ message: '2 addresses in 1 bulk job, 1 address without a report.', type: 'warning' },
		]);

		const stopped = await run(operation, input, { parameters, continueOnFail: false });
		expect(stopped.lists).toEqual([]);
		expect(stopped.error!.context).toMatchObject({ errorClass: 'invalid_input', itemIndex: 1 });
	});

	test('sends nothing if an address is invalid, unless the user chose to continue', async () => {
		const input = { addresses: [ETH, '', BTC] };
		const stopped = await run(operation, input, { continueOnFail: false });
		expect(stopped.lists).toEqual([]);
		expect(stopped.error!.context).toMatchObject({ errorClass: 'invalid_input', itemIndex: 1 });
		expect((await run(operation, input)).lists).toEqual([[ETH, BTC]]);
	});

	test('sends no further list after a failure, unless the user chose to continue', async () => {
		const options = { concurrency: 1 };
		const service: Service = (_list, number) => (number === 1 ? response(403) : undefined);
		const input = { addresses: addressesOf(2500) };
		const stopped = await run(operation, input, { service, options, continueOnFail: false });
		expect(stopped.lists).toHaveLength(2);
		expect(stopped.error!.context).toMatchObject({
			errorClass: 'forbidden',
			itemIndex: 1000,
			job_ids: ['job_0'],
		});
		const goesOn = await run(operation, input, { service, options });
		expect(goesOn.lists).toHaveLength(3);
		expect(goesOn.items.filter(({ json }) => json['error'] !== undefined)).toHaveLength(1000);
	});

	test('keeps as many lists in progress at once as the user chose', async () => {
		const input = { addresses: addressesOf(4001) };
		expect((await run(operation, input)).mostAtOnce).toBe(5);
		expect((await run(operation, input, { options: { concurrency: 2 } })).mostAtOnce).toBe(2);
	});
});

const realTimeout = AbortSignal.timeout.bind(AbortSignal);

test('the time is up for the lists of Screen and Wait, and not for those of Submit', async () => {
	const sentBy = async (operation: 'submit' | 'screenAndWait') => {
		const time = new AbortController();
		jest
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((delay) => (delay === 122_000 ? time.signal : realTimeout(delay)));
		const { lists, items } = await run(
			operation,
			{ addresses: addressesOf(2500) },
			{ options: { concurrency: 1, timeout: 2 }, service: () => time.abort() },
		);
		return { lists: lists.length, last: items.at(-1)! };
	};
	expect(await sentBy('submit')).toMatchObject({ lists: 3, last: { json: { job_id: 'job_2' } } });
	const { lists, last } = await sentBy('screenAndWait');
	expect(lists).toBe(1);
	expect(detailsOf(last)).toMatchObject({ errorClass: 'job_timeout' });
});
