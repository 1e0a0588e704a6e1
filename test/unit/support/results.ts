import type { Report } from '../../../nodes/WalletScreening/answers/report';
import { allResults, matchResults } from '../../../nodes/WalletScreening/answers/match';
import type { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';

type Job = Parameters<typeof allResults>[0];

/** The report of each address, or the error in its place. */
export function resultsByAddress(
	addresses: string[],
	job: Job,
): Map<string, Report | ScreeningError> {
	const results = matchResults(addresses, job);
	return new Map(results.map(({ address, value, error }) => [address, value ?? error]));
}

/** All reports of a job, and the errors in the place of the others. */
export const resultsIn = (job: Job): Array<Report | ScreeningError> =>
	allResults(job).map(({ value, error }) => value ?? error);
