import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type IPairedItemData,
	type IParameterBuilderHint,
	NodeError,
} from 'n8n-workflow';
import { invalidInput, ScreeningError, wrapAsScreeningError } from '../shared/errors';
import { mustThrowForTool, readContinueOnFail } from '../transport/n8n';
import { addCreated, createStoppedOutcomes } from './created';
import { type ItemForm, type KeptInput, presentFailure, throwFailureOfTool } from './errorItems';
import { showHints } from './hints';
import { namesUsedIn, withoutFields } from './outputItems';
import { failAllItems, type Outcome, Run } from './run';

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
	 * Gives each input item its outcomes, in the order of the input.
	 * @throws {ScreeningError} what is the outcome of every item
	 */
	execute(run: Run): Promise<Outcome[]>;
	/** It sends no request, so n8n hides the credential by the operation's `value` alone, which no other operation may have. */
	sendsNothing?: true;
	/** The service may bill each time that it runs. */
	isBilled?: true;
	/** It ends after the option `Timeout`. */
	isTimed?: true;
}

/**
 * The one way through the node: runs the operation, and makes items of its outcomes. An error that ends the operation is the outcome
 * of each input item. A thrown error is n8n's, and names every report and every job that was made: if On Error is to continue, n8n
 * passes on the input of a node that throws, as if it were the output, so nothing is thrown then.
 * @throws {NodeError} the first failure, unless the user chose to continue
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation | undefined,
): Promise<INodeExecutionData[]> {
	const continueOnFail = readContinueOnFail(context);
	let items: INodeExecutionData[];
	try {
		items = await createItems(context, operation, continueOnFail);
	} catch (error) {
		items = createFailureItems(context, error, continueOnFail);
	}
	if (mustThrowForTool(context)) throwFailureOfTool(context, items);
	return items;
}

/**
 * Makes the items of an error that left no outcomes, e.g. of an option that cannot be used, or of a fault while the items were made.
 * @throws {NodeError} the error, unless the user chose to continue
 */
function createFailureItems(
	context: IExecuteFunctions,
	error: unknown,
	continueOnFail: boolean,
): INodeExecutionData[] {
	// `toItems` has made n8n's error of a failed item, to end the node. A node that continues must not throw one of n8n's own either.
	if (error instanceof NodeError && !continueOnFail) throw error;
	const outcomes = failAllItems(context, wrapAsScreeningError(error));
	const node = context.getNode();
	return toItems(context, outcomes, { node, continueOnFail, keeps: 'none', alertText: false });
}

/**
 * Executes the operation, and makes items of its outcomes.
 * @throws {NodeError} the first failed item, unless the user chose to continue
 * @throws what left no outcomes
 */
async function createItems(
	context: IExecuteFunctions,
	operation: Operation | undefined,
	continueOnFail: boolean,
): Promise<INodeExecutionData[]> {
	if (!operation) throw unknownOperation(context);
	if (operation.isBilled) refuseRetryOnFail(context);
	const run = new Run(context, { continueOnFail, isTimed: operation.isTimed });
	const outcomes = await executeOperation(run, operation);
	run.end.ignoreDeadline();
	const named = outcomes.map((outcome) =>
		outcome.error ? { ...outcome, error: addCreated(outcome.error, run) } : outcome,
	);
	const { alertText } = run.options;
	const items = toItems(context, named, {
		node: context.getNode(),
		continueOnFail,
		keeps: keptInputOf(operation, run),
		alertText,
	});
	showHints(run, outcomes, items);
	return items;
}

function keptInputOf({ sendsNothing }: Operation, { options }: Run): KeptInput {
	if (sendsNothing) return 'whole';
	return options.includeInputFields ? 'extra' : 'none';
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

/** The outcomes of an operation. What it throws is the outcome of each input item. */
async function executeOperation(run: Run, operation: Operation): Promise<Outcome[]> {
	let outcomes: Outcome[];
	try {
		outcomes = await operation.execute(run);
	} catch (error) {
		outcomes = failAllItems(run.context, wrapAsScreeningError(error));
	}
	return run.end.isStopped ? createStoppedOutcomes(run) : outcomes;
}

/**
 * Makes n8n's items of outcomes.
 * @throws {NodeError} the first failure, unless the user chose to continue
 */
function toItems(
	context: IExecuteFunctions,
	outcomes: Outcome[],
	form: ItemForm,
): INodeExecutionData[] {
	const inputs = context.getInputData();
	return outcomes.map(({ value, error, inputIndex }) => {
		const [itemIndex = 0] = [inputIndex].flat();
		// An outcome of several input items has none whose fields it could keep.
		const input = Array.isArray(inputIndex) ? {} : (inputs[itemIndex]?.json ?? {});
		if (error) return presentFailure(context, error, { itemIndex, input }, form);
		const { json } = value;
		const kept = form.keeps === 'extra' ? withoutFields(input, namesUsedIn(json)) : {};
		return { ...value, json: { ...json, ...kept }, pairedItem: pairWith(inputIndex) };
	});
}

function pairWith(inputIndex: number | number[]): IPairedItemData | IPairedItemData[] {
	return Array.isArray(inputIndex) ? inputIndex.map((item) => ({ item })) : { item: inputIndex };
}
