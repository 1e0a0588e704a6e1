import type { AddressRequest } from '../../address/input';
import { screeningKey } from '../../address/key';
import { divide, isDivisible, splitIntoJobs, type Submission } from '../../client/bulk';
import { type Client, maxPerJob } from '../../client/client';
import type { Options } from '../../description/options';
import type { ParameterReader } from '../../description/parameters';
import type { ItemSettings } from '../../description/reportSettings';
import type { ItemRequest, Run, SettledItem } from '../../execution/run';
import type { Settled } from '../../shared/errors';
import { groupBy } from '../../shared/maps';
import { formatCount, toLogText } from '../../shared/text';
import { readAddresses, readSharedList } from './addresses';

/*
 * From the input items to the jobs. Of three items, of which the second has the address of the
 * first in another spelling, and the third a mistyped one, the types below hold:
 *
 *     AddressEntry    what one item asks for          { address: '0xAb…', order: 0, inputIndex: 0 }
 *                                                     { address: '0xab…', order: 1, inputIndex: 1 }
 *     OrderedItem     what came of one item           { error, order: 2, inputIndex: 2 }
 *     AddressList     all of them, and the chunks     lengths: entries 2, refused 1, chunks 1
 *     Chunk           what is to make one job         { addresses: ['0xAb…'], … }
 *     Submission      what came of submitting that    { addresses: ['0xAb…'], value: the job }
 *     Tally           what came of all chunks         { acceptedJobs: 1, rejectedAlone: 0 }
 */

/** An address that an input item asks for, under the key of that item. */
export interface AddressEntry extends AddressRequest {
	/** Its place among all addresses. */
	order: number;
	inputIndex: number;
	client: Client;
	settings: ItemSettings;
}

/** The result for an address, and its place among all addresses. */
export type OrderedItem = SettledItem & { readonly order: number };

/** Addresses to submit together, under one key. */
export interface Chunk {
	client: Client;
	/** One spelling of each address. */
	addresses: string[];
	/** The entries that ask for an address, in any spelling of it. */
	entriesOf(address: string): AddressEntry[];
	/** The counts over all chunks of the key so far, which its chunks share. */
	tally: Tally;
}

/** What became of the submits under one key. */
interface Tally {
	acceptedJobs: number;
	/** Addresses that it rejected each in a job of its own. */
	rejectedAlone: number;
}

/** The addresses of all input items. */
interface AddressList {
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
	const sharedList = readSharedList(run);
	const items = await run.readItems((read, itemIndex) => ({
		settings: readSettings(read, itemIndex),
		addresses: sharedList ? [] : readAddresses(run, read, itemIndex),
	}));
	const ownerOfShared = Math.max(
		0,
		items.findIndex(({ value }) => value),
	);
	const entries: AddressEntry[] = [];
	const refused: OrderedItem[] = [];
	for (const [inputIndex, item] of items.entries()) {
		const shared = inputIndex === ownerOfShared ? sharedList : undefined;
		for (const { value, error } of listRequests(item, shared)) {
			// A refused address has a place, too.
			const order = entries.length + refused.length;
			if (error) refused.push({ order, error, inputIndex });
			else entries.push({ ...value, order, inputIndex });
		}
	}
	const chunks = run.stopsAtRefusals(refused) ? [] : createChunks(entries, run.options);
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
function createChunks(all: AddressEntry[], { addressesPerJob }: Options): Chunk[] {
	return [...groupBy(all, ({ client }) => client)].flatMap(([client, entries]) => {
		const byAddress = groupBy(entries, ({ address }) => screeningKey(address));
		const entriesOf = (address: string) => byAddress.get(screeningKey(address)) ?? [];
		const tally = { acceptedJobs: 0, rejectedAlone: 0 };
		const jobs = splitIntoJobs(
			entries.map(({ address }) => address),
			addressesPerJob,
		);
		return jobs.map((addresses) => ({ client, addresses, entriesOf, tally }));
	});
}

/** Sorts by the order in which the addresses were asked for. */
export function sortByOrder<One extends { readonly order: number }>(all: One[]): One[] {
	return [...all].sort((one, other) => one.order - other.order);
}

/**
 * How many jobs are in progress at once if the user does not say: as many as the burst of Pro
 * (section 8).
 */
export const defaultJobsAtOnce = 50;

/** The rejected addresses that a chunk may have even if earlier chunks have used up the limit. */
const reservedRejections = 16;

/**
 * Makes the rule that ends the division of a chunk when the service seems to reject everything: it
 * has accepted no job, and has rejected 1,000 addresses one by one under this key. Then the reason
 * may be another one than an address. A chunk whose division begins later may still have 16 addresses
 * rejected, so that one bad chunk does not keep good addresses of the next from being sent. Requests
 * that are already on the way may exceed the limit.
 *
 * So chunks that are submitted one after another end after 1,000, 1,016 and 1,032 rejected
 * addresses. Chunks that are divided at once end together after 1,000.
 */
function createHopelessRule(tally: Tally): () => boolean {
	const maxRejections = Math.max(maxPerJob, tally.rejectedAlone + reservedRejections);
	return () => tally.acceptedJobs === 0 && tally.rejectedAlone >= maxRejections;
}

/**
 * Submits the chunk as one job; if the service rejects it and the user chose to continue, its good
 * addresses in several.
 * @throws only the reason of the signal of the run
 */
export async function submitChunk(run: Run, chunk: Chunk): Promise<Submission[]> {
	const { addresses, tally } = chunk;
	const whole = await submitJob(run, chunk, addresses);
	if (!isDivisible(whole)) return [whole];
	if (!run.continueOnFail) return [withAdviceToContinue(whole)];
	const isHopeless = createHopelessRule(tally);
	return await divide(whole, async (part) => {
		// A part that is not sent gets the error of the whole chunk.
		if (isHopeless()) return { ...whole, addresses: part };
		return await submitJob(run, chunk, part);
	});
}

function withAdviceToContinue(submission: Submission): Submission {
	const { addresses, error } = submission;
	if (!error) return submission;
	const description = `${error.description} The service may reject a whole job because of one address. With 'On Error' set to Continue in the settings, the node finds that address and submits the others.`;
	return { addresses, error: error.withText({ description }) };
}

/** Submits addresses as one job. Notes in the run that the job exists, or that it may exist. */
async function submitJob(run: Run, chunk: Chunk, addresses: string[]): Promise<Submission> {
	const { context, account } = run;
	const { client, tally } = chunk;
	const submitted = await run.settle(async () => {
		const job = await client.submitBulk(addresses);
		const { job_id } = job;
		tally.acceptedJobs++;
		account.noteJob(job_id, addresses.length);
		// n8n's log keeps the ID also if n8n is killed before the node ends.
		const accepted = `the service accepted bulk job ${toLogText(job_id)}`;
		context.logger.info(`Execution ${context.getExecutionId()}: ${accepted}`);
		return job;
	});
	const { error } = submitted;
	if (error?.details.sent !== undefined) account.noteUnsureJob(addresses.length);
	if (addresses.length === 1 && error?.errorClass === 'bad_request') tally.rejectedAlone++;
	return { ...submitted, addresses };
}

/** Notes for the hint how many entries repeat an address, which is sent once. */
export function noteDuplicates({ account }: Run, { entries, chunks }: AddressList): void {
	// Without chunks nothing is sent, whether it repeats or not.
	if (chunks.length === 0) return;
	const distinct = chunks.reduce((sum, { addresses }) => sum + addresses.length, 0);
	const duplicates = entries.length - distinct;
	if (duplicates > 0) account.noteFact(`${formatCount(duplicates, 'duplicate')} not sent again`);
}
