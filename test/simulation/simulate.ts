import { createPace, type Quota } from '../../nodes/WalletScreening/pace/pace';
import { createRateLimiter, type Lane } from '../../nodes/WalletScreening/pace/rateLimiter';
import { type Answer, withRetries } from '../../nodes/WalletScreening/pace/retry';
import { createVirtualClock, type VirtualClock } from '../unit/support/virtualClock';

export interface Scenario {
	/** Processes that share the key; together they have more to send than the limit lets through. */
	workers: number;
	/** Mean time from sending a request to its answer; each takes up to a tenth more or less. */
	latencyMs: number;
	seconds: number;
	/** When a worker begins and ends, in seconds; default: all the time. */
	shift?: (worker: number) => { from: number; to: number };
	/** How many items a worker has; default: more than it can send. */
	items?: (worker: number) => number;
	/** How many processes use the key, as the credential states; default: it does not say. */
	sharedBy?: number | undefined;
	/** Whether the service says in headers what is left of the limit. */
	headers?: boolean;
	/** The algorithm; default: the one that ships. */
	paceFor?: typeof createPace;
}

export interface Figures {
	/** Answered requests over what the limit lets through in that time. */
	limitUsed: number;
	/** Share of the requests that were answered 429. */
	refused: number;
	/** Jain's index of the requests that were answered in the last minute, of the workers there: 1 is equal shares. */
	fairness: number;
	/** Seconds from handing in an item to its answer, of the item that took longest. */
	longestWait: number;
	/** Items that ended without an answer. */
	lost: number;
	/** Requests that were sent. */
	requests: number;
	/** Seconds from the start to the last answer. */
	took: number;
	/** That time, over the time in which the limit lets so many requests through. */
	ofLimit: number;
}

/** Section 8, plan Pro. */
const limit = { requestsPerSecond: 10, burst: 50 };
/**
 * Items that are handed in and not answered, of all workers together: with a fair share of them no worker is ever short
 * of items, and in a fair queue each would wait for 6.4 s.
 */
const handedInAtOnce = 64;

/** The seconds in which the limit lets so many requests through. */
const shortest = (requests: number) => (requests - limit.burst) / limit.requestsPerSecond;

/** A service that keeps to section 8: a full bucket at the start, `Retry-After` in whole seconds. */
function createService(clock: VirtualClock) {
	let tokens = limit.burst;
	let filledAt = clock.now();
	/** What is left, as the RateLimit headers of the IETF's draft say it: whole requests, whole seconds. */
	const quota = (): Quota => ({
		remaining: Math.floor(tokens),
		resetMs: Math.ceil((limit.burst - tokens) / limit.requestsPerSecond) * 1000,
	});
	return {
		quota,
		answer(): Answer {
			const now = clock.now();
			tokens = Math.min(limit.burst, tokens + ((now - filledAt) / 1000) * limit.requestsPerSecond);
			filledAt = now;
			if (tokens >= 1) {
				tokens -= 1;
				return { status: 200, headers: {}, body: Buffer.alloc(0) };
			}
			const wait = Math.max(1, Math.ceil((1 - tokens) / limit.requestsPerSecond));
			return { status: 429, headers: { 'retry-after': String(wait) }, body: Buffer.alloc(0) };
		},
	};
}

/** Runs the limiter and the retries that ship, one pair per worker, against one key. */
export async function simulate(scenario: Scenario, random: () => number): Promise<Figures> {
	const { workers, latencyMs, seconds, sharedBy, headers = false, paceFor } = scenario;
	const { items = () => Infinity } = scenario;
	const { shift = () => ({ from: 0, to: seconds }) } = scenario;
	const clock = createVirtualClock();
	const start = clock.now();
	const end = start + seconds * 1000;
	const service = createService(clock);
	const answeredLately = new Array<number>(workers).fill(0);
	let answered = 0;
	let refused = 0;
	let lost = 0;
	let longestWait = 0;
	let lastAnswer = start;

	async function worker(number: number) {
		const { from, to } = shift(number);
		await clock.sleep(from * 1000);
		const limiter = createRateLimiter({ ...limit, sharedBy }, clock, random, paceFor);
		const lane: Lane = {};
		const until = start + to * 1000;

		async function exchange(told: { quota?: Quota }): Promise<Answer> {
			const halfway = (latencyMs * (0.9 + random() / 5)) / 2;
			await clock.sleep(halfway);
			const answer = service.answer();
			if (answer.status === 429) refused++;
			if (headers) told.quota = service.quota();
			await clock.sleep(halfway);
			return answer;
		}

		let left = items(number);
		async function send() {
			while (clock.now() < until && left-- > 0) {
				const handedIn = clock.now();
				const told: { quota?: Quota } = {};
				try {
					await withRetries(async () => await exchange(told), {
						clock,
						random,
						retries: { refused: 5, failed: 5, lost: 5 },
						inTurn: async (request, again) =>
							await limiter.run(
								async (turn) =>
									await request({ ...turn, answered: () => turn.answered(told.quota) }),
								lane,
								{ again },
							),
						explain: () => undefined,
					});
				} catch {
					lost++;
					continue;
				}
				if (clock.now() > end) return;
				answered++;
				lastAnswer = clock.now();
				longestWait = Math.max(longestWait, (clock.now() - handedIn) / 1000);
				if (clock.now() > end - 60_000) answeredLately[number]!++;
			}
		}

		const atOnce = Math.ceil(handedInAtOnce / workers) + 1;
		await Promise.all(Array.from({ length: atOnce }, send));
	}

	const all = Promise.all(Array.from({ length: workers }, (_, number) => worker(number)));
	await clock.runUntil(end);
	void all;

	const present = answeredLately.filter((_, number) => {
		const { from, to } = shift(number);
		return from <= seconds - 60 && to >= seconds;
	});
	return {
		limitUsed: answered / (limit.burst + limit.requestsPerSecond * seconds),
		requests: refused + answered,
		refused: refused / (refused + answered),
		fairness: jain(present),
		longestWait,
		lost,
		took: (lastAnswer - start) / 1000,
		ofLimit: (lastAnswer - start) / 1000 / shortest(answered),
	};
}

function jain(values: number[]): number {
	const sum = values.reduce((total, value) => total + value, 0);
	const squares = values.reduce((total, value) => total + value ** 2, 0);
	return sum === 0 ? 0 : sum ** 2 / (values.length * squares);
}

/** Numbers in [0, 1) that are the same for the same seed: the generator of Park and Miller. */
export function seeded(seed: number): () => number {
	const modulus = 2 ** 31 - 1;
	let state = (seed * 7919) % modulus;
	return () => (state = (state * 48_271) % modulus) / modulus;
}
