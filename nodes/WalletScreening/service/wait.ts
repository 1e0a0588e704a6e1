import type { Clock } from '../pace/clock';
import type { Client } from './client';
import { own, ScreeningError } from './errors';
import type { Job } from './jobs';
import { jobFailed, jobTimeout } from './bulk';

export interface WaitOptions {
	clock: Clock;
	/** Seconds. The pause before the first look; later pauses grow. */
	pollInterval: number;
	/** Milliseconds of the clock after which no further look is taken. */
	deadline: number;
	/** What the deadline is, for the error's text: "after 30 minutes". */
	when: string;
}

const growth = 1.5;
const longestPause = 30_000;

/** No later look can succeed with this key. */
const lockedOut = ['unauthorized', 'forbidden'];

/**
 * Looks at a job with growing pauses until it is complete. The job exists and may be billed, so only the deadline, the
 * service's word that it failed, or a key that is locked out ends the wait: after any other error it looks again. Throws
 * `job_failed`, `job_timeout`, `unauthorized`, `forbidden`, each with the job, or the reason of an aborted signal.
 */
export async function waitForJob(
	client: Client,
	submitted: Job,
	{ clock, pollInterval, deadline, when }: WaitOptions,
): Promise<Job> {
	let last = submitted;
	let trouble: ScreeningError | undefined;
	let pause = pollInterval * 1000;
	for (;;) {
		await clock.sleep(Math.max(0, Math.min(pause, deadline - clock.now())));
		try {
			last = await client.getBulk(submitted.job_id);
			trouble = undefined;
			if (last.state === 'complete') return last;
			if (last.state === 'failed') throw jobFailed(last);
		} catch (error) {
			trouble = own(error);
			const { errorClass } = trouble;
			if (errorClass === 'job_failed' || lockedOut.includes(errorClass)) throw trouble;
		}
		if (clock.now() >= deadline) throw jobTimeout(last, when, trouble);
		pause = Math.max(pause, Math.min(longestPause, pause * growth));
	}
}
