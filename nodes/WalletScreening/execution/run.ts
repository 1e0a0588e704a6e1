import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type IParameterBuilderHint,
	NodeError,
} from 'n8n-workflow';
import type { Clock } from '../client/clock';
import type { Client } from '../client/client';
import { invalidInput, ScreeningError } from '../shared/errors';
import { counted, wordsOf } from '../shared/text';
import { type CreatedResources, whatExists, withAllCreated, withJobs } from './created';
import { createClients } from '../transport/connect';
import { stopSignal } from '../transport/context';
import { continueOnFail, ofAll, type Paired, toItems } from './items';
import { throwFailureOfTool } from './nodeError';
import { type Options, readOptions } from '../description/options';
import { itemReader } from '../description/parameters';
import { isTool, withoutListenerLimit } from '../transport/quirks';
import { hintAtCategories, hintAtOutcome, hintAtRepeats } from './summary';
import { signalAfter, systemClock } from '../transport/time';
import { toolOutputIn } from '../description/toolOutput';

/** One execution of the action node. */
export interface Run {
	readonly context: IExecuteFunctions;
	readonly options: Options;
	/** Whether failures leave as items (On Error: Continue). */
	readonly continueOnFail: boolean;
	/** The client with the key of an input item. Throws `invalid_input`, or `network` if n8n cannot read the credential. */
	readonly clientOf: (itemIndex: number) => Promise<Client>;
	readonly clock: Clock;
	/** Milliseconds of the clock at which the time of the whole run is up. */
	readonly deadline: number;
	/**
	 * Aborted by the stop button, by `fail`, and soon after the deadline, with a reason of class `job_timeout`. Every wait in
	 * the node, the limiter, a retry and between two looks at a job ends with it, and so does a GET on the wire. A POST on
	 * the wire ends only with the stop button: it may be billed.
	 */
	readonly signal: AbortSignal;
	/** Calls off everything that was not sent yet, because the node fails; nothing if failures leave as items. */
	fail(): void;
	readonly created: CreatedResources;
	/** What the hint says beside the counts. */
	readonly notes: string[];
}

/** How the editor offers a resource or an operation. */
export interface Option {
	name: string;
	value: string;
	description: string;
	action?: string;
	/** For n8n's assistant, and for what builds workflows by n8n's MCP server. */
	builderHint?: IParameterBuilderHint;
}

/** One operation: how it is offered, what it asks of the user, and what it does. */
export interface Operation extends Option {
	action: string;
	fields: INodeProperties[];
	run(run: Run): Promise<Paired[]>;
	/** It sends no request, so the node needs no credential. No other operation has the same name. */
	sendsNothing?: true;
	/** The service may bill each time that it runs. */
	isBilled?: true;
	/** It ends after the option `Timeout`. */
	isTimed?: true;
}

/** The reason of a signal that `fail` aborted. */
const failed = new Error('Another item ended the node');

/** Whether the node is certain to end without the outcomes of what is not done yet. */
export function isOver({ context, signal }: Run): boolean {
	return signal.reason === failed || stopSignal(context)?.aborted === true;
}

/** Milliseconds that the last look at a job may take after the deadline. */
const grace = 2000;

/**
 * The one way through the node: finds the operation, reads the options, runs it, and makes items of its outcomes. Whatever ends
 * it is the outcome of each input item. A thrown error is n8n's, and names every report and every job that was made: if On
 * Error is to continue, n8n passes on the input of a node that throws, as if it were the output, so nothing is thrown then.
 */
export async function runOperation(
	context: IExecuteFunctions,
	findOperation: (context: IExecuteFunctions) => Operation,
): Promise<INodeExecutionData[]> {
	async function started() {
		const operation = findOperation(context);
		if (operation.isBilled) refuseRetryOnFail(context);
		const read = itemReader(context, 0);
		const options = { ...readOptions(read), ...(isTool(context) && toolOutputIn(read)) };
		return await itemsOf(context, operation, options);
	}
	const items = await started().catch(async (error: unknown) => {
		if (error instanceof NodeError && !continueOnFail(context)) throw error;
		const failure = error instanceof ScreeningError ? error : unexpected(error);
		return toItems(context, ofAll(context, failure));
	});
	throwFailureOfTool(context, items);
	return items;
}

/**
 * Throws `invalid_input` if n8n would run the whole node again after an error: it gives the node no outcome of the run before,
 * so the service would be asked again, and bill again, also for each item that has its report.
 */
function refuseRetryOnFail(context: IExecuteFunctions): void {
	if (context.getNode().retryOnFail !== true) return;
	throw invalidInput(
		'Retry On Fail',
		"'Retry On Fail' is on, so after one error n8n would screen all items again, and the service may bill them again",
		"The node sent nothing. Switch off 'Retry On Fail' in the settings of this node. By itself, the node repeats each request that it can repeat safely.",
	);
}

async function itemsOf(
	context: IExecuteFunctions,
	{ run: work, sendsNothing, isTimed }: Operation,
	options: Options,
): Promise<INodeExecutionData[]> {
	const stop = stopSignal(context);
	const ending = new AbortController();
	const signal = withoutListenerLimit(
		stop ? AbortSignal.any([stop, ending.signal]) : ending.signal,
	);
	const clock = systemClock(signal);
	const milliseconds = options.timeout * 60_000;
	const timer = isTimed ? signalAfter(milliseconds + grace) : undefined;
	const expire = () => ending.abort(timeIsUp(options.timeout));
	timer?.addEventListener('abort', expire);
	const isContinued = continueOnFail(context);
	const run: Run = {
		context,
		options,
		continueOnFail: isContinued,
		clientOf: createClients(context, { ...options, signal }),
		clock,
		deadline: isTimed ? clock.now() + milliseconds : Infinity,
		signal,
		fail: () => {
			if (!isContinued) ending.abort(failed);
		},
		created: { report_ids: [], job_ids: [], unsureJobs: [], sentAgain: 0, leftOut: 0 },
		notes: [],
	};
	const result = await toResult(async () => await work(run));
	timer?.removeEventListener('abort', expire);
	const outcomes = stop?.aborted
		? stoppedOutcomes(run)
		: result instanceof ScreeningError
			? ofAll(context, result)
			: result;
	const withCreated = isContinued ? withJobs : withAllCreated;
	const complete = outcomes.map(({ result, inputIndex }) => ({
		result: result instanceof ScreeningError ? withCreated(result, run.created) : result,
		inputIndex,
	}));
	const items = toItems(context, complete, { ...options, keepsInput: sendsNothing === true });
	// Nothing that is only shown may cost a report.
	await toResult(async () => {
		const { leftOut } = run.created;
		if (leftOut > 0) run.notes.push(`${counted(leftOut, 'green report')} left out`);
		hintAtOutcome(context, items, run.notes);
		hintAtRepeats(context, outcomes, run.created);
		hintAtCategories(context, items);
	});
	return items;
}

/** The outcomes of a run that the user stopped. n8n's log names what exists, too. */
function stoppedOutcomes({ context, created }: Run): Paired[] {
	// n8n 2.41 shows neither output nor error of a node that was stopped.
	for (const line of whatExists(created))
		context.logger.info(`'${context.getNode().name}' was stopped. ${line}`);
	// By this message n8n knows that the user stopped the execution.
	const stopped = new ScreeningError('network', 'The execution was canceled', stoppedAdvice, {
		networkCode: 'STOPPED',
	});
	// Once: a list of all reports in each item would be long.
	const named = stopped.withDetails({ report_ids: created.report_ids });
	return ofAll(context, stopped).map((one, at) => (at === 0 ? { ...one, result: named } : one));
}

const stoppedAdvice =
	'Treat the address as not screened. The first of these errors names the reports and jobs that exist, and so does the log of n8n.';

/** The error of addresses that are in no job at the deadline. */
function timeIsUp(minutes: number): ScreeningError {
	return new ScreeningError(
		'job_timeout',
		`The address was not sent within ${counted(minutes, 'minute')}`,
		'The node submitted no job for it. Screen it again.',
	);
}

/**
 * The value of `work`, or its `ScreeningError`; a fault of this package is one, too. Rejects only with the reason of the signal.
 */
export async function toResult<T>(
	work: () => Promise<T>,
	signal?: AbortSignal,
): Promise<T | ScreeningError> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof ScreeningError) return error;
		if (signal?.aborted && error === signal.reason) throw signal.reason as Error;
		return unexpected(error);
	}
}

/** A fault of this package: nothing is known of the item. */
export function unexpected(error: unknown): ScreeningError {
	return new ScreeningError(
		'invalid_response',
		`The node stopped unexpectedly: ${wordsOf(error)}`,
		'Treat the address as not screened. Send this text to the authors of the node.',
		{ stack: error instanceof Error ? error.stack : undefined },
	);
}
