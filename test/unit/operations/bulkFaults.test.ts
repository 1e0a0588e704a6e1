import type { IHttpRequestOptions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { WalletScreening } from '../../../nodes/WalletScreening/WalletScreening.node';
import { reportBody, response } from '../support/answers';
import { createContext } from '../support/context';
import { execute } from '../support/execute';
import { addressesOf } from '../service/bulk/samples';

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
			if (text.includes('job_1 ')) throw new TypeError('The interface is gone');
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

describe('a job whose answer says that more is there than a report for each address', () => {
	/** Two jobs; the answer to the first one holds `more`. */
	async function screened(more: object, settings: object, continueOnFail = true) {
		const service = serviceOf();
		const addresses = addressesOf(1001);
		const hints: NodeExecutionHint[] = [];
		const context = createContext({
			items: addresses.map((address) => ({ address })),
			continueOnFail,
			parameters: { resource: 'bulkJob', operation: 'screenAndWait' },
			options: { pollInterval: 0.01, concurrency: 1, ...settings },
			hints,
			http: async (request) => {
				const answer = await service.http(request);
				if (!request.url.endsWith('/job_0')) return answer;
				const body = JSON.parse(answer.body.toString()) as object;
				return { ...answer, body: Buffer.from(JSON.stringify({ ...body, ...more })) };
			},
		});
		const items = (await new WalletScreening().execute.call(context))[0] as INodeExecutionData[];
		return { items, hints };
	}

	test.each([
		['missing_result', { has_more: true }],
		['job_failed', { status: 'failed' }],
	])(
		'gives its reports, and one %s item after all items of the addresses',
		async (errorClass, more) => {
			const { items, hints } = await screened(more, {});
			expect(items).toHaveLength(1002);
			expect(items.slice(0, 1001).filter(({ json }) => json['risk'] === undefined)).toEqual([]);
			const { json, pairedItem } = items[1001]!;
			expect(pairedItem).toEqual({ item: 0 });
			expect(json).toMatchObject({ details: { errorClass, job_id: 'job_0' } });
			expect(json['details']).not.toHaveProperty('address');
			expect(hints).toMatchObject([{ type: 'warning' }]);
			expect(hints[0]!.message).toContain('1 bulk job with an error of its own');
		},
	);

	test('keeps that item if green reports are left out', async () => {
		const { items } = await screened({ total: 1001 }, { onlyNotGreen: true });
		expect(items.map(({ json }) => json['details'])).toMatchObject([
			{ errorClass: 'missing_result', job_id: 'job_0' },
		]);
	});

	test('ends the node unless the user chose to continue', async () => {
		await expect(screened({ partial: true }, {}, false)).rejects.toMatchObject({
			context: { errorClass: 'missing_result', job_ids: ['job_0'], itemIndex: 0 },
		});
	});
});
