import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import type { ScreeningError } from '../service/errors';
import { printable } from './context';

/** What a run has made, which the service may bill. */
export interface CreatedResources {
	report_ids: string[];
	job_ids: string[];
	/** How many addresses each job has of which it is unsure whether the service accepted it. */
	unsureJobs: number[];
	/** How many screenings were sent more than once, and may be billed for each time. */
	sentAgain: number;
}

/** The error of an execution that the user stopped. n8n's log names what exists, too. */
export function canceled(
	context: IExecuteFunctions,
	created: CreatedResources,
): NodeOperationError {
	const node = context.getNode();
	const lines = whatExists(created);
	// n8n 2.41 shows neither output nor error of a node that was stopped.
	for (const line of lines) context.logger.info(`'${node.name}' was stopped. ${line}`);
	// By this word n8n knows that the user stopped the execution.
	const error = new NodeOperationError(node, 'The execution was canceled', {
		...(lines.length > 0 && { description: lines.join(' ') }),
	});
	const { report_ids, job_ids } = created;
	Object.assign(error.context, { report_ids, job_ids });
	return error;
}

/** Shows the user how many screenings the service may bill more than once. */
export function hintAtRepeats(
	context: IExecuteFunctions,
	errors: ScreeningError[],
	{ sentAgain }: CreatedResources,
) {
	const count = sentAgain + errors.filter(({ details }) => (details.sent ?? 0) > 1).length;
	if (count === 0) return;
	const were = count === 1 ? '1 screening was' : `${count} screenings were`;
	context.addExecutionHints({
		message: `${were} sent more than once, because an answer was lost or the service failed. The service may bill each time.`,
		location: 'outputPane',
		type: 'warning',
	});
}

/**
 * An error with what was made. If it ends the node, it names all reports and jobs, and says how to get them; an error item
 * names its own job, or, if it has none, all jobs of the run.
 */
export function withCreatedResources(
	error: ScreeningError,
	created: CreatedResources,
	isEnd: boolean,
): ScreeningError {
	const { report_ids, job_ids } = created;
	if (isEnd) {
		const made = {
			...(report_ids.length > 0 && { report_ids }),
			...(job_ids.length > 0 && { job_ids }),
		};
		const description = [error.description, ...howToGet(created)].join(' ');
		return error.withDetails(made).withText({ description });
	}
	// Nothing was made for an invalid item.
	if (job_ids.length === 0 || error.errorClass === 'invalid_input') return error;
	const { job_id } = error.details;
	return error.withDetails({ job_ids: job_id === undefined ? job_ids : [job_id] });
}

/** How to get what was made. The text has to fit into a panel; the error's data name everything. */
function howToGet(created: CreatedResources): string[] {
	const left = created.report_ids.length - idsInPanel;
	const first = { ...created, report_ids: created.report_ids.slice(0, idsInPanel) };
	const lines = whatExists(first);
	if (left > 0) lines.push(`The error's data names ${left} more of them.`);
	const advice =
		"With 'On Error' set to Continue in the settings, the node returns its reports beside the errors.";
	return lines.length > 0 ? [...lines, advice] : [];
}

const idsInPanel = 100;

/** What the service has made, and how to get it. */
function whatExists({ report_ids, job_ids, unsureJobs }: CreatedResources): string[] {
	const [reports, jobs] = [report_ids, job_ids].map((ids) => ids.map(printable).join(', '));
	return [
		reports &&
			`These reports exist: ${reports}. 'Report: Get' returns them without a new screening.`,
		jobs &&
			`These bulk jobs exist, and the service may still process them: ${jobs}. 'Bulk Job: Get' returns their reports without a new screening.`,
		...unsureJobs.map(
			(count) =>
				`A bulk job of ${count} ${count === 1 ? 'address' : 'addresses'} may exist, which the service may bill: it did not say whether it accepted the job.`,
		),
	].filter((line): line is string => Boolean(line));
}
