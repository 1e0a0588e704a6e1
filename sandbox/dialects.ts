import type { JobSnapshot, JobState } from './bulk';

/** How the service writes what the specification does not show (sections 4.3, 4.4 and 6). */
export interface Dialect {
	/** The JSON of a job, also of one that was just submitted. */
	job: (job: JobSnapshot) => unknown;
	/** The body of a webhook about that job; the job itself if absent. */
	delivery?: (job: unknown) => unknown;
	/** What lies around each report and each job; nothing if absent. */
	envelope?: (content: unknown) => unknown;
}

const wordOf = (
	state: JobState,
	queued: string,
	processing: string,
	completed: string,
	failed: string,
) => ({ queued, processing, completed, failed })[state];

/** Spellings to try a client with. */
export const dialects: Record<'standard' | 'celery' | 'grpc' | 'keyed' | 'foreign', Dialect> = {
	/** The one that openapi.yaml describes. */
	standard: {
		job: ({ job_id, state, results }) => ({
			...{ job_id, status: wordOf(state, 'queued', 'processing', 'completed', 'failed') },
			...(results && { results }),
		}),
	},
	/** Of Django's REST framework and Celery: a page of results, and the ID of a task beside that of the job. */
	celery: {
		job: ({ job_id, state, results = [] }) => ({
			...{ id: job_id, task_id: `task-of-${job_id}` },
			status: wordOf(state, 'PENDING', 'STARTED', 'SUCCESS', 'FAILURE'),
			reports: { count: results.length, next: null, previous: null, results },
			failed: [],
		}),
	},
	/** Of a gateway to gRPC: the job lies beside its results. */
	grpc: {
		job: ({ job_id, state, results = [] }) => ({
			job: {
				jobId: job_id,
				state: `JOB_STATE_${wordOf(state, 'QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED')}`,
			},
			...{ reports: results, failures: [], nextPageToken: '' },
		}),
		delivery: (job) => ({ eventType: 'BULK_JOB_COMPLETED', ...(job as object) }),
	},
	/** Results by their addresses, and the code of the request around everything. */
	keyed: {
		job: ({ job_id, state, results = [] }) => ({
			...{ job_id, job_status: wordOf(state, 'waiting', 'running', 'finished', 'failed') },
			reports: Object.fromEntries(
				results.map((result, index) => [(result as { address?: string }).address ?? index, result]),
			),
		}),
		envelope: (result) => ({ code: 1, message: 'OK', result }),
	},
	/** Has to be taught: ID, state and words are its own. */
	foreign: {
		job: ({ job_id, state, results }) => ({
			...{ ticket: job_id, lifecycle: wordOf(state, 'minted', 'simmering', 'scored', 'burnt') },
			...(results && { verdicts: results }),
		}),
	},
};

/** Throws an Error for an unknown name. */
export function dialectOf(name: string): Dialect {
	if (Object.hasOwn(dialects, name)) return dialects[name as keyof typeof dialects];
	throw new Error(`--dialect must be one of ${Object.keys(dialects).join(', ')}, not "${name}"`);
}
