import { readFileSync } from 'node:fs';
import { readServiceNames } from '../nodes/WalletScreening/n8n/serviceNames';
import {
	type Additions,
	type Kind,
	type Role,
	usual,
} from '../nodes/WalletScreening/service/dialect/names';

export type JobState = 'queued' | 'processing' | 'completed' | 'failed';

/**
 * How a job is spelled in JSON, which the specification does not show (sections 4.3 and 4.4): by the first name of each list. A
 * wrapper of its own holds the whole body. `isKeyed`: the results are an object with an address for each name.
 */
export type Dialect = Additions & { isKeyed?: boolean };

/** Spellings to try a client with. `standard` is the one that openapi.yaml describes. */
export const dialects = {
	standard: {
		jobId: ['job_id'],
		words: { running: ['queued', 'processing'], complete: ['completed'] },
	},
	short: {
		...{ jobId: ['id'], state: ['state'], results: ['reports'] },
		words: { running: ['pending', 'running'], complete: ['done'], failed: ['error'] },
	},
	wrapped: {
		...{ wrappers: ['job'], state: ['state'], results: ['data'], isKeyed: true },
		words: { running: ['QUEUED', 'InProgress'], complete: ['JOB_STATE_SUCCEEDED'] },
	},
	/** The usual names have none of these. */
	foreign: {
		...{ jobId: ['ticket'], state: ['lifecycle'], results: ['verdicts'] },
		words: { running: ['minted', 'simmering'], complete: ['scored'], failed: ['burnt'] },
	},
} satisfies Record<string, Dialect>;

/**
 * The dialect of this name, or of the file that holds what 'Service Names' of the credential would hold.
 *
 * @throws an Error that says what is wrong with it
 */
export function dialectOf(nameOrFile: string): Dialect {
	if (Object.hasOwn(dialects, nameOrFile)) return dialects[nameOrFile as keyof typeof dialects];
	return readServiceNames(readFileSync(nameOrFile, 'utf8')) ?? {};
}

function keyedByAddress(results: readonly unknown[]): Record<string, unknown> {
	return Object.fromEntries(
		results.map((result, index) => {
			const { address = index } = result as { address?: string };
			return [address, result];
		}),
	);
}

/** The JSON body for a job in the given spelling; `results` only if the job has them. */
export function jobBody(
	{ isKeyed, ...additions }: Dialect,
	{ job_id, state, results }: { job_id: string; state: JobState; results?: readonly unknown[] },
): Record<string, unknown> {
	const name = (place: Role) => (additions[place] ?? usual[place])[0]!;
	const word = (kind: Kind, at = 0) =>
		[...(additions.words?.[kind] ?? []), ...usual.words[kind]][at]!;
	const states = {
		queued: word('running'),
		processing: word('running', 1),
		completed: word('complete'),
		failed: word('failed'),
	};
	const body = {
		[name('jobId')]: job_id,
		[name('state')]: states[state],
		...(results && { [name('results')]: isKeyed ? keyedByAddress(results) : results }),
	};
	const [wrapper] = additions.wrappers ?? [];
	return wrapper === undefined ? body : { [wrapper]: body };
}
