import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
	sleep,
} from 'n8n-workflow';
import type { Clock } from '../pace/clock';
import type { Client } from '../service/client';
import { invalidResponse, ScreeningError } from '../service/errors';
import { connect } from './connect';
import { stopSignal } from './context';
import { goesOn, type Outcome, type Paired, toItems } from './items';
import { printable } from './log';
import { type Options, readOptions } from './options';
import { itemReader, type Read } from './parameters';
import { withoutListenerLimit } from './quirks';
import { saidBy } from './thrown';
import { systemClock } from './time';

/** The reason of `end`. */
const calledOff = new Error('Another item ended the node');

/** The reports and jobs that a run has made, and that the service may bill. */
interface Account {
	report_ids: string[];
	job_ids: string[];
}

/** One execution of the action node. */
export interface Run {
	readonly context: IExecuteFunctions;
	/** `resource.operation` */
	readonly place: string;
	readonly options: Options;
	/** Whether failures leave as items (On Error: Continue). */
	readonly goesOn: boolean;
	readonly client: Client;
	readonly clock: Clock;
	/** Milliseconds of the clock at which the time of the whole run is up. */
	readonly deadline: number;
	/**
	 * Aborted by the stop button, by `end`, and soon after the deadline, with a reason of class `job_timeout`. Every wait in
	 * the node, the limiter, a retry and between two looks at a job ends with it, and so does a GET on the wire. A POST on
	 * the wire ends only with the stop button: it may be billed.
	 */
	readonly signal: AbortSignal;
	/** Calls off everything that was not sent yet, because the node fails. */
	end(): void;
	readonly account: Account;
}

/** Milliseconds that the last look at a job may take after the deadline. */
const grace = 2000;

/** Throws `invalid_input` for an option or a credential that is invalid. */
async function startRun(context: IExecuteFunctions, place: string, isTimed: boolean) {
	const options = readOptions(itemReader(context, 0));
	const ending = new AbortController();
	const stop = stopSignal(context);
	const signal = withoutListenerLimit(
		stop ? AbortSignal.any([stop, ending.signal]) : ending.signal,
	);
	const client = await connect(context, { ...options, signal });
	const clock = systemClock(signal);
	const milliseconds = options.timeout * 60_000;
	const timer = isTimed ? AbortSignal.timeout(milliseconds + grace) : undefined;
	const expire = () => ending.abort(timeIsUp(options.timeout));
	timer?.addEventListener('abort', expire);
	const run: Run = {
		context,
		place,
		options,
		goesOn: goesOn(context),
		client,
		clock,
		deadline: isTimed ? clock.now() + milliseconds : Infinity,
		signal,
		end: () => ending.abort(calledOff),
		account: { report_ids: [], job_ids: [] },
	};
	return { run, close: () => timer?.removeEventListener('abort', expire) };
}

/** The error of addresses that are in no job at the deadline. */
function timeIsUp(minutes: number): ScreeningError {
	return new ScreeningError(
		'job_timeout',
		`The address was not sent within ${minutes} minutes`,
		'The node submitted no job for it. Screen it again.',
	);
}

/**
 * Runs an operation that asks the service. Each input item has an outcome: if the run cannot start, that is the outcome of
 * all of them. A thrown error names every report and every job that was made. A timed run has a deadline (`Timeout`).
 */
export async function withRun(
	context: IExecuteFunctions,
	work: (run: Run) => Promise<Paired[]>,
	{ isTimed = false } = {},
): Promise<INodeExecutionData[]> {
	const place = placeOf(context);
	const started = await attempt(context, async () => await startRun(context, place, isTimed));
	if (started instanceof ScreeningError) return toItems(context, place, ofAll(context, started));
	const { run, close } = started;
	try {
		const outcomes = await attempt(context, async () => await work(run), run.account);
		const paired = outcomes instanceof ScreeningError ? ofAll(context, outcomes) : outcomes;
		const complete = paired.map((one) => withAccount(one, run));
		return toItems(context, place, complete, run.options);
	} finally {
		close();
	}
}

/**
 * The value of `work`, or the `ScreeningError` that it throws. Rejects only if the user or `end` of the run stops it; the
 * error of a stop, and n8n's log, name what `account` holds.
 */
export async function attempt<T>(
	context: IExecuteFunctions,
	work: () => Promise<T>,
	account?: Account,
): Promise<T | ScreeningError> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof ScreeningError) return error;
		if (error === calledOff) throw calledOff;
		if (stopSignal(context)?.aborted) throw canceled(context, account);
		return unexpected(error);
	}
}

function canceled(context: IExecuteFunctions, account?: Account): NodeOperationError {
	const node = context.getNode();
	const lines = account ? whatExists(account) : [];
	// n8n 2.41 shows neither output nor error of a node that was stopped.
	for (const line of lines) context.logger.info(`'${node.name}' was stopped. ${line}`);
	// By this word n8n knows that the user stopped the execution.
	const error = new NodeOperationError(node, 'The execution was canceled', {
		...(lines.length > 0 && { description: lines.join(' ') }),
	});
	Object.assign(error.context, account);
	return error;
}

/** IDs in one line of n8n's log. */
const mostInLine = 100;

/** What the service made before the stop, and how to get it. */
function whatExists({ report_ids, job_ids }: Account): string[] {
	const lines = (ids: string[], said: (listed: string) => string) =>
		Array.from({ length: Math.ceil(ids.length / mostInLine) }, (_, line) =>
			said(
				ids
					.slice(line * mostInLine, (line + 1) * mostInLine)
					.map(printable)
					.join(', '),
			),
		);
	return [
		...lines(
			report_ids,
			(ids) => `These reports exist: ${ids}. 'Report: Get' returns them without a new screening.`,
		),
		...lines(
			job_ids,
			(ids) =>
				`These bulk jobs exist, and the service may still process them: ${ids}. 'Bulk Job: Get' returns their reports.`,
		),
	];
}

/** A fault of this package: nothing is known of the item. */
export function unexpected(error: unknown): ScreeningError {
	return invalidResponse('something the node cannot handle').saying({
		message: `The node failed unexpectedly: ${saidBy(error)}`,
		description:
			'Treat the address as not screened. This is a fault of the node: report it with this text.',
	});
}

function ofAll(context: IExecuteFunctions, outcome: ScreeningError): Paired[] {
	return context.getInputData().map((_, from) => ({ outcome, from }));
}

/**
 * An error with what was made. If it ends the node, it names all reports and jobs; an error item names its own job, or, if
 * it has none, all jobs of the run.
 */
function withAccount({ outcome, from }: Paired, { account, goesOn }: Run): Paired {
	if (!(outcome instanceof ScreeningError)) return { outcome, from };
	// Nothing was made for an invalid item.
	if (goesOn && outcome.errorClass === 'invalid_input') return { outcome, from };
	const { job_id } = outcome.known;
	const job_ids = goesOn && job_id !== undefined ? [job_id] : account.job_ids;
	const report_ids = goesOn ? [] : account.report_ids;
	const made = {
		...(report_ids.length > 0 && { report_ids }),
		...(job_ids.length > 0 && { job_ids }),
	};
	return { outcome: outcome.with(made), from };
}

/** Which operation the node runs. */
export function placeOf(context: IExecuteFunctions): string {
	const read = (name: string) => String(context.getNodeParameter(name, 0, ''));
	return `${read('resource')}.${read('operation')}`;
}

/** Milliseconds of work after which n8n gets a moment for its other work. */
const longestWork = 50;

/** Gives n8n that moment when it is due. */
function createBreather(): () => Promise<void> {
	let since = performance.now();
	return async () => {
		if (performance.now() - since < longestWork) return;
		await sleep(0);
		since = performance.now();
	};
}

/**
 * The parameters of every input item, or why they are invalid: all of them are read before the first request. Each is as
 * `read` gives it for the item.
 */
export async function readItems<Given>(
	{ context, signal }: Pick<Run, 'context' | 'signal'>,
	read: (read: Read, itemIndex: number) => Given,
): Promise<Array<Given | ScreeningError>> {
	const given: Array<Given | ScreeningError> = [];
	const breathe = createBreather();
	for (let itemIndex = 0; itemIndex < context.getInputData().length; itemIndex++) {
		await breathe();
		signal.throwIfAborted();
		given.push(await attempt(context, async () => read(itemReader(context, itemIndex), itemIndex)));
	}
	return given;
}

/**
 * Runs an operation that sends no request and needs no credential, and adds `field` to the items: `handle` gives the JSON
 * that leaves for an input item, or undefined if nothing does.
 */
export async function withoutRequests(
	context: IExecuteFunctions,
	field: string,
	handle: (
		read: Read,
		item: INodeExecutionData,
		options: Options,
		itemIndex: number,
	) => Promise<object | undefined>,
): Promise<INodeExecutionData[]> {
	const place = placeOf(context);
	const options = await attempt(context, async () => readOptions(itemReader(context, 0)));
	if (options instanceof ScreeningError) return toItems(context, place, ofAll(context, options));
	const paired: Paired[] = [];
	const breathe = createBreather();
	for (const [from, item] of context.getInputData().entries()) {
		await breathe();
		const made = await attempt(
			context,
			async () => await handle(itemReader(context, from), item, options, from),
		);
		const { binary } = item;
		if (made instanceof ScreeningError) paired.push({ outcome: made, from });
		else if (made)
			paired.push({ outcome: { json: made as IDataObject, ...(binary && { binary }) }, from });
	}
	const { alertText } = options;
	return toItems(context, place, paired, { alertText, keepsFailedInputWithout: field });
}

/** How many items are in progress at once if the user does not say. */
const chosenAtOnce = 200;

/**
 * Gives each input item its outcomes, in the order of the input. `read` gives an item's parameters, `handle` asks the
 * service. Unless the user chose to continue, an item with invalid parameters ends the node before any request, and the
 * first failure calls off whatever was not sent yet.
 */
export async function eachItem<Given>(
	context: IExecuteFunctions,
	{
		read,
		handle,
	}: {
		read: (read: Read, itemIndex: number) => Given;
		handle: (given: Given, run: Run, itemIndex: number) => Promise<Outcome | Outcome[]>;
	},
): Promise<INodeExecutionData[]> {
	return await withRun(context, async (run) => {
		const given = await readItems(run, read);
		const refused = given.flatMap((outcome, from): Paired[] =>
			outcome instanceof ScreeningError ? [{ outcome, from }] : [],
		);
		if (refused.length > 0 && !run.goesOn) return refused;

		const outcomes: Outcome[][] = given.map(() => []);
		const atOnce = run.options.concurrency ?? chosenAtOnce;
		await inParallel(given.length, atOnce, async (itemIndex) => {
			if (run.signal.aborted) return;
			const parameters = given[itemIndex] as Given | ScreeningError;
			const outcome =
				parameters instanceof ScreeningError
					? parameters
					: await unlessCalledOff(async () =>
							attempt(context, async () => await handle(parameters, run, itemIndex)),
						);
			outcomes[itemIndex] = [outcome ?? []].flat();
			if (!run.goesOn && outcomes[itemIndex].some((one) => one instanceof ScreeningError)) {
				run.end();
			}
		});
		stopSignal(context)?.throwIfAborted();
		return outcomes.flatMap((all, from) => all.map((outcome) => ({ outcome, from })));
	});
}

/** The value of `work`, or undefined if `end` of the run called it off. */
export async function unlessCalledOff<T>(work: () => Promise<T>): Promise<T | undefined> {
	return await work().catch((error: unknown) => {
		if (error === calledOff) return undefined;
		throw error;
	});
}

/** Does `work` for the numbers from 0 to `count` - 1, `atOnce` at a time, in order. */
export async function inParallel(
	count: number,
	atOnce: number,
	work: (index: number) => Promise<void>,
): Promise<void> {
	let next = 0;
	async function worker() {
		while (next < count) await work(next++);
	}
	await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}
