import type { IDataObject } from 'n8n-workflow';
import type { ScreeningError } from '../shared/errors';
import { objectIn } from '../shared/json';
import { formatCount, toLogText } from '../shared/text';
import type { OnError } from '../transport/onError';
import type { CreatedResources } from './ledger';

/*
 * What a run made before it failed or was stopped. The errors of the run name it, so that the user can
 * fetch it without another charge.
 */

/**
 * Adds to an error what the run made: its jobs if the error leaves as an item, everything if it
 * ends the node.
 *
 * @param created of an error that leaves as an item, only what no earlier item names: a list of all
 * jobs in each of thousands of items would be longer than n8n can hold
 */
export function addCreated(
	error: ScreeningError,
	created: CreatedResources,
	onError: OnError,
): ScreeningError {
	return onError === 'stop' ? addEverything(error, created) : addJobIds(error, created);
}

/** Adds all that the run made, and how to get it. */
function addEverything(error: ScreeningError, created: CreatedResources): ScreeningError {
	const { report_ids, job_ids } = created;
	const sentences = describeCreated(withoutOwnScreening(created, error), maxIdsShown);
	const advice =
		"With 'On Error' set to Continue in the settings, the node returns its reports together with the errors.";
	const description = [error.description, ...sentences, ...(sentences.length > 0 ? [advice] : [])];
	return error
		.withDetails({ report_ids, job_ids })
		.withText({ description: description.join(' ') });
}

/**
 * Leaves out an unsure screening that is the failed one itself: the advice on that error already warns
 * that the service may charge for it.
 */
function withoutOwnScreening(
	created: CreatedResources,
	{ errorClass, details }: ScreeningError,
): CreatedResources {
	const hasAdvice = errorClass === 'server' || errorClass === 'network';
	const isUnsure = hasAdvice && details.sent !== undefined;
	return isUnsure && created.unsureScreenings === 1 ? { ...created, unsureScreenings: 0 } : created;
}

/**
 * Adds the IDs of the jobs of the run to an error that becomes an item. An error that names its own
 * job, or that refuses the input, stays as it is.
 */
function addJobIds(error: ScreeningError, { job_ids }: CreatedResources): ScreeningError {
	const { errorClass, details } = error;
	const needsNoJobIds = errorClass === 'invalid_input' || details.job_id !== undefined;
	return needsNoJobIds || job_ids.length === 0 ? error : error.withDetails({ job_ids });
}

/** Whether the item of an error names the jobs of the run. */
export const namesJobs = ({ details }: IDataObject): boolean =>
	objectIn(details)?.job_ids !== undefined;

/** Neither the editor's panel nor a tool has room for more. The details of the error have all. */
export const maxIdsShown = 100;

/** Says what the service has made, and how to get it. Each sentence has at most `maxIds` IDs. */
export function describeCreated(
	{ report_ids, job_ids, unsureJobSizes, unsureScreenings }: CreatedResources,
	maxIds = Infinity,
): string[] {
	const listIds = (ids: string[]) => {
		const more = ids.length > maxIds ? ` and ${ids.length - maxIds} more` : '';
		return `${ids.slice(0, maxIds).map(toLogText).join(', ')}${more}`;
	};
	const sentences: string[] = [];
	if (report_ids.length > 0) {
		sentences.push(
			`These reports exist: ${listIds(report_ids)}. 'Report: Get' returns them without a new screening.`,
		);
	}
	if (job_ids.length > 0) {
		sentences.push(
			`These bulk jobs exist, and the service may still process them: ${listIds(job_ids)}. 'Bulk Job: Get' returns their reports without a new screening.`,
		);
	}
	for (const count of unsureJobSizes) {
		sentences.push(
			`A bulk job of ${formatCount(count, 'address', 'addresses')} may exist. The service did not confirm whether it accepted the job, and may charge for it.`,
		);
	}
	// Only their number: an address must not get into n8n's log.
	if (unsureScreenings > 0) {
		sentences.push(
			`No report arrived for ${formatCount(unsureScreenings, 'screening')} that the service may have carried out, and may charge for.`,
		);
	}
	return sentences;
}
