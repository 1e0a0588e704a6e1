import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type IPairedItemData,
	type IParameterBuilderHint,
	NodeError,
} from 'n8n-workflow';
import { invalidInput, type ScreeningError, wrapAsScreeningError } from '../shared/errors';
import { mustThrowForTool, readOnError } from '../transport/onError';
import { RunAccount } from './account';
import { currentOperation } from './advice';
import { describeCreated } from './created';
import { applyOnError, type OutputSettings, throwFailureOfTool } from './errorItems';
import { showHints } from './hints';
import { addInputToResult, type KeptInput } from './keptInput';
import { Run, type SettledItem } from './run';
import { stoppedError } from './runEnd';

/** How the editor offers a resource or an operation. */
export interface MenuEntry {
	name: string;
	value: string;
	description: string;
	action?: string;
	/** A hint for n8n's assistant, and for programs that build workflows through n8n's MCP server. */
	builderHint?: IParameterBuilderHint;
}

/** One operation: how it is offered, what it asks of the user, and what it does. */
export interface Operation extends MenuEntry {
	action: string;
	fields: INodeProperties[];
	/**
	 * Gives what came of each input item, in the order of the input.
	 * @throws {ScreeningError} what is the error of every item
	 */
	execute(run: Run): Promise<SettledItem[]>;
	/**
	 * It sends no request, so n8n hides the credential by the operation's `value` alone, which no
	 * other operation may have.
	 */
	sendsNothing?: true;
	/**
	 * It gives no verdict on a report. Its items keep fields of the input, which may hold an older
	 * verdict or failure, so its hint counts only what failed now.
	 */
	givesNoVerdict?: true;
	/** The service may bill each time that it runs. */
	isBilled?: true;
	/** It ends after the option `Timeout`. */
	isTimed?: true;
	/** The values of its parameter Output with which no report leaves. */
	outputsWithoutReports?: readonly string[];
}

/** How items leave the node, as far as it is known before the run. */
type SettingsBeforeRun = Omit<OutputSettings, 'keeps' | 'alertText'>;

/**
 * The one way through the node: runs the operation, and makes the items that leave it.
 *
 * A failure goes this way, in the example of a third input item whose report the service does not
 * have:
 *
 *     client.getReport    throws a `ScreeningError`: errorClass 'not_found', httpCode 404
 *     Run.settle          catches it, and gives { error, inputIndex: 2 } for the item
 *     applyOnError        adds to the error what the run made, e.g. the IDs of its jobs, and does
 *                         what the user chose under On Error:
 *         Stop            throws the error as a `NodeApiError`, which ends the node
 *         Continue        returns { error: 'The service did not find …', details: { … } }
 *         Error output    returns the same item, in which n8n finds the `NodeApiError`
 *
 * What fails for no item of its own, e.g. because of an option that cannot be used, is the error of
 * each item. A node that continues throws nothing: n8n would pass on its input as if that were the
 * output.
 * @throws {NodeError} the first failure, with On Error: Stop, or for a tool whose caller has to
 * learn of it
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation | undefined,
): Promise<INodeExecutionData[]> {
	const account = new RunAccount();
	const beforeRun: SettingsBeforeRun = {
		created: account.created,
		onError: readOnError(context),
		node: context.getNode(),
		site: currentOperation(context),
		givesVerdict: operation?.givesNoVerdict !== true,
	};
	let items: INodeExecutionData[];
	try {
		items = await runToItems(context, operation, account, beforeRun);
	} catch (error) {
		const withoutOptions = { ...beforeRun, keeps: keptInputOf(operation), alertText: false };
		items = errorToItems(context, error, withoutOptions);
	}
	if (mustThrowForTool(context)) throwFailureOfTool(context, items, account.created);
	return items;
}

/**
 * Runs the operation, makes the items that leave the node, and shows the hints.
 * @throws {ScreeningError} for a run that cannot start: its operation is unknown, or a setting
 * cannot be used
 * @throws {NodeError} the first failure, with On Error: Stop
 * @throws what n8n, or a fault of this package, throws beside the work of the operation
 */
async function runToItems(
	context: IExecuteFunctions,
	operation: Operation | undefined,
	account: RunAccount,
	beforeRun: SettingsBeforeRun,
): Promise<INodeExecutionData[]> {
	if (!operation) throw unknownOperation(context);
	if (operation.isBilled) refuseRetryOnFail(context);
	const { isTimed, outputsWithoutReports } = operation;
	const continueOnFail = beforeRun.onError !== 'stop';
	const run = new Run(context, account, { continueOnFail, isTimed, outputsWithoutReports });
	const settled = await executeOperation(run, operation);
	const { includeInputFields, alertText } = run.options;
	const keeps = keptInputOf(operation, includeInputFields);
	const items = toOutputItems(context, settled, { ...beforeRun, keeps, alertText });
	showHints(run, settled, items, operation);
	// n8n starts the next node at once, which may work on all items for as long again.
	await run.breathe();
	return items;
}

/** Which fields of its input an item keeps. */
function keptInputOf(operation: Operation | undefined, includeInputFields = false): KeptInput {
	if (operation?.sendsNothing) return 'whole';
	return includeInputFields ? 'extra' : 'none';
}

function unknownOperation(context: IExecuteFunctions): ScreeningError {
	const [resource, name] = ['resource', 'operation'].map((one) => context.getNodeParameter(one, 0));
	const message = `The operation '${String(name)}' of '${String(resource)}' is not known`;
	return invalidInput('Operation', message, 'Choose an operation of this node.');
}

/**
 * Refuses Retry On Fail, with which n8n runs the whole node again after an error: it gives the node
 * nothing of the run before, so the node would ask the service again for each item that already has
 * its report, and the service may charge again.
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

/** Executes the operation. What it throws is the error of each input item. */
async function executeOperation(run: Run, operation: Operation): Promise<SettledItem[]> {
	let settled: SettledItem[] = [];
	try {
		settled = await operation.execute(run);
	} catch (error) {
		// What ends a stopped run is the error of no item.
		if (!run.end.isStopped) settled = failAllItems(run.context, run.end.errorOf(error));
	}
	run.end.ignoreDeadline();
	return run.end.isStopped ? settleAsStopped(run) : settled;
}

/** Settles each input item of a run that the user stopped. n8n's log names what exists, too. */
function settleAsStopped({ context, account: { created } }: Run): SettledItem[] {
	// n8n 2.41 shows neither output nor error of a node that was stopped.
	for (const line of describeCreated(created)) {
		context.logger.info(`'${context.getNode().name}' was stopped. ${line}`);
	}
	const stopped = stoppedError();
	// Only the first error names the reports: a list of all of them in each item would be long.
	const first = stopped.withDetails({ report_ids: created.report_ids });
	return failAllItems(context, stopped).map(({ inputIndex }) => ({
		error: inputIndex === 0 ? first : stopped,
		inputIndex,
	}));
}

/** Gives each input item the same error. */
function failAllItems(context: IExecuteFunctions, error: ScreeningError): SettledItem[] {
	return context.getInputData().map((_, inputIndex) => ({ error, inputIndex }));
}

/**
 * Makes the items that leave the node.
 * @throws {NodeError} the first failure, with On Error: Stop
 */
function toOutputItems(
	context: IExecuteFunctions,
	settled: SettledItem[],
	output: OutputSettings,
): INodeExecutionData[] {
	const inputs = context.getInputData();
	return settled.map(({ value, error, inputIndex }) => {
		const [itemIndex = 0] = [inputIndex].flat();
		// What came of several input items has none whose fields it could keep.
		const input = Array.isArray(inputIndex) ? {} : (inputs[itemIndex]?.json ?? {});
		if (error) return applyOnError(context, error, { itemIndex, input }, output);
		const json = addInputToResult(value.json, input, output);
		return { ...value, json, pairedItem: pairWith(inputIndex) };
	});
}

/**
 * Makes the items of an error of the whole run, one for each input item.
 * @throws {NodeError} the error, with On Error: Stop
 */
function errorToItems(
	context: IExecuteFunctions,
	error: unknown,
	output: OutputSettings,
): INodeExecutionData[] {
	// With Stop, this is the error that `toOutputItems` threw. Otherwise a `NodeError` comes from n8n,
	// and becomes items as any other error does.
	if (output.onError === 'stop' && error instanceof NodeError) throw error;
	return toOutputItems(context, failAllItems(context, wrapAsScreeningError(error)), output);
}

function pairWith(inputIndex: number | number[]): IPairedItemData | IPairedItemData[] {
	return Array.isArray(inputIndex) ? inputIndex.map((item) => ({ item })) : { item: inputIndex };
}
