import fc from 'fast-check';

import type { Answer } from '../../../nodes/WalletScreening/pace/answer';
import type { Limit } from '../../../nodes/WalletScreening/pace/pace';
import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import type { Report } from '../../../nodes/WalletScreening/service/report';
import { addressNumber } from '../../support/addresses';
import { answer, fault, reportBody, wait } from '../support/answers';
import { overBucket } from '../support/bucket';
import { createService, type Seen } from '../support/service';
import { stopButton } from '../support/stopButton';
import { createVirtualClock } from '../support/virtualClock';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Section 8. */
const PRO = { requestsPerSecond: 10, burst: 50 };

const reportFor = ({ body }: Seen) => answer(200, reportBody({ address: body!.address }));
const report = answer(200, reportBody());

/** What became of a screening: its report, or the class of its error. Anything else is thrown. */
async function outcomeOf(screening: Promise<Report>): Promise<string> {
	try {
		return (await screening).address;
	} catch (error) {
		if (error instanceof ScreeningError) return error.errorClass;
		throw error;
	}
}

/** A service that takes its time. */
function slowService(
	latency: number,
	reply: (request: Seen, number: number) => Answer | ScreeningError = reportFor,
	limit: Limit = PRO,
	clock = createVirtualClock(),
) {
	const service = createService(
		async (request, number) => {
			await clock.sleep(latency);
			return reply(request, number);
		},
		{ limit, clock },
	);
	const { screen, getReport } = service.client();
	const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
	return {
		...service,
		/** The outcomes of so many addresses at once. */
		screened: async (count: number) =>
			await Promise.all(
				numbers(count).map(async (number) => await outcomeOf(screen(addressNumber(number)))),
			),
		/** What becomes of so many items at once that ask for the same report. */
		fetched: async (count: number) =>
			await clock.run(
				Promise.all(
					numbers(count).map(async () => await getReport('rep_1').catch((error: unknown) => error)),
				),
			),
	};
}

test.each([1, 51, 300, 1000])(
	'%i addresses at once are all screened, on the plan Pro in 1.03 of the least time',
	async (count) => {
		for (const limit of [null, PRO, { requestsPerSecond: 100, burst: 1 }]) {
			const { screened, clock, seen } = slowService(100, reportFor, limit);
			const outcomes = await clock.run(screened(count));
			expect(outcomes).toEqual(Array.from({ length: count }, (_, number) => addressNumber(number)));
			expect(seen).toHaveLength(count);
			if (!limit) continue;
			const least = ((count - limit.burst) / limit.requestsPerSecond) * SECOND;
			if (limit === PRO && count >= 300)
				expect(seen.at(-1)!.at + 100).toBeLessThanOrEqual(least * 1.03);
			const times = seen.map(({ at }) => at);
			expect(overBucket(times, limit)).toBeLessThan(1e-6);
		}
	},
);

test('whatever the service answers and whichever worker stops, all end', async () => {
	const reply = fc.constantFrom<'report' | Answer | ScreeningError>(
		...(['report', 'report', 'report'] as const),
		...[answer(200, '<html>'), answer(302), answer(404), answer(429), wait(429, '0')],
		...[wait(429, '2'), wait(429, 'soon'), wait(429, '400'), answer(500), wait(503, '5')],
		...[wait(503, '0'), fault('ECONNREFUSED'), fault('ECONNRESET'), fault('TIMEOUT')],
	);
	const runs = fc.array(
		fc.record({
			at: fc.nat({ max: 2 * MINUTE }),
			addresses: fc.integer({ min: 1, max: 30 }),
			stopAfter: fc.option(fc.nat({ max: MINUTE }), { freq: 3 }),
			maxRetries: fc.nat({ max: 5 }),
		}),
		{ minLength: 1, maxLength: 6 },
	);
	const limits = fc.option(
		fc.record({
			requestsPerSecond: fc.integer({ min: 1, max: 100 }),
			burst: fc.integer({ min: 1, max: 50 }),
			sharedBy: fc.nat({ max: 4 }),
		}),
	);
	await fc.assert(
		fc.asyncProperty(
			fc.infiniteStream(reply),
			fc.infiniteStream(fc.integer({ min: 1, max: 5000 })),
			runs,
			limits,
			async (replies, latencies, plan, limit) => {
				const clock = createVirtualClock();
				const { client, limiter, seen } = createService(
					async (request) => {
						await clock.sleep(latencies.next().value);
						const next = replies.next().value;
						return next === 'report' ? reportFor(request) : next;
					},
					{ limit, clock },
				);
				const work = plan.map(async ({ at, addresses, stopAfter, maxRetries }) => {
					await clock.sleep(at);
					const stop = stopButton();
					const { screen } = client({ maxRetries, signal: stop.signal });
					if (stopAfter !== null) void clock.sleep(stopAfter).then(() => stop.abort());
					const numbers = Array.from({ length: addresses }, (_, number) => number);
					const outcomes = await Promise.allSettled(
						numbers.map(async (number) => await outcomeOf(screen(addressNumber(number)))),
					);
					const classes = ['invalid_response', 'not_found', 'rate_limited', 'server', 'network'];
					outcomes.forEach((outcome, number) => {
						if (outcome.status === 'rejected') expect(outcome.reason).toBe(stop.signal.reason);
						else expect([addressNumber(number), ...classes]).toContain(outcome.value);
					});
				});
				await clock.run(Promise.all(work));
				const times = seen.map(({ at }) => at);
				if (limit) expect(overBucket(times, limit)).toBeLessThan(1e-6);
				await clock.runUntil(clock.now() + 24 * 60 * MINUTE);
				expect([limiter.idle(), clock.pending()]).toEqual([true, 0]);
			},
		),
		{ numRuns: 60 },
	);
}, 30_000);

describe('a 429', () => {
	test.each([1, 200, 1000])(
		'that never ends ends all of %i items soon after 10 minutes, with few requests',
		async (count) => {
			const { fetched, clock, seen } = slowService(100, () => wait(429, '1'));
			const began = clock.now();
			for (const error of await fetched(count))
				expect(error).toMatchObject({ errorClass: 'rate_limited' });
			expect(clock.now() - began).toBeGreaterThanOrEqual(8 * MINUTE);
			expect(clock.now() - began).toBeLessThanOrEqual(30 * MINUTE);
			expect(seen.length).toBeLessThan(1000);
		},
	);
});
