import type { IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import { WalletScreening } from '../../../nodes/WalletScreening/WalletScreening.node';
import { response } from '../support/answers';
import { createContext } from '../support/context';
import { unholdTimers } from '../support/timers';
import { addressesOf } from '../../support/addresses';

beforeEach(unholdTimers);
afterEach(() => jest.restoreAllMocks());

/** A service that rejects a list as a whole for a bad address in it. */
function serviceOf(isBad: (address: string) => boolean, status = 400) {
	const lists: string[][] = [];
	async function http({ body }: IHttpRequestOptions) {
		const { addresses } = body as { addresses: string[] };
		lists.push(addresses);
		await new Promise((resolve) => setImmediate(resolve));
		const isRejected = addresses.some(isBad);
		return isRejected
			? response(status, { message: 'Rejected' })
			: response(202, { job_id: `job_${lists.length}` });
	}
	return { http, lists };
}

/** Submits the addresses, and gives the number of those in a job and the addresses of the error items. */
async function submitted(
	addresses: string[],
	service: ReturnType<typeof serviceOf>,
	{ continueOnFail = true, concurrency = undefined as number | undefined } = {},
) {
	const context = createContext({
		items: addresses.map((address) => ({ address })),
		continueOnFail,
		parameters: { resource: 'bulkJob', operation: 'submit' },
		options: { maxRetries: 0, ...(concurrency && { concurrency }) },
		http: service.http,
	});
	const [items] = (await new WalletScreening().execute.call(context)) as [INodeExecutionData[]];
	const errors = items.flatMap(({ json }) =>
		json['error'] === undefined ? [] : (json['details'] as { address: string }).address,
	);
	const inJobs = items.map(({ json }) => (json['address_count'] as number | undefined) ?? 0);
	return { inJobs: inJobs.reduce((sum, one) => sum + one, 0), errors };
}

test.each([400, 422])(
	'a list that is rejected with %i is not divided if the node fails',
	async (status) => {
		const addresses = addressesOf(100);
		const service = serviceOf((address) => address === addresses[3], status);
		await expect(submitted(addresses, service, { continueOnFail: false })).rejects.toMatchObject({
			httpCode: String(status),
			context: { errorClass: 'bad_request' },
		});
		expect(service.lists).toEqual([addresses]);
	},
);

test.each([1, undefined])(
	'bad addresses cost their own items, also in lists that share a run with a bad one; at once: %s',
	async (concurrency) => {
		// The first list is all bad, and the bad ones go on in the second one, as in a table that is sorted by chain.
		const addresses = addressesOf(2000);
		const bad = [...addresses.slice(0, 1300), addresses[1990]!];
		const isBad = new Set(bad);
		const service = serviceOf((address) => isBad.has(address));
		expect(await submitted(addresses, service, { concurrency })).toEqual({
			inJobs: 2000 - bad.length,
			errors: bad,
		});
	},
);

test('a service that accepts a list is not taken for one that accepts nothing', async () => {
	const addresses = addressesOf(4000);
	// The first list is good, the second and the third one are bad, and the last one begins and ends with bad addresses.
	const bad = [...addresses.slice(1000, 3100), ...addresses.slice(3900)];
	const isBad = new Set(bad);
	const service = serviceOf((address) => isBad.has(address));
	expect(await submitted(addresses, service, { concurrency: 1 })).toEqual({
		inJobs: 4000 - bad.length,
		errors: bad,
	});
});

test('a service that rejects everything is asked no more than for one list, and each address has its error', async () => {
	const addresses = addressesOf(8000);
	const service = serviceOf(() => true);
	expect(await submitted(addresses, service)).toEqual({ inJobs: 0, errors: addresses });
	const alone = service.lists.filter(({ length }) => length === 1);
	// Those that are on their way when the thousandth is rejected are of the other lists.
	expect(alone.length).toBeGreaterThanOrEqual(1000);
	expect(alone.length).toBeLessThan(1000 + 8);
	const sent = service.lists.map((list) => list.join());
	expect(new Set(sent).size).toBe(sent.length);
});

test('each further list of such a service costs a little more', async () => {
	const addresses = addressesOf(3000);
	const service = serviceOf(() => true);
	expect(await submitted(addresses, service, { concurrency: 1 })).toEqual({
		inJobs: 0,
		errors: addresses,
	});
	const alone = service.lists.filter(({ length }) => length === 1);
	expect(alone).toHaveLength(1000 + 2 * 16);
});
