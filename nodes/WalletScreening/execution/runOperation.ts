import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type IParameterBuilderHint,
	NodeError,
} from 'n8n-workflow';
import { invalidInput, ScreeningError, wrapAsScreeningError } from '../shared/errors';
import { formatCount, toLogText } from '../shared/text';
import { continueOnFail } from '../transport/n8n';
import { showHints } from './hints';
import { forAllItems, type Outcome, throwFailureOfTool, toItems } from './items';
import { type CreatedResources, Run } from './run';

/** How the editor offers a resource or an operation. */
export interface Option {
	name: string;
	value: string;
	description: string;
	action?: string;
	/** A hint for n8n's assistant, and for programs that build workflows through n8n's MCP server. */
	builderHint?: IParameterBuilderHint;
}

/** One operation: how it is offered, what it asks of the user, and what it does. */
export interface Operation extends Option {
	action: string;
	fields: INodeProperties[];
	/** Gives each input item its outcomes, in the order of the input. What it throws is the outcome of every item. */
	execute(run: Run): Promise<Outcome[]>;
	/** It sends no request, so the node needs no credential. No other operation has the same name. */
	sendsNothing?: true;
	/** The service may bill each time that it runs. */
	isBilled?: true;
	/** It ends after the option `Timeout`. */
	isTimed?: true;
}

/**
 * The one way through the node: runs the operation, and makes items of its outcomes. Whatever ends it is the outcome of each
 * input item. A thrown error is n8n's, and names every report and every job that was made: if On
 * Error is to continue, n8n passes on the input of a node that throws, as if it were the output, so nothing is thrown then.
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation | undefined,
): Promise<INodeExecutionData[]> {
	const items = await createItems(context, operation).catch((error: unknown) => {
		if (error instanceof NodeError && !continueOnFail(context)) throw error;
		return toItems(context, forAllItems(context, wrapAsScreeningError(error)));
	});
	throwFailureOfTool(context, items);
	return items;
}

async function createItems(
	context: IExecuteFunctions,
	operation: Operation | undefined,
): Promise<INodeExecutionData[]> {
	if (!operation) throw unknownOperation(context);
	if (operation.isBilled) refuseRetryOnFail(context);
	const run = new Run(context, operation.isTimed);
	const outcomes = await executeOperation(run, operation);
	run.end();
	const withCreated = run.continueOnFail ? withJobs : withAllCreated;
	const complete = outcomes.map((outcome) =>
		outcome.error ? { ...outcome, error: withCreated(outcome.error, run.created) } : outcome,
	);
	const keepsInput = operation.sendsNothing === true;
	const items = toItems(context, complete, { ...run.options, keepsInput });
	showHints(run, outcomes, items);
	return items;
}

function unknownOperation(context: IExecuteFunctions): ScreeningError {
	const [resource, name] = ['resource', 'operation'].map((one) => context.getNodeParameter(one, 0));
	const message = `The operation '${String(name)}' of '${String(resource)}' is not known`;
	return invalidInput('Operation', message, 'Choose an operation of this node.');
}

/**
 * Refuses Retry On Fail, with which n8n runs the whole node again after an error: it gives the node no outcome of the run before,
 * so the node would ask the service again for each item that already has its report, and the service may charge again.
 * @throws {ScreeningError} `invalid_input`
 */
function refuseRetryOnFail(context: IExecuteFunctions): void {
	if (context.getNode().retryOnFail !== true) return;
	throw invalidInput(
		'Retry On Fail',
		"'Retry On Fail' is on, so after one error n8n would screen all items again, and the service may charge for them again",
		"The node sent nothing. Turn off 'Retry On Fail' in the settings of this node. The node itself repeats each request that is safe to repeat.",
	);
}

async function executeOperation(run: Run, operation: Operation): Promise<Outcome[]> {
	try {
		const outcomes = await operation.execute(run);
		return run.isStopped ? stoppedOutcomes(run) : outcomes;
	} catch (error) {
		return run.isStopped
			? stoppedOutcomes(run)
			: forAllItems(run.context, wrapAsScreeningError(error));
	}
}

/** The outcomes of a run that the user stopped. n8n's log names what exists, too. */
function stoppedOutcomes({ context, created }: Run): Outcome[] {
	// n8n 2.41 shows neither output nor error of a node that was stopped.
	for (const line of whatExists(created))
		context.logger.info(`'${context.getNode().name}' was stopped. ${line}`);
	// n8n recognises a stopped execution by this message.
	const stopped = new ScreeningError('network', 'The execution was canceled', stoppedAdvice, {
		faultCode: 'STOPPED',
	});
	// Only the first error names the reports, because a list of all of them in each item would be long.
	const error = stopped.withDetails({ report_ids: created.report_ids });
	const [first, ...others] = forAllItems(context, stopped);
	return first ? [{ ...first, value: undefined, error }, ...others] : [];
}

const stoppedAdvice =
	'Treat the address as not screened. The first of these errors names the reports and jobs that exist, and so does the log of n8n.';

/** An error that ends the node, with all that was made, and how to get it. */
function withAllCreated(error: ScreeningError, created: CreatedResources): ScreeningError {
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
function withJobs(error: ScreeningError, { job_ids }: CreatedResources): ScreeningError {
	const isOfNone = job_ids.length === 0 || error.errorClass === 'invalid_input';
	return isOfNone || error.details.job_id !== undefined ? error : error.withDetails({ job_ids });
}

/** The panel of the editor has room for so many IDs. The error's data name all. */
const idsInPanel = 100;

/** What the service has made, of each kind at most so much, and how to get it. */
function whatExists(
	{ report_ids, job_ids, unsureJobs }: CreatedResources,
	most = Infinity,
): string[] {
	const named = (ids: string[]) => {
		const more = ids.length > most ? ` and ${ids.length - most} more` : '';
		return `${ids.slice(0, most).map(toLogText).join(', ')}${more}`;
	};
	const reports = `These reports exist: ${named(report_ids)}. 'Report: Get' returns them without a new screening.`;
	const jobs = `These bulk jobs exist, and the service may still process them: ${named(job_ids)}. 'Bulk Job: Get' returns their reports without a new screening.`;
	return [
		...(report_ids.length > 0 ? [reports] : []),
		...(job_ids.length > 0 ? [jobs] : []),
		...unsureJobs.map(
			(count) =>
				`A bulk job of ${formatCount(count, 'address', 'addresses')} may exist. The service did not confirm whether it accepted the job, and may charge for it.`,
		),
	];
}
