import type { IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import { WalletScreening } from '../../../nodes/WalletScreening/WalletScreening.node';
import { response } from '../support/answers';
import { createContext } from '../support/context';
import { unholdTimers } from '../support/timers';
import { addressesOf } from '../service/bulk/samples';

beforeEach(unholdTimers);
afterEach(() => jest.restoreAllMocks());

/** A service that rejects a list as a whole for a bad address in it. */
function serviceOf(isBad: (address: string) => boolean, status = 400) {
	const lists: string[][] = [];
	let mostParts = 0;
	let parts = 0;
	async function http({ body }: IHttpRequestOptions) {
		const { addresses } = body as { addresses: string[] };
		lists.push(addresses);
		const isPart = addresses.length < 1000;
		if (isPart) mostParts = Math.max(mostParts, ++parts);
		await new Promise((resolve) => setImmediate(resolve));
		if (isPart) parts--;
		const isRejected = addresses.some(isBad);
		return isRejected
			? response(status, { message: 'Rejected' })
			: response(202, { job_id: `job_${lists.length}` });
	}
	return { http, lists, mostParts: () => mostParts };
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

test('rejected lists are divided side by side once the service accepted a job', async () => {
	const addresses = addressesOf(4000);
	const bad = [1500, 2500, 3500].map((index) => addresses[index]!);
	const service = serviceOf((address) => bad.includes(address));
	expect(await submitted(addresses, service)).toEqual({ inJobs: 3997, errors: bad });
	expect(service.mostParts()).toBeGreaterThan(1);
});

test('a service that rejects everything is asked a little more than for one list, and each address has its error', async () => {
	const addresses = addressesOf(8000);
	const service = serviceOf(() => true);
	expect(await submitted(addresses, service)).toEqual({ inJobs: 0, errors: addresses });
	// 1,000 addresses are rejected alone, which takes 1,999 submits, and of each of the other lists 16.
	expect(service.lists.length).toBeGreaterThan(1999);
	expect(service.lists.length).toBeLessThanOrEqual(1999 + 7 * (1 + 2 * 16 + Math.log2(1000)));
	const alone = service.lists.filter(({ length }) => length === 1);
	expect(alone).toHaveLength(1000 + 7 * 16);
	expect(service.mostParts()).toBe(1);
	const sent = service.lists.map((list) => list.join());
	expect(new Set(sent).size).toBe(sent.length);
});
