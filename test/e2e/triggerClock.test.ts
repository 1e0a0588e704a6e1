import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freshFolder } from '../../tools/host/folder';
import { type N8n, startFreshInstance, startInstance } from '../../tools/host/instance';
import { until } from '../../tools/host/until';
import {
	completion,
	deliver,
	hookCredential,
	outcomesOf,
	report,
	secrets,
	startTrigger,
	type Trigger,
} from '../support/triggers';
import { patience } from '../support/workflows';

const hour = 60 * 60 * 1000;
const month = 30 * 24 * hour;

/** Adds what the file says to the time of day and to that of the process, in milliseconds. */
const preload = (file: string) => `
const { readFileSync } = require('node:fs');
const [day, elapsed] = [Date.now.bind(Date), performance.now.bind(performance)];
const shifts = () => JSON.parse(readFileSync(${JSON.stringify(file)}, 'utf8'));
Date.now = () => day() + shifts()[0];
performance.now = () => elapsed() + shifts()[1];
`;

describe('a clock that jumps, in a real n8n', () => {
	let n8n: N8n;
	let file: string;
	let environment: Record<string, string>;

	beforeAll(async () => {
		const folder = await freshFolder('e2e-trigger-clock-preload');
		file = join(folder, 'shifts.json');
		const script = join(folder, 'preload.cjs');
		await writeFile(file, '[0,0]');
		await writeFile(script, preload(file));
		environment = { NODE_OPTIONS: `--require ${script}` };
		n8n = await startFreshInstance('e2e-trigger-clock', { environment });
	}, patience);
	afterAll(() => n8n?.stop());

	async function shift(day: number, elapsed: number): Promise<void> {
		await writeFile(`${file}.new`, JSON.stringify([day, elapsed]));
		await rename(`${file}.new`, file);
	}

	test('makes no delivery wait for longer than an hour, nor for less, also after a restart', async () => {
		// The service is nowhere.
		const credential = await n8n.saveCredential(hookCredential(secrets.body));
		const trigger: Trigger = await startTrigger(n8n, credential);
		const job = JSON.stringify({ job_id: 'job_1' });
		const status = async () => (await deliver(trigger, job)).status;
		const seen = completion(report());

		await shift(month, 0);
		expect(await status()).toBe(503);
		expect(await deliver(trigger, seen)).toMatchObject({ text: 'accepted' });
		await shift(0, 0);
		expect(await status()).toBe(503);
		await shift(-month, 0.9 * hour);
		expect(await status()).toBe(503);
		expect(await deliver(trigger, seen)).toMatchObject({ text: 'repeat' });

		await shift(month, 0.9 * hour);
		expect(await status()).toBe(503);
		await n8n.stop();
		await shift(0, 0);
		n8n = await startInstance({ userFolder: n8n.userFolder, environment });
		const { pathname } = new URL(trigger.url);
		trigger.url = `${n8n.url}${pathname}`;
		expect(await status()).toBe(503);
		expect(await deliver(trigger, seen)).toMatchObject({ text: 'repeat' });
		await shift(0.9 * hour, 0.9 * hour);
		expect(await status()).toBe(503);
		await shift(1.1 * hour, 1.1 * hour);
		expect(await deliver(trigger, job)).toMatchObject({ status: 200, text: 'accepted' });
		const executions = async () => (await n8n.executionsOf(trigger.workflow))[1];
		await until('the second execution', executions);
		expect((await outcomesOf(n8n, trigger))[1]).toMatchObject([
			{ details: { errorClass: 'network', job_id: 'job_1' } },
		]);
	}, 240_000);
});
