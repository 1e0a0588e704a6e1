import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { until } from '../../tools/host/until';
import type { JobPlan, PlanJob } from '../../sandbox/bulk';
import type { FaultTarget } from '../../sandbox/faults';
import { reportOn } from '../../sandbox/reports';
import { addressesOf } from '../support/addresses';
import { CONTINUE, itemsFor } from './engine/items';
import { type Service, startService } from './engine/service';
import { SCREENING } from './engine/workflows';
import { answer } from './faults/faults';

const ETH = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const BTC = '149w62rY42aZBox8fGcmqNsXUzSStKeq8C';
const TRX = 'TFdTr9C3BqQrzKBXqSxJfAZFTh8UwBAfSg';
const GREEN = '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe';

const SUBMIT: INodeParameters = { resource: 'bulkJob', operation: 'submit' };
const GET: INodeParameters = {
	resource: 'bulkJob',
	operation: 'get',
	jobId: '={{ $json.job_id }}',
	options: { maxRetries: 0 },
};
const REPORTS: INodeParameters = { ...GET, output: 'reports' };
const quick = { pollInterval: 0.01, maxRetries: 0 };
const WAIT: INodeParameters = {
	resource: 'bulkJob',
	operation: 'screenAndWait',
	options: quick,
};
const isSubmission = ({ method }: Pick<FaultTarget, 'method'>) => method === 'POST';
const isLook = ({ method }: Pick<FaultTarget, 'method'>) => method === 'GET';

const detailsOf = (items: INodeExecutionData[] = []) =>
	items.map(({ json }) => json['details'] as IDataObject | undefined);
const fromOf = (items: INodeExecutionData[] = []) =>
	items.map(({ json, pairedItem }) => [json['address'], pairedItem]);
const firstOf = (body: unknown) => (body as { addresses?: string[] } | undefined)?.addresses?.[0];

describe('bulk jobs', () => {
	let service: Service;
	let plan: PlanJob;

	beforeAll(async () => {
		service = await startService({ sandbox: { jobDurationMs: 0, jobs: (job) => plan(job) } });
	});
	afterAll(async () => await service.close());
	beforeEach(() => {
		plan = () => ({});
		service.reset();
	});

	const submissions = () => service.sandbox.requests.filter(isSubmission);
	const looks = () => service.sandbox.requests.filter(isLook);
	const jobIds = () => submissions().map(({ job_id }) => job_id);
	const reportOf = (address: string) => reportOn(address, undefined, service.sandbox.baseUrl);

	it('end within two seconds of the stop button, and are not looked at any more', async () => {
		plan = () => ({ durationMs: 60_000 });
		const stop = new AbortController();
		const running = service.run(
			{ ...WAIT, options: { pollInterval: 0.1 } },
			{ input: itemsFor(addressesOf(2500)), signal: stop.signal },
		);
		await until('the third look', async () => looks()[2], { pause: 10 });
		const stoppedAt = Date.now();
		stop.abort();
		const { status, items } = await running;
		expect(Date.now() - stoppedAt).toBeLessThan(2000);
		expect(status).toBe('canceled');
		expect(items.flat()).toEqual([]);

		const before = looks().length;
		// No pause is longer than a third of this.
		await new Promise((resolve) => setTimeout(resolve, 350));
		// A look on its way when the run stopped may arrive, one for each of the three jobs.
		expect(looks().length - before).toBeLessThanOrEqual(3);
	}, 15_000);

	describe('a list', () => {
		const list = (addresses: string): INodeParameters => ({
			...WAIT,
			addressSource: 'list',
			addresses,
		});

		it('is of each item, in jobs together; an item without one has an error', async () => {
			const input = [{ list: [ETH, BTC] }, {}, { list: [TRX, ETH] }];
			const { items } = await service.run(list('={{ $json.list }}'), { input, onError: CONTINUE });
			expect(fromOf(items[0])).toEqual([
				[ETH, { item: 0 }],
				[BTC, { item: 0 }],
				[undefined, { item: 1 }],
				[TRX, { item: 2 }],
				[ETH, { item: 2 }],
			]);
			expect(detailsOf(items[0])[2]).toMatchObject({ errorClass: 'invalid_input', itemIndex: 1 });
			expect(submissions().map(({ body }) => body)).toEqual([{ addresses: [ETH, BTC, TRX] }]);
		});

		it('without an expression is read once, for all items', async () => {
			const { items } = await service.run(list(`${ETH},${BTC}`), { input: [{}, {}, {}] });
			expect(fromOf(items[0])).toEqual([
				[ETH, { item: 0 }],
				[BTC, { item: 0 }],
			]);
		});
	});

	describe('screen and wait', () => {
		it('pairs each report with its item for the nodes behind it', async () => {
			const input = [
				{ address: ETH, name: 'Ronin' },
				{ address: BTC, name: 'SamSam' },
				{ address: ETH, name: 'Ronin again' },
			];
			const { items } = await service.run(WAIT, {
				input,
				behind: "={{ $('Start').item.json.name + ': ' + $json.address }}",
			});
			expect(items[0]!.map(({ json }) => json['value'])).toEqual([
				`Ronin: ${ETH}`,
				`SamSam: ${BTC}`,
				`Ronin again: ${ETH}`,
			]);
		});

		it('gives items with equal addresses a report each, which a later node may change', async () => {
			const { itemsOf } = await service.run(WAIT, { input: itemsFor([ETH, BTC, ETH]) });
			const [first, , last] = itemsOf(SCREENING)[0]!.map(({ json }) => json);
			(first!['risk'] as { categories: IDataObject }).categories['scam'] = 'changed';
			expect(last).toEqual(reportOf(ETH));
		});

		it('holds each report against the chain that its item meant, and sends equal addresses once', async () => {
			const input = [
				{ address: GREEN, coin: { chain: 'ARB' } },
				{ address: GREEN, coin: { chain: 'eth' } },
				{ address: GREEN.toLowerCase(), coin: { chain: 'BSC' } },
				{ address: GREEN, coin: { chain: '' } },
			];
			const meant = { ...WAIT, chainField: 'coin.chain' };
			const { items } = await service.run({ ...meant, addDecision: true }, { input });
			const decided = items[0]!.map(({ json }) => [
				json['asked_chain'],
				(json['decision'] as IDataObject)['outcome'],
			]);
			expect(decided).toEqual([
				['ARB', 'review'],
				[undefined, 'allow'],
				['BSC', 'review'],
				[undefined, 'allow'],
			]);
			expect(submissions().map(({ body }) => body)).toEqual([{ addresses: [GREEN] }]);

			const left = await service.run(
				{ ...meant, options: { ...quick, onlyNotGreen: true } },
				{ input },
			);
			expect(left.items[0]!.map(({ json }) => json['asked_chain'])).toEqual(['ARB', 'BSC']);
		});

		it('counts the green reports that Only Not Green leaves out, and loses no other item', async () => {
			const { items, hints } = await service.run(
				{ ...WAIT, options: { ...quick, onlyNotGreen: true } },
				{ input: itemsFor([GREEN, ETH, '', GREEN]), onError: CONTINUE },
			);
			expect(fromOf(items[0])).toEqual([
				[ETH, { item: 1 }],
				[undefined, { item: 2 }],
			]);
			expect(hints[0]!.message).toContain('2 green reports left out');
		});

		it('counts results for addresses that were not sent, and second results', async () => {
			plan = () => ({ results: (reports) => [...reports, reportOf(TRX), null, ...reports] });
			const { hints } = await service.run(WAIT, { input: itemsFor([ETH, BTC]) });
			expect(hints[0]!.type).toBe('warning');
			expect(hints[0]!.message).toMatch(/\b2 results ignored: their addresses were not in/);
			expect(hints[0]!.message).toMatch(/\b2 results ignored: they repeat another result/);
		});

		it('with "Continue", costs only its own addresses if a job is refused, never ends or vanishes', async () => {
			const addresses = [...addressesOf(3500), '', ...addressesOf(1)];
			const [refused, endless, vanished] = [1000, 2000, 3000].map((at) => addresses[at]);
			plan = ({ addresses: [first] }) => (first === endless ? { durationMs: 60_000 } : {});
			service.sandbox.addFault({
				when: ({ body }) => firstOf(body) === refused,
				effect: answer(409),
			});
			const jobOf = (address: unknown) =>
				submissions().find(({ body }) => firstOf(body) === address)?.job_id;
			service.sandbox.addFault({
				when: ({ path }) => path.endsWith(jobOf(vanished) ?? '?'),
				effect: answer(404),
			});
			const { items } = await service.run(
				{ ...WAIT, options: { pollInterval: 0.05, maxRetries: 0, timeout: 0.02 } },
				{ input: itemsFor(addresses), onError: CONTINUE },
			);
			const details = detailsOf(items[0]);
			expect(details.map((one) => one?.['errorClass'])).toEqual([
				...Array<undefined>(1000).fill(undefined),
				...Array<string>(1000).fill('bad_request'),
				...Array<string>(1500).fill('job_timeout'),
				...['invalid_input', undefined],
			]);
			expect(details[1000]).toMatchObject({
				address: refused,
				httpCode: '409',
				job_ids: expect.arrayContaining(jobIds().filter((id) => id !== undefined)),
			});
			expect(details[2000]).toMatchObject({
				job_id: jobOf(endless),
				body: expect.stringMatching(/"(queued|processing)"/),
			});
			expect(details[3000]).toMatchObject({
				job_id: jobOf(vanished),
				description: expect.stringMatching(/last status request failed/),
			});
		});

		it('without "Continue", says how to get the reports that exist if an address has none', async () => {
			const input = itemsFor(addressesOf(2000));
			const second = input[1000]!['address'];
			plan = ({ addresses: [first] }) =>
				first === second ? { results: ([, ...rest]) => rest } : {};
			const { error, items, thrown } = await service.run(
				{ ...WAIT, options: { ...quick, concurrency: 1 } },
				{ input },
			);
			expect(items).toEqual([]);
			expect(thrown).toEqual([expect.any(NodeOperationError)]);
			expect(error?.context).toMatchObject({
				...{ errorClass: 'missing_result', itemIndex: 1000, job_ids: jobIds() },
			});
			expect(error?.description).toContain("1999 reports exist: 'Bulk Job: Get'");
			expect(error?.description).toContain(jobIds().join(', '));
		});
	});

	describe('submit', () => {
		it('gives one item per job of at most 1,000 addresses, paired with all its items', async () => {
			const addresses = [...addressesOf(1000), ETH, ...addressesOf(1), ETH, BTC];
			const { items } = await service.run(SUBMIT, { input: itemsFor(addresses) });
			const job = (number: number, of: string[]) => ({
				...{ job_id: jobIds()[number], status: 'queued', completed: false, failed: false },
				...{ address_count: of.length, addresses: of },
			});
			const first = Array.from({ length: 1000 }, (_, item) => ({ item }));
			expect(items).toEqual([
				[
					{ json: job(0, addressesOf(1000)), pairedItem: [...first, { item: 1001 }] },
					{ json: job(1, [ETH, BTC]), pairedItem: [1000, 1002, 1003].map((item) => ({ item })) },
				],
			]);
			expect(looks()).toEqual([]);
		});

		it('with "Continue": an item per job, and an error item per address in none', async () => {
			const addresses = ['', ...addressesOf(1001), ETH];
			service.sandbox.addFault({
				when: ({ body }) => firstOf(body) !== addresses[1],
				effect: answer(400),
			});
			const { items } = await service.run(SUBMIT, {
				input: itemsFor(addresses),
				onError: CONTINUE,
			});
			const failed = (errorClass: string, item: number) => ({
				json: { details: { errorClass } },
				pairedItem: { item },
			});
			expect(items[0]).toMatchObject([
				failed('invalid_input', 0),
				{ json: { job_id: expect.any(String), address_count: 1000 } },
				failed('bad_request', 1001),
				failed('bad_request', 1002),
			]);
			expect(items[0]![1]!.pairedItem).toHaveLength(1000);
		});
	});

	describe('get', () => {
		const submit = async (addresses: string[], jobPlan: JobPlan = {}) => {
			plan = () => jobPlan;
			const { items } = await service.run(SUBMIT, { input: itemsFor(addresses) });
			const job_id = items[0]![0]!.json['job_id'] as string;
			await new Promise((resolve) => setTimeout(resolve, 20));
			service.reset();
			return { job_id };
		};
		/** The outcomes of a job for these addresses, by address or class of error. */
		const outcomesOf = async (given: IDataObject, options: IDataObject = {}) => {
			const { items } = await service.run(
				{ ...REPORTS, addresses: '={{ $json.addresses }}', options } as INodeParameters,
				{ input: [given], onError: CONTINUE },
			);
			return items[0]!.map(({ json }) => {
				const details = json['details'] as IDataObject | undefined;
				return [details?.['errorClass'] ?? json['asked_chain'], (details ?? json)['address']];
			});
		};

		it('gives the job as the service sent it, and what can be said of it', async () => {
			const { job_id } = await submit([ETH, BTC]);
			const { items } = await service.run(GET, { input: [{ job_id }] });
			const results = [reportOf(ETH), reportOf(BTC)];
			const known = { completed: true, failed: false, address_count: 2 };
			expect(items).toEqual([
				[{ json: { job_id, status: 'completed', results, ...known }, pairedItem: { item: 0 } }],
			]);
		});

		it('gives one item per report, and an error item for what is none', async () => {
			const entry = { address: BTC, error: 'x' };
			const one = await submit([ETH, BTC], { results: ([first]) => [first, entry] });
			const other = await submit([TRX]);
			const { items } = await service.run(REPORTS, { input: [one, other], onError: CONTINUE });
			const details = { errorClass: 'invalid_response', ...one, address: BTC, entry };
			expect(items[0]).toMatchObject([
				{ json: reportOf(ETH), pairedItem: { item: 0 } },
				{ json: { details }, pairedItem: { item: 0 } },
				{ json: reportOf(TRX), pairedItem: { item: 1 } },
			]);
		});

		it.each<[string, JobPlan, string, IDataObject]>([
			['runs', { durationMs: 60_000 }, 'job_timeout', { completed: false, failed: false }],
			['failed', { fails: true }, 'job_failed', { completed: false, failed: true }],
			['has no results', { results: () => [] }, 'missing_result', { completed: true }],
		])('says so of a job that %s', async (_what, jobPlan, errorClass, known) => {
			const { job_id } = await submit([ETH], jobPlan);
			const job = await service.run(GET, { input: [{ job_id }] });
			expect(job.items[0]![0]!.json).toMatchObject({ job_id, ...known });
			const { error } = await service.run(REPORTS, { input: [{ job_id }] });
			expect(error?.context).toMatchObject({ errorClass, job_id, itemIndex: 0 });
			expect(error?.message).toContain(job_id);
		});

		it('gives no report of a job that still runs: what it holds is not final', async () => {
			const { job_id } = await submit([ETH, BTC]);
			service.sandbox.addFault({
				effect: { kind: 'rewrite', rewrite: (body) => ({ ...body, status: 'processing' }) },
			});
			for (const addresses of [undefined, [ETH, BTC]])
				expect(await outcomesOf({ job_id, addresses })).toEqual([['job_timeout', undefined]]);
		});

		it.each<[string, JobPlan, string | undefined, string, string | undefined]>([
			[
				'a complete job',
				{ results: (reports) => [reports[2], null, reports[0]] },
				...([undefined, 'missing_result', undefined] as const),
			],
			['a failed job', { fails: true }, 'job_failed', 'job_failed', 'job_failed'],
		])('accounts for each address that Submit named, in its order, of %s', async (...given) => {
			const [, jobPlan, ...classes] = given;
			const addresses = [ETH, BTC, TRX];
			const { job_id } = await submit(addresses, jobPlan);
			const expected = addresses.map((address, at) => [classes[at], address]);
			expect(await outcomesOf({ job_id, addresses })).toEqual(expected);
		});

		it('marks a report of another chain than the one that Submit was given', async () => {
			const input = [
				{ address: GREEN, chain: 'BSC' },
				{ address: GREEN, chain: 'ETH' },
				{ address: GREEN, chain: '' },
			];
			const { items } = await service.run({ ...SUBMIT, chainField: 'chain' }, { input });
			const job = items[0]![0]!.json;
			expect(job['addresses']).toEqual([...input.slice(0, 2), GREEN]);
			expect(await outcomesOf(job, { onlyNotGreen: true })).toEqual([['BSC', GREEN]]);
		});

		it('asks for an ID of odd characters as for one segment of the path', async () => {
			const { error } = await service.run(GET, { input: [{ job_id: ' job?a=b#c%2F ' }] });
			expect(error).toMatchObject({
				httpCode: '404',
				context: { errorClass: 'not_found', job_id: 'job?a=b#c%2F', itemIndex: 0 },
			});
			expect(service.requested()).toEqual(['GET /v1/bulk/job%3Fa%3Db%23c%252F']);
		});
	});
});
