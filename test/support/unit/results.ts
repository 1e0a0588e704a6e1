import type { Report } from '../../../nodes/WalletScreening/answers/report';
import { listResults, matchResults } from '../../../nodes/WalletScreening/answers/match';
import type { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';

type Job = Parameters<typeof listResults>[0];

/** Returns the report of each address, or the error in its place. */
export function resultsByAddress(
	addresses: string[],
	job: Job,
): Map<string, Report | ScreeningError> {
	const results = matchResults(addresses, job);
	return new Map(results.map(({ address, value, error }) => [address, value ?? error]));
}

/** Returns all reports of a job, with an error in the place of each missing one. */
export const resultsIn = (job: Job): Array<Report | ScreeningError> =>
	listResults(job).map(({ value, error }) => value ?? error);
