import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { until } from '../../tools/host/until';
import type { JobPlan, PlanJob } from '../../sandbox/bulk';
import { type Dialect, dialects } from '../../sandbox/dialects';
import type { FaultEffect, FaultTarget } from '../../sandbox/faults';
import { reportOn } from '../../sandbox/reports';
import type { RunResult } from '../../tools/host/engine';
import { addressesOf } from '../support/addresses';
import { CONTINUE, itemsFor } from './engine/items';
import { READ_ONLY, type Service, startService } from './engine/service';
import { SCREENING } from './engine/workflows';

const ETH = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const BTC = '149w62rY42aZBox8fGcmqNsXUzSStKeq8C';
const TRX = 'TFdTr9C3BqQrzKBXqSxJfAZFTh8UwBAfSg';

const SUBMIT: INodeParameters = { resource: 'bulkJob', operation: 'submit' };
const GET: INodeParameters = {
	resource: 'bulkJob',
	operation: 'get',
	jobId: '={{ $json.job_id }}',
	options: { maxRetries: 0 },
};
const REPORTS: INodeParameters = { ...GET, output: 'reports' };
/** So short that a job which never ends does not hold a test up. */
const soon = { pollInterval: 0.01, maxRetries: 0, timeout: 0.02 };
const WAIT: INodeParameters = {
	resource: 'bulkJob',
	operation: 'screenAndWait',
	options: { pollInterval: 0.01, maxRetries: 0 },
};
const isSubmission = ({ method }: Pick<FaultTarget, 'method'>) => method === 'POST';
const isLook = ({ method }: Pick<FaultTarget, 'method'>) => method === 'GET';
const answer = (
	status: number,
	headers: Record<string, string> = {},
	body: object = { error: { message: 'no' } },
): FaultEffect => ({ kind: 'answer', status, headers, body: JSON.stringify(body) });

interface Details extends IDataObject {
	errorClass?: string;
	job_id?: string;
	job_ids?: string[];
	address?: string;
}

const detailsOf = (items: INodeExecutionData[] = []) =>
	items.map(({ json }) => json['details'] as Details | undefined);

/** Spellings that the nodes read without additions. */
const usual = Object.entries<Dialect>(dialects).filter(([name]) => name !== 'foreign');

describe('bulk jobs', () => {
	let service: Service;
	let plan: PlanJob;

	beforeAll(async () => {
		service = await startService({
			sandbox: { jobDurationMs: 0, jobs: (job) => plan(job) },
		});
	});
	afterAll(async () => await service.close());
	beforeEach(() => {
		plan = () => ({});
		service.reset();
	});
	afterEach(() => jest.restoreAllMocks());

	/** The plan of each job by what its first address is. */
	const plans = (byFirst: Record<string, JobPlan>): PlanJob => {
		return ({ addresses }) => byFirst[addresses[0]!] ?? {};
	};
	const submissions = () => service.sandbox.requests.filter(isSubmission);
	const looks = () => service.sandbox.requests.filter(isLook);
	/** The addresses of each job, whichever arrived first. */
	const submitted = () =>
		submissions()
			.map(({ body }) => (body as { addresses: string[] }).addresses)
			.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
	const jobOf = (address: string) =>
		submissions().find(({ body }) => firstOf(body) === address)?.job_id;
	const jobIds = () => submissions().map(({ job_id }) => job_id);
	const reportOf = (address: string) => reportOn(address, undefined, service.sandbox.baseUrl);

	describe('the stop button', () => {
		it('ends the wait within two seconds, and sends no look after it', async () => {
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
			// The longest pause by now is far shorter than this.
			await new Promise((resolve) => setTimeout(resolve, 1000));
			// A look on its way when the run stopped may arrive, one for each of the three jobs.
			expect(looks().length - before).toBeLessThanOrEqual(3);
		}, 15_000);
	});

	describe('the addresses', () => {
		const list = (addresses: INodeParameters[string]): INodeParameters => ({
			...WAIT,
			addressSource: 'list',
			addresses,
		});

		it('as an array of each item, in jobs together', async () => {
			const input = [{ list: [ETH, BTC] }, { list: [TRX, ETH] }, { list: `${BTC}` }];
			const { items } = await service.run(list('={{ $json.list }}'), { input });
			expect(items[0]!.map(({ json, pairedItem }) => [json['address'], pairedItem])).toEqual([
				[ETH, { item: 0 }],
				[BTC, { item: 0 }],
				[TRX, { item: 1 }],
				[ETH, { item: 1 }],
				[BTC, { item: 2 }],
			]);
			expect(submitted()).toEqual([[ETH, BTC, TRX]]);
		});

		it('of an item that has no list: an error for that item', async () => {
			const input = [{ list: [ETH] }, {}, { list: [TRX] }];
			const { items } = await service.run(list('={{ $json.list }}'), { input, onError: CONTINUE });
			expect(items[0]!.map(({ json, pairedItem }) => [json['address'], pairedItem])).toEqual([
				[ETH, { item: 0 }],
				[undefined, { item: 1 }],
				[TRX, { item: 2 }],
			]);
			expect(detailsOf(items[0])[1]).toMatchObject({ errorClass: 'invalid_input', itemIndex: 1 });
		});

		it('as a text without an expression are read once, for all items', async () => {
			const { items } = await service.run(list(`${ETH},${BTC}`), { input: [{}, {}, {}] });
			expect(items[0]!.map(({ json, pairedItem }) => [json['address'], pairedItem])).toEqual([
				[ETH, { item: 0 }],
				[BTC, { item: 0 }],
			]);
		});

		it.each([SUBMIT, WAIT])('in several spellings are paid once', async (parameters) => {
			const [capital, small] = [ETH.toUpperCase(), ETH.toLowerCase()];
			const { items } = await service.run(parameters, {
				input: itemsFor([small, BTC, ETH, capital]),
			});
			expect(submitted()).toEqual([[small, BTC].sort()].map(() => [small, BTC]));
			if (parameters === WAIT) {
				const ids = items[0]!.map(({ json }) => json['report_id']);
				expect([ids[2], ids[3]]).toEqual([ids[0], ids[0]]);
				expect(ids[0]).toEqual(expect.any(String));
			} else {
				expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([
					[{ item: 0 }, { item: 1 }, { item: 2 }, { item: 3 }],
				]);
			}
		});
	});

	describe('screen and wait', () => {
		it('gives each item its report, in order, and sends equal addresses once', async () => {
			plan = () => ({ results: (reports) => [...reports].reverse() });
			const addresses = [...addressesOf(1500), ...addressesOf(1200).reverse(), ETH, ETH];
			const { items } = await service.run(WAIT, { input: itemsFor(addresses) });
			expect(items[0]!.map(({ json }) => json['address'])).toEqual(addresses);
			expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual(
				addresses.map((_, item) => ({ item })),
			);
			expect(items[0]!.at(-1)!.json).toEqual(reportOf(ETH));
			expect(submitted()).toEqual([addressesOf(1000), [...addressesOf(1500).slice(1000), ETH]]);
		});

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

		it('holds each report against the chain that its item meant, and sends an address once', async () => {
			const green = '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe';
			const input = [
				{ address: green, coin: { chain: 'ARB' } },
				{ address: green, coin: { chain: 'eth' } },
				{ address: green.toLowerCase(), coin: { chain: 'BSC' } },
				{ address: green, coin: { chain: '' } },
			];
			const { items } = await service.run(
				{ ...WAIT, chainField: 'coin.chain', addDecision: true },
				{ input },
			);
			expect(
				items[0]!.map(({ json }) => [
					json['asked_chain'],
					(json['decision'] as IDataObject)['outcome'],
				]),
			).toEqual([
				['ARB', 'review'],
				[undefined, 'allow'],
				['BSC', 'review'],
				[undefined, 'allow'],
			]);
			expect(submitted()).toEqual([[green]]);
			expect(JSON.stringify(submissions()[0]!.body)).not.toMatch(/ARB|BSC/);

			const left = await service.run(
				{ ...WAIT, chainField: 'coin.chain', options: { pollInterval: 0.01, onlyNotGreen: true } },
				{ input },
			);
			expect(left.items[0]!.map(({ json }) => json['asked_chain'])).toEqual(['ARB', 'BSC']);
		});

		it('gives items with equal addresses a report each, which a later node may change', async () => {
			const { itemsOf } = await service.run(WAIT, { input: itemsFor([ETH, BTC, ETH, ETH]) });
			const reports = itemsOf(SCREENING)[0]!.map(({ json }) => json);
			(reports[0]!['risk'] as IDataObject)['level'] = 'changed';
			(reports[2]!['risk'] as { categories: IDataObject }).categories['scam'] = 'changed';
			reports[3]!['chain'] = 'changed';
			const report = reportOf(ETH);
			expect(reports).toEqual([
				{ ...report, risk: { ...report.risk, level: 'changed' } },
				reportOf(BTC),
				{
					...report,
					risk: { ...report.risk, categories: { ...report.risk.categories, scam: 'changed' } },
				},
				{ ...report, chain: 'changed' },
			]);
		});

		it('waits for a job by the ID that the service gave it, whatever that is', async () => {
			const job_id = 'jobs/2026?a=b&c d';
			service.sandbox.addFault({
				when: isSubmission,
				effect: { kind: 'rewrite', rewrite: (body) => ({ ...body, job_id }) },
			});
			service.sandbox.addFault({
				when: isLook,
				effect: answer(200, {}, { job_id, status: 'done', results: [reportOf(ETH)] }),
			});
			const { items } = await service.run(WAIT, { input: itemsFor([ETH]) });
			expect(items[0]![0]!.json).toEqual(reportOf(ETH));
			expect(looks().map(({ path }) => path)).toEqual([`/v1/bulk/${encodeURIComponent(job_id)}`]);
		});

		it('takes nothing from the answer for another job', async () => {
			service.sandbox.addFault({
				when: isLook,
				effect: { kind: 'rewrite', rewrite: (body) => ({ ...body, job_id: 'job_other' }) },
			});
			const { items } = await service.run(
				{ ...WAIT, options: soon },
				{ input: itemsFor([ETH]), onError: CONTINUE },
			);
			expect(detailsOf(items[0])).toMatchObject([
				{ errorClass: 'job_timeout', job_id: jobOf(ETH), address: ETH },
			]);
		});

		it.each(usual)(
			'understands a service that speaks %s',
			async (_name, dialect) => {
				const other = await startService({
					sandbox: {
						dialect,
						jobDurationMs: 250,
						jobs: ({ addresses }) => ({ fails: addresses[0] === ETH }),
					},
				});
				try {
					const addresses = [...addressesOf(3), BTC];
					const well = await other.run(WAIT, { input: itemsFor(addresses) });
					expect(well.items[0]!.map(({ json }) => json['address'])).toEqual(addresses);
					// It waited while the job was queued and processed.
					expect(other.sandbox.requests.filter(isLook).length).toBeGreaterThan(1);

					const failed = await other.run(WAIT, { input: itemsFor([ETH]), onError: CONTINUE });
					expect(detailsOf(failed.items[0])).toMatchObject([
						{ errorClass: 'job_failed', job_id: other.sandbox.requests.at(-1)?.path.slice(9) },
					]);
				} finally {
					await other.close();
				}
			},
			20_000,
		);

		it('has as many jobs in progress at once as the options say', async () => {
			const input = itemsFor(addressesOf(3001));
			const concurrency = (number: number) => ({
				...WAIT,
				options: { pollInterval: 0.05, concurrency: number },
			});
			await service.run(concurrency(1), { input });
			const order = service.requested().map((request) => request.split(' ')[0]);
			expect(order.join(' ')).toMatch(/^(POST( GET)+ ?){4}$/);

			service.reset();
			await service.run(concurrency(4), { input });
			expect(service.requested().slice(0, 4)).toEqual(Array(4).fill('POST /v1/bulk'));
		});

		describe('with "Continue", when a job', () => {
			const addresses = [...addressesOf(2500), '', ...addressesOf(1)];
			const [, second, third] = [0, 1000, 2000].map((at) => addresses[at]!) as [
				string,
				string,
				string,
			];
			const classes = ({ items }: RunResult) =>
				detailsOf(items[0]).map((details) => details?.errorClass ?? 'report');
			const ofJobs = (a: string, b: string, c: string) => [
				...Array<string>(1000).fill(a),
				...Array<string>(1000).fill(b),
				...Array<string>(500).fill(c),
				'invalid_input',
				a,
			];

			it('never ends, only its items fail, and the others have their reports', async () => {
				plan = plans({ [third]: { durationMs: 60_000 } });
				const result = await service.run(
					{ ...WAIT, options: { pollInterval: 0.05, timeout: 0.02 } },
					{ input: itemsFor(addresses), onError: CONTINUE },
				);
				expect(classes(result)).toEqual(ofJobs('report', 'report', 'job_timeout'));
				const job = jobOf(third);
				expect(detailsOf(result.items[0])[2000]).toMatchObject({
					job_id: job,
					body: expect.stringMatching(/"(queued|processing)"/),
				});
			});

			it('is refused as a whole, only its items fail, and the others have their reports', async () => {
				service.sandbox.addFault({
					when: ({ body }) => firstOf(body) === second,
					effect: answer(409),
				});
				const result = await service.run(WAIT, { input: itemsFor(addresses), onError: CONTINUE });
				expect(classes(result)).toEqual(ofJobs('report', 'bad_request', 'report'));
				const others = jobIds().filter((id) => id !== undefined);
				expect(detailsOf(result.items[0])[1000]).toMatchObject({
					address: addresses[1000],
					httpCode: '409',
					job_ids: expect.arrayContaining(others),
				});
			});

			it('cannot be looked at any more, only its items fail, and name it', async () => {
				service.sandbox.addFault({
					when: ({ path }) => isJobOf(third)(path),
					effect: answer(404),
				});
				const isJobOf = (first: string) => (path: string) =>
					submissions().some(
						({ body, job_id }) => firstOf(body) === first && path.endsWith(job_id ?? '?'),
					);
				const result = await service.run(
					{ ...WAIT, options: { ...soon, timeout: 0.05 } },
					{ input: itemsFor(addresses), onError: CONTINUE },
				);
				expect(classes(result)).toEqual(ofJobs('report', 'report', 'job_timeout'));
				expect(detailsOf(result.items[0])[2000]).toMatchObject({
					job_id: expect.stringMatching(/^job_/),
					description: expect.stringMatching(/last status request failed/),
				});
			});
		});

		describe('without "Continue", when a job', () => {
			const input = itemsFor(addressesOf(2500));

			it('has no result for one address, ends the node with an error that says how to get the reports', async () => {
				plan = plans({ [input[1000]!['address'] as string]: { results: ([, ...rest]) => rest } });
				const { error, items, thrown } = await service.run(
					{ ...WAIT, options: { pollInterval: 0.01, concurrency: 1 } },
					{ input: input.slice(0, 2000) },
				);
				expect(items).toEqual([]);
				expect(thrown).toEqual([expect.any(NodeOperationError)]);
				expect(error?.context).toMatchObject({
					...{ errorClass: 'missing_result', itemIndex: 1000, job_ids: jobIds() },
				});
				expect(error?.description).toContain(
					`1999 reports exist: 'Bulk Job: Get' with the output Reports returns them without a new screening. They are in these bulk jobs: ${jobIds().join(', ')}.`,
				);
				expect(error?.description).toMatch(/'On Error' set to Continue/);
			});

			it('fails, ends the node without waiting for the others', async () => {
				plan = ({ addresses: [first] }) =>
					first === input[0]!['address'] ? { fails: true } : { durationMs: 60_000 };
				const { error } = await service.run({ ...WAIT, options: { pollInterval: 0.2 } }, { input });
				expect(error?.context).toMatchObject({ errorClass: 'job_failed', itemIndex: 0 });
				expect(error?.context['job_ids']).toEqual(expect.arrayContaining(jobIds()));
				// What is on the wire may still arrive; a wait that went on would look three times.
				await new Promise((resolve) => setTimeout(resolve, 700));
				expect(looks().length).toBeLessThanOrEqual(1 + 2);
			});
		});
	});

	it.each([SUBMIT, WAIT])('need a key with write scope: each item says so', async (parameters) => {
		const { items } = await service.run(parameters, {
			input: itemsFor([ETH, BTC]),
			credential: READ_ONLY,
			onError: CONTINUE,
		});
		expect(detailsOf(items[0])).toEqual(
			[ETH, BTC].map((address) =>
				expect.objectContaining({ errorClass: 'forbidden', httpCode: '403', address }),
			),
		);
		expect(looks()).toEqual([]);
	});

	describe('a submission', () => {
		const input = itemsFor([ETH, BTC]);
		const quick = { pollInterval: 0.01, maxRetries: 2, requestTimeout: 0.5 };

		it.each<[string, FaultEffect, string]>([
			['reset after it was read', { kind: 'reset', at: 'beforeAnswer' }, 'network'],
			['reset before it was read', { kind: 'reset', at: 'beforeRead' }, 'network'],
			['answered by half a body', { kind: 'truncate' }, 'network'],
			['never answered', { kind: 'silence' }, 'network'],
			['answered too slowly', { kind: 'dribble', ms: 10_000 }, 'network'],
			[
				'answered with what is no job',
				{ kind: 'rewrite', rewrite: () => ({}) },
				'invalid_response',
			],
			['refused', answer(409), 'bad_request'],
			['answered 500', answer(500), 'server'],
			['answered 502', answer(502), 'server'],
			['answered 504', answer(504), 'server'],
		])('that is %s is not sent again', async (_what, effect, errorClass) => {
			for (const parameters of [SUBMIT, WAIT]) {
				service.reset();
				service.sandbox.addFault({ when: isSubmission, effect });
				const { items } = await service.run(
					{ ...parameters, options: quick },
					{ input, onError: CONTINUE },
				);
				expect(detailsOf(items[0])).toMatchObject([
					{ errorClass, address: ETH },
					{ errorClass, address: BTC },
				]);
				expect(service.requested()).toEqual(['POST /v1/bulk']);
			}
		});

		it('whose connection broke says that the job may exist', async () => {
			service.sandbox.addFault({
				when: isSubmission,
				effect: { kind: 'reset', at: 'beforeAnswer' },
			});
			const stopped = await service.run(WAIT, { input });
			expect(stopped.error?.message).toMatch(/while a bulk job was submitted/);
			expect(stopped.error?.description).toMatch(/may have accepted the job/);
			service.sandbox.requests.length = 0;
			const { items } = await service.run(WAIT, { input, onError: CONTINUE });
			expect(items[0]![0]!.json).toMatchObject({
				error: expect.stringMatching(/while a bulk job was submitted/),
				details: { description: expect.stringMatching(/may have accepted the job/) },
			});
			expect(jobIds()).toEqual([expect.any(String)]);
		});

		it.each([
			['429', answer(429, { 'retry-after': '0' })],
			['503', answer(503, { 'retry-after': '0' })],
		])('that is answered %s is sent again', async (_what, effect) => {
			jest.spyOn(Math, 'random').mockReturnValue(0);
			for (const parameters of [SUBMIT, WAIT]) {
				service.reset();
				service.sandbox.addFault({ when: isSubmission, times: 2, effect });
				const { status } = await service.run({ ...parameters, options: quick }, { input });
				expect(status).toBe('success');
				expect(submitted()).toEqual(Array(3).fill([ETH, BTC]));
				expect(jobIds().filter((id) => id !== undefined)).toHaveLength(1);
			}
		});
	});

	describe('submit', () => {
		it('gives one item per job of at most 1,000 addresses', async () => {
			const addresses = addressesOf(2001);
			const { items } = await service.run(SUBMIT, { input: itemsFor(addresses) });
			expect(items[0]!.map(({ json }) => json)).toEqual(
				[1000, 1000, 1].map((address_count, index) => ({
					job_id: jobOf(addresses[index * 1000]!),
					status: 'queued',
					completed: false,
					failed: false,
					address_count,
					addresses: addresses.slice(index * 1000, index * 1000 + address_count),
				})),
			);
			expect(submitted().map(({ length }) => length)).toEqual([1000, 1000, 1]);
			expect(looks()).toEqual([]);
		});

		it('pairs each job with all its items, and only with them', async () => {
			const addresses = [...addressesOf(1000), ETH, ...addressesOf(1), ETH, BTC];
			const { items } = await service.run(SUBMIT, { input: itemsFor(addresses) });
			const upTo = (end: number, from = 0) =>
				Array.from({ length: end - from }, (_, index) => ({ item: from + index }));
			expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([
				[...upTo(1000), { item: 1001 }],
				[{ item: 1000 }, { item: 1002 }, { item: 1003 }],
			]);
			expect(items[0]!.map(({ json }) => json['address_count'])).toEqual([1000, 2]);
		});

		it('with "Continue": an item per job, and an error item per address in none', async () => {
			const addresses = ['', ...addressesOf(1001), 'a b', ETH];
			service.sandbox.addFault({
				when: ({ body }) => firstOf(body) !== addressesOf(1)[0],
				effect: answer(400),
			});
			const { items } = await service.run(SUBMIT, {
				input: itemsFor(addresses),
				onError: CONTINUE,
			});
			expect(items[0]).toMatchObject([
				{ json: { details: { errorClass: 'invalid_input' } }, pairedItem: { item: 0 } },
				{ json: { job_id: expect.any(String), address_count: 1000 } },
				{
					json: { details: { errorClass: 'bad_request', address: addresses[1001] } },
					pairedItem: { item: 1001 },
				},
				{ json: { details: { errorClass: 'invalid_input' } }, pairedItem: { item: 1002 } },
				{
					json: { details: { errorClass: 'bad_request', address: ETH } },
					pairedItem: { item: 1003 },
				},
			]);
			expect(items[0]![1]!.pairedItem).toHaveLength(1000);
		});

		it.each(usual)(
			'gives the ID of the job to a service that speaks %s',
			async (_name, dialect) => {
				const other = await startService({ sandbox: { dialect } });
				const { items } = await other.run(SUBMIT, { input: itemsFor([ETH]) });
				await other.close();
				const [record] = other.sandbox.requests;
				expect(items[0]![0]!.json).toMatchObject({
					job_id: record!.job_id,
					completed: false,
					failed: false,
					address_count: 1,
				});
			},
		);
	});

	describe('get', () => {
		const submit = async (addresses: string[]) => {
			const { items } = await service.run(SUBMIT, { input: itemsFor(addresses) });
			const job_id = items[0]![0]!.json['job_id'] as string;
			await new Promise((resolve) => setTimeout(resolve, 20));
			service.reset();
			return { job_id };
		};

		it('gives the job as the service sent it, and what can be said of it', async () => {
			const { job_id } = await submit([ETH, BTC]);
			const { items } = await service.run(GET, { input: [{ job_id }] });
			const results = [reportOf(ETH), reportOf(BTC)];
			const known = { completed: true, failed: false, address_count: 2 };
			expect(items).toEqual([
				[{ json: { job_id, status: 'completed', results, ...known }, pairedItem: { item: 0 } }],
			]);
			expect(service.requested()).toEqual([`GET /v1/bulk/${job_id}`]);
		});

		it('gives one item per report', async () => {
			const one = await submit([ETH, BTC]);
			const other = await submit([TRX]);
			const { items } = await service.run(REPORTS, { input: [one, other] });
			expect(items).toEqual([
				[
					{ json: reportOf(ETH), pairedItem: { item: 0 } },
					{ json: reportOf(BTC), pairedItem: { item: 0 } },
					{ json: reportOf(TRX), pairedItem: { item: 1 } },
				],
			]);
		});

		it('gives what is no report as an error item beside the reports', async () => {
			plan = () => ({
				results: ([first, second]) => [first, { address: BTC, error: 'x' }, second],
			});
			const { job_id } = await submit([ETH, TRX]);
			const { items } = await service.run(REPORTS, { input: [{ job_id }], onError: CONTINUE });
			expect(items[0]).toMatchObject([
				{ json: { address: ETH } },
				{
					json: {
						details: {
							errorClass: 'invalid_response',
							...{ address: BTC, job_id, entry: { address: BTC, error: 'x' } },
						},
					},
				},
				{ json: { address: TRX } },
			]);
		});

		it.each<[string, JobPlan, string, IDataObject]>([
			['runs', { durationMs: 60_000 }, 'job_timeout', { completed: false, failed: false }],
			['failed', { fails: true }, 'job_failed', { completed: false, failed: true }],
			[
				'has no results',
				{ results: () => [] },
				'missing_result',
				{ completed: true, failed: false },
			],
		])('says so of a job that %s', async (_what, jobPlan, errorClass, known) => {
			plan = () => jobPlan;
			const { job_id } = await submit([ETH]);
			const job = await service.run(GET, { input: [{ job_id }] });
			expect(job.items[0]![0]!.json).toMatchObject({ job_id, ...known });

			const reports = await service.run(REPORTS, { input: [{ job_id }] });
			expect(reports.error?.context).toMatchObject({ errorClass, job_id, itemIndex: 0 });
			expect(reports.error?.message).toContain(job_id);
			const { items } = await service.run(REPORTS, { input: [{ job_id }], onError: CONTINUE });
			expect(detailsOf(items[0])).toMatchObject([{ errorClass, job_id }]);
		});

		it('gives no report of a job that still runs: what it holds is not final', async () => {
			const { job_id } = await submit([ETH, BTC]);
			service.sandbox.addFault({
				when: isLook,
				effect: {
					kind: 'rewrite',
					rewrite: (body: object) => ({ ...body, status: 'processing' }),
				},
			});
			const { items } = await service.run(REPORTS, { input: [{ job_id }], onError: CONTINUE });
			expect(detailsOf(items[0])).toMatchObject([{ errorClass: 'job_timeout', job_id }]);
			expect(items[0]!.some(({ json }) => 'risk' in json)).toBe(false);
		});

		it.each([GET, REPORTS])('an unknown ID is not_found', async (parameters) => {
			const { error } = await service.run(parameters, { input: [{ job_id: 'job_x' }] });
			expect(error).toMatchObject({
				httpCode: '404',
				context: { errorClass: 'not_found', job_id: 'job_x', itemIndex: 0 },
			});
		});

		describe('with the addresses that were asked for', () => {
			const account = async (given: IDataObject, options: INodeParameters = {}) =>
				await service.run(
					{ ...REPORTS, addresses: '={{ $json.addresses }}', options, addDecision: true },
					{ input: [given], onError: CONTINUE },
				);

			it('accounts for each that Submit named, in its order', async () => {
				plan = () => ({ results: (reports) => [reports[2], null, reports[0]] });
				const { items: jobs } = await service.run(SUBMIT, {
					input: itemsFor([ETH, BTC, TRX, ETH]),
				});
				const { items } = await account(jobs[0]![0]!.json);
				expect(
					items[0]!.map(({ json }) => [json['address'], (json['details'] as Details)?.errorClass]),
				).toEqual([
					[ETH, undefined],
					[undefined, 'missing_result'],
					[TRX, undefined],
				]);
				expect(detailsOf(items[0])[1]).toMatchObject({ address: BTC, itemIndex: 0 });
			});

			it('gives each address the error of a job that failed', async () => {
				plan = () => ({ fails: true });
				const { job_id } = await submit([ETH, BTC]);
				const { items } = await account({ job_id, addresses: [BTC, ETH] });
				expect(detailsOf(items[0])).toMatchObject([
					{ errorClass: 'job_failed', address: BTC },
					{ errorClass: 'job_failed', address: ETH },
				]);
			});

			it('says once of a job that it still runs', async () => {
				plan = () => ({ durationMs: 60_000 });
				const { job_id } = await submit([ETH, BTC]);
				const { items } = await account({ job_id, addresses: [ETH, BTC] });
				expect(detailsOf(items[0])).toMatchObject([{ errorClass: 'job_timeout', job_id }]);
			});

			it('marks a report of another chain than the one that was meant', async () => {
				const input = [
					{ address: ETH, chain: 'BSC' },
					{ address: ETH, chain: 'ETH' },
					{ address: BTC, chain: '' },
				];
				const { items: jobs } = await service.run({ ...SUBMIT, chainField: 'chain' }, { input });
				expect(jobs[0]![0]!.json['addresses']).toEqual([...input.slice(0, 2), BTC]);
				const { items } = await account(jobs[0]![0]!.json, { onlyNotGreen: true });
				expect(items[0]!.map(({ json }) => [json['address'], json['asked_chain']])).toEqual([
					[ETH, 'BSC'],
					...(reportOf(ETH).risk.level === 'green' ? [] : [[ETH, undefined]]),
					...(reportOf(BTC).risk.level === 'green' ? [] : [[BTC, undefined]]),
				]);
			});
		});

		it('asks for an ID of odd characters as for one segment of the path', async () => {
			const { items } = await service.run(GET, {
				input: [{ job_id: ' job?a=b#c%2F ' }],
				onError: CONTINUE,
			});
			expect(detailsOf(items[0])).toMatchObject([{ errorClass: 'not_found' }]);
			expect(service.requested()).toEqual(['GET /v1/bulk/job%3Fa%3Db%23c%252F']);
		});
	});

	describe('the hint', () => {
		const hintsOf = async (addresses: unknown[], parameters = WAIT) => {
			const { hints } = await service.run(parameters, {
				input: itemsFor(addresses),
				onError: CONTINUE,
			});
			// The last one says what came of the reports.
			return hints.slice(0, 1);
		};

		it('counts the green reports that Only Not Green leaves out, and loses no other item', async () => {
			const green = '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe';
			const { items, hints } = await service.run(
				{ ...WAIT, options: { pollInterval: 0.01, onlyNotGreen: true } },
				{ input: itemsFor([green, ETH, '', green]), onError: CONTINUE },
			);
			expect(reportOf(green).risk.level).toBe('green');
			expect(items[0]!.map(({ json, pairedItem }) => [json['report_id'], pairedItem])).toEqual([
				[reportOf(ETH).report_id, { item: 1 }],
				[undefined, { item: 2 }],
			]);
			expect(hints![0]!.message).toContain('2 green reports left out');
		});

		it('counts results for addresses that were not sent, and second results', async () => {
			plan = () => ({
				results: (reports) => [...reports, reportOf(TRX), null, ...reports],
			});
			const [hint] = await hintsOf([ETH, BTC]);
			expect(hint!.type).toBe('warning');
			expect(hint!.message).toMatch(/\b2 results ignored: their addresses were not in the list/);
			expect(hint!.message).toMatch(/\b2 results ignored: they repeat another result/);
		});
	});
});

function firstOf(body: unknown): string | undefined {
	return (body as { addresses?: string[] } | undefined)?.addresses?.[0];
}
