import type { Quota } from './pace';
import { dateOf, type Headers, textOf } from './retryAfter';

/** A reset above this is a point in time, in seconds or milliseconds since 1970, and no number of seconds. */
const longestDelta = 10 * 365 * 24 * 3600;

/**
 * What the service says is left of the key's limit, in the usual headers: `RateLimit-Remaining` and `RateLimit-Reset`,
 * with or without `X-`, or `RateLimit` as one field (`limit=10, remaining=4, reset=2`, or `"name";r=4;t=2` of the newer
 * drafts). Of several limits the scarcest counts. Undefined if the headers do not say both. `now` is in milliseconds
 * since 1970, for an answer without a `Date`.
 */
export function quotaOf(headers: Headers, now: number): Quota | undefined {
	const sentAt = dateOf(textOf(headers.date)) ?? now;
	const told = [...inOneField(textOf(headers.ratelimit)), ...inFields(headers)].flatMap(
		([remaining, reset]) => {
			const resetMs = untilReset(reset, sentAt);
			const isTold = isCount(remaining) && resetMs !== undefined;
			return isTold ? { remaining: Number(remaining), resetMs } : [];
		},
	);
	return told.sort((one, other) => paceOf(one) - paceOf(other))[0];
}

type Told = [remaining: string | undefined, reset: string | undefined];

function inFields(headers: Headers): Told[] {
	return ['ratelimit-', 'x-ratelimit-', 'x-rate-limit-'].map((prefix) => [
		textOf(headers[`${prefix}remaining`]),
		textOf(headers[`${prefix}reset`]),
	]);
}

/** One policy, as `limit=…, remaining=…, reset=…`, or a list of policies with parameters `r` and `t`. */
function inOneField(field: string): Told[] {
	const valueOf = (text: string, name: string) =>
		new RegExp(`(?:^|[;,\\s])${name}\\s*=\\s*(\\d+)`).exec(text)?.[1];
	return [
		[valueOf(field, 'remaining'), valueOf(field, 'reset')],
		...field.split(',').map((policy): Told => [valueOf(policy, 'r'), valueOf(policy, 't')]),
	];
}

function isCount(text: string | undefined): boolean {
	return text !== undefined && /^\d{1,15}$/.test(text);
}

/** Milliseconds, of seconds or of a point in time. */
function untilReset(text: string | undefined, now: number): number | undefined {
	if (text === undefined) return undefined;
	const date = dateOf(text) ?? Date.parse(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? text : '');
	if (!Number.isNaN(date)) return Math.max(0, date - now);
	if (!/^\d{1,15}(\.\d{1,6})?$/.test(text)) return undefined;
	const number = Number(text);
	if (number <= longestDelta) return number * 1000;
	const time = number > 1000 * longestDelta ? number : number * 1000;
	return Math.max(0, time - now);
}

function paceOf({ remaining, resetMs }: Quota): number {
	return remaining / Math.max(1, resetMs);
}
