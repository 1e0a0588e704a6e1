import { screenJob, waitForJob } from '../../../../nodes/WalletScreening/service/bulk';
import {
	jobFailed,
	jobTimeout,
	noResults,
} from '../../../../nodes/WalletScreening/service/results';
import { type Job, parseJob } from '../../../../nodes/WalletScreening/service/shapes';
import type { Client } from '../../../../nodes/WalletScreening/service/client';
import { networkFault, ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { createVirtualClock } from '../../support/virtualClock';
import { BTC, ETH, failureOf, reportOf } from './samples';

const minute = 60_000;
const start = 1_000_000;

/**
 * A service whose job answers with `bodyAt`, told the milliseconds since the start, and a clock at the start. `looks`
 * are the times at which it was looked at.
 */
function serviceOf(bodyAt: (ms: number) => object | Error) {
	const clock = createVirtualClock(start);
	const looks: number[] = [];
	const submitted: string[][] = [];
	const client: Partial<Client> = {
		async submitBulk(addresses) {
			submitted.push(addresses);
			return parseJob({ job_id: 'j1', status: 'queued' }, 202);
		},
		async getBulk(jobId) {
			expect(jobId).toBe('j1');
			looks.push(clock.now() - start);
			const body = bodyAt(clock.now() - start);
			if (body instanceof Error) throw body;
			return parseJob(body, 200, 'j1');
		},
	};
	return { client: client as Client, clock, looks, submitted };
}

/** A body that is `complete` from a time on. */
const completeAt = (complete: number) => (ms: number) =>
	ms >= complete ? { status: 'completed', results: [] } : { status: 'processing' };

describe('waiting for a job', () => {
	const waiting = async (
		{ client, clock }: ReturnType<typeof serviceOf>,
		{ pollInterval = 2, timeout = 30 } = {},
	) => await clock.run(waitForJob(client, 'j1', { clock, pollInterval, timeout }));

	it('gives the job as soon as it is seen to be complete', async () => {
		const service = serviceOf(completeAt(4000));
		const job = await waiting(service);
		expect(job).toMatchObject({ job_id: 'j1', state: 'complete', entries: [] });
		expect(service.looks).toEqual([2000, 5000]);
	});

	it('does not look before the first pause is over', async () => {
		const service = serviceOf(completeAt(0));
		await waiting(service, { pollInterval: 0.5 });
		expect(service.looks).toEqual([500]);
	});

	it('pauses longer each time, up to half a minute', async () => {
		const service = serviceOf(completeAt(3 * minute));
		await waiting(service);
		const pauses = service.looks.map((look, index) => look - (service.looks[index - 1] ?? 0));
		expect(pauses[0]).toBe(2000);
		for (const [index, pause] of pauses.slice(1).entries()) {
			expect(pause).toBeGreaterThanOrEqual(pauses[index]!);
			expect(pause).toBeLessThanOrEqual(2 * pauses[index]!);
			expect(pause).toBeLessThanOrEqual(30_000);
		}
		expect(pauses.at(-1)).toBe(30_000);
	});

	it('never pauses for less than the first time', async () => {
		const service = serviceOf(completeAt(19 * minute));
		await waiting(service, { pollInterval: 300 });
		expect(service.looks).toEqual([5, 10, 15, 20].map((minutes) => minutes * minute));
	});

	it('looks for the last time when the time is up', async () => {
		const service = serviceOf(() => ({ status: 'processing' }));
		await failureOf(() => waiting(service, { timeout: 1 }));
		expect(service.looks.at(-1)).toBe(minute);
		expect(service.clock.now()).toBe(start + minute);
		expect(service.clock.pending()).toBe(0);
	});

	it('takes what it sees in the last look', async () => {
		const service = serviceOf(completeAt(minute));
		await expect(waiting(service, { timeout: 1 })).resolves.toMatchObject({ state: 'complete' });
		expect(service.looks.at(-1)).toBe(minute);
	});

	it('looks once, at the end, where the first pause is longer than the time', async () => {
		const service = serviceOf(completeAt(0));
		await waiting(service, { pollInterval: 3600, timeout: 0.1 });
		expect(service.looks).toEqual([6000]);
	});

	it('looks once, at once, where there is no time', async () => {
		const service = serviceOf(() => ({ status: 'processing' }));
		const error = await failureOf(() => waiting(service, { timeout: 0 }));
		expect(error).toMatchObject({ errorClass: 'job_timeout' });
		expect(service.looks).toHaveLength(1);
		expect(service.looks[0]).toBeLessThanOrEqual(1);
	});

	it('ends as job_timeout with the last body where the state is one that nobody knows', async () => {
		const service = serviceOf((ms) => ({ status: 'Marinating', progress: ms }));
		const error = (await failureOf(() => waiting(service, { timeout: 0.5 }))) as ScreeningError;
		expect(error).toBeInstanceOf(ScreeningError);
		expect(error.errorClass).toBe('job_timeout');
		expect(error.known).toEqual({
			job_id: 'j1',
			body: '{"status":"Marinating","progress":30000}',
		});
		expect(error.message).toContain('j1');
		expect(error.message).toContain('0.5 minutes');
	});

	it('ends as job_timeout where the last body is nested too deeply to be shown', async () => {
		const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
		const service = serviceOf(() => JSON.parse(`{"status":"processing","deep":${deep}}`) as object);
		const error = await failureOf(() => waiting(service, { timeout: 1 }));
		expect(error).toMatchObject({
			errorClass: 'job_timeout',
			known: { job_id: 'j1', body: expect.stringMatching(/deeply/) },
		});
	});

	it('ends as job_failed with the body, at the first look that sees it', async () => {
		const service = serviceOf((ms) => ({ status: ms < 4000 ? 'running' : 'Aborted', why: 'x' }));
		const error = await failureOf(() => waiting(service));
		expect(error).toMatchObject({
			errorClass: 'job_failed',
			known: { job_id: 'j1', body: '{"status":"Aborted","why":"x"}' },
		});
		expect(service.looks).toEqual([2000, 5000]);
	});

	it('ends with what a look throws', async () => {
		const fault = networkFault('ECONNRESET');
		const service = serviceOf(() => fault);
		expect(await failureOf(() => waiting(service))).toBe(fault);
		expect(service.looks).toHaveLength(1);
	});

	it('ends at once when the user stops, and looks no more', async () => {
		const service = serviceOf(() => ({ status: 'processing' }));
		const stop = new AbortController();
		const reason = new Error('stopped');
		const clock = service.clock.stoppedBy(stop.signal);
		const ended = failureOf(() =>
			waitForJob(service.client, 'j1', { clock, pollInterval: 2, timeout: 30 }),
		);
		await service.clock.runUntil(start + 6000);
		stop.abort(reason);
		expect(await ended).toBe(reason);
		await service.clock.runUntilIdle();
		expect(service.looks).toEqual([2000, 5000]);
	});
});

describe('screening the addresses of a job', () => {
	const addresses = [ETH, BTC];
	const screening = async (
		service: ReturnType<typeof serviceOf>,
		onJob: (jobId: string) => void = () => {},
	) =>
		await service.clock.run(
			screenJob(service.client, addresses, {
				clock: service.clock,
				pollInterval: 2,
				timeout: 1,
				onJob,
			}),
		);

	it('submits them once and gives each its report', async () => {
		const results = [reportOf(BTC), reportOf(ETH)];
		const service = serviceOf(() => ({ status: 'done', results }));
		const { outcomes, unknown, doubled } = await screening(service);
		expect(service.submitted).toEqual([addresses]);
		expect(Object.fromEntries(outcomes)).toEqual({ [ETH]: results[1], [BTC]: results[0] });
		expect([unknown, doubled]).toEqual([0, 0]);
	});

	it('tells of the job before it waits', async () => {
		const service = serviceOf(() => ({ status: 'done', results: [] }));
		const told: Array<[string, number]> = [];
		await screening(service, (jobId) => told.push([jobId, service.looks.length]));
		expect(told).toEqual([['j1', 0]]);
	});

	it.each<[string, () => object | Error, string]>([
		['fails', () => ({ status: 'failed' }), 'job_failed'],
		['never ends', () => ({ status: 'processing' }), 'job_timeout'],
		['cannot be looked at', () => networkFault('ECONNRESET'), 'network'],
	])('gives each address the error and the job where that %s', async (_what, body, errorClass) => {
		const { outcomes, unknown, doubled } = await screening(serviceOf(body));
		expect([...outcomes.keys()]).toEqual(addresses);
		for (const [address, outcome] of outcomes)
			expect(outcome).toMatchObject({ errorClass, known: { address, job_id: 'j1' } });
		expect([unknown, doubled]).toEqual([0, 0]);
	});

	it.each([
		['fails', 'failed', 'job_failed'],
		['is in a state that nobody knows', 'marinating', 'job_timeout'],
	])('keeps the reports of a job that %s', async (_what, status, errorClass) => {
		const report = reportOf(ETH);
		const { outcomes } = await screening(serviceOf(() => ({ status, results: [report] })));
		expect(outcomes.get(ETH)).toBe(report);
		expect(outcomes.get(BTC)).toMatchObject({ errorClass, known: { address: BTC } });
	});

	it('needs no state where there is a report for each address', async () => {
		const results = [reportOf(BTC), reportOf(ETH)];
		const service = serviceOf(() => ({ status: 'marinating', results }));
		const { outcomes } = await screening(service);
		expect([...outcomes.values()]).toEqual([reportOf(ETH), reportOf(BTC)]);
		expect(service.looks).toHaveLength(1);
	});

	it('waits where some results are no reports yet', async () => {
		const pending = [reportOf(ETH), { address: BTC, status: 'pending' }];
		const done = [reportOf(ETH), reportOf(BTC)];
		const service = serviceOf((ms) => ({
			status: ms < 10_000 ? 'processing' : 'done',
			results: ms < 10_000 ? pending : done,
		}));
		const { outcomes } = await screening(service);
		expect([...outcomes.values()]).toEqual(done);
		expect(service.looks.length).toBeGreaterThan(1);
	});

	it('gives each address the error where the job is refused, and looks at none', async () => {
		const service = serviceOf(() => ({}));
		const fault = networkFault('ECONNREFUSED');
		service.client.submitBulk = async () => await Promise.reject(fault);
		const told: string[] = [];
		const { outcomes } = await screening(service, (jobId) => told.push(jobId));
		for (const [address, outcome] of outcomes)
			expect(outcome).toMatchObject({ errorClass: 'network', known: { address } });
		expect(outcomes.size).toBe(2);
		expect([told, service.looks]).toEqual([[], []]);
	});

	it('rejects with anything that is no screening error, the stop among them', async () => {
		const stop = new Error('stopped');
		expect(await failureOf(() => screening(serviceOf(() => stop)))).toBe(stop);
	});
});

describe('what is said of a job', () => {
	const job: Job = parseJob({ job_id: 'j1', status: 'x', log: 'y'.repeat(5000) }, 200);

	it.each([
		['failed', jobFailed(job)],
		['timed out', jobTimeout(job, 'yet')],
		['without results', noResults('j1')],
	])('%s: names it and says how to go on', (_what, error) => {
		expect(error.message).toContain('j1');
		expect(error.known.job_id).toBe('j1');
		expect(error.description).toMatch(/\w{3}/);
		expect(String(error.known.body ?? '').length).toBeLessThanOrEqual(1001);
	});
});
