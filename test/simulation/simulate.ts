import { RateLimiter } from '../../nodes/WalletScreening/client/rate/rateLimiter';
import { withRetries } from '../../nodes/WalletScreening/client/retry';
import { createVirtualClock, type VirtualClock } from '../support/unit/virtualClock';
import { type Answer } from '../../nodes/WalletScreening/shared/http';

export interface Scenario {
	/** Processes that share the key; together they have more to send than the limit lets through. */
	workers: number;
	/** Seconds from the beginning of a worker to that of the next. */
	gapSeconds: number;
	/** Mean time from sending a request to its answer; each takes up to a tenth more or less. */
	latencyMs: number;
	seconds: number;
	/** The number of items of a worker; more than it can send if absent. */
	items?: (worker: number) => number;
	/** The number of processes that use the key, if the credential states it. */
	sharedBy?: number | undefined;
}

export interface Figures {
	/**
	 * The time from the start to the last answer, divided by the shortest time that the limit allows.
	 */
	time: number;
	/** Share of the requests that were answered 429. */
	refused: number;
	/** The number of answered requests, divided by the number that the limit allows in this time. */
	limitUsed: number;
	/**
	 * Jain's index of the requests that were answered in the last minute: 1 stands for equal shares.
	 */
	fairness: number;
	/** Items that ended without an answer. */
	lost: number;
}

/** Section 8, plan Pro. */
const limit = { requestsPerSecond: 10, burst: 50 };
/**
 * The number of items in progress, of all workers together. It is so large that a worker with a
 * fair share always has items.
 */
const handedInAtOnce = 64;

/**
 * A service that keeps to section 8: a full bucket at the start, `Retry-After` in whole seconds.
 */
function createService(clock: VirtualClock) {
	let tokens = limit.burst;
	let filledAt = clock.now();
	const secondsTo = (count: number) => Math.ceil((count - tokens) / limit.requestsPerSecond);
	return (): Answer => {
		const now = clock.now();
		tokens = Math.min(limit.burst, tokens + ((now - filledAt) / 1000) * limit.requestsPerSecond);
		filledAt = now;
		const status = tokens >= 1 ? 200 : 429;
		const retryAfter = status === 429 ? 1000 * Math.max(1, secondsTo(1)) : undefined;
		if (status === 200) tokens -= 1;
		return { status, headers: {}, body: Buffer.alloc(0), retryAfter };
	};
}

/** Runs the limiter and the retries that ship, one pair for each worker, against one key. */
export async function simulate(scenario: Scenario, random: () => number): Promise<Figures> {
	const { workers, latencyMs, seconds, sharedBy } = scenario;
	const { items = () => Infinity } = scenario;
	const clock = createVirtualClock();
	const start = clock.now();
	const end = start + seconds * 1000;
	const answer = createService(clock);
	const answeredLately = new Array<number>(workers).fill(0);
	let [answered, refused, lost, lastAnswer] = [0, 0, 0, start];

	async function exchange(): Promise<Answer> {
		const halfway = (latencyMs * (0.9 + random() / 5)) / 2;
		await clock.sleep(halfway);
		const result = answer();
		if (result.status === 429) refused++;
		await clock.sleep(halfway);
		return result;
	}

	async function worker(number: number) {
		await clock.sleep(number * scenario.gapSeconds * 1000);
		const limiter = new RateLimiter({ ...limit, sharedBy }, clock, random);
		const execution = {};
		const limits = { total: 5, unsure: 5, lost: 5 };
		let left = items(number);
		async function send() {
			while (clock.now() < end && left-- > 0) {
				const { value } = await withRetries(
					async (isRepetition) => await limiter.run(exchange, execution, isRepetition),
					{ clock, random, limits },
				);
				if (value?.status !== 200) lost++;
				if (value?.status !== 200 || clock.now() > end) continue;
				answered++;
				lastAnswer = clock.now();
				if (clock.now() > end - 60_000) answeredLately[number]!++;
			}
		}
		await Promise.all(Array.from({ length: Math.ceil(handedInAtOnce / workers) + 1 }, send));
	}

	void Promise.all(Array.from({ length: workers }, (_, number) => worker(number)));
	await clock.runUntil(end);

	return {
		time: (lastAnswer - start) / 1000 / ((answered - limit.burst) / limit.requestsPerSecond),
		refused: refused / (refused + answered),
		limitUsed: answered / (limit.burst + limit.requestsPerSecond * seconds),
		fairness: jain(answeredLately),
		lost,
	};
}

function jain(values: number[]): number {
	const sum = values.reduce((total, value) => total + value, 0);
	const squares = values.reduce((total, value) => total + value ** 2, 0);
	return sum === 0 ? 0 : sum ** 2 / (values.length * squares);
}

/** Numbers in [0, 1) that are the same for the same seed: the generator of Park and Miller. */
function seeded(seed: number): () => number {
	const modulus = 2 ** 31 - 1;
	let state = (seed * 7919) % modulus;
	return () => (state = (state * 48_271) % modulus) / modulus;
}

/** The mean of the runs with these seeds. */
export async function meanOf(scenario: Scenario, seeds: number[]): Promise<Figures> {
	const runs: Figures[] = [];
	for (const seed of seeds) runs.push(await simulate(scenario, seeded(seed)));
	const mean = (name: keyof Figures) => runs.reduce((sum, run) => sum + run[name], 0) / runs.length;
	const names = Object.keys(runs[0]!) as Array<keyof Figures>;
	return Object.fromEntries(names.map((name) => [name, mean(name)])) as Record<
		keyof Figures,
		number
	>;
}
