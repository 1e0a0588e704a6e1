import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../client/client';
import { maxInProgress } from '../client/rate/requestWindow';
import { readOptions, readRunOptions, type RunOptions } from '../description/options';
import { createItemReader, type ParameterReader } from '../description/parameters';
import type { ScreeningError, Settled } from '../shared/errors';
import { type Clock, minute } from '../shared/time';
import { createItemClients } from '../transport/itemClients';
import { createBreather, systemClock } from '../transport/clock';
import type { RunLedger } from './ledger';
import { RunEnd } from './runEnd';
import { createWarner } from './warnings';

/** An output item before it is paired. */
export type OutputItem = Pick<INodeExecutionData, 'json' | 'binary'>;

/** What came of an input item, or of several that share it: an output item, or an error. */
export type SettledItem = Settled<OutputItem> & { readonly inputIndex: number | number[] };

/** What one input item asks for, and the client with its key; or why the item is refused. */
export type ItemRequest<Parameters> = Settled<{ parameters: Parameters; client: Client }>;

/**
 * How many requests are in progress at once, unless the user chose a number: as many as the limiter
 * ever lets out.
 */
const defaultConcurrency = maxInProgress;

/** What an operation states about its runs. */
export interface RunSettings {
	/** A run ends after the minutes of the option Timeout. */
	isTimed?: true;
}

/**
 * One execution of the action node. An operation reads all its items before the first request, then
 * asks the service. `RunEnd` has what ends a run before that.
 *
 *     loop               over                   gives                    at once
 *     readItems          the input items        a request for each       one
 *     mapRequests        these requests         an item for each         many
 *     flatMapRequests    these requests         several for each         many
 *     inParallel         any values, e.g. jobs  several for each         many
 *     mapInputItems      the input items        one or none for each     one; no request is sent
 */
export class Run {
	/**
	 * Reads a parameter with its value for the first item. That value counts for all items where the
	 * run has only one, as of an option.
	 */
	readonly readFirst: ParameterReader;
	readonly options: RunOptions;
	readonly end: RunEnd;
	readonly signal: AbortSignal;
	readonly clock: Clock;
	/** Milliseconds of the clock at which the time of the whole run is up. */
	readonly deadline: number;
	/** Now and then gives n8n a moment for its other work. A loop over items awaits it. */
	readonly breathe = createBreather();
	/** Shows a warning about the policy of an item. */
	readonly warnOfPolicy: (message: string) => void;

	/**
	 * Gives the client with the key of an input item.
	 * @throws {ScreeningError} `invalid_input`, or `network` if n8n cannot read the credential
	 */
	private readonly clientOf: (itemIndex: number) => Promise<Client>;

	/**
	 * @param continueOnFail whether failures leave as items: the user chose to continue under On
	 * Error, or the node is a tool
	 * @throws {ScreeningError} `invalid_input` for an option that cannot be used
	 */
	constructor(
		readonly context: IExecuteFunctions,
		{ isTimed }: RunSettings,
		readonly ledger: RunLedger,
		readonly continueOnFail: boolean,
	) {
		this.readFirst = createItemReader(context, 0);
		this.options = readRunOptions(this.readFirst);
		this.warnOfPolicy = createWarner(context);
		const maxMinutes = isTimed ? readOptions(this.readFirst, ['timeout']).timeout : Infinity;
		this.end = new RunEnd(context, maxMinutes);
		this.signal = this.end.signal;
		this.clock = systemClock(this.signal);
		this.deadline = this.clock.now() + maxMinutes * minute;
		this.clientOf = createItemClients(context, {
			...this.options,
			signal: this.signal,
			onWait: (wait) => this.ledger.noteWait(wait),
		});
	}

	/** Whether the node ends before any request, because it refused items and does not continue. */
	stopsAtRefusals(refused: readonly unknown[]): boolean {
		return refused.length > 0 && !this.continueOnFail;
	}

	/**
	 * Reads what every input item asks for.
	 *
	 * @param readItem gives the parameters of one item. It throws `invalid_input` for an item that
	 * cannot be right.
	 * @throws only the reason of the signal, with which the run is over
	 */
	async readItems<Parameters>(
		readItem: (read: ParameterReader, itemIndex: number) => Parameters,
	): Promise<Array<ItemRequest<Parameters>>> {
		return await this.eachItem(async (read, _item, itemIndex) => ({
			parameters: readItem(read, itemIndex),
			client: await this.clientOf(itemIndex),
		}));
	}

	/**
	 * Performs each request, and gives what came of them in the order of the input. Unless the user
	 * chose to continue, a refused item ends the node before any request, and the first failure calls
	 * off the requests that were not sent yet.
	 *
	 * @param perform asks the service for one item. What it throws is the error of that item.
	 */
	async mapRequests<Parameters>(
		requests: Array<ItemRequest<Parameters>>,
		perform: (run: Run, client: Client, parameters: Parameters) => Promise<OutputItem>,
	): Promise<SettledItem[]> {
		return await this.flatMapRequests(requests, async (run, client, parameters) => [
			{ value: await perform(run, client, parameters) },
		]);
	}

	/**
	 * As `mapRequests`, for requests that each give several items. What `perform` throws is the one
	 * error of its item.
	 */
	async flatMapRequests<Parameters>(
		requests: Array<ItemRequest<Parameters>>,
		perform: (
			run: Run,
			client: Client,
			parameters: Parameters,
		) => Promise<Array<Settled<OutputItem>>>,
	): Promise<SettledItem[]> {
		const refused = requests.flatMap(({ error }, inputIndex): SettledItem[] =>
			error ? [{ error, inputIndex }] : [],
		);
		if (this.stopsAtRefusals(refused)) return refused;
		return await this.inParallel(
			requests,
			defaultConcurrency,
			async ({ value, error }, inputIndex): Promise<SettledItem[]> => {
				if (error) throw error;
				const results = await perform(this, value.client, value.parameters);
				return results.map((result) => ({ ...result, inputIndex }));
			},
			(error, _request, inputIndex) => [{ error, inputIndex }],
		);
	}

	/**
	 * Makes the output item of each input item, for an operation that sends no request.
	 *
	 * @param createJson gives the JSON that leaves for an input item, or undefined if nothing does.
	 * What it throws is the error of that item.
	 * @throws only the reason of the signal, with which the run is over
	 */
	async mapInputItems(
		createJson: (
			read: ParameterReader,
			item: INodeExecutionData,
			itemIndex: number,
		) => object | undefined | Promise<object | undefined>,
	): Promise<SettledItem[]> {
		const results = await this.eachItem(async (read, item, itemIndex) => {
			const json = (await createJson(read, item, itemIndex)) as OutputItem['json'] | undefined;
			return json && { ...(item.binary && { binary: item.binary }), json };
		});
		return results.flatMap(({ value, error }, inputIndex): SettledItem[] => {
			if (error) return [{ error, inputIndex }];
			return value ? [{ value, inputIndex }] : [];
		});
	}

	/**
	 * Does `work` for each value, and gives what came of them in order: nothing for those that the
	 * end of the run called off. Unless failures leave as items, the first one calls off the rest.
	 * As many values are in progress at once as the user chose, else `concurrency`.
	 *
	 * @param work gives what came of one value
	 * @param fail gives what takes its place if `work` throws, also for a fault of this package
	 */
	async inParallel<Value, One extends SettledItem>(
		values: Value[],
		concurrency: number,
		work: (value: Value, index: number) => Promise<One[]>,
		fail: (error: ScreeningError, value: Value, index: number) => One[],
	): Promise<One[]> {
		const settled: One[][] = values.map(() => []);
		// All workers take from this one iterator, so each value is handled by exactly one.
		const waiting = values.entries();
		const worker = async () => {
			for (const [index, value] of waiting) {
				if (this.end.dropsUnfinishedItems) return;
				const done = await this.settle(async () => await work(value, index));
				settled[index] = done.error ? fail(done.error, value, index) : done.value;
				const hasFailed = settled[index].some(({ error }) => error);
				if (hasFailed && !this.continueOnFail) this.end.callOffRest();
			}
		};
		const atOnce = Math.min(this.options.concurrency ?? concurrency, values.length);
		const workers = await Promise.allSettled(Array.from({ length: atOnce }, worker));
		// The end of the run rejects a worker, and drops its value. Anything else is a fault.
		for (const one of workers) {
			if (one.status === 'rejected' && !this.end.isEnd(one.reason)) throw one.reason;
		}
		return settled.flat();
	}

	/**
	 * Does `work`, and gives its value, or the error in its place, also for a fault of this package.
	 * It lets through what ends the run, e.g. that the user stopped it.
	 * @throws only the reason of the signal, with which the run is over
	 */
	async settle<T>(work: () => T | Promise<T>): Promise<Settled<T>> {
		try {
			return { value: await work() };
		} catch (error) {
			return { error: this.end.rethrowIfDropped(error) };
		}
	}

	/** Does `work` for each input item in turn. */
	private async eachItem<T>(
		work: (read: ParameterReader, item: INodeExecutionData, itemIndex: number) => Promise<T>,
	): Promise<Array<Settled<T>>> {
		const results: Array<Settled<T>> = [];
		for (const [itemIndex, item] of this.context.getInputData().entries()) {
			await this.breathe();
			this.signal.throwIfAborted();
			const read = createItemReader(this.context, itemIndex);
			results.push(await this.settle(async () => await work(read, item, itemIndex)));
		}
		return results;
	}
}
