import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import { createReader } from '../../../nodes/WalletScreening/answers/reader';

const ETH = `0x${'a'.repeat(40)}`;
const reader = createReader();
const jobOf = (content: object) => reader.job({ job_id: 'j', ...content }, 200, 'j');

describe('the state of a job', () => {
	it.each([
		['complete', { status: 'FINISH' }],
		['failed', { status: 'FAIL' }],
		['running', { status: 'PROCESS' }],
		['complete', { state: { Finished: { took: 3 } } }],
		['failed', { state: { Failed: { reason: 'lost' } } }],
		['running', { state: { Running: { done: 1, of: 3 } } }],
		['running', { state: { complete: 1, failed: 0 } }],
		['running', { status: 'completed', finished_at: null }],
		['running', { status: { isFailed: false, name: 'running' } }],
		['running', { status: { lastTransition: 'Completed', phase: 'Running' } }],
		['complete', { status: { isFailed: false, phase: 'Completed' } }],
		['running', { status: { previous: 'Completed', phase: 'scoring' } }],
		['complete', { state: { lifecycle: 'TERMINATED', result: 'SUCCESS' } }],
		['running', { status: 'terminated' }],
		['complete', { status: 3, status_text: 'Completed' }],
		['complete', { status: '03', status_text: 'Completed' }],
		['running', { stage: 'scoring', steps: [{ status: 'completed' }] }],
		['running', { status: 'DENIED', errors: { name: 'internal' } }],
		['failed', { status: 'DENIED', errors: { name: 'internal' }, time_completed: '2026-03-11' }],
		['failed', { status: 'failed', finished_at: null, total: 3, processed: 0 }],
		['failed', { status: 'completed', error: 'out of memory' }],
		['complete', { status: 'completed', failed: 1, errors: [{ code: 7 }] }],
		['running', { done: false }],
		['complete', { done: true }],
		['complete', { finishedAt: '2026-03-11T09:14:31Z' }],
		['running', {}],
		['complete', { status: 'success' }],
		['complete', { lifecycle_state: 'completed' }],
		['complete', { status: 'completed', kyc_status: 'open' }],
		['complete', { status: 'completed', state: 2 }],
		['complete', { status: 'completed', webhook: { status: 'pending' } }],
		['complete', { status: 'completed', meta: { error: 'a warning' } }],
		['complete', { status: 'completed', errors: 1 }],
		['complete', { status: 'completed', completed_at: '2026-03-11T09:14:31Z', finished: null }],
		['complete', { done: true, started: true }],
		['complete', { data: { done: true, rejected: [{ address: ETH, status: 'failed' }] } }],
		['failed', { done: false, cancelled_at: '2026-03-11T09:14:31Z' }],
		['failed', { status: 'completed', success: false }],
		['failed', { status: 'completed', ok: false }],
		['failed', { status: 'completed', conclusion: 'failure' }],
		['complete', { status: 'completed', outcome: 'passed with remarks' }],
		['failed', { status: { state: 'DONE', errorResult: { reason: 'lost' } } }],
		['running', { status: { validation: 'completed', screening: 'working' } }],
		['complete', { status: 'PartiallyFailed' }],
		['failed', { status: 'FAILED_WITH_TIMEOUT' }],
		['complete', { processed: true }],
		['complete', { processed_at: '2026-03-11T09:14:31Z' }],
	])('is %s for %j', (state, content) => expect(jobOf(content).state).toBe(state));

	it.each([
		['complete', {}],
		['complete', { status: 'scored', event: 'job.updated' }],
		['running', { done: false }],
		['failed', { event: 'job.failed' }],
	])('of a delivery is %s for %j', (state, content) =>
		expect(reader.delivery({ job_id: 'j', ...content }).state).toBe(state),
	);

	it.each([
		['of the request', { status: 'success', data: { job_id: 'j' } }],
		['of the gateway', { status: 'completed', job: { job_id: 'j', status: 'queued' } }],
	])('is not the word %s', (_, body) => {
		expect(reader.job(body, 200, 'j')).toMatchObject({ state: 'running' });
	});

	it('is that of the object with the ID that was asked for, under whatever name', () => {
		const body = { webhook: { status: 'pending' }, scan: { ref: 'bulk/j', status: 'completed' } };
		expect(reader.job(body, 200, 'j')).toMatchObject({ state: 'complete' });
	});

	it('proposes no word of the request', () => {
		const { add } = reader.job({ status: 'ok', data: { job_id: 'j' } }, 200, 'j');
		expect(add).not.toHaveProperty('complete');
	});

	it('is complete for a bare list, unless the service says that it is not done', () => {
		const entry = { address: ETH, status: 'pending' };
		expect(reader.job([], 200, 'j').state).toBe('complete');
		expect(reader.job([], 202, 'j').state).toBe('running');
		expect(reader.job([entry], 200, 'j').state).toBe('running');
	});

	it('is complete if all is there, and nothing still runs', () => {
		const addresses = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`);
		const failures = addresses.map((address) => ({ address, error: 'timed out' }));
		const stateFor = (left: object, some: object[]) =>
			reader.job({ job_id: 'j', total: 2, ...left, failures: some }, 200, 'j', {}, addresses).state;
		for (const [drained, left] of [
			[{ pending: 0 }, { pending: 1 }],
			[{ is_running: false }, { is_running: true }],
		]) {
			expect(stateFor(drained!, failures)).toBe('complete');
			expect(stateFor(left!, failures)).toBe('running');
			expect(stateFor(drained!, failures.slice(1))).toBe('running');
		}
	});

	it('is that of no error', () => {
		const errors = [{ status: '422', detail: 'mistyped' }];
		const attributes = { status: 'finished', errors };
		expect(reader.job({ data: { id: 'j', attributes } }, 200, 'j').state).toBe('complete');
	});

	it.each([
		['a bulk job of another ID', { job_id: 'other', status: 'completed' }],
		['an error in the place of a bulk job', { error: 'maintenance' }],
		['a body that is no bulk job', 'fine'],
	])('is refused for %s', (what, body) => {
		expect(() => reader.job(body, 200, 'j')).toThrow(what);
	});

	it.each([
		['status', 'Approved', { complete: ['Approved'] }],
		['status', 'scored', { complete: ['scored'] }],
		['lifecycle', 'scored', { state: ['lifecycle'] }],
		['status', 'validating', undefined],
		['status', 'not_completed', undefined],
		['is_partial', false, undefined],
		['balance', '3 ETH', undefined],
		['created', '2026-03-11', undefined],
	])('is not known by %s: %s, and the error proposes what may say it', (name, value, add) => {
		expect(jobOf({ [name]: value, n: 7 })).toMatchObject({ state: 'running' });
		expect(jobOf({ [name]: value, n: 7 }).add).toEqual(add);
	});
});

describe('what is left of a job', () => {
	it.each([
		[{ total: 3 }, { total: 3 }],
		[{ pending: 2 }, { pending: 2 }],
		[{ processed: 3 }, { processed: 3 }],
		[{ failed_items: 1 }, { failed_items: 1 }],
		[{ errored_operations: 1 }, { errored_operations: 1 }],
		[{ has_more: true }, { has_more: true }],
		[{ total_addresses: 3 }, { total_addresses: 3 }],
		[{ numItems: 3 }, { numItems: 3 }],
		[{ results_total: 3 }, { results_total: 3 }],
		[{ batch_total: 3 }, { batch_total: 3 }],
		[{ submitted: 3 }, { submitted: 3 }],
		[{ addresses_failed: 1 }, { addresses_failed: 1 }],
		[{ not_screened: 1 }, { not_screened: 1 }],
		[{ '@odata.nextLink': '/2' }, { '@odata.nextLink': '/2' }],
		[{ nextRecordsUrl: '/2' }, { nextRecordsUrl: '/2' }],
		[{ IsTruncated: true }, { IsTruncated: true }],
		[{ partial: true }, { partial: true }],
		[{ status: 'completed_with_errors' }, { status: 'completed_with_errors' }],
		[{ links: [{ rel: 'next', href: '/2' }] }, { links: [{ rel: 'next', href: '/2' }] }],
		[{ total: 0, pages: 1, next: null, next_page_token: '' }, undefined],
		[{ next_review_at: '2027-03-11', error_rate: 0.1, total_cost: 7 }, undefined],
		[{ completed: 1_773_220_471, created: 3, links: [{ rel: 'self' }] }, undefined],
	])('of %j is %j', (content, remainder) => {
		expect(jobOf({ status: 'completed', ...content }).remainder).toEqual(remainder);
	});
});

describe('the ID of a job', () => {
	const idOf = (body: object, located?: string) => {
		try {
			return reader.handle(body, 202, located).job_id;
		} catch (error) {
			return (error as ScreeningError).add ?? 'nothing to propose';
		}
	};

	it.each([
		['the name that the specification has', { id: 'no', job_id: 'j' }],
		['the surest name', { task_id: 'no', id: 'j' }],
		['a name that says whose it is', { operationId: 'j', status: 'queued' }],
		['the number that says whose it is', { code: 0, result: { batchNo: 'j' }, requestId: 'no' }],
		['the one beside the state', { id: 'no', data: { id: 'j', status: 'queued' } }],
		['a link', { url: 'https://api.example.com/v1/bulk/j', id: 'no' }],
		['a relative link', { name: 'bulk/j', metadata: { apiVersion: 'v1' } }],
	])('is under %s', (_, body) => expect(idOf(body)).toBe('j'));

	it('is the only thing that may be one', () => {
		expect(idOf({ task: 'node:1' })).toBe('node:1');
		expect(idOf({ name: 'op-7', metadata: { '@type': 'a/b', progressPercent: 3 } })).toBe('op-7');
		expect(idOf({ name: 'op-1', metadata: { apiVersion: 'v1' } })).toBe('op-1');
		expect(idOf({ metadata: { uid: '0f0f8a3c', name: 'bulk-x7' }, status: {} })).toBe('bulk-x7');
		expect(idOf({ created: '2026-03-11', state: 'received', ref: 'J-1' })).toBe('J-1');
	});

	it('is in a header, if no name is as sure', () => {
		expect(idOf({ id: 'no' }, 'j')).toBe('j');
		expect(idOf({ job_id: 'j' }, 'no')).toBe('j');
	});

	it.each([
		[{ report_id: 'r1', status_id: 2, ticket: 'T-1' }, { jobId: ['ticket'] }],
		[{ created: '2026-03-11', sum: 'a1' }, { jobId: ['sum'] }],
		[{ accepted: 3 }, 'nothing to propose'],
		[{ name: 'list-2', ref: 993 }, { jobId: ['ref'] }],
		[{ name: 'list-2', receipt: 'R-9' }, { jobId: ['name'] }],
		[{ code: 'W-12', request_id: 'r-1', count: 12 }, { jobId: ['code'] }],
		[{ retCode: 0, ticketed: { batch: 'B-77' } }, { jobId: ['batch'] }],
		[{ message: 'accepted' }, 'nothing to propose'],
		[{ message: 'accepted', apiVersion: 'v1', schema: '2.0' }, 'nothing to propose'],
	])('is proposed, or nothing is: %j', (body, proposed) => expect(idOf(body)).toEqual(proposed));
});

test('20,000 odd fields are read in a moment: nothing looks at all of them for each of them', () => {
	const odd = (make: (index: number) => unknown) =>
		Object.fromEntries(
			Array.from({ length: 20_000 }, (_, index) => [`odd_${index}_state`, make(index)]),
		);
	const bodies = [(index: number) => index, (index: number) => [{ of: index }], () => 'text'].map(
		odd,
	);
	const start = performance.now();
	for (const body of bodies) jobOf({ status: 'completed', more: body });
	expect(performance.now() - start).toBeLessThan(20_000);
});
