import type { AddressRequest } from '../../address/input';
import { screeningKey } from '../../address/key';
import { splitIntoJobs } from '../../client/division';
import type { Client } from '../../client/client';
import { readOptions } from '../../description/options';
import type { ParameterReader } from '../../description/parameters';
import type { ItemSettings } from '../../description/reportSettings';
import type { ItemRequest, Run, SettledItem } from '../../execution/run';
import type { ScreeningError, Settled } from '../../shared/errors';
import { groupBy } from '../../shared/maps';
import { readAddresses, readSharedList } from './addresses';
import { RejectionLimit } from './rejectionLimit';

/*
 * From the input items to the chunks that each make a job. Of three items, of which the second has
 * the address of the first in another spelling, and the third a mistyped one, the types below hold:
 *
 *     AddressEntry    what one item asks for          { address: '0xAb…', order: 0, inputIndex: 0 }
 *                                                     { address: '0xab…', order: 1, inputIndex: 1 }
 *     OrderedItem     what came of one item           { error, order: 2, inputIndex: 2 }
 *     AddressList     all of them, and the chunks     lengths: entries 2, refused 1, chunks 1
 *     Chunk           what is to make one job         { addresses: ['0xAb…'], … }
 */

/** An address that an input item asks for, under the key of that item. */
export interface AddressEntry extends AddressRequest {
	/** Its place among all addresses. */
	order: number;
	inputIndex: number;
	client: Client;
	settings: ItemSettings;
}

/** What came of an address, and its place among all addresses. */
export type OrderedItem = SettledItem & { readonly order: number };

/** Addresses to submit together, under one key. */
export interface Chunk {
	client: Client;
	/** One spelling of each address. */
	addresses: string[];
	/** The entries that ask for an address, in any spelling of it. */
	entriesOf(address: string): AddressEntry[];
	/** All chunks of the key share it. */
	rejectionLimit: RejectionLimit;
}

/** The addresses of all input items. */
export interface AddressList {
	entries: AddressEntry[];
	/** The invalid addresses. */
	refused: OrderedItem[];
	/** None if an invalid address ends the node. */
	chunks: Chunk[];
}

/** What is read for an input item: its own addresses, and the settings for their reports. */
interface ItemAddresses {
	addresses: Array<Settled<AddressRequest>>;
	settings: ItemSettings;
}

/**
 * Reads the addresses of all input items, and the settings for their reports. A list that is the
 * same for all items goes out once, for the first item that can be read. If none can be, its
 * addresses have the error of the first one.
 * @throws only the reason of the signal of the run
 */
export async function readAddressList(
	run: Run,
	readSettings: (read: ParameterReader, itemIndex: number) => ItemSettings,
): Promise<AddressList> {
	const { addressesPerJob, checkAddresses } = readOptions(run.readFirst, [
		'addressesPerJob',
		'checkAddresses',
	]);
	const sharedList = readSharedList(run, checkAddresses);
	const items = await run.readItems((read, itemIndex) => ({
		settings: readSettings(read, itemIndex),
		addresses: sharedList ? [] : readAddresses(run.context, read, itemIndex, checkAddresses),
	}));
	// The item that takes the shared list. Without a readable one, it is the first, with its error.
	const itemWithShared = Math.max(
		0,
		items.findIndex(({ value }) => value),
	);
	const entries: AddressEntry[] = [];
	const refused: OrderedItem[] = [];
	for (const [inputIndex, item] of items.entries()) {
		const shared = inputIndex === itemWithShared ? sharedList : undefined;
		for (const { value, error } of listRequests(item, shared)) {
			// A refused address has a place, too.
			const order = entries.length + refused.length;
			if (error) refused.push({ order, error, inputIndex });
			else entries.push({ ...value, order, inputIndex });
		}
	}
	const chunks = run.stopsAtRefusals(refused) ? [] : createChunks(entries, addressesPerJob);
	return { entries, refused, chunks };
}

/**
 * Lists the addresses of an input item, or those of the shared list if it takes that. The error of
 * the item is that of each address, and of the item alone if it takes no list.
 */
function listRequests(
	{ value: item, error }: ItemRequest<ItemAddresses>,
	shared: Array<Settled<AddressRequest>> | undefined,
): Array<Settled<Omit<AddressEntry, 'order' | 'inputIndex'>>> {
	if (error) {
		const refuse = ({ address }: AddressRequest) => ({ error: error.withDetails({ address }) });
		return shared?.map((one) => (one.error ? one : refuse(one.value))) ?? [{ error }];
	}
	const { client, parameters } = item;
	const { addresses, settings } = parameters;
	return (shared ?? addresses).map((one) =>
		one.error ? one : { value: { ...one.value, client, settings } },
	);
}

/** Divides the addresses of each key into chunks that each make a job. */
function createChunks(all: AddressEntry[], addressesPerJob: number): Chunk[] {
	return [...groupBy(all, ({ client }) => client)].flatMap(([client, entries]) => {
		const byAddress = groupBy(entries, ({ address }) => screeningKey(address));
		const entriesOf = (address: string) => byAddress.get(screeningKey(address)) ?? [];
		const rejectionLimit = new RejectionLimit();
		const addresses = entries.map(({ address }) => address);
		const jobs = splitIntoJobs(addresses, addressesPerJob);
		return jobs.map((addressesOfJob) => ({
			client,
			addresses: addressesOfJob,
			entriesOf,
			rejectionLimit,
		}));
	});
}

/** Gives each entry that asks for one of these addresses the same error. */
export function failAddresses(
	chunk: Chunk,
	addresses: string[],
	error: ScreeningError,
): OrderedItem[] {
	return addresses.flatMap(chunk.entriesOf).map(({ order, inputIndex, address }) => ({
		order,
		inputIndex,
		error: error.withDetails({ address }),
	}));
}

/** Sorts by the order in which the addresses were asked for. */
export function sortByOrder<One extends { readonly order: number }>(all: One[]): One[] {
	return [...all].sort((one, other) => one.order - other.order);
}
