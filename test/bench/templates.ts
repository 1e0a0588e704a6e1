import type { Saved, Workflow } from '../../tools/host/instance';
import { itemsOf } from '../../tools/host/instance';
import { addressNumber } from '../support/data/addresses';
import { type PlainNode, start, using, workflowOf } from '../support/n8n/workflows';
import { table } from '../support/templates/dataTable';
import { resourceLocator, yearlySchedule, openStage, stage } from '../support/templates/stage';
import { inSeconds, type Row } from './bench';

/** The lengths of the lists: twice as many addresses must take twice as long. */
const sizes = [1000, 2000, 4000];

/** Rows on the templates for lists, compared with the node alone in the same n8n. */
export async function templateRows(): Promise<Row[]> {
	await openStage('bench-templates');
	try {
		const { screening, nightly } = await publishScreening();
		const rows: Row[] = [];
		for (const size of sizes) {
			const alone = await run(size, screenAndWait());
			const whole = await run(size, {
				name: 'Measured',
				type: 'n8n-nodes-base.executeWorkflow',
				typeVersion: 1.2,
				parameters: { workflowId: resourceLocator('id', screening.id), options: {} },
			});
			rows.push({
				name: `The workflow _Our Screening_ for ${size.toLocaleString('en')} addresses: policy, evidence and log`,
				measured: `${inSeconds(whole.ms)}; n8n gave no answer for up to ${inSeconds(whole.pauseMs)}`,
				against: `Screen and Wait alone: ${inSeconds(alone.ms)}, ${inSeconds(alone.pauseMs)}`,
				ratio: whole.ms / alone.ms,
				meaning: 'What policy, evidence and log cost, for a list of customers.',
			});
			const night = await runNight(nightly, size);
			rows.push({
				name: `The workflow _Re-Screen Customers Every Night_ for ${size.toLocaleString('en')} customers`,
				measured: `${inSeconds(night.ms)}; n8n gave no answer for up to ${inSeconds(night.pauseMs)}`,
				against: `Screen and Wait alone: ${inSeconds(alone.ms)}, ${inSeconds(alone.pauseMs)}`,
				ratio: night.ms / alone.ms,
				meaning: 'The service of this test is as quick as it can be: a job takes 0.2 s.',
			});
		}
		return rows;
	} finally {
		await stage.close();
	}
}

/** A service takes longer than the sandbox does: so many milliseconds for each address of a job. */
const msPerAddress = 20;
/** The customers of a large team. */
const nightSize = 5000;

/** The row on a night with a service that takes its time. */
export async function nightRows(): Promise<Row[]> {
	const jobs = ({ addresses }: { addresses: string[] }) => ({
		durationMs: msPerAddress * addresses.length,
	});
	await openStage('bench-night', {}, { jobs });
	try {
		const { nightly } = await publishScreening();
		const alone = await run(nightSize, screenAndWait());
		const night = await runNight(nightly, nightSize);
		return [
			{
				name: `The workflow _Re-Screen Customers Every Night_ for ${nightSize.toLocaleString('en')} customers, with a service that takes ${msPerAddress} ms for an address`,
				measured: `${inSeconds(night.ms)}; n8n gave no answer for up to ${inSeconds(night.pauseMs)}`,
				against: `Screen and Wait alone: ${inSeconds(alone.ms)}, ${inSeconds(alone.pauseMs)}`,
				ratio: night.ms / alone.ms,
				meaning: 'How long a night takes.',
			},
		];
	} finally {
		await stage.close();
	}
}

const screenAndWait = (): PlainNode => ({
	name: 'Measured',
	type: 'n8n-nodes-wallet-screening.walletScreening',
	typeVersion: 1,
	parameters: { resource: 'bulkJob', operation: 'screenAndWait' },
	credentials: using(stage.service),
});

/** The first night of so many customers, all of whom are new. */
export async function runNight(
	nightly: Saved<Workflow>,
	size: number,
): Promise<{ ms: number; pauseMs: number }> {
	const customers = table('Screening Customers');
	await customers.clear();
	const all = Array.from({ length: size }, (_, index) => ({
		address: addressNumber(index),
		reference: `C-${index}`,
	}));
	await customers.insert(...all);
	const pulse = watchPulse(stage.n8n.url);
	const began = Date.now();
	const { status } = await stage.runFrom(nightly, 'Every Night at Two');
	const ms = Date.now() - began;
	if (status !== 'success') throw new Error(`The night of ${size} customers: ${status}`);
	return { ms, pauseMs: await pulse.stop() };
}

/**
 * Publishes *Our Screening* with the tables and the workflow that it needs; it opens no cases.
 * Imports *Re-Screen Customers Every Night*.
 */
export async function publishScreening() {
	for (const file of ['set-up', 'set-up-deadlines'])
		await stage.runFrom(await stage.importTemplate(file), 'Click Here Once');
	for (const file of ['tell-the-team', 'screening-budget', 'reuse-and-budget'])
		await stage.publishTemplate(file);
	const screening = await stage.publishTemplate('our-screening', {
		'Hand Over': { disabled: true },
	});
	await stage.publishTemplate('rescreen-customers-compare');
	const nightly = await stage.importTemplate('rescreen-customers-nightly', {
		'Every Night at Two': yearlySchedule,
	});
	return { screening, nightly };
}

/**
 * Runs a node for a list.
 *
 * @returns the time of the node, as n8n measured it, and the longest time without an answer of n8n,
 * in milliseconds
 */
async function run(size: number, node: PlainNode): Promise<{ ms: number; pauseMs: number }> {
	const items = Array.from({ length: size }, (_, index) => ({
		json: { address: addressNumber(index), reference: `C-${index}` },
	}));
	const workflow = {
		...workflowOf(`Bench ${size}`, start, node),
		pinData: { [start.name]: items },
	};
	const saved = await stage.n8n.saveWorkflow(workflow);
	const pulse = watchPulse(stage.n8n.url);
	const execution = await stage.n8n.runWorkflow(saved);
	const pauseMs = await pulse.stop();
	const given = itemsOf(execution, node.name).length;
	if (given !== size) throw new Error(`${size} addresses, ${given} results`);
	return { ms: execution.data.resultData.runData[node.name]?.[0]?.executionTime ?? NaN, pauseMs };
}

/** Sends requests to n8n one after the other, to measure the longest time without an answer. */
export function watchPulse(url: string) {
	let [isOver, longest] = [false, 0];
	const ended = (async () => {
		while (!isOver) {
			const asked = Date.now();
			// n8n closes connections that a client keeps while it works.
			const answered = fetch(`${url}/healthz`, { headers: { connection: 'close' } });
			await answered.catch(() => undefined);
			longest = Math.max(longest, Date.now() - asked);
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	})();
	return {
		/** @returns the longest time to an answer, in milliseconds */
		async stop(): Promise<number> {
			isOver = true;
			await ended;
			return longest;
		},
	};
}
