import type { ScreeningError } from '../shared/errors';
import { counted, printable } from '../shared/text';

/** What a run has made, which the service may bill. */
export interface CreatedResources {
	report_ids: string[];
	job_ids: string[];
	/** How many addresses each job has of which it is unsure whether the service accepted it. */
	unsureJobs: number[];
	/** How many screenings were sent more than once, and may be billed for each time. */
	sentAgain: number;
	/** How many green reports were left out because the user wants only the others. */
	leftOut: number;
}

export const nothingCreated = (): CreatedResources => ({
	report_ids: [],
	job_ids: [],
	unsureJobs: [],
	sentAgain: 0,
	leftOut: 0,
});

/** An error that ends the node, with all that was made, and how to get it. */
export function withAllCreated(error: ScreeningError, created: CreatedResources): ScreeningError {
	const { report_ids, job_ids } = created;
	const lines = whatExists(created, idsInPanel);
	const advice =
		"With 'On Error' set to Continue in the settings, the node returns its reports together with the errors.";
	const description = [error.description, ...lines, ...(lines.length > 0 ? [advice] : [])];
	return error
		.withDetails({ report_ids, job_ids })
		.withText({ description: description.join(' ') });
}

/** An error that leaves as an item, with the jobs of the run, if it is known of no one job, and may be of each. */
export function withJobs(error: ScreeningError, { job_ids }: CreatedResources): ScreeningError {
	const isOfNone = job_ids.length === 0 || error.errorClass === 'invalid_input';
	return isOfNone || error.details.job_id !== undefined ? error : error.withDetails({ job_ids });
}

/** The panel of the editor has room for so many IDs. The error's data name all. */
const idsInPanel = 100;

/** What the service has made, of each kind at most so much, and how to get it. */
export function whatExists(
	{ report_ids, job_ids, unsureJobs }: CreatedResources,
	most = Infinity,
): string[] {
	const named = (ids: string[]) => {
		const more = ids.length > most ? ` and ${ids.length - most} more` : '';
		return `${ids.slice(0, most).map(printable).join(', ')}${more}`;
	};
	const reports = `These reports exist: ${named(report_ids)}. 'Report: Get' returns them without a new screening.`;
	const jobs = `These bulk jobs exist, and the service may still process them: ${named(job_ids)}. 'Bulk Job: Get' returns their reports without a new screening.`;
	return [
		...(report_ids.length > 0 ? [reports] : []),
		...(job_ids.length > 0 ? [jobs] : []),
		...unsureJobs.map(
			(count) =>
				`A bulk job of ${counted(count, 'address', 'addresses')} may exist. The service did not confirm whether it accepted the job, and may charge for it.`,
		),
	];
}
