import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { ScreeningError } from '../service/errors';
import { type Outcome, type Paired, settle, toItems } from './outcomes';
import { prepare, type Screening } from './screening';

/** How many items are under way at once where the user does not say. */
const chosenAtOnce = 200;

/**
 * Gives each input item its outcome, or several where `handle` gives several: as many items as the options allow are under
 * way, and they come out in the order of the input. A failed item becomes an error item where the user chose to continue;
 * otherwise no further item is begun, and the failed item with the lowest index ends the node.
 */
export async function perItem(
	context: IExecuteFunctions,
	handle: (itemIndex: number, screening: Screening) => Promise<Outcome | Outcome[]>,
): Promise<INodeExecutionData[]> {
	const count = context.getInputData().length;
	const outcomes: Outcome[][] = [];
	const screening = await settle(context, async () => await prepare(context));
	if (screening instanceof ScreeningError) {
		for (let itemIndex = 0; itemIndex < count; itemIndex++) outcomes.push([screening]);
	} else {
		const goesOn = context.continueOnFail();
		const { refused } = screening;
		if (refused.size > 0 && !goesOn) return toItems(context, refusals(refused));
		await inTurn(count, screening.options.concurrency ?? chosenAtOnce, async (itemIndex) => {
			const outcome =
				refused.get(itemIndex) ??
				(await settle(context, async () => await handle(itemIndex, screening)));
			outcomes[itemIndex] = Array.isArray(outcome) ? outcome : [outcome];
			return goesOn || !outcomes[itemIndex].some((one) => one instanceof ScreeningError);
		});
	}
	return toItems(context, outcomes.flatMap(pairedWithIndex));
}

function refusals(refused: Screening['refused']): Paired[] {
	return [...refused].map(([from, outcome]) => ({ outcome, from }));
}

function pairedWithIndex(outcomes: Outcome[], itemIndex: number): Paired[] {
	return outcomes.map((outcome) => ({ outcome, from: itemIndex }));
}

/** Does `work` for the numbers from 0 to `count` - 1 in order, `atOnce` at a time, until one says that it is enough. */
export async function inTurn(
	count: number,
	atOnce: number,
	work: (index: number) => Promise<boolean>,
): Promise<void> {
	let next = 0;
	let goesOn = true;
	async function worker() {
		while (next < count && goesOn) {
			if (!(await work(next++))) goesOn = false;
		}
	}
	await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}
