import fc from 'fast-check';

import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { numberedAddress } from '../../support/data/addresses';
import { excessOverBucket } from '../../support/unit/bucket';
import { createService, type ArrivedRequest } from '../../support/unit/virtualService';
import { createStopButton } from '../../support/unit/stopButton';
import { createVirtualClock } from '../../support/unit/virtualClock';
import { type Answer } from '../../../nodes/WalletScreening/shared/http';
import { answer, waitAnswer } from '../../support/unit/httpAnswers';
import { networkFaultOf } from '../../support/unit/errors';
import { reportBody } from '../../support/unit/reports';

const MINUTE = 60_000;
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const reportFor = ({ body }: ArrivedRequest) => answer(200, reportBody({ address: body!.address }));

test('whatever the service answers and whichever worker stops, all end', async () => {
	const reply = fc.constantFrom<'report' | Answer | ScreeningError>(
		'report',
		'report',
		answer(200, '<html>'),
		answer(404),
		answer(429),
		waitAnswer(429, '2'),
		waitAnswer(429, '400'),
		answer(500),
		waitAnswer(503, '5'),
		networkFaultOf('ECONNREFUSED'),
		networkFaultOf('ECONNRESET'),
	);
	const upTo = (max: number) => fc.integer({ min: 1, max });
	const run = fc.record({
		at: fc.nat({ max: 2 * MINUTE }),
		addresses: upTo(30),
		stopAfter: fc.option(fc.nat({ max: MINUTE })),
		maxRetries: fc.nat({ max: 5 }),
	});
	const runs = fc.array(run, { minLength: 1, maxLength: 6 });
	const rates = {
		requestsPerSecond: upTo(100),
		burst: upTo(50),
		sharedBy: fc.option(upTo(4), { nil: undefined }),
	};
	await fc.assert(
		fc.asyncProperty(
			fc.infiniteStream(reply),
			fc.infiniteStream(fc.integer({ min: 1, max: 5000 })),
			runs,
			fc.option(fc.record(rates)),
			async (replies, latencies, plan, given) => {
				const clock = createVirtualClock();
				const { client, queue, requests } = createService(
					async (request) => {
						await clock.sleep(latencies.next().value);
						const next = replies.next().value;
						return next === 'report' ? reportFor(request) : next;
					},
					{ limit: given, clock },
				);
				const work = plan.map(async ({ at, addresses, stopAfter, maxRetries }) => {
					await clock.sleep(at);
					const stop = createStopButton();
					const one = client({ maxRetries, signal: stop.signal });
					if (stopAfter !== null) void clock.sleep(stopAfter).then(() => stop.abort());
					const outcomes = await Promise.allSettled(
						numbers(addresses).map(async (number) => await one.screen(numberedAddress(number))),
					);
					const classes = ['invalid_response', 'not_found', 'rate_limited', 'server', 'network'];
					outcomes.forEach((outcome, number) => {
						if (outcome.status === 'fulfilled')
							expect(outcome.value.report.address).toBe(numberedAddress(number));
						else if (outcome.reason instanceof ScreeningError)
							expect(classes).toContain(outcome.reason.errorClass);
						else expect(outcome.reason).toBe(stop.signal.reason);
					});
				});
				await clock.run(Promise.all(work));
				const times = requests.map(({ at }) => at);
				if (given) expect(excessOverBucket(times, given)).toBeLessThan(1e-6);
				await clock.runUntil(clock.now() + 24 * 60 * MINUTE);
				expect([queue.isIdle, clock.pending()]).toEqual([true, 0]);
			},
		),
		{ numRuns: 60 },
	);
}, 30_000);
