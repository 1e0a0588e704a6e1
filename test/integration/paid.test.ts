/** What a run owes to who pays for it: it ends when it must, waits while it should, and names what was made. */
import {
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	UserError,
} from 'n8n-workflow';
import { BinaryDataService } from 'n8n-core';
import { StoredCredentials } from '../../tools/host/engine/credentials';
import { until } from '../../tools/host/until';

import type { FaultEffect, FaultTarget } from '../../sandbox/faults';
import { reportOn } from '../../sandbox/reports';
import { addressesOf } from '../support/addresses';
import { unholdTimers } from '../unit/support/timers';
import { CONTINUE, itemsFor } from './engine/items';
import { type Service, startService } from './engine/service';

const ETH = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const BTC = '149w62rY42aZBox8fGcmqNsXUzSStKeq8C';

const SCREEN: INodeParameters = {
	resource: 'address',
	operation: 'screen',
	address: '={{ $json.address }}',
};
const WAIT: INodeParameters = {
	resource: 'bulkJob',
	operation: 'screenAndWait',
	options: { pollInterval: 0.05 },
};
const rule = { field: 'level', operator: 'notEquals', value: 'green', outcome: 'review' };

const detailsOf = (items: INodeExecutionData[] = []) =>
	items.map(({ json }) => json['details'] as IDataObject);
const isPost = ({ method }: Pick<FaultTarget, 'method'>) => method === 'POST';
const isGet = ({ method }: Pick<FaultTarget, 'method'>) => method === 'GET';
const answer = (status: number, headers: Record<string, string> = {}, body = ''): FaultEffect => ({
	kind: 'answer',
	status,
	headers,
	body,
});

describe('a run', () => {
	let service: Service;
	let jobDurationMs: number;

	beforeEach(async () => {
		unholdTimers();
		jobDurationMs = 0;
		service = await startService({
			sandbox: { jobs: () => ({ durationMs: jobDurationMs }) },
			credentials: () => ({
				Slow: { plan: 'custom', requestsPerSecond: 2, burst: 2 },
				'As Text': {
					plan: 'custom',
					requestsPerSecond: '50',
					burst: '50',
					webhookSecret: 12345678,
				},
			}),
		});
	});
	afterEach(async () => {
		jest.restoreAllMocks();
		await service.close();
	});

	const posts = () => service.sandbox.requests.filter(isPost);
	const looks = () => service.sandbox.requests.filter(isGet);
	const reportOf = (address: string) => reportOn(address, undefined, service.sandbox.baseUrl);

	describe('that is certain to fail', () => {
		it('sends nothing of what waits for its turn', async () => {
			service.sandbox.addFault({ times: 1, effect: answer(401) });
			const began = performance.now();
			const { error } = await service.run(SCREEN, {
				input: itemsFor(addressesOf(60)),
				credential: 'Slow',
			});
			expect(error?.context).toMatchObject({ errorClass: 'unauthorized' });
			// Two go out at once, at two each second; all 60 took half a minute.
			expect(posts().length).toBeLessThanOrEqual(3);
			expect(performance.now() - began).toBeLessThan(15_000);
		});

		it('sends nothing again of what pauses before another try', async () => {
			const [bad, ...others] = addressesOf(5);
			service.sandbox.addFault({
				when: ({ body }) => (body as IDataObject)['address'] !== bad,
				effect: answer(503, { 'retry-after': '2' }),
			});
			service.sandbox.addFault({ effect: answer(403) });
			const { error } = await service.run(SCREEN, { input: itemsFor([bad!, ...others]) });
			expect(error?.context).toMatchObject({ errorClass: 'forbidden', itemIndex: 0 });
			await new Promise((resolve) => setTimeout(resolve, 2500));
			expect(posts()).toHaveLength(5);
		});

		it('names the reports that others of its requests made', async () => {
			const addresses = addressesOf(4);
			service.sandbox.addFault({
				when: ({ body }) => (body as IDataObject)['address'] === addresses[3],
				effect: answer(400),
			});
			const { error } = await service.run(
				{ ...SCREEN, options: { concurrency: 1 } },
				{ input: itemsFor(addresses) },
			);
			expect(error?.context).toMatchObject({
				errorClass: 'bad_request',
				itemIndex: 3,
				report_ids: addresses.slice(0, 3).map((address) => reportOf(address).report_id),
			});
		});
	});

	it('whose credential n8n cannot read sends nothing, and says so', async () => {
		const gone = new UserError('Credential with ID "7" does not exist');
		jest.spyOn(StoredCredentials.prototype, 'getDecrypted').mockRejectedValue(gone);
		const parameters = { resource: 'bulkJob', operation: 'submit' };
		const { error } = await service.run(parameters, { input: itemsFor([ETH]) });
		expect(error).toMatchObject({
			message: 'n8n could not read the credential of this node',
			description: expect.stringMatching(/^Nothing was sent\. .* "7" does not exist$/),
			context: { errorClass: 'network' },
		});
		expect(service.requested()).toEqual([]);
	});

	describe('with a parameter that cannot be read', () => {
		const input = [{ address: ETH }, { address: BTC, file: { name: 7 } }, { address: ETH }];
		const parameters: INodeParameters = {
			...SCREEN,
			includePdf: true,
			binaryPropertyName: '={{ $json.file ? "" : "data" }}',
		};

		it('pays for nothing', async () => {
			const { error } = await service.run(parameters, { input });
			expect(error?.context).toMatchObject({ errorClass: 'invalid_input', itemIndex: 1 });
			expect(service.requested()).toEqual([]);
		});

		it('screens the other items if On Error is Continue', async () => {
			const { items } = await service.run(parameters, { input, onError: CONTINUE });
			expect(detailsOf(items[0])[1]).toMatchObject({ errorClass: 'invalid_input', itemIndex: 1 });
			expect(items[0]!.map(({ json }) => json['address'])).toEqual([ETH, undefined, ETH]);
			expect(posts()).toHaveLength(2);
		});
	});

	describe('whose report is made and whose PDF is not to be had', () => {
		const parameters: INodeParameters = {
			...SCREEN,
			includePdf: true,
			addDecision: true,
			decisionRules: { rules: [rule] },
			options: { maxRetries: 0 },
		};
		const full = () => {
			const error = Object.assign(new Error('ENOSPC: no space left on device, write'), {
				code: 'ENOSPC',
			});
			jest.spyOn(BinaryDataService.prototype, 'store').mockRejectedValue(error);
		};

		it.each<[string, () => void, string]>([
			[
				'the service fails',
				() => service.sandbox.addFault({ when: isGet, effect: answer(500) }),
				'server',
			],
			['no disk has room for it', full, 'storage'],
		])('because %s, keeps the report and the decision', async (_what, begin, errorClass) => {
			begin();
			const { items } = await service.run(parameters, {
				input: itemsFor([ETH]),
				onError: CONTINUE,
			});
			expect(detailsOf(items[0])).toEqual([
				expect.objectContaining({
					errorClass,
					address: ETH,
					report_id: reportOf(ETH).report_id,
					report: reportOf(ETH),
					decision: expect.objectContaining({ outcome: expect.any(String) as string }) as object,
				}),
			]);
			expect(posts()).toHaveLength(1);
		});

		it('says that the report is here, and how its PDF can be had without screening again', async () => {
			service.sandbox.addFault({ when: isGet, effect: answer(404) });
			const { error } = await service.run(parameters, { input: itemsFor([ETH]) });
			expect(error?.message).toMatch(/^The report is here, but not its PDF/);
			expect(error?.description).toMatch(
				new RegExp(`'Report: Download PDF'.*${reportOf(ETH).report_id}`),
			);
		});

		it('names both in the error that ends the node', async () => {
			full();
			const { error } = await service.run(parameters, { input: itemsFor([ETH]) });
			expect(error?.message).toBe('n8n could not store the PDF of the report');
			expect(error?.description).toMatch(/'Report: Download PDF'.*no space left/);
			expect(error?.context).toMatchObject({
				errorClass: 'storage',
				report: reportOf(ETH),
				report_ids: [reportOf(ETH).report_id],
			});
		});
	});

	it('sends a screening whose answer was lost again once, unless the user says otherwise', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		service.sandbox.addFault({ effect: { kind: 'reset', at: 'beforeAnswer' } });
		for (const [options, sent] of [
			[{}, 2],
			[{ maxRetries: 0 }, 1],
			[{ maxRetries: 3 }, 4],
		] as const) {
			service.sandbox.requests.length = 0;
			const { error } = await service.run({ ...SCREEN, options }, { input: itemsFor([ETH]) });
			expect(error?.context).toMatchObject({ errorClass: 'network' });
			expect(posts()).toHaveLength(sent);
		}
	});

	it('says which chain was asked for if the report is of another one', async () => {
		const { items } = await service.run(
			{ ...SCREEN, chain: '={{ $json.chain }}' },
			{
				input: [
					{ address: ETH, chain: 'BSC' },
					{ address: ETH, chain: 'eth' },
					{ address: ETH, chain: '' },
				],
			},
		);
		expect(items[0]!.map(({ json }) => [json['chain'], json['asked_chain']])).toEqual([
			['BSC', undefined],
			[expect.any(String), undefined],
			['ETH', undefined],
		]);
		service.sandbox.addFault({
			when: isPost,
			effect: { kind: 'rewrite', rewrite: (body: object) => ({ ...body, chain: 'ETH' }) },
		});
		const other = await service.run({ ...SCREEN, chain: 'BSC' }, { input: itemsFor([ETH]) });
		expect(other.items[0]![0]!.json).toMatchObject({ chain: 'ETH', asked_chain: 'BSC' });
	});

	it.each([true, 1, 'true', 'TRUE', 'yes'])('decides if the switch is %j', async (wish) => {
		const { items } = await service.run(
			{ ...SCREEN, addDecision: `={{ ${JSON.stringify(wish)} }}` },
			{ input: itemsFor([ETH]) },
		);
		expect(items[0]![0]!.json['decision']).toMatchObject({ outcome: expect.any(String) as string });
	});

	it.each(['maybe', 2, {}])('asks for nothing if the switch is %j', async (wish) => {
		const { error } = await service.run(
			{ ...SCREEN, addDecision: `={{ ${JSON.stringify(wish)} }}` },
			{ input: itemsFor([ETH]) },
		);
		expect(error?.context).toMatchObject({ errorClass: 'invalid_input', itemIndex: 0 });
		expect(service.requested()).toEqual([]);
	});

	it('takes numbers that are texts in the credential', async () => {
		const { status } = await service.run(SCREEN, {
			input: itemsFor([ETH]),
			credential: 'As Text',
		});
		expect(status).toBe('success');
	});

	describe('that waits for a job it paid for', () => {
		it('outlives an outage of every kind', async () => {
			jest.spyOn(Math, 'random').mockReturnValue(0);
			const outage: FaultEffect[] = [
				answer(404),
				answer(503),
				answer(200, { 'content-type': 'text/html' }, '<html>Maintenance</html>'),
				{ kind: 'reset', at: 'beforeAnswer' },
				answer(500),
				answer(400),
				{ kind: 'truncate' },
			];
			for (const effect of outage) service.sandbox.addFault({ when: isGet, times: 7, effect });
			const { items } = await service.run(WAIT, { input: itemsFor([ETH, BTC]) });
			expect(items[0]!.map(({ json }) => json)).toEqual([reportOf(ETH), reportOf(BTC)]);
			expect(posts()).toHaveLength(1);
			expect(looks().length).toBeGreaterThan(outage.length);
		});

		it.each<[string, FaultEffect]>([
			['hang', { kind: 'silence' }],
			['are answered 429', answer(429, { 'retry-after': '60' })],
			['are answered 503', answer(503, { 'retry-after': '60' })],
		])('ends at the deadline although its looks %s', async (_what, effect) => {
			service.sandbox.addFault({ when: isGet, effect });
			const began = performance.now();
			const { items } = await service.run(
				{ ...WAIT, options: { pollInterval: 0.05, timeout: 0.02 } },
				{ input: itemsFor([ETH, BTC]), onError: CONTINUE },
			);
			// 1.2 s, and two more for what is on the wire; without it each would take half a minute.
			expect(performance.now() - began).toBeLessThan(20_000);
			const job_id = posts()[0]!.job_id;
			expect(detailsOf(items[0])).toEqual(
				[ETH, BTC].map((address) =>
					expect.objectContaining({
						errorClass: 'job_timeout',
						address,
						job_id,
						job_ids: [job_id],
					}),
				),
			);
		});

		it('has a deadline for jobs that wait to be sent too, which are not sent then', async () => {
			jobDurationMs = 60_000;
			const addresses = addressesOf(3000);
			const { items } = await service.run(
				{ ...WAIT, options: { pollInterval: 0.05, timeout: 0.02 } },
				{ input: itemsFor(addresses), onError: CONTINUE, credential: 'Slow' },
			);
			expect(items[0]).toHaveLength(3000);
			for (const details of detailsOf(items[0]))
				expect(details).toMatchObject({ errorClass: 'job_timeout' });
			const made = posts().flatMap(({ job_id }) => job_id ?? []);
			const named = new Set(detailsOf(items[0]).flatMap(({ job_id }) => (job_id as string) ?? []));
			expect([...named].sort()).toEqual([...made].sort());
		});

		it.each([31, -31])(
			'goes on when the clock of the machine jumps by %i minutes',
			async (jump) => {
				const finish = service.sandbox.addFault({
					when: isGet,
					effect: {
						kind: 'rewrite',
						rewrite: ({ job_id }: IDataObject) => ({ job_id, status: 'processing' }),
					},
				});
				const { now } = Date;
				let ahead = 0;
				jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
				const running = service.run(WAIT, { input: itemsFor([ETH]) });
				await until('the first look', async () => looks()[0]);
				ahead = jump * 60_000;
				const before = looks().length;
				const goesOn = async () => looks()[before + 2] ?? ((await isOver(running)) || undefined);
				await until('three more looks', goesOn);
				finish();
				const { items, error } = await running;
				expect(error).toBeUndefined();
				expect(items[0]![0]!.json).toMatchObject({ address: ETH });
			},
		);
	});
});

/** Whether a promise is settled by now. */
async function isOver(work: Promise<unknown>): Promise<boolean> {
	const running = Symbol('running');
	return (await Promise.race([work, Promise.resolve(running)])) !== running;
}
