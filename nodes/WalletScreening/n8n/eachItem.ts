import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../service/client';
import { type Known, ScreeningError } from '../service/errors';
import { isFilled } from '../service/json';
import { type Deciding, referenceIn } from './decision';
import { ofAll, type Outcome, type Paired, toItems } from './items';
import { type Options, readOptions } from './options';
import { itemReader, type Read } from './parameters';
import { attempt, isOver, type Run, withRun } from './run';
import { hintAtOutcome } from './summary';
import { createBreather } from './time';

/** The run, with the client of one input item. */
export interface ItemRun extends Run {
	readonly client: Client;
}

/** What every input item asks for, or why that is invalid: all of it is read before the first request. */
export async function readItems<Given>(
	{ context, clientOf, options, signal }: Run,
	read: (read: Read, itemIndex: number, options: Options) => Given,
) {
	const breathe = createBreather();
	const asked: Array<{ given: Given; client: Client } | ScreeningError> = [];
	for (const itemIndex of context.getInputData().keys()) {
		await breathe();
		signal.throwIfAborted();
		const readItem = async () => ({
			given: read(itemReader(context, itemIndex), itemIndex, options),
			client: await clientOf(itemIndex),
		});
		const one = await attempt(readItem, signal);
		asked.push(one instanceof ScreeningError ? await withReference(one, context, itemIndex) : one);
	}
	return asked;
}

/** The error of an item that could not be read, with what the user calls the matter, if that can be read. */
async function withReference(error: ScreeningError, context: IExecuteFunctions, itemIndex: number) {
	const reference = await attempt(async () => referenceIn(itemReader(context, itemIndex)));
	return typeof reference === 'string' ? error.with({ reference }) : error;
}

/** How many items are in progress at once if the user does not say. */
const usualAtOnce = 200;

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
		read: (read: Read, itemIndex: number, options: Options) => Given;
		handle: (given: Given, run: ItemRun) => Promise<Outcome | Outcome[]>;
	},
): Promise<INodeExecutionData[]> {
	return await withRun(context, async (run) => {
		const asked = await readItems(run, read);
		const refused = asked.flatMap((outcome, from): Paired[] =>
			outcome instanceof ScreeningError ? [{ outcome, from }] : [],
		);
		if (refused.length > 0 && !run.continueOnFail) return refused;

		const outcomes = await inParallel(run, asked, usualAtOnce, async (item) => {
			if (item instanceof ScreeningError) return [item];
			const work = async () => await handle(item.given, { ...run, client: item.client });
			const all = [await attempt(work, run.signal)].flat();
			if (all.some((one) => one instanceof ScreeningError)) run.fail();
			const { reference } = (item.given as { deciding?: Deciding }).deciding ?? {};
			return all.map((one) => (one instanceof ScreeningError ? one.with({ reference }) : one));
		});
		return outcomes.flatMap((all, from) => (all ?? []).map((outcome) => ({ outcome, from })));
	});
}

/**
 * What `work` gives for each value, in order; undefined for those that the end of the run called off. As many are in progress
 * at once as the user says, else `chosen`.
 */
export async function inParallel<In, Out>(
	run: Run,
	values: In[],
	chosen: number,
	work: (value: In) => Promise<Out>,
): Promise<Array<Out | undefined>> {
	const results: Array<Out | undefined> = values.map(() => undefined);
	const waiting = values.entries();
	async function worker() {
		for (const [index, value] of waiting) {
			if (isOver(run)) return;
			results[index] = await work(value);
		}
	}
	const atOnce = Math.min(run.options.concurrency ?? chosen, values.length);
	for (const end of await Promise.allSettled(Array.from({ length: atOnce }, worker))) {
		if (end.status === 'rejected' && end.reason !== run.signal.reason) throw end.reason as Error;
	}
	return results;
}

/** What an item in hand is about, unless nobody may read it. */
function namesIn({ address, reference }: IDataObject, { known }: ScreeningError): Known {
	if (known.withheld !== undefined) return {};
	return {
		...(isFilled(address) && { address: address.slice(0, 256) }),
		...(isFilled(reference) && { reference: reference.slice(0, 256) }),
	};
}

/**
 * Runs an operation that sends no request and needs no credential: `handle` gives the JSON that leaves for an input item, or
 * undefined if nothing does.
 */
export async function withoutRequests(
	context: IExecuteFunctions,
	handle: (
		read: Read,
		item: INodeExecutionData,
		options: Options,
		itemIndex: number,
	) => Promise<object | undefined>,
): Promise<INodeExecutionData[]> {
	const options = await attempt(async () => readOptions(itemReader(context, 0)));
	if (options instanceof ScreeningError) return toItems(context, ofAll(context, options));
	const breathe = createBreather();
	const paired: Paired[] = [];
	for (const [from, item] of context.getInputData().entries()) {
		await breathe();
		const outcome = await attempt(async () => {
			const json = await handle(itemReader(context, from), item, options, from);
			return json && { ...(item.binary && { binary: item.binary }), json: json as IDataObject };
		});
		if (outcome instanceof ScreeningError) {
			paired.push({ outcome: outcome.with(namesIn(item.json, outcome)), from });
		} else if (outcome) paired.push({ outcome, from });
	}
	const { alertText } = options;
	const items = toItems(context, paired, { alertText, keepsInput: true });
	await attempt(async () => hintAtOutcome(context, items));
	return items;
}
