import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../tools/host/until';
import { numbersFrom, seed } from '../../support/data/random';
import {
	passMinute,
	publishCallbacks,
	releasedRow,
	wayToRelease,
} from '../../support/templates/callbacks';
import { table } from '../../support/templates/dataTable';
import {
	type WaitForMoment,
	timeoutMs,
	printFigures,
	waitForAny,
	killCount,
	killsInName,
} from '../../support/templates/kills';
import { type StatusReceiver, startStatusReceiver } from '../../support/servers/statusReceiver';
import { stage } from '../../support/templates/stage';
import { everyFiveSeconds } from '../../support/templates/schedules';

const paymentsPerKill = 5;
const payments = table('Screening Payments');
const callbacks = table('Screening Callbacks');

/** After more rows of the table than these, after some requests, or any time. */
function momentsToKill(
	system: StatusReceiver,
	rows: number,
	random: () => number,
): WaitForMoment[] {
	return [
		async () => {
			const look = async () => (await callbacks.rows()).length > rows || undefined;
			await until('a status', look, { pauseMs: 1, timeoutMs });
		},
		async () => {
			const last = system.requestCount + Math.floor(random() * 10);
			await until('a request', async () => system.requestCount > last || undefined, {
				pauseMs: 1,
				timeoutMs,
			});
		},
		async () => await sleep(random() * 8000),
	];
}

/** Whether each status of all payments was taken. */
async function isAllSent(): Promise<boolean> {
	const rows = await callbacks.rows();
	const expected = killCount * paymentsPerKill * wayToRelease.length;
	return rows.length === expected && rows.every(({ sent_at }) => sent_at);
}

export function killedCallbackTests(): void {
	test(`a payment system takes each status of a payment, in order, ${killsInName}`, async () => {
		const random = numbersFrom(seed);
		const system = await startStatusReceiver();
		const { tell } = await publishCallbacks(system, everyFiveSeconds);
		await payments.clear();
		for (let kill = 0; kill < killCount; kill++) {
			const moments = momentsToKill(system, (await callbacks.rows()).length, random);
			const numbers = Array.from({ length: paymentsPerKill }, (_, number) => number);
			await payments.insert(...numbers.map((number) => releasedRow(`K-${kill}-${number}`)));
			await waitForAny(kill === 0 ? [moments[1]!] : moments, random);
			await stage.killAndRestart();
		}
		for (let minute = 0; minute < 10 && !(await isAllSent()); minute++) await passMinute(tell);

		const references = (await payments.rows()).map(({ reference }) => String(reference));
		expect(references).toHaveLength(killCount * paymentsPerKill);
		for (const reference of references)
			expect({ reference, statuses: system.statusesOf(reference) }).toEqual({
				reference,
				statuses: wayToRelease,
			});
		expect(system.callbacks.filter(({ problem }) => problem)).toEqual([]);
		// What comes again under an ID is the same, byte by byte.
		const bodies = new Map(system.callbacks.map(({ id, body }) => [id, body]));
		for (const { id, body } of system.callbacks) expect(body).toBe(bodies.get(id));
		printFigures({ statuses: bodies.size, requests: system.requestCount });
		await system.close();
	});
}
