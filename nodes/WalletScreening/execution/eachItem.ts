import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../client/client';
import { ScreeningError } from '../shared/errors';
import type { ItemOrError, Paired } from './items';
import { itemReader, type Read } from '../description/parameters';
import { toResult, isOver, type Run } from './run';
import { createBreather } from '../transport/time';

/** The run, with the client of one input item. */
export interface ItemRun extends Run {
	readonly client: Client;
}

/** What `work` gives for each input item, one after another, or its error. */
async function perItem<T>(
	{ context, signal }: Run,
	work: (read: Read, item: INodeExecutionData, itemIndex: number) => Promise<T>,
): Promise<Array<T | ScreeningError>> {
	const breathe = createBreather();
	const results: Array<T | ScreeningError> = [];
	for (const [itemIndex, item] of context.getInputData().entries()) {
		await breathe();
		signal.throwIfAborted();
		const read = itemReader(context, itemIndex);
		results.push(await toResult(async () => await work(read, item, itemIndex), signal));
	}
	return results;
}

/** What every input item asks for, or why that is invalid: all of it is read before the first request. */
export async function readItems<Given>(
	run: Run,
	readItem: (read: Read, itemIndex: number) => Given,
) {
	return await perItem(run, async (read, _, itemIndex) => ({
		given: readItem(read, itemIndex),
		client: await run.clientOf(itemIndex),
	}));
}

/** Requests in progress at once if the user does not say how many. */
const defaultConcurrency = 200;

/**
 * Gives each input item its outcomes, in the order of the input. `read` gives an item's parameters, `handle` asks the
 * service. Unless the user chose to continue, an item with invalid parameters ends the node before any request, and the
 * first failure calls off whatever was not sent yet.
 */
export async function eachItem<Given>(
	run: Run,
	read: (read: Read, itemIndex: number) => Given,
	handle: (given: Given, run: ItemRun) => Promise<ItemOrError | ItemOrError[]>,
): Promise<Paired[]> {
	const asked = await readItems(run, read);
	const refused = asked.flatMap((result, inputIndex): Paired[] =>
		result instanceof ScreeningError ? [{ result, inputIndex }] : [],
	);
	if (refused.length > 0 && !run.continueOnFail) return refused;

	return await inParallel(run, asked, defaultConcurrency, async (item, inputIndex) => {
		const work = async () =>
			item instanceof ScreeningError
				? item
				: await handle(item.given, { ...run, client: item.client });
		const results = [await toResult(work, run.signal)].flat();
		return results.map((result) => ({ result, inputIndex }));
	});
}

/**
 * The outcomes that `work` gives for each value, in order: none for those that the end of the run called off. A failure calls
 * off the rest. As many are in progress at once as the user says, else `concurrency`.
 */
export async function inParallel<In, Outcome extends Paired>(
	run: Run,
	values: In[],
	concurrency: number,
	work: (value: In, index: number) => Promise<Outcome[]>,
): Promise<Outcome[]> {
	const outcomes: Outcome[][] = values.map(() => []);
	const waiting = values.entries();
	async function worker() {
		for (const [index, value] of waiting) {
			if (isOver(run)) return;
			outcomes[index] = await work(value, index);
			if (outcomes[index].some(({ result }) => result instanceof ScreeningError)) run.fail();
		}
	}
	const atOnce = Math.min(run.options.concurrency ?? concurrency, values.length);
	for (const end of await Promise.allSettled(Array.from({ length: atOnce }, worker))) {
		if (end.status === 'rejected' && end.reason !== run.signal.reason) throw end.reason as Error;
	}
	return outcomes.flat();
}

/** Runs an operation that sends no request: `handle` gives the JSON that leaves for an input item, or undefined if nothing does. */
export async function eachItemInHand(
	run: Run,
	handle: (read: Read, item: INodeExecutionData, itemIndex: number) => Promise<object | undefined>,
): Promise<Paired[]> {
	const results = await perItem(run, async (read, item, itemIndex) => {
		const json = (await handle(read, item, itemIndex)) as IDataObject | undefined;
		return json && { ...(item.binary && { binary: item.binary }), json };
	});
	return results.flatMap((result, inputIndex) => (result ? { result, inputIndex } : []));
}
