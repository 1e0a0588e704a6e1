import type { JobSnapshot } from './bulk';

/** The JSON of a job, also of one that was just submitted: the specification does not show it (sections 4.3, 4.4 and 6). */
export type Dialect = (job: JobSnapshot) => object;

const foreignWords = {
	queued: 'minted',
	processing: 'simmering',
	completed: 'scored',
	failed: 'burnt',
};

export const dialects = {
	/** The one that openapi.yaml describes. */
	standard: ({ state, ...job }) => ({ ...job, status: state }),
	/** Has to be taught: ID, state and words are its own. */
	foreign: ({ job_id, state, results }) => ({
		slip: job_id,
		lifecycle: foreignWords[state],
		...(results && { verdicts: results }),
	}),
} satisfies Record<string, Dialect>;
