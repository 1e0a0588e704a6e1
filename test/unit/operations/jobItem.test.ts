import { jobJson } from '../../../nodes/WalletScreening/operations/bulkJob/jobItem';
import { createReader } from '../../../nodes/WalletScreening/service/dialect/reader';
import { ETH, reportOf } from '../service/bulk/samples';

/** A job as an item; the last argument takes away what is known of the number of its addresses. */
const itemOf = (body: object, isCounted = true) => {
	const job = createReader().job(body, 200, 'j1', {});
	return jobJson(job, isCounted ? job.entries?.length : undefined);
};

test('what the service has under one of these names is not lost', () => {
	const body = { job_id: 'j1', status: 'done', completed: 900, failed: 100, address_count: 1000 };
	expect(itemOf({ ...body, results: [reportOf(ETH)] })).toMatchObject({
		...{ completed: true, failed: false, address_count: 1000 },
		service: { completed: 900, failed: 100 },
	});
	const same = { job_id: 'j1', status: 'done', completed: true, failed: false };
	expect(itemOf(same)).toEqual(same);
});

test('a job has no count of addresses that nobody knows, unless the service gives it', () => {
	const body = { job_id: 'j1', status: 'done', results: [reportOf(ETH)] };
	expect(itemOf(body, false)).not.toHaveProperty('address_count');
	expect(itemOf({ ...body, address_count: 1000 }, false)).toMatchObject({ address_count: 1000 });
});
