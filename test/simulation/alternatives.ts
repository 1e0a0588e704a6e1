import type { createPace, Limit, Pace } from '../../nodes/WalletScreening/pace/pace';

type Plan = NonNullable<Limit>;

/** How an algorithm changes the rate of a token bucket. Rates are requests per second. */
interface Law {
	/** The rate at the start and after the first 429. */
	first: (plan: Plan) => [number, number];
	/** The rate after so many seconds without a 429. */
	grow: (rate: number, seconds: number, plan: Plan) => number;
	/** The rate after a 429. */
	lower: (rate: number, plan: Plan) => number;
	/** The longest random pause after so many 429s in a row, beyond what `Retry-After` asks for, in milliseconds. */
	pause: (inRow: number, plan: Plan) => number;
}

const share = ({ requestsPerSecond, sharedBy }: Plan) => requestsPerSecond / (sharedBy || 12);
const backoff = (inRow: number) => Math.min(30_000, 1000 * 2 ** (inRow - 1));

/** The same bucket and slow start for all of them, so that only the law differs. */
const paceOf =
	(law: Law): typeof createPace =>
	(limit, startsAt, random): Pace => {
		const plan = limit!;
		const full = plan.burst * 0.92;
		const [start, afterFirst] = law.first(plan);
		let rate = start;
		let tokens = Math.max(1, (full * rate) / plan.requestsPerSecond);
		let filledAt = startsAt;
		let until = -Infinity;
		let refusedAt = -Infinity;
		let inRow = 0;
		let window = 1;

		const capacity = () => Math.max(1, (full * rate) / plan.requestsPerSecond);
		function fill(now: number) {
			const seconds = Math.max(0, now - Math.max(filledAt, until)) / 1000;
			filledAt = now;
			if (refusedAt > -Infinity)
				rate = Math.min(plan.requestsPerSecond, law.grow(rate, seconds, plan));
			tokens = Math.min(capacity(), tokens + seconds * rate);
		}

		return {
			wait(now) {
				fill(now);
				const missing = Math.max(0, 1 - tokens);
				return Math.max(0, until - now) + Math.ceil((missing / rate) * 1000);
			},
			stop: (now) => Math.max(0, until - now),
			refusedFor: () => 0,
			window: () => Math.floor(window),
			spend() {
				tokens -= 1;
			},
			answered(now, sentAt) {
				fill(now);
				inRow = 0;
				window += Math.min(1, (now - sentAt) / 600);
			},
			refused(now, sentAt, waitMs) {
				fill(now);
				until = Math.max(until, now + waitMs);
				if (sentAt < refusedAt) return;
				rate = refusedAt === -Infinity ? afterFirst : law.lower(rate, plan);
				refusedAt = now;
				window = Infinity;
				inRow++;
				until = Math.max(until, now + waitMs + random() * law.pause(inRow, plan));
				tokens = Math.min(tokens, 1);
			},
			unanswered() {},
			forgettable: () => false,
		};
	};

/** What is published, each in the form that was best in this simulation. */
export const alternatives: Record<string, typeof createPace> = {
	/** RFC 9110 and the usual advice: wait as asked, with exponential backoff and full jitter, then go on as before. */
	'`Retry-After` with jitter': paceOf({
		first: ({ requestsPerSecond }) => [requestsPerSecond, requestsPerSecond],
		grow: (rate) => rate,
		lower: (rate) => rate,
		pause: (inRow) => 2 * backoff(inRow),
	}),
	/** Chiu and Jain 1989: a fixed step up each second, half at each 429. */
	AIMD: paceOf({
		first: (plan) => [plan.requestsPerSecond, plan.requestsPerSecond / 2],
		grow: (rate, seconds, plan) => rate + seconds * plan.requestsPerSecond * 0.02,
		lower: (rate) => rate / 2,
		pause: backoff,
	}),
	/** Bansal and Balakrishnan 2001, SQRT: up by 1/√rate, down by √rate. */
	'Binomial (SQRT)': paceOf({
		first: (plan) => [plan.requestsPerSecond, plan.requestsPerSecond / 2],
		grow: (rate, seconds) => rate + (seconds * 0.2) / Math.sqrt(rate),
		lower: (rate) => Math.max(0.05, rate - 0.6 * Math.sqrt(rate)),
		pause: backoff,
	}),
	/** Barcelo and others 2008: a fixed cycle after a success, a random slot of a growing window after a collision. */
	'CSMA/ECA': paceOf({
		first: (plan) => [share(plan), share(plan)],
		grow: (rate) => rate,
		lower: (rate) => rate,
		pause: (inRow, plan) => (Math.min(32, 2 ** inRow) / 2 / share(plan)) * 1000,
	}),
};
