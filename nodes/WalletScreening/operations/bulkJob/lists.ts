import { readItems } from '../../n8n/eachItem';
import type { Paired } from '../../n8n/items';
import type { Read } from '../../n8n/parameters';
import type { Run } from '../../n8n/run';
import { addressKey } from '../../address/key';
import { inJobs } from '../../service/bulk';
import type { Client } from '../../service/client';
import { ScreeningError } from '../../service/errors';
import { addressReader, type Asked } from './addresses';

/** An address that an input item asks for, under the key of that item, and what else the operation read of the item. */
export interface Entry<Given = unknown> extends Asked {
	/** Its place among all addresses. */
	order: number;
	from: number;
	client: Client;
	given: Given;
}

/** An outcome, and its place among all addresses. */
export type Ordered = Paired & { order: number };

/** Addresses to submit together, under one key. */
export interface List {
	client: Client;
	addresses: string[];
	/** What became so far of the lists of the key. */
	tally: { jobs: number; rejectedAlone: number };
}

/** What all input items ask for. */
export interface Bulk<Given = unknown> {
	entries: Array<Entry<Given>>;
	/** The invalid addresses. */
	refused: Ordered[];
	lists: List[];
}

/** Reads the addresses, and what else the operation needs, of each input item. */
export async function readBulk<Given>(
	run: Run,
	read: (read: Read, itemIndex: number) => Given,
): Promise<Bulk<Given>> {
	const readAddresses = addressReader(run.context);
	const items = await readItems(run, (parameter, itemIndex) => ({
		given: read(parameter, itemIndex),
		asked: readAddresses(parameter, itemIndex, run.options),
	}));
	const entries: Array<Entry<Given>> = [];
	const refused: Ordered[] = [];
	for (const [from, item] of items.entries()) {
		const asked = item instanceof ScreeningError ? [item] : item.given.asked;
		for (const one of asked) {
			const order = entries.length + refused.length;
			if (one instanceof ScreeningError) refused.push({ order, outcome: one, from });
			else if (!(item instanceof ScreeningError)) {
				entries.push({ ...one, order, from, client: item.client, given: item.given.given });
			}
		}
	}
	return { entries, refused, lists: listsOf(entries) };
}

/** The addresses of each key, in lists that each fit into a job. */
function listsOf(entries: Entry[]): List[] {
	const byKey = new Map<Client, string[]>();
	for (const { client, address } of entries) {
		const addresses = byKey.get(client) ?? [];
		byKey.set(client, addresses);
		addresses.push(address);
	}
	return [...byKey].flatMap(([client, all]) => {
		const tally = { jobs: 0, rejectedAlone: 0 };
		return inJobs(all).map((addresses) => ({ client, addresses, tally }));
	});
}

/** The outcomes as the addresses were asked for. */
export function inOrder(outcomes: Ordered[]): Paired[] {
	return [...outcomes].sort((one, other) => one.order - other.order);
}

/** What became of each address under each key, in any spelling of it. */
export function createOutcomes<T>() {
	const all = new Map<Client, Map<string, T>>();
	return {
		set(client: Client, address: string, outcome: T) {
			const ofKey = all.get(client) ?? new Map<string, T>();
			all.set(client, ofKey.set(addressKey(address), outcome));
		},
		of: ({ client, address }: Pick<Entry, 'client' | 'address'>): T | undefined =>
			all.get(client)?.get(addressKey(address)),
	};
}
