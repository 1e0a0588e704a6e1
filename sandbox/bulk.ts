import { randomBytes } from 'node:crypto';
import type { Report } from './reports';
import { scenarioOf } from './scenarios';

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
	state: 'queued' | 'processing' | 'completed' | 'failed';
	/** Present once the job is completed. */
	results?: unknown[];
}

export type Jobs = ReturnType<typeof createJobs>;

// A job waits for the first fifth of its time, so that a client that polls sees every state.
const queuedShare = 0.2;

/**
 * The bulk jobs of one run. The specification does not show their states (section 3): here a job is
 * `queued`, then `processing`, and ends `completed` or `failed`.
 *
 * @param settings.createReports gives what makes the reports anew at each call: those of a hundred jobs of a thousand addresses
 * would fill the memory
 * @param settings.onCompleted called for each job that ends well, when it does (section 6)
 */
export function createJobs(settings: {
	durationMs: number;
	planJob: PlanJob;
	createReports: (addresses: string[]) => () => Report[];
	onCompleted: (job_id: string) => void;
}) {
	const jobs = new Map<string, () => JobSnapshot>();
	return {
		/** Accepts a job (section 4.3). */
		submit(addresses: string[]): JobSnapshot {
			const plan = settings.planJob({ index: jobs.size, addresses });
			const slowMs = addresses.map((address) => scenarioOf(address)?.slowMs ?? 0);
			const durationMs = (plan.durationMs ?? settings.durationMs) + Math.max(0, ...slowMs);
			const job_id = `job_${randomBytes(10).toString('hex')}`;
			const reports = settings.createReports(addresses);
			const submittedAt = performance.now();
			let isEnded = false;
			const snapshot = (): JobSnapshot => {
				const elapsed = performance.now() - submittedAt;
				if (!isEnded)
					return { job_id, state: elapsed < durationMs * queuedShare ? 'queued' : 'processing' };
				if (plan.fails) return { job_id, state: 'failed' };
				const results = reports().filter(({ address }) => !scenarioOf(address)?.isMissingInBulk);
				return { job_id, state: 'completed', results: plan.results?.(results) ?? results };
			};
			jobs.set(job_id, snapshot);
			setTimeout(() => {
				isEnded = true;
				if (!plan.fails) settings.onCompleted(job_id);
			}, durationMs).unref();
			return { job_id, state: 'queued' };
		},
		/** The job as it stands now (section 4.4). */
		find: (job_id: string) => jobs.get(job_id)?.(),
	};
}
