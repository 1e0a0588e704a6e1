import { createPace } from '../../../nodes/WalletScreening/pace/pace';
import { answer, reportBody, wait } from '../support/answers';
import { createService } from '../support/service';
import { createVirtualClock } from '../support/virtualClock';

const SECOND = 1000;
const PRO = { requestsPerSecond: 10, burst: 50 };

test.each([15, 60, 300])(
	'a service that refuses everyone for %i s is used again a minute later',
	async (seconds) => {
		const clock = createVirtualClock();
		const began = clock.now();
		const ends = (60 + seconds) * SECOND;
		const { client, seen } = createService(
			async () => {
				await clock.sleep(100);
				const at = clock.now() - began;
				return at >= 60 * SECOND && at < ends ? wait(429, '1') : answer(200, reportBody());
			},
			{ limit: PRO, clock },
		);
		const { getReport } = client();
		for (let item = 0; item < 5000; item++) void getReport('rep_1').catch(() => {});
		await clock.runUntil(began + ends + 90 * SECOND);
		const later = seen.filter(({ at }) => at >= ends + 60 * SECOND);
		// A fifth of what the plan allows.
		expect(later.length).toBeGreaterThanOrEqual(60);
	},
);

test.each([3, 30])(
	'after %i refusals in a row, a process still has its stated share',
	(refusals) => {
		const pace = createPace({ ...PRO, sharedBy: 4 }, 0, () => 0);
		let now = 0;
		/** Waits for the next request, which is answered after 100 ms. */
		const request = () => {
			now += pace.wait(now) + 100;
			pace.spend(now - 100);
		};
		const answered = () => {
			request();
			pace.answered(now, now - 100);
		};
		const refused = () => {
			request();
			pace.refused(now, now - 100, SECOND);
		};
		answered();
		for (let n = 0; n < refusals; n++) refused();
		answered();
		refused();
		const began = now + pace.stop(now);
		let sent = 0;
		while (now < began + 20 * SECOND) {
			request();
			sent++;
		}
		// A 429 leaves 0.88 of a quarter of the plan: 44 requests in 20 s.
		expect(sent).toBeGreaterThanOrEqual(42);
		expect(sent).toBeLessThanOrEqual(46);
	},
);
