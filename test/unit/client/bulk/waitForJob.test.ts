import {
	requireOver,
	waitForJob,
	type WaitOptions,
} from '../../../../nodes/WalletScreening/client/waitForJob';
import type { Job } from '../../../../nodes/WalletScreening/answers/jobAnswer';
import { Reader } from '../../../../nodes/WalletScreening/answers/reader';
import type { Client } from '../../../../nodes/WalletScreening/client/client';
import { answerTooLargeError } from '../../../../nodes/WalletScreening/client/answerBody';
import { DeadlineError } from '../../../../nodes/WalletScreening/shared/abort';
import {
	invalidResponse,
	type ScreeningError,
} from '../../../../nodes/WalletScreening/shared/errors';
import {
	foreignRefusalError,
	statusError,
} from '../../../../nodes/WalletScreening/client/statusErrors';
import { networkFault } from '../../../../nodes/WalletScreening/client/networkFaults';
import { ethereum, sanctionedBitcoin } from '../../../support/data/knownAddresses';
import { createVirtualClock } from '../../../support/unit/virtualClock';
import { errorOf } from '../../../support/unit/errors';
import { jobIn } from '../../../support/unit/jobResults';
import { reportOf } from '../../../support/unit/reports';

const minute = 60_000;
const start = 1_000_000;

/** The addresses of the job. Their number sets the limit for the size of an answer. */
const sent = [ethereum, sanctionedBitcoin];
const submitted: Job = new Reader().readSubmittedJob({
	body: { job_id: 'j1', status: 'queued' },
	status: 202,
});

/**
 * Creates a service that answers every request about its job with `bodyAt`, which gets the
 * milliseconds since the start, and a clock that stands at the start. `looks` are the times of
 * these requests.
 */
function serviceOf(bodyAt: (ms: number) => object | Error) {
	const clock = createVirtualClock(start);
	const looks: number[] = [];
	const client: Partial<Client> = {
		async getBulk(jobId, addresses) {
			expect([jobId, addresses]).toEqual(['j1', sent]);
			looks.push(clock.now() - start);
			const body = await Promise.resolve(bodyAt(clock.now() - start));
			if (body instanceof Error) throw body;
			return jobIn(body);
		},
	};
	return { client: client as Client, clock, looks };
}

/** Returns a job that is complete from this time on. */
const completeAt = (complete: number) => (ms: number) =>
	ms >= complete ? { status: 'completed', results: [] } : { status: 'processing' };

/** Returns the settings of the wait. `timeout` is in minutes from the start. */
const waitingOf = (
	{ clock }: ReturnType<typeof serviceOf>,
	{ pollInterval = 2, timeout = 30 } = {},
): WaitOptions => ({
	clock,
	pollInterval,
	deadline: start + timeout * minute,
	when: `after ${timeout} minutes`,
});

describe('waiting for a job', () => {
	const waiting = async (
		service: ReturnType<typeof serviceOf>,
		options: { pollInterval?: number; timeout?: number } = {},
	) =>
		await service.clock.run(
			waitForJob(service.client, submitted, waitingOf(service, options), sent),
		);
	const pauses = (looks: number[]) => looks.map((look, index) => look - (looks[index - 1] ?? 0));

	it('pauses longer each time: up to the poll interval in the first minute, then to half a minute', async () => {
		const service = serviceOf(completeAt(5 * minute));
		await waiting(service);
		const all = pauses(service.looks);
		expect(all).toEqual([...all].sort((one, other) => one - other));
		expect(Math.max(...pauses(service.looks.filter((at) => at < minute)))).toBe(2000);
		expect(all.at(-1)).toBe(30_000);
	});

	it.each([
		[0.05, 1000, 50],
		[300, 40 * minute, 5 * minute],
	])('with a poll interval of %d s pauses for that in the end', async (pollInterval, ms, last) => {
		const service = serviceOf(completeAt(ms));
		await waiting(service, { pollInterval, timeout: 60 });
		expect(pauses(service.looks).at(-1)).toBe(last);
	});

	it('looks once, at once, if there is no time', async () => {
		const service = serviceOf(() => ({ status: 'Marinating' }));
		expect(await errorOf(async () => await waiting(service, { timeout: 0 }))).toMatchObject({
			errorClass: 'job_timeout',
			details: { job_id: 'j1', body: '{"status":"Marinating"}' },
			message: expect.stringMatching(/j1.*0 minutes/) as string,
		});
		expect(service.looks).toEqual([expect.closeTo(0, -1)]);
	});

	it.each([
		['Done', 'complete'],
		['Aborted', 'failed'],
	])('gives a job that ended as %s, at the first look that sees it', async (status, state) => {
		const service = serviceOf((ms) => ({ status: ms < 900 ? 'running' : status, why: 'x' }));
		expect(await waiting(service)).toMatchObject({ job_id: 'j1', state, body: { why: 'x' } });
		expect(service.looks).toEqual([200, 500, 950]);
	});

	it.each<ScreeningError>([
		networkFault('ECONNRESET'),
		// A service may not know a new job everywhere at once.
		statusError(404, undefined),
		// The service may forward to a file that is not there yet.
		foreignRefusalError(403),
		invalidResponse('something that is not JSON', { httpCode: 200 }),
	])('goes on through an outage of 20 minutes: %s', async (fault) => {
		const report = reportOf(ethereum);
		const service = serviceOf((ms) =>
			ms > 5000 && ms < 20 * minute ? fault : { ...completeAt(20 * minute)(ms), results: [report] },
		);
		const job = await waiting(service);
		expect(job).toMatchObject({ state: 'complete', results: [{ report }] });
		// It looks often enough to see the end soon, and not more often than without the outage.
		expect(service.looks.at(-1)).toBeLessThanOrEqual(20 * minute + 30_000);
		expect(service.looks.length).toBeLessThan(100);
	});

	it.each<ScreeningError>([
		// A key that is locked out sees no job.
		statusError(401, undefined),
		statusError(403, undefined),
		answerTooLargeError(200, 2 ** 26),
	])('ends at once with what stays: %s', async (lasting) => {
		const service = serviceOf(() => lasting);
		expect(await errorOf(async () => await waiting(service))).toBe(lasting);
		expect(service.looks).toHaveLength(1);
	});

	it('goes on through an outage that began before the first look', async () => {
		const fault = networkFault('ECONNRESET');
		const service = serviceOf((ms) => (ms < 5 * minute ? fault : completeAt(0)(ms)));
		expect(await waiting(service)).toMatchObject({ state: 'complete' });
	});

	it('ends after a minute in which the service did not know the job, with the answer to its submit', async () => {
		const service = serviceOf(() => statusError(404, undefined));
		expect(await errorOf(async () => await waiting(service))).toMatchObject({
			httpCode: 404,
			details: { body: '{"job_id":"j1","status":"queued"}' },
		});
		expect(service.looks.at(-1)).toBeGreaterThanOrEqual(minute);
		expect(service.looks.at(-1)).toBeLessThan(minute + 30_000);
	});

	it('goes on after one 404 that follows a minute without an answer', async () => {
		const service = serviceOf((ms) => {
			if (ms < minute) return networkFault('ECONNRESET');
			return ms < minute + 10_000 ? statusError(404, undefined) : completeAt(0)(ms);
		});
		expect(await waiting(service)).toMatchObject({ state: 'complete' });
	});

	it('ends as job_timeout at the deadline of an outage, and says what the last look met', async () => {
		const gone = statusError(410, 'See v1.2. Kept for an hour.');
		const service = serviceOf((ms) => (ms < 1000 ? { status: 'processing' } : gone));
		const error = await errorOf(async () => await waiting(service, { timeout: 1 }));
		expect(error).toMatchObject({
			errorClass: 'job_timeout',
			details: { job_id: 'j1', body: '{"status":"processing"}' },
			description: expect.stringMatching(/status 410\): See v1\.2\. Kept for an hour\.$/) as string,
		});
		expect(service.looks.at(-1)).toBe(minute);
		expect([service.clock.now(), service.clock.pending()]).toEqual([start + minute, 0]);
	});

	it('says only the status of an outage that the service does not explain', async () => {
		const service = serviceOf(() => statusError(502, undefined));
		const { description } = await errorOf(async () => await waiting(service, { timeout: 1 }));
		expect(description).toMatch(/The last status request failed: [^:]*status 502\)\.$/);
	});

	it('says nothing of an outage that is over', async () => {
		const down = statusError(502, undefined);
		const service = serviceOf((ms) => (ms < 10_000 ? down : { status: 'processing' }));
		const { description } = await errorOf(async () => await waiting(service, { timeout: 1 }));
		expect(description).not.toMatch(/502/);
	});

	it('ends at the deadline although a look hangs', async () => {
		const service = serviceOf(() => ({}));
		const ending = new AbortController();
		service.client.getBulk = async () =>
			await new Promise((_resolve, reject) =>
				ending.signal.addEventListener('abort', () => reject(ending.signal.reason as Error)),
			);
		void service.clock.sleep(minute + 2000).then(() => ending.abort(new DeadlineError()));
		const clock = service.clock.stoppedBy(ending.signal);
		const waits = { ...waitingOf(service, { timeout: 1 }), clock };
		const error = await errorOf(
			async () => await service.clock.run(waitForJob(service.client, submitted, waits, sent)),
		);
		expect(error).toMatchObject({ errorClass: 'job_timeout', details: { job_id: 'j1' } });
		// The look did not fail by itself.
		expect(error.description).not.toContain('last status request');
		expect(service.clock.now()).toBe(start + minute + 2000);
	});
});

test('a job is over if it is complete or failed, and job_timeout if it still runs', async () => {
	for (const over of [
		jobIn({ job_id: 'j1', status: 'completed', results: [] }),
		jobIn({ job_id: 'j1', status: 'failed' }),
	])
		expect(requireOver(over)).toBe(over);
	const error = await errorOf(() => requireOver(submitted));
	expect(error).toMatchObject({ errorClass: 'job_timeout', details: { job_id: 'j1' } });
	expect(error.message).toContain('is not complete yet');
});
