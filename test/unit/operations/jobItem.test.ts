import { jobJson } from '../../../nodes/WalletScreening/operations/bulkJob/jobItem';
import { createReader } from '../../../nodes/WalletScreening/service/reader/reader';
import { ETH, reportOf } from '../service/bulk/samples';

test('a job is what can be said of it, and beside that what the service sent, untouched', () => {
	const body = { job_id: 'j1', status: 'done', completed: 900, failed: 100, address_count: 1000 };
	const job = createReader().job({ ...body, results: [reportOf(ETH)] }, 200, 'j1', {});
	const item = jobJson(job, 1, [ETH]);
	expect(item).toEqual({
		job_id: 'j1',
		completed: true,
		failed: false,
		address_count: 1,
		addresses: [ETH],
		job: { ...body, results: [reportOf(ETH)] },
	});
	expect(Object.keys(jobJson(job, undefined))).toEqual(['job_id', 'completed', 'failed', 'job']);
});
