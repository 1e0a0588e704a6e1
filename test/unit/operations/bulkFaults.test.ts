import type { IHttpRequestOptions } from 'n8n-workflow';

import { reportBody, response } from '../support/answers';
import { createContext } from '../support/context';
import { execute } from '../support/execute';
import { addressesOf } from '../../support/addresses';

/** A service that completes every job at once; `jobs` has the addresses of each. */
function serviceOf() {
	const jobs = new Map<string, string[]>();
	async function http({ method, url, body }: IHttpRequestOptions) {
		await Promise.resolve();
		if (method === 'POST') {
			const job_id = `job_${jobs.size}`;
			jobs.set(job_id, (body as { addresses: string[] }).addresses);
			return response(200, { job_id, status: 'queued' });
		}
		const results = jobs
			.get(url.split('/').at(-1)!)!
			.map((address) => reportBody({ address, report_id: `rep_${address}` }));
		return response(200, { status: 'done', results });
	}
	return { http, jobs };
}

/** Runs an operation on 2,500 addresses, in three jobs; n8n fails at the second one. */
async function run(operation: string, continueOnFail: boolean) {
	const service = serviceOf();
	const addresses = addressesOf(2500);
	const context = createContext({
		items: addresses.map((address) => ({ address })),
		continueOnFail,
		parameters: { resource: 'bulkJob', operation },
		options: { pollInterval: 0.01, concurrency: 1 },
		http: service.http,
	});
	Object.assign(context, {
		sendMessageToUI: (text: string) => {
			if (text.includes('job_1:')) throw new TypeError('The interface is gone');
		},
	});
	return { ...(await execute(context)), ...service };
}

test('a fault of the node at one job costs the reports of this job only', async () => {
	const { items, jobs } = await run('screenAndWait', true);
	expect(jobs.size).toBe(3);
	expect(items).toHaveLength(2500);
	items.forEach(({ json, pairedItem }, index) => {
		expect(pairedItem).toEqual({ item: index });
		if (index < 1000 || index >= 2000) {
			expect(json).toMatchObject({ address: addressesOf(2500)[index] });
			return;
		}
		expect(json).toMatchObject({
			error: expect.stringContaining('The interface is gone') as string,
			details: { errorClass: 'invalid_response', job_ids: ['job_0', 'job_1', 'job_2'] },
		});
	});
});

test('a fault of the node at one job leaves the other jobs their items', async () => {
	const { items } = await run('submit', true);
	const jobIds = items.flatMap(({ json }) => json['job_id'] ?? []);
	expect(jobIds).toEqual(['job_0', 'job_2']);
	expect(items).toHaveLength(2 + 1000);
});

test.each(['submit', 'screenAndWait'])(
	'a fault of the node in %s ends it otherwise, with all jobs named, and no further job is sent',
	async (operation) => {
		const { error, jobs } = await run(operation, false);
		expect(error!.message).toContain('The interface is gone');
		expect(error!.context).toMatchObject({ job_ids: ['job_0', 'job_1'], itemIndex: 1000 });
		expect(jobs.size).toBe(2);
	},
);
