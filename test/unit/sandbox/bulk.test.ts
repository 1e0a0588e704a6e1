import { createJobs, type PlanJob } from '../../../sandbox/bulk';
import { reportOn } from '../../../sandbox/reports';

const addresses = ['a', 'b', 'c'];

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function jobsOf(planJob: PlanJob = () => ({})) {
	const completed: string[] = [];
	const createReport = jest.fn((address: string) => reportOn(address, undefined, 'http://x'));
	const createReports = (all: string[]) => () => all.map((address) => createReport(address));
	const jobs = createJobs({
		durationMs: 1000,
		planJob,
		createReports,
		onCompleted: (job_id) => completed.push(job_id),
	});
	const stateOf = (job_id: string) => jobs.find(job_id)?.state;
	return { jobs, stateOf, completed, createReport };
}

describe('bulk job', () => {
	it('is queued, then processing, then completed', () => {
		const { jobs, stateOf } = jobsOf();
		const { job_id, state } = jobs.submit(addresses);
		expect([state, stateOf(job_id)]).toEqual(['queued', 'queued']);
		jest.advanceTimersByTime(200);
		expect(stateOf(job_id)).toBe('processing');
		jest.advanceTimersByTime(799);
		expect(stateOf(job_id)).toBe('processing');
		jest.advanceTimersByTime(1);
		expect(stateOf(job_id)).toBe('completed');
	});

	it('has one report for each address in their order, and none before it is completed', () => {
		const { jobs } = jobsOf();
		const { job_id } = jobs.submit(addresses);
		expect(jobs.find(job_id)).not.toHaveProperty('results');
		jest.advanceTimersByTime(1000);
		expect(jobs.find(job_id)?.results).toEqual(
			addresses.map((address) => reportOn(address, undefined, 'http://x')),
		);
	});

	it('says once that it is completed, when it is', () => {
		const { jobs, completed } = jobsOf();
		const { job_id } = jobs.submit(addresses);
		jest.advanceTimersByTime(999);
		expect(completed).toEqual([]);
		jest.advanceTimersByTime(100_000);
		expect(completed).toEqual([job_id]);
	});

	it('ends failed and without results by plan', () => {
		const { jobs, completed } = jobsOf(() => ({ fails: true }));
		const { job_id } = jobs.submit(addresses);
		jest.advanceTimersByTime(1000);
		expect(jobs.find(job_id)).toEqual({ job_id, state: 'failed' });
		expect(completed).toEqual([]);
	});

	it('takes the time and gives the results that its plan says', () => {
		const { jobs, stateOf } = jobsOf(({ index, addresses: [first] }) =>
			index === 1
				? {
						durationMs: 5000,
						results: (reports) => [...reports.slice(1), { address: first, error: 'x' }],
					}
				: {},
		);
		const usual = jobs.submit(addresses).job_id;
		const slow = jobs.submit(addresses).job_id;
		jest.advanceTimersByTime(1000);
		expect([stateOf(usual), stateOf(slow)]).toEqual(['completed', 'processing']);
		jest.advanceTimersByTime(4000);
		const results = jobs.find(slow)?.results as Array<{ address: string }>;
		expect(results.map(({ address }) => address)).toEqual(['b', 'c', 'a']);
		expect(results[2]).toEqual({ address: 'a', error: 'x' });
	});

	it('is unknown by another identifier', () => {
		expect(jobsOf().jobs.find('job_0')).toBeUndefined();
	});

	it('costs no report before its results are asked for', () => {
		const { jobs, createReport } = jobsOf();
		for (let index = 0; index < 100; index++) jobs.submit(addresses);
		jest.advanceTimersByTime(1000);
		expect(createReport).not.toHaveBeenCalled();
	});
});
