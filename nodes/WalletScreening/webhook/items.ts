import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { toErrorItem } from '../execution/nodeError';
import { isAllClear, settledReportItem } from '../execution/reportItem';
import type { ScreeningError } from '../shared/errors';
import { allResults } from '../answers/results';
import type { Delivery } from '../answers/reader';
import type { Settings } from './settings';

/** One item with all that was delivered, untouched. */
export function batchItem({ job_id, body }: Delivery): INodeExecutionData {
	return { json: { ...(job_id !== undefined && { job_id }), job: body } as IDataObject };
}

/**
 * One item for each report, for each result that is no report, and for the failure of the job; one with the whole body if it
 * has no results and none are fetched.
 */
export function reportItems(
	context: IWebhookFunctions,
	delivery: Delivery,
	{ fetchResults, alertText, onlyNotGreen, simplify, deciding }: Settings,
	serviceNames: object | undefined,
): INodeExecutionData[] {
	const { state, results, remainder } = delivery;
	const isEmpty = state !== 'failed' && results.length === 0 && !remainder;
	if (isEmpty && !fetchResults) return [batchItem(delivery)];
	const retrievedAt = new Date();
	const outcomes = allResults(delivery).map((result) => {
		if (result.error) return result;
		const report = { report: result.value, retrievedAt, serviceNames };
		return settledReportItem(context, report, deciding, { alertText, simplify });
	});
	return outcomes
		.filter((outcome) => !onlyNotGreen || !isAllClear(outcome))
		.map(({ value, error }) =>
			error ? toErrorItem(context, error, 'trigger', { alertText }) : value,
		);
}

/** The failure of a delivery with what was delivered, which is accepted and does not come again. */
export function failureItem(
	context: IWebhookFunctions,
	{ job_id, body }: Delivery,
	failure: ScreeningError,
	{ alertText }: Settings,
): INodeExecutionData {
	const known = failure.withDetails({ job_id, body: failure.details.body ?? body });
	return toErrorItem(context, known, 'trigger', { alertText });
}
