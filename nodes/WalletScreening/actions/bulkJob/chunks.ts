import type { DecisionSettings } from '../../description/decision';
import { readItems } from '../../execution/eachItem';
import type { Paired } from '../../execution/items';
import type { Options } from '../../description/options';
import type { Read } from '../../description/parameters';
import type { Run } from '../../execution/run';
import { addressKey } from '../../address/key';
import { inJobs } from '../../client/bulk';
import type { Client } from '../../client/client';
import { grouped } from '../../shared/grouped';
import { ScreeningError } from '../../shared/errors';
import { addressReader, type Asked } from './addresses';

/** An address that an input item asks for, under the key of that item. */
export interface Wanted extends Asked {
	/** Its place among all addresses. */
	order: number;
	inputIndex: number;
	client: Client;
	deciding: DecisionSettings;
}

/** An outcome, and its place among all addresses. */
export type Ordered = Paired & { order: number };

/** Addresses to submit together, under one key. */
export interface Chunk {
	client: Client;
	addresses: string[];
	/** Who asked for an address, in any spelling of it. */
	entriesOf(address: string): Wanted[];
	/** What became so far of the chunks of the key. */
	tally: { jobs: number; rejectedAlone: number };
}

/** What all input items ask for. */
export interface Bulk {
	entries: Wanted[];
	/** The invalid addresses. */
	refused: Ordered[];
	/** None if an invalid address ends the node. */
	chunks: Chunk[];
}

/** Reads the addresses of each input item, and what is decided on their reports. */
export async function readBulk(
	run: Run,
	readDeciding: (read: Read, itemIndex: number) => DecisionSettings,
): Promise<Bulk> {
	const readAddresses = addressReader(run);
	const items = await readItems(run, (read, itemIndex) => ({
		deciding: readDeciding(read, itemIndex),
		asked: readAddresses(read, itemIndex),
	}));
	const entries: Wanted[] = [];
	const refused: Ordered[] = [];
	for (const [inputIndex, item] of items.entries()) {
		for (const one of item instanceof ScreeningError ? [item] : item.given.asked) {
			const order = entries.length + refused.length;
			if (one instanceof ScreeningError || item instanceof ScreeningError) {
				refused.push({ order, result: one as ScreeningError, inputIndex });
			} else {
				const { client, given } = item;
				entries.push({ ...one, order, inputIndex, client, deciding: given.deciding });
			}
		}
	}
	const isEnd = refused.length > 0 && !run.continueOnFail;
	return { entries, refused, chunks: isEnd ? [] : chunksOf(entries, run.options) };
}

/** The addresses of each key, in chunks that each make a job. */
function chunksOf(all: Wanted[], { addressesPerJob }: Options): Chunk[] {
	return [...grouped(all, ({ client }) => client)].flatMap(([client, entries]) => {
		const byAddress = grouped(entries, ({ address }) => addressKey(address));
		const entriesOf = (address: string) => byAddress.get(addressKey(address)) ?? [];
		const tally = { jobs: 0, rejectedAlone: 0 };
		const jobs = inJobs(
			entries.map(({ address }) => address),
			addressesPerJob,
		);
		return jobs.map((addresses) => ({ client, addresses, entriesOf, tally }));
	});
}

/** As the addresses were asked for. */
export function inInputOrder<T extends { order: number }>(all: T[]): T[] {
	return [...all].sort((one, other) => one.order - other.order);
}
