import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { ScreeningError } from '../service/errors';
import type { Client } from '../service/client';
import { connect } from './connect';
import { cancelSignal } from './context';
import { toErrorItem, toNodeError } from './nodeError';
import { type Options, readOptions } from './options';

/** What an operation makes of one input item. */
export type Result = Pick<INodeExecutionData, 'json' | 'binary'>;

/** What became of one input item. */
export type Outcome = Result | ScreeningError;

/** What an operation works with, the same for all its items. */
export interface Screening {
	client: Client;
	options: Options;
}

/**
 * Gives each input item its one outcome: as many as the options allow are under way, and they come out in the order of the
 * input. A failed item becomes an error item where the user chose to continue; otherwise no further item is begun, and the
 * failed item with the lowest index ends the node.
 */
export async function perItem(
	context: IExecuteFunctions,
	handle: (itemIndex: number, screening: Screening) => Promise<Result>,
): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	const screening = await settle(context, async () => await prepare(context));
	if (screening instanceof ScreeningError)
		return toItems(context, new Array<Outcome>(count).fill(screening));

	const goesOn = context.continueOnFail();
	const outcomes: Outcome[] = [];
	let next = 0;
	let stopped = false;

	async function work(ready: Screening) {
		while (next < count && !stopped) {
			const itemIndex = next++;
			const outcome = await settle(context, async () => await handle(itemIndex, ready));
			outcomes[itemIndex] = outcome;
			stopped ||= outcome instanceof ScreeningError && !goesOn;
		}
	}

	const atOnce = Math.min(screening.options.concurrency, count);
	await Promise.all(Array.from({ length: atOnce }, async () => await work(screening)));
	return toItems(context, outcomes);
}

async function prepare(context: IExecuteFunctions): Promise<Screening> {
	const options = readOptions(context);
	return { options, client: await connect(context, options) };
}

/** The outcome of `work`, its `ScreeningError` included. Rejects only when the user stops the execution. */
export async function settle<T>(
	context: IExecuteFunctions,
	work: () => Promise<T>,
): Promise<T | ScreeningError> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof ScreeningError) return error;
		if (cancelSignal(context)?.aborted)
			throw new NodeOperationError(context.getNode(), 'The execution was stopped');
		return unreadable(error);
	}
}

/** Outcomes as n8n's items, each paired with its input. Throws the first `ScreeningError` unless the user chose to continue. */
export function toItems(context: IExecuteFunctions, outcomes: Outcome[]): INodeExecutionData[] {
	const goesOn = context.continueOnFail();
	return outcomes.map((outcome, itemIndex) => {
		if (!(outcome instanceof ScreeningError))
			return { ...outcome, pairedItem: { item: itemIndex } };
		if (!goesOn) throw toNodeError(context.getNode(), outcome, itemIndex);
		return toErrorItem(outcome, itemIndex);
	});
}

/** What n8n throws while it reads a parameter, e.g. an expression that does not hold for the item. */
function unreadable(error: unknown): ScreeningError {
	const { message = '', description } = error as { message?: string; description?: string };
	return new ScreeningError(
		'invalid_input',
		`A parameter could not be read: ${message}`,
		description ?? 'Check the expressions in the parameters of this node for this item.',
	);
}
