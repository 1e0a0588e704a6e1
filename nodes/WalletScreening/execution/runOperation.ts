import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type IParameterBuilderHint,
	NodeError,
} from 'n8n-workflow';
import { invalidInput, ScreeningError, wrapAsScreeningError } from '../shared/errors';
import { continueOnFail, mustThrowForTool } from '../transport/n8n';
import { nameCreated, stoppedOutcomes } from './created';
import { type KeptInput, throwFailureOfTool, toErrorOutput } from './errorItems';
import { showHints } from './hints';
import { namesUsedIn, withoutFields } from './outputItems';
import { forAllItems, type Outcome, Run } from './run';

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
 * The one way through the node: runs the operation, and makes items of its outcomes. An error that ends the operation is the outcome
 * of each input item. A thrown error is n8n's, and names every report and every job that was made: if On Error is to continue, n8n
 * passes on the input of a node that throws, as if it were the output, so nothing is thrown then.
 */
export async function runOperation(
	context: IExecuteFunctions,
	operation: Operation | undefined,
): Promise<INodeExecutionData[]> {
	const items = await createItems(context, operation).catch((error: unknown) => {
		const isContinued = continueOnFail(context);
		if (error instanceof NodeError && !isContinued) throw error;
		const outcomes = forAllItems(context, wrapAsScreeningError(error));
		return toItems(context, outcomes, { isContinued, keeps: 'none', alertText: false });
	});
	if (mustThrowForTool(context)) throwFailureOfTool(context, items);
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
	run.ignoreDeadline();
	const complete = outcomes.map((outcome) =>
		outcome.error ? { ...outcome, error: nameCreated(outcome.error, run) } : outcome,
	);
	const { includeInputFields, alertText } = run.options;
	const items = toItems(context, complete, {
		isContinued: run.continueOnFail,
		keeps: operation.sendsNothing ? 'whole' : includeInputFields ? 'extra' : 'none',
		alertText,
	});
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

/** What items hold beside their outcomes. */
interface ItemOptions {
	/** Failures leave as items (On Error: Continue). */
	isContinued: boolean;
	keeps: KeptInput;
	/** A failure has an alert. */
	alertText: boolean;
}

/**
 * Outcomes as n8n's items.
 * @throws {NodeError} the first failure, as n8n's error, unless the user chose to continue
 */
function toItems(
	context: IExecuteFunctions,
	outcomes: Outcome[],
	options: ItemOptions,
): INodeExecutionData[] {
	const inputs = context.getInputData();
	const form = { node: context.getNode(), ...options };
	return outcomes.map(({ value, error, inputIndex }) => {
		const isOfOne = !Array.isArray(inputIndex);
		const itemIndex = isOfOne ? inputIndex : (inputIndex[0] ?? 0);
		const input = (isOfOne ? inputs[itemIndex]?.json : undefined) ?? {};
		if (error) return toErrorOutput(context, error, { itemIndex, input }, form);
		const { json } = value;
		const kept = options.keeps === 'extra' ? withoutFields(input, namesUsedIn(json)) : {};
		const pairedItem = isOfOne ? { item: inputIndex } : inputIndex.map((item) => ({ item }));
		return { ...value, json: { ...json, ...kept }, pairedItem };
	});
}
