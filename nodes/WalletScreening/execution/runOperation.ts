import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type IPairedItemData,
	NodeError,
} from 'n8n-workflow';
import { invalidInput, type ScreeningError, wrapAsScreeningError } from '../shared/errors';
import { isErrorItem } from '../shared/failureItem';
import { mustThrowForTool, type OnError, readOnError } from '../transport/onError';
import { RunLedger } from './ledger';
import { describeCreated, namesJobs } from './created';
import { applyOnError, type InputItem, type OutputSettings } from './errorItems';
import { errorSiteOf } from './errorSites';
import { type ItemOutcome, showHints } from './hints';
import { addInputToResult, type KeptInput } from './keptInput';
import type { Operation, OperationChoice } from './operation';
import { Run, type SettledItem } from './run';
import { stoppedError } from './runEnd';
import { throwFailureOfTool } from './toolFailure';

/**
 * The one way through the node: runs the operation, and makes the items that leave it.
 *
 * A failure goes this way, in the example of a third input item whose report the service does not
 * have:
 *
 *     client.getReport    throws a `ScreeningError`: errorClass 'not_found', httpCode 404
 *     Run.settle          catches it, and gives { error, inputIndex: 2 } for the item
 *     applyOnError        adds to the error what the run made, e.g. the IDs of its jobs if no
 *                         earlier item names them, and does what the user chose under On Error:
 *         Stop            throws the error as a `NodeApiError`, which ends the node
 *         Continue        returns { error: 'The service did not find …', details: { … } }
 *         Error output    returns the same item, in which n8n finds the `NodeApiError`
 *
 * Beside `Run.settle`, two places catch errors, so that a node that continues throws nothing: n8n
 * would pass on its input as if that were the output. `executeOperation` catches what fails for no
 * item of its own, e.g. because of an option that cannot be used: it is the error of each item.
 * `createOutputItem` catches a fault of this package while an item is made.
 * @throws {NodeError} the first failure, with On Error: Stop, or for a tool whose caller has to
 * learn of it
 */
export async function runOperation(
	context: IExecuteFunctions,
	choice: OperationChoice,
): Promise<INodeExecutionData[]> {
	const { operation } = choice;
	const ledger = new RunLedger();
	const onError = readOnError(context);
	const { run, settled } = await executeOperation(context, choice, ledger, onError);
	const output: OutputSettings = {
		onError,
		keeps: keptInputOf(operation, run),
		givesVerdict: operation?.givesNoVerdict !== true,
		alertText: run?.options.alertText === true,
		node: context.getNode(),
		site: errorSiteOf(choice),
		created: ledger.created,
	};
	const inputs = context.getInputData();
	const outcomes = settled.map((one): ItemOutcome => {
		const item = createOutputItem(context, one, findInput(inputs, one.inputIndex), output);
		if (isErrorItem(item.json) && namesJobs(item.json)) {
			output.created = { ...output.created, job_ids: [] };
		}
		return { settled: one, item };
	});
	const items = outcomes.map(({ item }) => item);
	if (run) {
		showHints(run, outcomes, output.givesVerdict);
		// n8n starts the next node at once, which may work on all items for as long again.
		await run.breathe();
	}
	if (mustThrowForTool(context)) throwFailureOfTool(context, items, ledger.created);
	return items;
}

/** What came of the input items. */
interface ExecutedOperation {
	/** Undefined if the run could not start. */
	run: Run | undefined;
	settled: SettledItem[];
}

/** Executes the operation. What it throws is the error of each input item. */
async function executeOperation(
	context: IExecuteFunctions,
	choice: OperationChoice,
	ledger: RunLedger,
	onError: OnError,
): Promise<ExecutedOperation> {
	let run: Run | undefined;
	let settled: SettledItem[] = [];
	try {
		const operation = requireOperation(choice);
		if (operation.isBilled) refuseRetryOnFail(context);
		run = new Run(context, operation, ledger, onError !== 'stop');
		settled = await operation.execute(run);
	} catch (error) {
		if (!run) settled = failAllItems(context, wrapAsScreeningError(error));
		// What ends a stopped run is the error of no item.
		else if (!run.end.isStopped) settled = failAllItems(context, run.end.rethrowIfDropped(error));
	}
	run?.end.ignoreDeadline();
	return { run, settled: run?.end.isStopped ? settleAsStopped(run) : settled };
}

/** @throws {ScreeningError} `invalid_input` for an operation that this node does not have */
function requireOperation({ resource, value, operation }: OperationChoice): Operation {
	if (operation) return operation;
	const message = `The operation '${value}' of '${resource}' is not known`;
	throw invalidInput('Operation', message, 'Choose an operation of this node.');
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

/** Settles each input item of a run that the user stopped. n8n's log names what exists, too. */
function settleAsStopped({ context, ledger: { created } }: Run): SettledItem[] {
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

/** Which fields of its input an item keeps. */
function keptInputOf(operation: Operation | undefined, run: Run | undefined): KeptInput {
	if (operation?.sendsNothing) return 'whole';
	return run?.options.includeInputFields ? 'extra' : 'none';
}

/**
 * Makes the item that leaves for what came of an input item, or of several.
 * @throws {NodeError} the failure, with On Error: Stop
 */
function createOutputItem(
	context: IExecuteFunctions,
	{ value, error, inputIndex }: SettledItem,
	inputItem: InputItem,
	output: OutputSettings,
): INodeExecutionData {
	try {
		if (error) return applyOnError(context, error, inputItem, output);
		const json = addInputToResult(value.json, inputItem.input, output);
		return { ...value, json, pairedItem: pairWith(inputIndex) };
	} catch (thrown) {
		return failOnFault(context, thrown, inputItem, output);
	}
}

/**
 * Makes the item of a fault of this package while an item was made. It has no alert, which may be
 * the reason.
 * @throws {NodeError} the fault, with On Error: Stop
 */
function failOnFault(
	context: IExecuteFunctions,
	thrown: unknown,
	inputItem: InputItem,
	output: OutputSettings,
): INodeExecutionData {
	// With Stop, this is the failure of the item, which `applyOnError` threw.
	if (output.onError === 'stop' && thrown instanceof NodeError) throw thrown;
	const fault = wrapAsScreeningError(thrown);
	return applyOnError(context, fault, inputItem, { ...output, alertText: false });
}

/** Finds the input item. What came of several has none whose fields it could keep. */
function findInput(inputs: INodeExecutionData[], inputIndex: number | number[]): InputItem {
	if (Array.isArray(inputIndex)) return { itemIndex: inputIndex[0] ?? 0, input: {} };
	return { itemIndex: inputIndex, input: inputs[inputIndex]?.json ?? {} };
}

function pairWith(inputIndex: number | number[]): IPairedItemData | IPairedItemData[] {
	return Array.isArray(inputIndex) ? inputIndex.map((item) => ({ item })) : { item: inputIndex };
}
