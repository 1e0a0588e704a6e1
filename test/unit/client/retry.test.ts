import {
	type Repetition,
	type RetryOptions,
	withRetries,
} from '../../../nodes/WalletScreening/client/retry';
import type { QueuedAnswer } from '../../../nodes/WalletScreening/client/rate/rateLimiter';
import { createVirtualClock } from '../../support/unit/virtualClock';
import { statusError } from '../../../nodes/WalletScreening/client/statusErrors';
import { type Answer } from '../../../nodes/WalletScreening/shared/http';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import type { FaultCode } from '../../../nodes/WalletScreening/shared/faultCode';
import { answer, waitAnswer } from '../../support/unit/httpAnswers';

const NOW = Date.UTC(2026, 10, 20, 8, 0, 0);
const fault = (faultCode: FaultCode | undefined) =>
	new ScreeningError('network', 'm', 'd', { faultCode });
const faults = (...codes: FaultCode[]) => codes.map(fault);
const upTo = (count: number) => ({
	total: count,
	unsure: count,
	lost: count,
});

/** A 429 after which the limiter lets nothing out with the key for so many seconds. */
const refusal = (seconds: number): QueuedAnswer => ({
	...waitAnswer(429, String(seconds)),
	keyPause: 1000 * seconds,
});

/**
 * Attempts that have these results in turn, the last one for ever. As the limiter does, it holds a
 * request back during the pause of the key. Times are seconds since the first attempt.
 */
function attempts(
	results: Array<QueuedAnswer | ScreeningError>,
	options: Partial<RetryOptions> = {},
) {
	const clock = createVirtualClock(NOW);
	const times: number[] = [];
	const repetitions: boolean[] = [];
	let stoppedUntil = NOW;
	const work = withRetries(
		async (again) => {
			if (clock.now() < stoppedUntil) await clock.sleep(stoppedUntil - clock.now());
			repetitions.push(again);
			times.push((clock.now() - NOW) / 1000);
			const result = results[Math.min(times.length, results.length) - 1]!;
			if (result instanceof ScreeningError) throw result;
			stoppedUntil = clock.now() + (result.keyPause ?? 0);
			return result;
		},
		{ clock, random: () => 0.5, limits: upTo(5), ...options },
	);
	const ended = clock.run(work);
	return { times, repetitions, ended, done: ended.then(({ value, error }) => value ?? error) };
}

test('a status below 500 is final, whatever it says of waiting, but for 429', async () => {
	for (const status of [200, 299, 300, 404, 428, 430, 499]) {
		const result = waitAnswer(status, '1');
		const { done, times, repetitions } = attempts([result, answer(200)]);
		expect(await done).toBe(result);
		expect([times, repetitions]).toEqual([[0], [false]]);
	}
});

test.each([
	fault(undefined),
	fault('SSRF'),
	fault('STOPPED'),
	fault('TOO_LARGE'),
	// The queue turned it away.
	statusError(429, undefined),
])('is not sent again after %j', async (result) => {
	const { done, times } = attempts([result, answer(200)]);
	expect(await done).toBe(result);
	expect(times).toHaveLength(1);
});

test('failures are followed by as many attempts as may be, with pauses that double up to 30 s', async () => {
	const failures = [answer(500), fault('ECONNRESET'), answer(503), fault('TIMEOUT')];
	const { done, times, repetitions } = attempts([...failures, answer(500)], {
		limits: upTo(8),
	});
	await done;
	expect(repetitions).toEqual([false, ...Array<boolean>(8).fill(true)]);
	// With a random number of 0.5, each pause is half of 0.5, 1, 2, 4, 8, 16, 30 and 30 seconds.
	const pauses = times.slice(1).map((at, index) => at - times[index]!);
	expect(pauses).toEqual([0.25, 0.5, 1, 2, 4, 8, 15, 15]);
});

test.each([
	[waitAnswer(503, '300'), 300],
	[waitAnswer(503, '0'), 0.25],
])('the pause is what Retry-After asks for, if that is one (%j)', async (result, seconds) => {
	const { done, times } = attempts([result, answer(200)]);
	await done;
	expect(times).toEqual([0, seconds]);
});

test.each([refusal(301), waitAnswer(503, '301')])(
	'$status: no wait of over 5 minutes',
	async (result) => {
		const { done, times } = attempts([result, answer(200)]);
		expect(await done).toBe(result);
		expect(times).toEqual([0]);
	},
);

describe('a 429', () => {
	test('is final after 10 minutes, and not before the next pause would pass them', async () => {
		const lastOf = async (refused: QueuedAnswer) => {
			const { done, times } = attempts([refused]);
			expect(await done).toBe(refused);
			return times.at(-1);
		};
		expect(await lastOf(refusal(7))).toBe(600 - (600 % 7));
		expect(await lastOf(refusal(300))).toBe(600);
	});

	test('begins a new count of minutes after another failure', async () => {
		const nineMinutes = Array<Answer>(9).fill(refusal(60));
		const { done, times } = attempts([...nineMinutes, answer(500), ...nineMinutes, answer(200)]);
		expect(await done).toMatchObject({ status: 200 });
		expect(times.at(-1)).toBeGreaterThan(18 * 60);
	});

	test('does not begin a new count of failures', async () => {
		const limited = refusal(1);
		const results = [answer(500), limited, fault('ECONNRESET'), limited, answer(502), answer(200)];
		const { done, times } = attempts(results, { limits: upTo(2) });
		expect(((await done) as Answer).status).toBe(502);
		expect(times).toHaveLength(5);
	});
});

const some = { total: 5, unsure: 2, lost: 1 };

interface Failures {
	failures: string;
	all: Array<Answer | ScreeningError>;
	/** How often the request is sent again after each of them. */
	again: number;
	/** Whether the service may have carried out the request, and bill each attempt. */
	mayBeBilled: boolean;
	because: string;
}

test.each<Failures>([
	{
		failures: 'a fault while n8n connects',
		all: faults(
			'ECONNREFUSED',
			'ENOTFOUND',
			'EAI_AGAIN',
			'EHOSTUNREACH',
			'ETIMEDOUT',
			'CERT_HAS_EXPIRED',
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'ERR_TLS_CERT_ALTNAME_INVALID',
		),
		again: 5,
		mayBeBilled: false,
		because: 'the service read no byte of the request',
	},
	{
		failures: 'any other fault',
		all: faults('ECONNRESET', 'TIMEOUT', 'EPROTO', 'NO_ANSWER', 'X_ECONNREFUSED'),
		again: 1,
		mayBeBilled: true,
		because: 'the service may have answered',
	},
	{
		failures: 'a status of a gateway that got no answer from the service',
		all: [504, 520, 521, 522, 523, 524].map((status) => answer(status)),
		again: 1,
		mayBeBilled: true,
		because: 'it tells of an answer that was lost behind the gateway',
	},
	{
		failures: 'a 503 with a time',
		all: [waitAnswer(503, '0'), waitAnswer(503, 'Fri, 20 Nov 2026 08:00:00 GMT')],
		again: 2,
		mayBeBilled: true,
		because: 'a proxy sends the header too, for requests that the service has read',
	},
	{
		failures: 'another status from 500 on',
		all: [answer(500), answer(503), waitAnswer(503, 'soon'), waitAnswer(502, '1'), answer(525)],
		again: 2,
		mayBeBilled: true,
		because: 'the service may have failed after its work',
	},
	{
		failures: 'a redirect to a result, a timeout or a conflict',
		all: [302, 303, 408, 409].map((status) => answer(status)),
		again: 0,
		mayBeBilled: true,
		because: 'it is final, though it may come after the work',
	},
	{
		failures: 'another status below 500',
		all: [307, 400, 404, 422].map((status) => answer(status)),
		again: 0,
		mayBeBilled: false,
		because: 'the service did not do what it was asked',
	},
])('after $failures: $again retries, because $because', async ({ all, again, mayBeBilled }) => {
	for (const failure of all) {
		const { ended, times } = attempts([failure], { limits: some });
		const { value, error, sent } = await ended;
		expect([value ?? error, sent]).toEqual([failure, mayBeBilled ? again + 1 : 0]);
		expect(times).toHaveLength(again + 1);
	}
});

test('attempts that may be billed are counted, also if one succeeds in the end, and never more than all kinds allow', async () => {
	const [refused, lost] = [fault('ECONNREFUSED'), fault('ECONNRESET')];
	const results = [answer(500), lost, refused, refusal(1), answer(200)];
	expect(await attempts(results, { limits: some }).ended).toMatchObject({ sent: 3 });
	const { times, done } = attempts([answer(500), lost, answer(500), refused], { limits: some });
	await done;
	expect(times).toHaveLength(6);
});

test('each repetition is told with its attempt, its failure, its wait and the ID of the request', async () => {
	const told: Repetition[] = [];
	const failed = answer(503, '', { 'x-request-id': 'r-17' });
	const results = [failed, refusal(7), fault('ECONNRESET'), answer(200)];
	const onRepetition = (repetition: Repetition) => told.push(repetition);
	await attempts(results, { onRepetition }).done;
	expect(told).toEqual([
		{ attempt: 1, failure: 'status 503', wait: 250, requestId: 'r-17' },
		{ attempt: 2, failure: 'status 429', wait: 7000, requestId: undefined },
		{ attempt: 3, failure: 'ECONNRESET', wait: 500, requestId: undefined },
	]);
});

describe('a signal that ends the wait for another attempt', () => {
	const reason = new Error('The run is over');
	/** How a request ends whose first attempt has this result, if the second one has no turn. */
	const end = async (first: Answer | ScreeningError, isBillable: boolean) => {
		const clock = createVirtualClock(NOW);
		const results = [first];
		const work = withRetries(
			async () => {
				const result = results.pop();
				if (!result) throw reason;
				return result instanceof ScreeningError ? await Promise.reject(result) : result;
			},
			{ clock, random: () => 0.5, limits: upTo(5), isBillable },
		);
		return await clock.run(work).catch((thrown: unknown) => thrown);
	};

	test.each([answer(504), waitAnswer(503, '1'), fault('ECONNRESET')])(
		'does not hide that the service may bill the first one: %#',
		async (first) => {
			expect(await end(first, true)).toMatchObject({ sent: 1 });
			expect(await end(first, false)).toBe(reason);
		},
	);

	test.each([refusal(1), fault('ECONNREFUSED')])(
		'is the end of a request that was not carried out: %#',
		async (first) => {
			expect(await end(first, true)).toBe(reason);
		},
	);
});
