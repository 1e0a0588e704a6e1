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
