import type { ServiceNames } from '../../nodes/WalletScreening/answers/standardNames';
import type { Answer } from '../../nodes/WalletScreening/shared/http';
import { excerptJson } from '../../nodes/WalletScreening/shared/text';
import { type Check, clock, ignoreError } from './check';
import { endsOf, possibleIds } from './fields';

/**
 * The pauses before the rounds of requests that look for a job, which the service may show only a
 * moment after it was submitted.
 */
const pausesMs = [0, 500, 1000, 2000];

/**
 * Finds the ID of the job: asks for a job by each value that may be its ID. If the nodes do not read
 * the ID that leads to the job, teaches them its name.
 *
 * @param submitted the answer to Submit
 * @returns the ID of the job that the service shows; if it shows none, the ID that the nodes read
 * @throws an Error with a message for the user if the nodes read none either
 * @example After { "request": "R-5", "slip": "J7" }, it asks for R-5 and for J7. The service has only
 * a job J7, so the ID is J7, and its name `slip`.
 */
export async function findJobId(check: Check, submitted: Answer): Promise<string> {
	const known = await jobIdIn(check, submitted, check.names);
	const candidates = new Set([
		...(known ? [known] : []),
		...possibleIds(check.fieldsOf(submitted)),
	]);
	for (const pauseMs of pausesMs) {
		await clock.sleep(pauseMs);
		for (const id of candidates) {
			if (!(await isShown(check, id))) continue;
			if (id === known || (await teachName(check, submitted, id))) return id;
		}
	}
	if (known) return known;
	const answer = excerptJson(String(submitted.body));
	throw new Error(`The service showed no job by any value of this answer: ${answer}`);
}

/** Whether the service shows a job with this ID, which the nodes can read. */
async function isShown(check: Check, id: string): Promise<boolean> {
	const answer = await check.requestJob(id);
	const job = answer && (await check.clientFor(answer).getBulk(id).catch(ignoreError));
	return job !== undefined;
}

/** The ID of the job that the nodes read with these names, if they read one. */
async function jobIdIn(
	check: Check,
	submitted: Answer,
	names: ServiceNames,
): Promise<string | undefined> {
	const client = check.clientFor(submitted, names);
	return (await client.submitBulk(check.options.addresses).catch(ignoreError))?.job_id;
}

/**
 * Teaches the nodes the name of a field with this ID, if they then read the ID.
 *
 * @returns whether there is such a name
 * @example For the field `job.slip` it tries `slip`, and then `job.slip`.
 */
async function teachName(check: Check, submitted: Answer, id: string): Promise<boolean> {
	const fields = check.fieldsOf(submitted).filter(({ value }) => value === id);
	for (const end of fields.flatMap(endsOf)) {
		const names = { ...check.names, jobId: [end] };
		if ((await jobIdIn(check, submitted, names)) !== id) continue;
		check.names = names;
		return true;
	}
	return false;
}
