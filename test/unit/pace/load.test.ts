import fc from 'fast-check';

import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import type { Limit } from '../../../nodes/WalletScreening/pace/pace';
import type { Answer } from '../../../nodes/WalletScreening/pace/retry';
import type { Report } from '../../../nodes/WalletScreening/service/report';
import { answer, errorOf, fault, reportBody, wait } from '../support/answers';
import { createService, type Seen } from '../support/service';
import { stopButton } from '../support/stopButton';
import { overBucket } from '../support/traffic';
import { createVirtualClock } from '../support/virtualClock';
import { numbersFrom, seed } from '../../support/random';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Section 8. */
const PRO = { requestsPerSecond: 10, burst: 50 };

const addressNumber = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;
const reportFor = ({ body }: Seen) => answer(200, reportBody({ address: body!.address }));

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
	return createService(
		async (request, number) => {
			await clock.sleep(latency);
			return reply(request, number);
		},
		{ limit, clock },
	);
}

test('300 addresses take 25 s on the plan Pro, at most 1.03 of that', async () => {
	const { client, clock, seen } = slowService(100);
	const { screen } = client();
	const numbers = Array.from({ length: 300 }, (_, number) => number);
	const outcomes = await clock.run(
		Promise.all(numbers.map(async (number) => await outcomeOf(screen(addressNumber(number), '')))),
	);
	expect(outcomes).toEqual(numbers.map(addressNumber));
	expect(seen).toHaveLength(300);
	expect(seen.at(-1)!.at).toBeGreaterThanOrEqual(25 * SECOND);
	expect(seen.at(-1)!.at + 100).toBeLessThanOrEqual(25 * SECOND * 1.03);
	expect(
		overBucket(
			seen.map(({ at }) => at),
			PRO,
		),
	).toBeLessThan(1e-6);
});

test.each([1, 7, 50, 51, 199, 200, 201, 1000])(
	'%i addresses at once are all screened, with and without a limit',
	async (count) => {
		for (const limit of [null, PRO, { requestsPerSecond: 100, burst: 1 }]) {
			const { client, clock, seen } = slowService(100, reportFor, limit);
			const { screen } = client();
			const numbers = Array.from({ length: count }, (_, number) => number);
			const outcomes = await clock.run(
				Promise.all(
					numbers.map(async (number) => await outcomeOf(screen(addressNumber(number), ''))),
				),
			);
			expect(outcomes).toEqual(numbers.map(addressNumber));
			expect(seen).toHaveLength(count);
		}
	},
);

test('four processes that start together do not send four bursts', async () => {
	const clock = createVirtualClock();
	const processes = Array.from({ length: 4 }, () => slowService(2 * SECOND, reportFor, PRO, clock));
	for (const { client } of processes) {
		const { screen } = client();
		for (let number = 0; number < 100; number++) void screen(addressNumber(number), '');
	}
	await clock.runUntil(clock.now() + 2 * SECOND - 1);
	const sent = processes.reduce((sum, { seen }) => sum + seen.length, 0);
	expect(sent).toBeGreaterThan(0);
	expect(sent).toBeLessThanOrEqual(PRO.burst);
});

test('a run of 5,000 addresses does not keep another one waiting for more than 2 s', async () => {
	const { client, clock, seen } = slowService(100);
	const [many, one] = [client(), client()];
	for (let number = 0; number < 5000; number++)
		void outcomeOf(many.screen(addressNumber(number), ''));
	const began = clock.now();
	const waits: number[] = [];
	for (const asked of [0, 50, 3 * SECOND, 40 * SECOND, 80 * SECOND]) {
		await clock.runUntil(began + asked);
		await clock.run(one.screen(addressNumber(10_000 + asked), ''));
		waits.push(clock.now() - began - asked);
	}
	expect(Math.max(...waits)).toBeLessThanOrEqual(2 * SECOND);
	expect(seen.length).toBeGreaterThan(800);
});

test(`20 runs of 100 addresses, one answer in 20 failing, end with 2,000 right outcomes (TEST_SEED=${seed})`, async () => {
	const random = numbersFrom(seed);
	const lost = new Map<string, number>();
	const { client, clock, seen } = slowService(200, (request) => {
		if (random() >= 0.05) return reportFor(request);
		if (random() < 0.5) return answer(503);
		const address = String(request.body!.address);
		lost.set(address, (lost.get(address) ?? 0) + 1);
		return fault('ECONNRESET');
	});
	// The service may bill each screening whose answer was lost: it is sent once more, and no further.
	const rightOutcome = (number: number) => {
		const address = addressNumber(number);
		return lost.get(address) === 2 ? 'network' : address;
	};
	const runs = Array.from({ length: 20 }, async (_, run) => {
		const { screen } = client({ random });
		const numbers = Array.from({ length: 100 }, (__, number) => run * 100 + number);
		const outcomes = await Promise.all(
			numbers.map(async (number) => await outcomeOf(screen(addressNumber(number), ''))),
		);
		expect(outcomes).toEqual(numbers.map(rightOutcome));
	});
	await clock.run(Promise.all(runs));
	expect(Math.max(...lost.values())).toBe(2);
	expect(new Set(seen.map(({ body }) => body!.address)).size).toBe(2000);
	expect(
		overBucket(
			seen.map(({ at }) => at),
			PRO,
		),
	).toBeLessThan(1e-6);
});

test('whatever the service answers and whichever worker stops, all end', async () => {
	const reply = fc.constantFrom<'report' | Answer | ScreeningError>(
		'report',
		'report',
		'report',
		answer(200, '<html>'),
		answer(302),
		answer(404),
		answer(429),
		wait(429, '0'),
		wait(429, '2'),
		wait(429, 'soon'),
		wait(429, '400'),
		answer(500),
		wait(503, '5'),
		wait(503, '0'),
		fault('ECONNREFUSED'),
		fault('ECONNRESET'),
		fault('TIMEOUT'),
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
	const limits = fc.constantFrom<Limit>(null, PRO, { requestsPerSecond: 2, burst: 1 });
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
						numbers.map(async (number) => await outcomeOf(screen(addressNumber(number), ''))),
					);
					outcomes.forEach((outcome, number) => {
						if (outcome.status === 'rejected') expect(outcome.reason).toBe(stop.signal.reason);
						else
							expect([
								addressNumber(number),
								'invalid_response',
								'not_found',
								'rate_limited',
								'server',
								'network',
							]).toContain(outcome.value);
					});
				});
				await clock.run(Promise.all(work));
				if (limit)
					expect(
						overBucket(
							seen.map(({ at }) => at),
							limit,
						),
					).toBeLessThan(1e-6);
				await clock.runUntil(clock.now() + 24 * 60 * MINUTE);
				expect(limiter.idle()).toBe(true);
				expect(clock.pending()).toBe(0);
			},
		),
		{ numRuns: 60 },
	);
}, 30_000);

describe('a 429', () => {
	const report = answer(200, reportBody());
	/** So many items at once that ask for the same report. */
	const items = (count: number, getReport: (id: string) => Promise<unknown>) =>
		Array.from(
			{ length: count },
			async () => await getReport('rep_1').catch((error) => error as unknown),
		);

	test.each<Limit>([PRO, null])('lets no further request go out (%j)', async (limit) => {
		const clock = createVirtualClock();
		const { client, seen } = createService(
			async (_request, number) => {
				await clock.sleep(number === 0 ? 100 : 5 * SECOND);
				return number === 0 ? wait(429, '30') : report;
			},
			{ limit, clock },
		);
		void items(300, client().getReport);
		await clock.runUntil(clock.now() + 29 * SECOND);
		expect(seen.length).toBeGreaterThan(0);
		expect(seen.filter(({ at }) => at >= 100)).toEqual([]);
	});

	test.each(['0', 'Thu, 19 Nov 2026 00:00:00 GMT'])(
		'with a wait of nothing (%s) is followed by a backoff all the same',
		async (header) => {
			const { client, clock, seen } = slowService(50, () => wait(429, header), null);
			const error = await clock.run(errorOf(async () => await client().getReport('rep_1')));
			expect(error.errorClass).toBe('rate_limited');
			expect(seen.length).toBeLessThan(200);
		},
	);

	test('of many requests without a limit is not followed by all of them together', async () => {
		const { client, clock, seen } = slowService(
			100,
			(_request, number) => (number < 50 ? wait(429, '5') : report),
			null,
		);
		await clock.run(Promise.all(items(400, client().getReport)));
		const back = seen.map(({ at }) => at).filter((at) => at >= 5 * SECOND);
		const together = back.map((at) => back.filter((other) => other === at).length);
		// Half of the 200 that were in progress, and the root of that for the first round that was quick.
		expect(Math.max(...together)).toBeLessThanOrEqual(110);
	});

	test.each([1, 200, 1000])(
		'that never ends ends all of %i items soon after 10 minutes',
		async (count) => {
			const { client, clock, seen } = slowService(100, () => wait(429, '1'));
			const began = clock.now();
			const outcomes = await clock.run(Promise.all(items(count, client().getReport)));
			for (const error of outcomes) expect(error).toMatchObject({ errorClass: 'rate_limited' });
			expect(clock.now() - began).toBeGreaterThanOrEqual(8 * MINUTE);
			expect(clock.now() - began).toBeLessThanOrEqual(30 * MINUTE);
			expect(seen.length).toBeLessThan(1000);
		},
	);

	test('that asks to wait for an hour is not asked for by every item', async () => {
		const { client, clock, seen } = slowService(100, () => wait(429, '3600'));
		const began = clock.now();
		const outcomes = await clock.run(Promise.all(items(1000, client().getReport)));
		for (const error of outcomes) expect(error).toMatchObject({ errorClass: 'rate_limited' });
		expect(seen.length).toBeLessThanOrEqual(PRO.burst);
		expect(clock.now() - began).toBeLessThan(MINUTE);

		// Nor by a run that starts while it holds.
		const asked = seen.length;
		await clock.runUntil(began + 9 * MINUTE);
		const later = clock.now();
		const [error] = await clock.run(Promise.all(items(1, client().getReport)));
		expect(error).toMatchObject({ errorClass: 'rate_limited' });
		expect([seen.length, clock.now() - later]).toEqual([asked, 0]);

		// After 15 minutes one request tries, whoever was turned away before, and no more than one.
		await clock.runUntil(began + 16 * MINUTE);
		await clock.run(Promise.all(items(100, client().getReport)));
		expect(seen).toHaveLength(asked + 1);
	});

	test('is no end for others when the one before was a day ago', async () => {
		const refused = [0, 1];
		const { client, clock } = slowService(100, (_request, number) =>
			refused.includes(number) ? wait(429, number === 0 ? '400' : '1') : report,
		);
		await clock.run(Promise.all(items(1, client().getReport)));
		await clock.runUntil(clock.now() + 24 * 60 * MINUTE);
		for (const outcome of await clock.run(Promise.all(items(50, client().getReport))))
			expect(outcome).toMatchObject({ report_id: 'rep_1' });
	});

	test.each([11 * MINUTE, 24 * 60 * MINUTE])(
		'that nothing followed is not held against a request %i ms later',
		async (pause) => {
			const { client, clock, seen } = slowService(100, (_request, number) =>
				number === 0 ? wait(429, '400') : report,
			);
			await clock.run(Promise.all(items(1, client().getReport)));
			await clock.runUntil(clock.now() + pause);
			await clock.run(client().getReport('rep_1'));
			expect(seen).toHaveLength(2);
		},
	);

	test.each([SECOND, 2 * MINUTE, 60 * MINUTE])(
		'of more than 10 minutes is not held against a request %i ms after the last one',
		async (pause) => {
			let heals = false;
			const { client, clock } = slowService(100, () => (heals ? report : wait(429, '20')));
			await clock.run(Promise.all(items(50, client().getReport)));
			heals = true;
			await clock.runUntil(clock.now() + pause);
			const began = clock.now();
			expect((await clock.run(client().getReport('rep_1'))).report_id).toBe('rep_1');
			expect(clock.now() - began).toBeLessThan(5 * MINUTE);
		},
	);
});
