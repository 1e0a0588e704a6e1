import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { ScreeningError } from '../service/errors';
import { cancelSignal } from './context';
import { toErrorItem, toErrorOutputItem, toNodeError } from './nodeError';

/** What an operation makes of an input item. */
export type Result = Pick<INodeExecutionData, 'json' | 'binary'>;

export type Outcome = Result | ScreeningError;

/** An outcome and the input items that it stands for. */
export interface Paired {
	outcome: Outcome;
	from: number | number[];
}

/** The value of `work`, or the `ScreeningError` that it throws. Rejects only when the user stops the execution. */
export async function settle<T>(
	context: IExecuteFunctions,
	work: () => Promise<T>,
): Promise<T | ScreeningError> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof ScreeningError) return error;
		if (cancelSignal(context)?.aborted) {
			// By this word n8n knows that the user stopped the execution.
			throw new NodeOperationError(context.getNode(), 'The execution was canceled');
		}
		return unreadable(error);
	}
}

/** What n8n throws while it reads a parameter, e.g. an expression that does not hold for the item. */
function unreadable(error: unknown): ScreeningError {
	const { message = '', description } = (error ?? {}) as {
		message?: string;
		description?: string;
	};
	return new ScreeningError(
		'invalid_input',
		`A parameter could not be read: ${message}`,
		description ?? 'Check the expressions in the parameters of this node for this item.',
	);
}

/** Outcomes as n8n's items. Throws the first `ScreeningError` unless the user chose to continue. */
export function toItems(context: IExecuteFunctions, outcomes: Paired[]): INodeExecutionData[] {
	const goesOn = context.continueOnFail();
	const node = context.getNode();
	const isParted = node.onError === 'continueErrorOutput';
	return outcomes.map(({ outcome, from }) => {
		if (!(outcome instanceof ScreeningError)) return { ...outcome, pairedItem: pairing(from) };
		const itemIndex = Array.isArray(from) ? (from[0] ?? 0) : from;
		if (!goesOn) throw toNodeError(node, outcome, itemIndex);
		return isParted ? toErrorOutputItem(node, outcome, itemIndex) : toErrorItem(outcome, itemIndex);
	});
}

function pairing(from: number | number[]) {
	return Array.isArray(from) ? from.map((item) => ({ item })) : { item: from };
}
