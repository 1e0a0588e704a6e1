import type { Job, JobAnswer } from '../../../nodes/WalletScreening/answers/jobAnswer';
import { listResults, matchResults } from '../../../nodes/WalletScreening/answers/match';
import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import type { Report } from '../../../nodes/WalletScreening/answers/report';
import type { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';

/** Reads the job `j1` from a body. */
export const jobIn = (body: unknown): Job => new Reader().readJob({ body, status: 200 }, 'j1');

/** Returns the report of each address, or the error in its place. */
export function resultsByAddress(
	addresses: string[],
	job: JobAnswer,
): Map<string, Report | ScreeningError> {
	const results = matchResults(addresses, job);
	return new Map(results.map(({ address, value, error }) => [address, value ?? error]));
}

/** Returns all reports of a job, with an error in the place of each missing one. */
export const resultsIn = (job: JobAnswer): Array<Report | ScreeningError> =>
	listResults(job).map(({ value, error }) => value ?? error);
