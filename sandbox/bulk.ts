import { randomBytes } from 'node:crypto';
import type { MakeReports, Report } from './reports';
import { scenarioOf } from './scenarios';

/** How one job differs from a job that goes well. */
export interface JobPlan {
	fails?: boolean;
	durationMs?: number;
	/**
	 * Takes the right results, in the order of the request, and returns those that the sandbox
	 * answers with.
	 */
	results?: (reports: Report[]) => unknown[];
}

/** Plans each job when it is submitted; `index` counts the jobs of the run from 0. */
export type PlanJob = (job: { index: number; addresses: string[] }) => JobPlan;

export interface JobSnapshot {
	job_id: string;
	state: 'queued' | 'processing' | 'completed' | 'failed';
	/** Present once the job is completed. */
	results?: unknown[];
}

export interface Jobs {
	/** Accepts a job (section 4.3). */
	submit(addresses: string[]): JobSnapshot;
	/** The job as it stands now (section 4.4); `undefined` if no job has this ID. */
	find(job_id: string): JobSnapshot | undefined;
}

// A job waits for the first fifth of its time, so that a client that polls sees every state.
const queuedShare = 0.2;

/**
 * The bulk jobs of one run. The specification does not show their states (section 3): here a job is
 * `queued`, then `processing`, and ends `completed` or `failed`.
 *
 * @param settings.onCompleted is called as soon as a job is completed (section 6)
 */
export function createJobs(settings: {
	durationMs: number;
	planJob: PlanJob;
	screenAll: (addresses: string[]) => MakeReports;
	onCompleted: (job_id: string) => void;
}): Jobs {
	const jobs = new Map<string, () => JobSnapshot>();
	return {
		submit(addresses) {
			const plan = settings.planJob({ index: jobs.size, addresses });
			const slowMs = addresses.map((address) => scenarioOf(address)?.slowMs ?? 0);
			const durationMs = (plan.durationMs ?? settings.durationMs) + Math.max(0, ...slowMs);
			const job_id = `job_${randomBytes(10).toString('hex')}`;
			const makeReports = settings.screenAll(addresses);
			const submittedAt = performance.now();
			let isEnded = false;
			const snapshot = (): JobSnapshot => {
				const elapsed = performance.now() - submittedAt;
				if (!isEnded)
					return { job_id, state: elapsed < durationMs * queuedShare ? 'queued' : 'processing' };
				if (plan.fails) return { job_id, state: 'failed' };
				const results = makeReports().filter(
					({ address }) => !scenarioOf(address)?.isMissingInBulk,
				);
				return { job_id, state: 'completed', results: plan.results?.(results) ?? results };
			};
			jobs.set(job_id, snapshot);
			setTimeout(() => {
				isEnded = true;
				if (!plan.fails) settings.onCompleted(job_id);
			}, durationMs).unref();
			return { job_id, state: 'queued' };
		},
		find: (job_id) => jobs.get(job_id)?.(),
	};
}
