import { randomBytes } from 'node:crypto';
import type { Report } from './reports';
import { scenarioOf } from './scenarios';

export type JobState = 'queued' | 'processing' | 'completed' | 'failed';

/** How one job differs from a job that goes well. */
export interface JobPlan {
	fails?: boolean;
	durationMs?: number;
	/** Gets the right results in the order of the request, gives those to answer with. */
	results?: (reports: Report[]) => unknown[];
}

/** Decides on each job as it is submitted; `index` counts the jobs of the run from 0. */
export type PlanJob = (job: { index: number; addresses: string[] }) => JobPlan;

export interface JobSnapshot {
	job_id: string;
	state: JobState;
	/** Present once the job is completed. */
	results?: unknown[];
}

export interface Jobs {
	/** Accepts a job (section 4.3). */
	submit(addresses: string[]): JobSnapshot;
	/** The job as it stands now (section 4.4). */
	find(job_id: string): JobSnapshot | undefined;
}

interface Job {
	/** Made anew at each call: a hundred jobs of a thousand reports each would fill the memory. */
	reports: () => Report[];
	plan: JobPlan;
	submittedAt: number;
	durationMs: number;
	ended: boolean;
}

// A job waits for the first fifth of its time, so that a client that polls sees every state.
const queuedShare = 0.2;

function stateOf(job: Job): JobState {
	if (job.ended) return job.plan.fails ? 'failed' : 'completed';
	const elapsed = performance.now() - job.submittedAt;
	return elapsed < job.durationMs * queuedShare ? 'queued' : 'processing';
}

/**
 * The bulk jobs of one run. The specification does not show their states (section 3): here a job is
 * `queued`, then `processing`, and ends `completed` or `failed`.
 *
 * @param settings.onCompleted called for each job that ends well, when it does (section 6)
 */
export function createJobs(settings: {
	durationMs: number;
	planJob: PlanJob;
	createReports: (addresses: string[]) => () => Report[];
	onCompleted: (job_id: string) => void;
}): Jobs {
	const jobs = new Map<string, Job>();

	const resultsOf = (job: Job): unknown[] => {
		const reports = job.reports().filter(({ address }) => !scenarioOf(address)?.isMissingInBulk);
		return job.plan.results?.(reports) ?? reports;
	};

	const snapshot = (job_id: string, job: Job): JobSnapshot => {
		const state = stateOf(job);
		return state === 'completed' ? { job_id, state, results: resultsOf(job) } : { job_id, state };
	};

	return {
		submit(addresses) {
			const plan = settings.planJob({ index: jobs.size, addresses });
			const slowMs = addresses.map((address) => scenarioOf(address)?.slowMs ?? 0);
			const durationMs = (plan.durationMs ?? settings.durationMs) + Math.max(0, ...slowMs);
			const job_id = `job_${randomBytes(10).toString('hex')}`;
			const reports = settings.createReports(addresses);
			const job = { reports, plan, submittedAt: performance.now(), durationMs, ended: false };
			jobs.set(job_id, job);
			setTimeout(() => {
				job.ended = true;
				if (!plan.fails) settings.onCompleted(job_id);
			}, durationMs).unref();
			return { job_id, state: 'queued' };
		},
		find(job_id) {
			const job = jobs.get(job_id);
			return job && snapshot(job_id, job);
		},
	};
}
