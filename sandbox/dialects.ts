export type JobState = 'queued' | 'processing' | 'completed' | 'failed';

/**
 * How a job is spelled in JSON. The specification shows neither the job handle nor the job status
 * (sections 4.3 and 4.4); a client that knows several spellings can be tried with each.
 */
export interface Dialect {
	idField: 'job_id' | 'id' | 'jobId';
	stateField: 'status' | 'state';
	states: Record<JobState, string>;
	resultsField: 'results' | 'reports' | 'data' | 'items';
	/** A list, or an object whose keys are the addresses. */
	resultsAs: 'array' | 'object';
	/** The one field that holds all others, if any. */
	envelope: null | 'data' | 'job' | 'result';
}

const standard: Dialect = {
	idField: 'job_id',
	stateField: 'status',
	states: { queued: 'queued', processing: 'processing', completed: 'completed', failed: 'failed' },
	resultsField: 'results',
	resultsAs: 'array',
	envelope: null,
};

/** Spellings to try a client with. `standard` is the one that openapi.yaml describes. */
export const dialects = {
	standard,
	short: {
		...standard,
		idField: 'id',
		stateField: 'state',
		states: { queued: 'pending', processing: 'running', completed: 'done', failed: 'error' },
		resultsField: 'reports',
	},
	camelCase: {
		...standard,
		idField: 'jobId',
		states: {
			queued: 'Pending',
			processing: 'InProgress',
			completed: 'Succeeded',
			failed: 'Errored',
		},
		resultsField: 'items',
	},
	upperCase: {
		...standard,
		stateField: 'state',
		states: {
			queued: 'QUEUED',
			processing: 'PROCESSING',
			completed: 'COMPLETE',
			failed: 'CANCELLED',
		},
		resultsField: 'data',
		envelope: 'job',
	},
	keyedByAddress: {
		...standard,
		states: { queued: 'created', processing: 'active', completed: 'finished', failed: 'aborted' },
		resultsAs: 'object',
		envelope: 'data',
	},
	wrapped: {
		...standard,
		idField: 'id',
		states: { queued: 'accepted', processing: 'started', completed: 'success', failed: 'expired' },
		resultsField: 'items',
		resultsAs: 'object',
		envelope: 'result',
	},
} satisfies Record<string, Dialect>;

function keyedByAddress(results: readonly unknown[]): Record<string, unknown> {
	return Object.fromEntries(
		results.map((result, index) => {
			const { address = index } = result as { address?: string };
			return [address, result];
		}),
	);
}

/** The JSON body for a job in the given spelling; `results` only if the job has them. */
export function jobBody(
	dialect: Dialect,
	job: { job_id: string; state: JobState; results?: readonly unknown[] },
): Record<string, unknown> {
	const body: Record<string, unknown> = {
		[dialect.idField]: job.job_id,
		[dialect.stateField]: dialect.states[job.state],
	};
	if (job.results) {
		body[dialect.resultsField] =
			dialect.resultsAs === 'object' ? keyedByAddress(job.results) : job.results;
	}
	return dialect.envelope ? { [dialect.envelope]: body } : body;
}
