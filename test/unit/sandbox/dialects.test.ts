import { dialects, jobBody } from '../../../sandbox/dialects';

const results = [
	{ address: 'a', tx_count: 1 },
	{ address: 'b', tx_count: 2 },
];

describe('job in JSON', () => {
	it('is spelled as openapi.yaml says in the dialect standard', () => {
		expect(jobBody(dialects.standard, { job_id: 'j', state: 'completed', results })).toEqual({
			job_id: 'j',
			status: 'completed',
			results,
		});
	});

	it('has no results before it has them', () => {
		expect(jobBody(dialects.standard, { job_id: 'j', state: 'processing' })).toEqual({
			job_id: 'j',
			status: 'processing',
		});
	});

	it('lies in an envelope, with its results keyed by address, in the dialect wrapped', () => {
		expect(jobBody(dialects.wrapped, { job_id: 'j', state: 'completed', results })).toEqual({
			result: { id: 'j', status: 'success', items: { a: results[0], b: results[1] } },
		});
	});

	it('comes in every spelling of each field in some dialect', () => {
		const all = Object.values(dialects);
		const seen = <K extends keyof (typeof all)[number]>(field: K) =>
			[...new Set(all.map((dialect) => dialect[field]))].sort();
		expect(seen('idField')).toEqual(['id', 'jobId', 'job_id']);
		expect(seen('stateField')).toEqual(['state', 'status']);
		expect(seen('resultsField')).toEqual(['data', 'items', 'reports', 'results']);
		expect(seen('resultsAs')).toEqual(['array', 'object']);
		expect(seen('envelope')).toEqual(['data', 'job', null, 'result']);
	});
});
