import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { toErrorItem } from '../n8n/nodeError';
import { type Origin, reportOutcome } from '../n8n/reportItem';
import { ScreeningError } from '../service/errors';
import { jobFailed, noResults, type AddressOutcome, outcomesOf } from '../service/results';
import type { Completion } from '../service/dialect/reader';
import type { Settings } from './settings';

/** One item with all that was delivered, untouched. */
export function batchItem({ job_id, body }: Completion): INodeExecutionData {
	return { json: { ...(job_id !== undefined && { job_id }), job: body } as IDataObject };
}

/**
 * One item for each report, for each entry that holds no report, and for the failure of the job; one with the whole body if
 * it has no results and none are fetched. `fetchNamed` gets the reports that are only named; what it throws is thrown.
 */
export async function reportItems(
	completion: Completion,
	settings: Settings,
	origin: Origin,
	fetchNamed: (outcomes: AddressOutcome[]) => Promise<AddressOutcome[]>,
): Promise<INodeExecutionData[]> {
	const { job_id, state, entries = [] } = completion;
	const { fetchResults, alertText, deciding } = settings;
	const failed = (error: ScreeningError) => toErrorItem(error, 'trigger', { alertText });
	const failures = state === 'failed' ? [failed(jobFailed(completion))] : [];
	if (entries.length === 0 && failures.length === 0) {
		return [fetchResults ? failed(noResults(completion)) : batchItem(completion)];
	}
	const delivered = outcomesOf(entries, job_id);
	const outcomes = fetchResults ? await fetchNamed(delivered) : delivered;
	const retrievedAt = new Date();
	return [
		...failures,
		...outcomes.flatMap(({ outcome: report }) => {
			if (report instanceof ScreeningError) return failed(report);
			const outcome = reportOutcome({ report, retrievedAt }, deciding, settings, origin);
			return outcome instanceof ScreeningError ? failed(outcome) : (outcome ?? []);
		}),
	];
}

/** The failure of a delivery with what was delivered, which is accepted and does not come again. */
export function failureItem(
	{ job_id, body }: Completion,
	failure: ScreeningError,
	{ alertText }: Settings,
): INodeExecutionData {
	const known = {
		...(job_id !== undefined && { job_id }),
		...(failure.known.body === undefined && { body }),
	};
	return toErrorItem(failure.with(known), 'trigger', { alertText });
}
