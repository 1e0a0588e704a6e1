import type { JobSnapshot } from './bulk';

/**
 * Writes a job as JSON, in answers and in webhooks: the specification does not show its form
 * (sections 4.3, 4.4 and 6).
 */
export type Dialect = (job: JobSnapshot) => object;

const foreignWords = {
	queued: 'minted',
	processing: 'simmering',
	completed: 'scored',
	failed: 'burnt',
};

export const dialects = {
	/** The dialect that openapi.yaml describes. */
	standard: ({ state, ...job }) => ({ ...job, status: state }),
	/**
	 * A dialect that the nodes have to be taught: it has its own names for the ID and the state, and
	 * its own words.
	 */
	foreign: ({ job_id, state, results }) => ({
		slip: job_id,
		lifecycle: foreignWords[state],
		...(results && { verdicts: results }),
	}),
} satisfies Record<string, Dialect>;
