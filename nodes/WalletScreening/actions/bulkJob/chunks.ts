import { addressKey } from '../../address/key';
import { inJobs } from '../../client/bulk';
import type { Client } from '../../client/client';
import type { DecisionSettings } from '../../description/decision';
import type { Options } from '../../description/options';
import type { Read } from '../../description/parameters';
import type { Outcome } from '../../execution/items';
import type { Run } from '../../execution/run';
import { grouped } from '../../shared/grouped';
import { addressReader, type AddressRequest } from './addresses';

/** An address that an input item asks for, under the key of that item. */
export interface AddressEntry extends AddressRequest {
	/** Its place among all addresses. */
	order: number;
	inputIndex: number;
	client: Client;
	decision: DecisionSettings;
}

/** An outcome, and its place among all addresses. */
export type OrderedOutcome = Outcome & { readonly order: number };

/** Addresses to submit together, under one key. */
export interface Chunk {
	client: Client;
	/** One spelling of each address. */
	addresses: string[];
	/** The entries that ask for an address, in any spelling of it. */
	entriesOf(address: string): AddressEntry[];
	/** Counts over all chunks of the key so far. */
	tally: { jobs: number; rejectedAlone: number };
}

/** The addresses of all input items. */
export interface AddressList {
	entries: AddressEntry[];
	/** The invalid addresses. */
	refused: OrderedOutcome[];
	/** None if an invalid address ends the node. */
	chunks: Chunk[];
}

/** Reads the addresses of each input item, and what is decided on their reports. */
export async function readAddressList(
	run: Run,
	readDecision: (read: Read, itemIndex: number) => DecisionSettings,
): Promise<AddressList> {
	const readAddresses = addressReader(run);
	const items = await run.readItems((read, itemIndex) => ({
		decision: readDecision(read, itemIndex),
		addresses: readAddresses(read, itemIndex),
	}));
	const entries: AddressEntry[] = [];
	const refused: OrderedOutcome[] = [];
	for (const [inputIndex, item] of items.entries()) {
		for (const { value, error } of item.error ? [item] : item.value.parameters.addresses) {
			const order = entries.length + refused.length;
			if (error) refused.push({ order, error, inputIndex });
			else if (!item.error) {
				const { client, parameters } = item.value;
				const { decision } = parameters;
				entries.push({ ...(value as AddressRequest), order, inputIndex, client, decision });
			}
		}
	}
	const isEnd = refused.length > 0 && !run.continueOnFail;
	return { entries, refused, chunks: isEnd ? [] : chunksOf(entries, run.options) };
}

/** The addresses of each key, in chunks that each make a job. */
function chunksOf(all: AddressEntry[], { addressesPerJob }: Options): Chunk[] {
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

/** Sorts by the order in which the addresses were asked for. */
export function inInputOrder<One extends { readonly order: number }>(all: One[]): One[] {
	return [...all].sort((one, other) => one.order - other.order);
}
