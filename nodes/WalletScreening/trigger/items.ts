import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { toErrorItem } from '../n8n/nodeError';
import { type Origin, reportOutcome } from '../n8n/reportItem';
import { ScreeningError } from '../service/errors';
import { outcomesOf } from '../service/results';
import type { Delivery } from '../service/reader/reader';
import type { Settings } from './settings';

/** One item with all that was delivered, untouched. */
export function batchItem({ job_id, body }: Delivery): INodeExecutionData {
	return { json: { ...(job_id !== undefined && { job_id }), job: body } as IDataObject };
}

const failedItem = (error: ScreeningError, { alertText, timeZone }: Settings) =>
	toErrorItem(error, 'trigger', { alertText, timeZone });

/**
 * One item for each report, for each result that is no report, and for the failure of the job; one with the whole body if it
 * has no results and none are fetched.
 */
export function reportItems(
	delivery: Delivery,
	settings: Settings,
	origin: Origin,
): INodeExecutionData[] {
	const { fetchResults, deciding } = settings;
	const failed = (error: ScreeningError) => failedItem(error, settings);
	const { state, results, remainder } = delivery;
	const isEmpty = state !== 'failed' && results.length === 0 && !remainder;
	if (isEmpty && !fetchResults) return [batchItem(delivery)];
	const retrievedAt = new Date();
	return outcomesOf(delivery).flatMap((report) => {
		if (report instanceof ScreeningError) return failed(report);
		const outcome = reportOutcome({ report, retrievedAt }, deciding, settings, origin);
		return outcome instanceof ScreeningError ? failed(outcome) : (outcome ?? []);
	});
}

/** The failure of a delivery with what was delivered, which is accepted and does not come again. */
export function failureItem(
	{ job_id, body }: Delivery,
	failure: ScreeningError,
	settings: Settings,
): INodeExecutionData {
	const details = { job_id, body: failure.details.body ?? body };
	return failedItem(failure.withDetails(details), settings);
}
