import { screeningKey } from '../address/key';
import type { Job } from '../answers/jobAnswer';
import type { Settled } from '../shared/errors';
import { rejectsContent } from './statusErrors';

/* How addresses are divided into jobs, before a submit and after one that the service rejected. */

/**
 * Splits addresses into those of each job, in order, at most `perJob`. Spellings of one address go
 * once, as the first is spelled, unless they name different chains.
 */
export function splitIntoJobs(addresses: string[], perJob: number): string[][] {
	const spellings = new Map<string, string>();
	for (const address of addresses) {
		const key = screeningKey(address);
		if (!spellings.has(key)) spellings.set(key, address);
	}
	const distinct = [...spellings.values()];
	return Array.from({ length: Math.ceil(distinct.length / perJob) }, (_, job) =>
		distinct.slice(job * perJob, (job + 1) * perJob),
	);
}

/**
 * Addresses that were submitted together, and the job that they are in, or why they are in none.
 */
export type Submission = Settled<Job> & { readonly addresses: string[] };

/** Whether the service made no job of several addresses, perhaps because it rejects one. */
export function isDivisible({ addresses, error }: Submission): boolean {
	return addresses.length > 1 && error !== undefined && rejectsContent(error);
}

/**
 * Submits halves until each bad address is in a list of its own: at most 2·⌈log2(n)⌉ submits for
 * each, and no list twice.
 */
export async function divide(
	{ addresses }: Submission,
	submit: (addresses: string[]) => Promise<Submission>,
): Promise<Submission[]> {
	const middle = Math.ceil(addresses.length / 2);
	const submissions: Submission[] = [];
	for (const half of [addresses.slice(0, middle), addresses.slice(middle)]) {
		const submission = await submit(half);
		if (isDivisible(submission)) submissions.push(...(await divide(submission, submit)));
		else submissions.push(submission);
	}
	return submissions;
}
