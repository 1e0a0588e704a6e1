import { type Headers, textOf } from './answer';

/**
 * Requests per second that `RateLimit-Remaining` and `RateLimit-Reset` leave, with or without `X-`, for all that use the
 * key. Undefined without both, and for a reset of over a minute: what is left of an hour says nothing of the next seconds.
 */
export function rateLeft(headers: Headers): number | undefined {
	const numberOf = (name: string) => {
		const text = textOf(headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`]);
		return /^\d{1,9}$/.test(text) ? Number(text) : NaN;
	};
	const [remaining, seconds] = [numberOf('remaining'), numberOf('reset')];
	return remaining >= 0 && seconds <= 60 ? remaining / Math.max(1, seconds) : undefined;
}
