import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import type { JobAnswer } from '../answers/jobAnswer';
import { listResults } from '../answers/match';
import { createDeliveryErrorItem } from '../execution/errorItems';
import { createServiceReportJson } from '../execution/reportItem';
import { catchScreeningError, type ScreeningError } from '../shared/errors';
import { fetchJob } from './fetchJob';
import type { Delivery } from './readDelivery';
import type { DeliveryOptions } from './deliveryOptions';

/* The items that the workflow starts with. */

/**
 * Creates the items that the workflow starts with; none if the user wants none of them.
 * @throws {ScreeningError} if parameters cannot be used, or results cannot be fetched
 */
export async function createItems(
	context: IWebhookFunctions,
	{ job, jobIdToFetch, options }: Delivery,
): Promise<INodeExecutionData[]> {
	if (options.error) throw options.error;
	const whole = jobIdToFetch === undefined ? job : await fetchJob(context, jobIdToFetch);
	if (options.value.isBatch) return [createBatchItem(whole)];
	return createReportItems(context, whole, options.value);
}

/** Creates one item with all that was delivered, untouched. */
function createBatchItem({ job_id, body }: JobAnswer): INodeExecutionData {
	return { json: { ...(job_id !== undefined && { job_id }), job: body } as IDataObject };
}

/**
 * Creates one item for each report, for each result that is no report, and for the failure of the
 * job; one with the whole body if it has no results and none are fetched.
 */
function createReportItems(
	context: IWebhookFunctions,
	job: JobAnswer,
	options: DeliveryOptions,
): INodeExecutionData[] {
	const { fetchResults, alertText, onlyNotGreen, simplify, reportSettings, serviceNames } = options;
	const { state, results, missingResults } = job;
	const isEmpty = state !== 'failed' && results.length === 0 && !missingResults;
	if (isEmpty && !fetchResults) return [createBatchItem(job)];
	const retrievedAt = new Date();
	const settled = listResults(job).map((result) => {
		if (result.error) return result;
		const received = { report: result.value, retrievedAt, serviceNames };
		return catchScreeningError(() =>
			createServiceReportJson(context, received, reportSettings, { alertText, simplify }),
		);
	});
	return settled
		.filter(({ value }) => !onlyNotGreen || !value?.isAllClear)
		.map(({ value, error }) =>
			error ? createDeliveryErrorItem(context, error, alertText) : { json: value.json },
		);
}

/**
 * Creates the item of a failure, with what was delivered: that is accepted and does not come again.
 */
export function createFailureItem(
	context: IWebhookFunctions,
	{ job: { job_id, body }, options }: Delivery,
	failure: ScreeningError,
): INodeExecutionData {
	const alertText = options.value?.alertText === true;
	const known = failure.withDetails({ job_id, body: failure.details.body ?? body });
	return createDeliveryErrorItem(context, known, alertText);
}
