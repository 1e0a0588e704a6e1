import type { Lane, RateLimiter } from '../../../nodes/WalletScreening/pace/rateLimiter';
import type { VirtualClock } from './virtualClock';

/** One request that a limiter has let go. */
interface Start {
	name: string;
	/** Milliseconds since the traffic began. */
	at: number;
}

export interface RequestOptions {
	lane?: Lane;
	name?: string;
	again?: boolean;
	signal?: AbortSignal;
	/** How long the request takes, in milliseconds. */
	takes?: number;
	/** It is answered 429, and asks to wait so many milliseconds; otherwise it is answered. */
	refusedFor?: number | undefined;
}

/** Requests through a limiter in virtual time, with a record of those that it let go, in that order. */
export function createTraffic(clock: VirtualClock, limiter: RateLimiter) {
	const began = clock.now();
	const starts: Start[] = [];
	let underWay = 0;
	let mostUnderWay = 0;
	const commonLane = {};

	async function request({
		lane = commonLane,
		name = '',
		takes = 0,
		refusedFor,
		...options
	}: RequestOptions = {}): Promise<void> {
		await limiter.run(
			async (turn) => {
				starts.push({ name, at: clock.now() - began });
				mostUnderWay = Math.max(mostUnderWay, ++underWay);
				if (takes > 0) await clock.sleep(takes);
				underWay--;
				if (refusedFor === undefined) turn.answered();
				else turn.limited(refusedFor);
			},
			lane,
			options,
		);
	}

	return {
		starts,
		mostUnderWay: () => mostUnderWay,
		request,
		/** So many requests at once. */
		async requests(count: number, options?: RequestOptions): Promise<void> {
			await Promise.all(Array.from({ length: count }, async () => await request(options)));
		},
		times: () => starts.map(({ at }) => at),
		/** How many started from `from` to before `to`, in milliseconds. */
		between: (from: number, to: number) => starts.filter(({ at }) => at >= from && at < to).length,
	};
}

/** By how many requests the fullest window of time goes over what a bucket of this size would let through. */
export function overBucket(
	times: number[],
	{ requestsPerSecond, burst }: { requestsPerSecond: number; burst: number },
): number {
	// For a window from start i to start j: (j - i + 1) - burst - rate × (t_j - t_i), the greatest of which one pass finds.
	let least = Infinity;
	let most = -Infinity;
	times.forEach((at, index) => {
		const ahead = index - (requestsPerSecond * at) / 1000;
		least = Math.min(least, ahead);
		most = Math.max(most, ahead - least + 1);
	});
	return most - burst;
}
