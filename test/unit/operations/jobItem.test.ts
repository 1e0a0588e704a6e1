import { jobJson } from '../../../nodes/WalletScreening/operations/bulkJob/jobItem';
import { createReader } from '../../../nodes/WalletScreening/service/dialect/reader';
import { BTC, ETH, reportOf } from '../service/bulk/samples';

const parseJob = (body: object, httpCode: number) => createReader().job(body, httpCode, 'j1', {});
const itemOf = (body: object) => {
	const job = parseJob(body, 200);
	return jobJson(job, job.entries?.length);
};

test('a job as an item has what the service says of it, its ID and how far it is', () => {
	const body = {
		id: 'j1',
		status: 'Completed',
		results: [reportOf(ETH), reportOf(BTC)],
		note: 'x',
	};
	expect(itemOf(body)).toEqual({
		...body,
		job_id: 'j1',
		completed: true,
		failed: false,
		address_count: 2,
	});
});

test('what the service has under one of these names is not lost', () => {
	const body = { job_id: 'j1', status: 'done', completed: 900, failed: 100, address_count: 1000 };
	expect(itemOf({ ...body, results: [reportOf(ETH)] })).toMatchObject({
		completed: true,
		failed: false,
		address_count: 1000,
		service: { completed: 900, failed: 100 },
	});
});

test('a job has no count of addresses that nobody knows: results may be missing or doubled', () => {
	const body = {
		job_id: 'j1',
		status: 'done',
		results: [reportOf(ETH)],
		next: '/v1/bulk/j1?page=2',
	};
	expect(jobJson(parseJob(body, 200), undefined)).not.toHaveProperty('address_count');
	expect(jobJson(parseJob({ ...body, address_count: 1000 }, 200), undefined)).toMatchObject({
		address_count: 1000,
	});
});

test('what the service has under one of these names is not said twice if it is the same', () => {
	const body = { job_id: 'j1', status: 'done', completed: true, failed: false };
	expect(itemOf(body)).toEqual(body);
});
