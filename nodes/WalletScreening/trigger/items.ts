import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Deciding } from '../n8n/decision';
import { toErrorItem } from '../n8n/nodeError';
import { type Origin, reportOutcome } from '../n8n/reportItem';
import { ScreeningError } from '../service/errors';
import { jobFailed, noResults, outcomesOf } from '../service/results';
import type { Completion } from '../service/shapes';
import type { Fetch } from './results';
import type { Options } from './settings';

/** One item with all that was delivered. */
export function batchItem(body: unknown): INodeExecutionData {
	return { json: (Array.isArray(body) ? { results: body } : body) as IDataObject };
}

/** What is made of the results of a delivery, and how. */
interface Making {
	options: Options;
	deciding: Deciding;
	origin: Origin;
	fetch: Pick<Fetch, 'reports'>;
}

/**
 * One item for each report, for each entry that holds no report, and for the failure of the job. Throws what fetching reports throws.
 */
export async function reportItems(
	{ job_id, state, entries = [], body }: Completion,
	{ options, deciding, origin, fetch }: Making,
): Promise<INodeExecutionData[]> {
	const { json } = batchItem(body);
	const { fetchResults, alertText } = options;
	const failed = (error: ScreeningError) => toErrorItem(error, 'trigger', { alertText });
	const failures = state === 'failed' ? [failed(jobFailed({ job_id, body: json }))] : [];
	if (entries.length === 0 && failures.length === 0) {
		return [fetchResults ? failed(noResults(job_id)) : { json }];
	}
	const delivered = outcomesOf(entries, job_id);
	const outcomes = fetchResults ? await fetch.reports(delivered) : delivered;
	const retrievedAt = new Date();
	return [
		...failures,
		...outcomes.flatMap(({ outcome: report }) => {
			const outcome =
				report instanceof ScreeningError
					? report
					: reportOutcome({ report, retrievedAt }, deciding, options, origin);
			if (!outcome) return [];
			return outcome instanceof ScreeningError ? failed(outcome) : outcome;
		}),
	];
}
