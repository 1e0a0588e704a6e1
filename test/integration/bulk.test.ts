import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { until } from '../../host/until';
import type { JobPlan, PlanJob } from '../../sandbox/bulk';
import { type Dialect, dialects } from '../../sandbox/dialects';
import type { FaultEffect, FaultTarget } from '../../sandbox/faults';
import { reportOn } from '../../sandbox/reports';
import type { RunResult } from '../../host/engine';
import { addressesOf } from '../unit/service/bulk/samples';
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
		it('ends a wait whose pause is long', async () => {
			plan = () => ({ durationMs: 60_000 });
			const stop = new AbortController();
			const running = service.run(
				{ ...WAIT, options: { pollInterval: 5 } },
				{ input: itemsFor([ETH]), signal: stop.signal, onError: CONTINUE },
			);
			await until('a job', async () => jobIds()[0], { pause: 10 });
			const stoppedAt = Date.now();
			stop.abort();
			const { status } = await running;
			expect(Date.now() - stoppedAt).toBeLessThan(2000);
			expect(status).toBe('canceled');
			expect(looks()).toEqual([]);
		});

		it('ends the wait within two seconds, and no look follows', async () => {
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

			const requests = service.requested().length;
			// The longest pause by now is far shorter than this.
			await new Promise((resolve) => setTimeout(resolve, 1000));
			expect(service.requested()).toHaveLength(requests);
		}, 15_000);
	});

	describe('the addresses', () => {
		const list = (addresses: INodeParameters[string]): INodeParameters => ({
			...WAIT,
			addressSource: 'list',
			addresses,
		});

		it.each([
			['one', ETH],
			['commas', `${ETH},${BTC},${TRX}`],
			['commas and spaces', ` ${ETH} , ${BTC} , ${TRX} `],
			['lines', `${ETH}\n${BTC}\n${TRX}`],
			['lines of an old Mac', `${ETH}\r${BTC}\r${TRX}`],
			['lines of Windows', `${ETH}\r\n${BTC}\r\n${TRX}\r\n`],
			['blank lines', `\n\n${ETH}\n \t\n${BTC}\n\n\n${TRX}\n\n`],
			['repeated separators', `,,${ETH},,\n,${BTC}, ,${TRX},`],
		])('as text: %s', async (_what, text) => {
			const { items } = await service.run(list(text));
			const expected = text.includes(BTC) ? [ETH, BTC, TRX] : [ETH];
			expect(items).toEqual([
				expected.map((address) => ({ json: reportOf(address), pairedItem: { item: 0 } })),
			]);
			expect(submitted()).toEqual([expected]);
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

		it.each<[string, unknown]>([
			['a number', 7],
			['true', true],
			['an object', { address: BTC }],
			['a list', [BTC]],
			['null', null],
			['a text that is blank', ' '],
		])('in an array with %s: an error that names its index', async (_what, odd) => {
			const input = [{ list: [ETH, odd, TRX] } as IDataObject];
			const stopped = await service.run(list('={{ $json.list }}'), { input });
			expect(stopped.error).toMatchObject({
				message: expect.stringContaining('Addresses, entry 2'),
				context: { errorClass: 'invalid_input', parameter: 'Addresses, entry 2' },
			});
			expect(service.requested()).toEqual([]);

			const { items } = await service.run(list('={{ $json.list }}'), { input, onError: CONTINUE });
			expect(items[0]!.map(({ json }) => json['address'])).toEqual([ETH, undefined, TRX]);
			expect(items[0]![1]!.json).toMatchObject({
				error: expect.stringContaining('Addresses, entry 2'),
				details: { errorClass: 'invalid_input', parameter: 'Addresses, entry 2' },
			});
			expect(submitted()).toEqual([[ETH, TRX]]);
		});

		it.each<[string, unknown]>([
			['an empty text', ''],
			['separators alone', ' ,\n, \r\n,,'],
			['an empty array', []],
			['a number', 7],
			['an object', { 0: ETH }],
			['null', null],
			['nothing', undefined],
		])('a list that is %s holds none', async (_what, value) => {
			const input = [{ list: value } as IDataObject, {}];
			const stopped = await service.run(list('={{ $json.list }}'), { input });
			expect(stopped.error?.context).toMatchObject({ errorClass: 'invalid_input' });

			const { items } = await service.run(list('={{ $json.list }}'), { input, onError: CONTINUE });
			expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
			expect(detailsOf(items[0]).map((details) => details?.errorClass)).toEqual([
				'invalid_input',
				'invalid_input',
			]);
			expect(service.requested()).toEqual([]);
		});

		it('in the field "address" if no other is named', async () => {
			const { items } = await service.run(WAIT, { input: itemsFor([ETH]) });
			expect(items[0]![0]!.json).toEqual(reportOf(ETH));
		});

		it.each<[string, string, IDataObject]>([
			['a field', 'wallet', { wallet: ETH }],
			['a name with white space around it', ' wallet ', { wallet: ETH }],
			['a nested field', 'customer.wallet.main', { customer: { wallet: { main: ETH } } }],
			['an entry of a list', 'wallets.1', { wallets: [BTC, ETH] }],
			['a field whose name has a dot', 'customer.wallet', { 'customer.wallet': ETH }],
			[
				'the field with the dot before the nested one',
				'a.b',
				{ 'a.b': ETH, a: { b: BTC } } as IDataObject,
			],
		])('in %s', async (_what, addressField, json) => {
			const { items } = await service.run({ ...WAIT, addressField }, { input: [json] });
			expect(items[0]![0]!.json['address']).toBe(ETH);
		});

		it.each<[string, string, IDataObject]>([
			['is missing', 'wallet', {}],
			['is null', 'wallet', { wallet: null }],
			['is blank', 'wallet', { wallet: ' \n' }],
			['is a number', 'wallet', { wallet: 12 }],
			['is an object', 'wallet', { wallet: { address: ETH } }],
			['is missing below', 'customer.wallet', { customer: {} }],
			['is missing on the way', 'customer.wallet.main', {}],
			['is null on the way', 'customer.wallet.main', { customer: null }],
			['is a text on the way', 'address.length', { address: ETH }],
			['is inherited', 'constructor', {}],
			['is inherited on the way', 'constructor.name', {}],
		])('in a field that %s: an error for that item', async (_what, addressField, json) => {
			const good = { wallet: BTC, customer: { wallet: BTC } };
			const { items } = await service.run(
				{ ...WAIT, addressField },
				{ input: [json, good, json], onError: CONTINUE },
			);
			const details = detailsOf(items[0]);
			expect(items[0]).toHaveLength(3);
			for (const index of [0, 2]) {
				expect(details[index]).toMatchObject({ errorClass: 'invalid_input' });
				expect(items[0]![index]!.pairedItem).toEqual({ item: index });
			}
			if (['wallet', 'customer.wallet'].includes(addressField))
				expect(items[0]![1]!.json['address']).toBe(BTC);
		});

		it('by an expression in place of the name of a field: an error that says so', async () => {
			const { error } = await service.run(
				{ ...WAIT, addressField: '={{ $json.address }}' },
				{ input: itemsFor([ETH, BTC]) },
			);
			expect(error?.message).toMatch(/has no field/);
			expect(error?.description).toMatch(/'Address Field' takes the name of the field/);
			expect(error?.context).toMatchObject({ errorClass: 'invalid_input' });
			expect(service.requested()).toEqual([]);
		});

		it('in a field without a name: an error', async () => {
			const { error } = await service.run(
				{ ...WAIT, addressField: '={{ " " }}' },
				{ input: itemsFor([ETH]) },
			);
			expect(error?.context).toMatchObject({ errorClass: 'invalid_input' });
			expect(service.requested()).toEqual([]);
		});

		it.each([SUBMIT, WAIT])(
			'with a bad one among them end the node before any request',
			async (parameters) => {
				const addresses = [...addressesOf(1500), 'two words', ...addressesOf(10), ''];
				const { error, thrown } = await service.run(parameters, { input: itemsFor(addresses) });
				expect(thrown).toEqual([expect.any(NodeOperationError)]);
				expect(error?.context).toMatchObject({ errorClass: 'invalid_input', itemIndex: 1500 });
				expect(service.requested()).toEqual([]);
			},
		);
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

		it('gives a report as simple as asked for', async () => {
			const { items } = await service.run(
				{ ...WAIT, options: { pollInterval: 0.01, simplify: true } },
				{ input: itemsFor([ETH]) },
			);
			const { risk, ...rest } = reportOf(ETH);
			const simple = { risk_level: risk.level, risk_score: risk.score };
			expect(items[0]![0]!.json).toEqual({ ...rest, ...simple, risk_categories: risk.categories });
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

		it.each(Object.entries<Dialect>(dialects))(
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

			it.each<[string, JobPlan, string]>([
				['fails', { fails: true }, 'job_failed'],
				['has no results', { results: () => [] }, 'missing_result'],
				['answers with errors alone', { results: errorsFor }, 'invalid_response'],
			])('%s, only its items do, and name it', async (_what, jobPlan, errorClass) => {
				plan = plans({ [second]: jobPlan });
				const result = await service.run(WAIT, { input: itemsFor(addresses), onError: CONTINUE });
				expect(classes(result)).toEqual(ofJobs('report', errorClass, 'report'));
				const job = jobOf(second);
				for (const [index, details] of detailsOf(result.items[0]).slice(1000, 2000).entries()) {
					expect(details).toMatchObject({ job_id: job, address: addresses[1000 + index] });
					expect(details!.job_ids).toContain(job);
				}
				expect(result.items[0]!.map(({ pairedItem }) => pairedItem)).toEqual(
					addresses.map((_, item) => ({ item })),
				);
			});

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

			it.each([400, 422])(
				'is refused with %i for two addresses in it, only they fail, and no other is paid twice',
				async (status) => {
					const bad = [addresses[1017]!, addresses[1900]!];
					const holdsBad = (body: unknown) =>
						(body as { addresses: string[] }).addresses.some((address) => bad.includes(address));
					service.sandbox.addFault({
						when: (request) => isSubmission(request) && holdsBad(request.body),
						effect: answer(status),
					});
					const result = await service.run(WAIT, {
						input: itemsFor(addresses),
						onError: CONTINUE,
					});
					const expected = ofJobs('report', 'report', 'report');
					expected[1017] = 'bad_request';
					expected[1900] = 'bad_request';
					expect(classes(result)).toEqual(expected);
					expect(detailsOf(result.items[0])[1017]).toMatchObject({
						address: bad[0],
						httpCode: String(status),
					});

					const accepted = submissions().filter(({ job_id }) => job_id !== undefined);
					const paid = accepted.flatMap(({ body }) => (body as { addresses: string[] }).addresses);
					expect(paid.sort()).toEqual(
						addressesOf(2500).filter((address) => !bad.includes(address)),
					);
					// Three jobs, and for each bad address at most 2·log2(1000) + 2.
					expect(submissions().length).toBeLessThanOrEqual(3 + 2 * (2 * Math.log2(1000) + 2));
				},
			);

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

			it('fails, ends the node with an error that names the jobs', async () => {
				plan = plans({ [addressesOf(1001)[1000]!]: { fails: true } });
				const { error, items, thrown } = await service.run(WAIT, { input });
				expect(items).toEqual([]);
				expect(thrown).toEqual([expect.any(NodeOperationError)]);
				const failed = jobOf(addressesOf(1001)[1000]!);
				expect(error?.context).toMatchObject({
					errorClass: 'job_failed',
					itemIndex: 1000,
					job_id: failed,
					job_ids: expect.arrayContaining(jobIds()),
				});
				expect(error?.message).toContain(failed);
				expect(error?.context['job_ids']).toHaveLength(jobIds().length);
			});

			it('is refused, ends the node with an error that names the jobs that were not', async () => {
				service.sandbox.addFault({
					when: ({ body }) => firstOf(body) === input[1000]!['address'],
					effect: answer(403),
				});
				const { error, thrown } = await service.run(WAIT, { input });
				expect(thrown).toEqual([expect.any(NodeApiError)]);
				expect(error?.context).toMatchObject({ errorClass: 'forbidden', itemIndex: 1000 });
				const accepted = jobIds().filter((id) => id !== undefined);
				expect(accepted).toHaveLength(2);
				expect(error?.context['job_ids']).toEqual(expect.arrayContaining(accepted));
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

			it('fails, no further job is begun', async () => {
				plan = () => ({ fails: true });
				const options = { pollInterval: 0.01, concurrency: 1 };
				const { error } = await service.run({ ...WAIT, options }, { input });
				expect(error?.context['job_ids']).toEqual(jobIds());
				expect(submissions()).toHaveLength(1);
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

		it('pairs each job of a list with the item that the list was read from', async () => {
			const list = addressesOf(1001).join('\n');
			const { items } = await service.run(
				{ ...SUBMIT, addressSource: 'list', addresses: list },
				{ input: [{}, {}] },
			);
			expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 0 }], [{ item: 0 }]]);
		});

		it.each([undefined, CONTINUE] as const)(
			'names the accepted jobs if one is refused (On Error: %s)',
			async (onError) => {
				const addresses = addressesOf(2500);
				service.sandbox.addFault({
					when: ({ body }) => firstOf(body) === addresses[2000],
					effect: answer(409),
				});
				const { error, items } = await service.run(SUBMIT, {
					input: itemsFor(addresses),
					...(onError && { onError }),
				});
				const accepted = [jobOf(addresses[0]!), jobOf(addresses[1000]!)];
				expect(accepted).toEqual([expect.any(String), expect.any(String)]);
				const known = onError ? detailsOf(items[0]).at(-1) : error?.context;
				expect(known).toMatchObject({
					errorClass: 'bad_request',
					job_ids: expect.arrayContaining(accepted),
				});
				if (onError)
					expect(items[0]!.slice(0, 2).map(({ json }) => json['job_id'])).toEqual(accepted);
			},
		);

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

		it.each(Object.entries<Dialect>(dialects))(
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

		it.each<[string, unknown]>([
			['missing', undefined],
			['empty', ''],
			['blank', ' \t\u200b'],
			['with a slash', 'job_1/../../v1/reports/rep_1'],
			['with a backslash', 'job_1\\x'],
			['a step up', '..'],
			['of two words', 'job 1'],
			['a list', ['job_1']],
			['an object', { job_id: 'job_1' }],
		])('an ID that is %s is refused before any request', async (_what, job_id) => {
			const good = await submit([ETH]);
			const input = [{ job_id } as IDataObject, good];
			const { items } = await service.run(GET, { input, onError: CONTINUE });
			expect(detailsOf(items[0])[0]).toMatchObject({ errorClass: 'invalid_input' });
			expect(items[0]![1]!.json).toMatchObject(good);
			expect(service.requested()).toEqual([`GET /v1/bulk/${good.job_id}`]);
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
			return hints;
		};

		it('counts addresses and jobs', async () => {
			expect(await hintsOf([ETH])).toEqual([
				{ message: '1 address in 1 bulk job.', location: 'outputPane', type: 'info' },
			]);
			expect(await hintsOf(addressesOf(1001))).toMatchObject([
				{ message: '1001 addresses in 2 bulk jobs.', type: 'info' },
			]);
			expect(await hintsOf(addressesOf(1001), SUBMIT)).toMatchObject([
				{ message: '1001 addresses in 2 bulk jobs.', type: 'info' },
			]);
		});

		it.each([SUBMIT, WAIT])('counts duplicates', async (parameters) => {
			const [hint] = await hintsOf([ETH, ETH, BTC, ETH], parameters);
			expect(hint).toMatchObject({
				message: '2 addresses in 1 bulk job, 2 duplicates not sent again.',
				type: 'info',
			});
		});

		it('counts what is left without a report', async () => {
			plan = () => ({ results: ([, ...reports]) => reports });
			const [hint] = await hintsOf([ETH, BTC, '', ETH, TRX]);
			expect(hint!.type).toBe('warning');
			expect(hint!.message).toBe(
				'3 addresses in 1 bulk job, 1 duplicate not sent again, 3 addresses without a report.',
			);
		});

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

function errorsFor(reports: Array<{ address: string }>): unknown[] {
	return reports.map(({ address }) => ({ address, error: 'unsupported_chain' }));
}
