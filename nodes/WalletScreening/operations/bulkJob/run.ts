import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Paired } from '../../n8n/items';
import { printable } from '../../n8n/log';
import type { Read } from '../../n8n/parameters';
import { attempt, inParallel, readItems, type Run, unlessCalledOff, withRun } from '../../n8n/run';
import { addressKey } from '../../service/address';
import { divide, inJobs, isDivisible, type Submission, submit } from '../../service/bulk';
import { ScreeningError } from '../../service/errors';
import { mostPerJob } from '../../service/input';
import { addressReader, type Entry } from './addresses';

/** How many jobs are in progress at once if the user does not say: as many as the burst of Pro (section 8). */
const chosenAtOnce = 50;

/** How many single addresses of a list are rejected before the list is taken for hopeless, if no other one was accepted. */
const enough = 16;

/** A run over many addresses. */
export interface BulkRun<Given> extends Run {
	/** Every address that was asked for, in order. */
	entries: Entry[];
	/** The addresses of each list to submit. */
	lists: string[][];
	/** What `read` gave for an input item. */
	given: Given[];
}

/**
 * Reads the addresses and what else the operation needs of each input item, and hands them to `work`, which gives the
 * outcomes in order. Unless the user chose to continue, an invalid address ends the node before any request.
 */
export async function inBulk<Given>(
	context: IExecuteFunctions,
	read: (read: Read) => Given,
	work: (run: BulkRun<Given>) => Promise<Paired[]>,
	{ isTimed = false } = {},
): Promise<INodeExecutionData[]> {
	const readAddresses = addressReader(context);
	return await withRun(
		context,
		async (run) => {
			const items = await readItems(run, (parameter, itemIndex) => ({
				given: read(parameter),
				addresses: readAddresses(parameter, itemIndex),
			}));
			const entries = items.flatMap((item, from): Entry[] => {
				if (item instanceof ScreeningError) return [{ address: item, from }];
				return item.addresses.map((address) => ({ address, from }));
			});
			const refused = entries.flatMap(({ address, from }): Paired[] =>
				address instanceof ScreeningError ? [{ outcome: address, from }] : [],
			);
			if (refused.length > 0 && !run.goesOn) return refused;
			const valid = entries.flatMap(({ address }) =>
				address instanceof ScreeningError ? [] : [address],
			);
			const given = items.map((item) => (item instanceof ScreeningError ? undefined : item.given));
			return await work({ ...run, entries, lists: inJobs(valid), given: given as Given[] });
		},
		{ isTimed },
	);
}

/**
 * Submits each list, several at once, and hands each submission to `handle`. Unless the user chose to continue, the
 * first failure calls off what was not sent: `handle` tells by its value whether there was one.
 */
export async function submitAll<Given>(
	run: BulkRun<Given>,
	handle: (submission: Submission) => Promise<boolean> | boolean,
): Promise<void> {
	const { client, context, lists, options, goesOn, account } = run;
	let rejectedAlone = 0;
	let accept = () => {};
	const accepted = new Promise<void>((resolve) => (accept = resolve));
	function onSubmission(submission: Submission) {
		const { addresses, outcome } = submission;
		if (outcome instanceof ScreeningError) {
			if (addresses.length === 1 && outcome.errorClass === 'bad_request') rejectedAlone++;
			return;
		}
		const { job_id } = outcome;
		account.job_ids.push(job_id);
		accept();
		// n8n's log keeps the ID also if n8n is killed before the node ends.
		context.logger.info(`The service accepted bulk job ${printable(job_id)}`);
		context.sendMessageToUI(
			`Bulk job ${job_id} (${account.job_ids.length} of ${lists.length}): ${count(addresses.length, 'address', 'addresses')}`,
		);
	}

	let division: Promise<unknown> = Promise.resolve();
	/**
	 * A service that accepts nothing may have another reason than an address. So until it accepts a job, one list at a time is
	 * divided, and each only a little after as many single addresses as a job holds were rejected.
	 */
	async function divided(list: Submission): Promise<Submission[]> {
		const parts = Promise.race([division, accepted]).then(async () => {
			const most = Math.max(mostPerJob, rejectedAlone + enough);
			const mayGoOn = () => account.job_ids.length > 0 || rejectedAlone < most;
			return await divide(client, list, onSubmission, mayGoOn);
		});
		division = parts.catch(() => {});
		return await parts;
	}

	async function submitted(addresses: string[]): Promise<Submission[]> {
		const submissions = await attempt(context, async () => {
			const whole = await submit(client, addresses, onSubmission);
			return goesOn && isDivisible(whole) ? await divided(whole) : [whole];
		});
		return submissions instanceof ScreeningError
			? [{ addresses, outcome: submissions }]
			: submissions;
	}

	async function handled(submission: Submission): Promise<boolean> {
		const { addresses, outcome } = submission;
		const fine = await attempt(context, async () => await handle(submission));
		if (!(fine instanceof ScreeningError)) return fine;
		const known = outcome instanceof ScreeningError ? {} : { job_id: outcome.job_id };
		return await handle({ addresses, outcome: fine.with(known) });
	}

	await inParallel(lists.length, options.concurrency ?? chosenAtOnce, async (index) => {
		await unlessCalledOff(async () => {
			const submissions = await submitted(lists[index] as string[]);
			const fine = await Promise.all(submissions.map(handled));
			if (!goesOn && fine.includes(false)) run.end();
		});
	});
}

/** The outcome of the address, under any spelling of it. */
export function outcomeMap<T>() {
	const outcomes = new Map<string, T>();
	return {
		set: (address: string, outcome: T) => outcomes.set(addressKey(address), outcome),
		get: (address: string) => outcomes.get(addressKey(address)),
	};
}

/**
 * Shows the user, when the run is done, how many addresses were sent and have no report, and which results were left out.
 * A failure or an oddity makes it a warning.
 */
export function hint(
	{ context, entries, lists, account }: BulkRun<unknown>,
	paired: Paired[],
	leftOut: string[] = [],
	oddities: string[] = [],
): void {
	const sent = lists.reduce((sum, { length }) => sum + length, 0);
	const refused = entries.filter(({ address }) => address instanceof ScreeningError).length;
	const duplicates = entries.length - refused - sent;
	const failures = paired.filter(({ outcome }) => outcome instanceof ScreeningError).length;
	const message = [
		`${count(sent, 'address', 'addresses')} in ${count(account.job_ids.length, 'bulk job', 'bulk jobs')}`,
		...ifAny(duplicates, 'duplicate', 'duplicates', 'not sent again'),
		...ifAny(failures, 'address', 'addresses', 'without a report'),
		...leftOut,
		...oddities,
	].join(', ');
	context.addExecutionHints({
		message: `${message}.`,
		location: 'outputPane',
		type: failures + oddities.length > 0 ? 'warning' : 'info',
	});
}

/** What to say of so many things; nothing of none. */
export function ifAny(number: number, one: string, many: string, what: string): string[] {
	return number > 0 ? [`${count(number, one, many)} ${what}`] : [];
}

function count(number: number, one: string, many: string): string {
	return `${number} ${number === 1 ? one : many}`;
}
