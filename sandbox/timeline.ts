import type { FastifyInstance } from 'fastify';
import { errorBody } from './service';

/** The last day that the timeline knows. */
export const lastDay = 10_000;

/** Adds the sandbox's own call, which is no part of the service: `GET` and `PUT /sandbox/day`, without a key. */
export function addTimeline(
	app: FastifyInstance,
	{ dayNow, setDay }: { dayNow: () => number; setDay: (day: number) => void },
): void {
	app.get('/sandbox/day', async () => ({ day: dayNow() }));
	app.put('/sandbox/day', async ({ body }, reply) => {
		const day = Number.isInteger(body) ? (body as number) : -1;
		if (day < 0 || day > lastDay) {
			return reply
				.code(400)
				.send(errorBody(400, `The body must be a whole number from 0 to ${lastDay}`));
		}
		setDay(day);
		return { day };
	});
}
