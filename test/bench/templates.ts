import type { Saved, Workflow } from '../../tools/host/instance';
import { itemsOf } from '../../tools/host/instance';
import { addressNumber } from '../support/addresses';
import { type PlainNode, start, using, workflowOf } from '../support/workflows';
import { table } from '../e2e/templates/dataTable';
import { chosen, never, openStage, stage } from '../e2e/templates/stage';
import { inSeconds, type Row } from './bench';

/** How many addresses a list has: twice as many must take twice as long. */
const sizes = [1000, 2000, 4000];

/** Rows about the templates that take lists, next to the node alone, in the same n8n. */
export async function templateRows(): Promise<Row[]> {
	await openStage('bench-templates');
	try {
		const screening = await publishScreening();
		const rows: Row[] = [];
		for (const size of sizes) {
			const alone = await run(size, {
				...{ name: 'Measured', type: 'n8n-nodes-wallet-screening.walletScreening', typeVersion: 1 },
				...{ parameters: { resource: 'bulkJob', operation: 'screenAndWait' } },
				credentials: using(stage.service),
			});
			const whole = await run(size, {
				...{ name: 'Measured', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
				parameters: { workflowId: chosen('id', screening.id), options: {} },
			});
			rows.push({
				name: `${size.toLocaleString('en')} addresses, the workflow _Our Screening_: policy, evidence and log`,
				measured: `${inSeconds(whole.ms)}; n8n answered nothing for up to ${inSeconds(whole.pauseMs)}`,
				against: `Screen and Wait alone: ${inSeconds(alone.ms)}, ${inSeconds(alone.pauseMs)}`,
				ratio: whole.ms / alone.ms,
				meaning: 'What policy, evidence and log cost, for a list of customers.',
			});
			const night = await runNight(size);
			rows.push({
				name: `${size.toLocaleString('en')} customers, the workflow _Re-Screen Customers Every Night_`,
				measured: `${inSeconds(night.ms)}; n8n answered nothing for up to ${inSeconds(night.pauseMs)}`,
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

let nightly: Saved<Workflow>;

/** The first night of so many customers, all of whom are new. */
async function runNight(size: number): Promise<{ ms: number; pauseMs: number }> {
	const customers = table('Screening Customers');
	await customers.clear();
	const all = Array.from({ length: size }, (_, index) => ({
		...{ address: addressNumber(index), reference: `C-${index}` },
	}));
	await customers.insert(...all);
	const pulse = watchPulse(stage.n8n.url);
	const began = Date.now();
	const { status } = await stage.runFrom(nightly, 'Every Night at Two');
	const ms = Date.now() - began;
	if (status !== 'success') throw new Error(`The night of ${size} customers: ${status}`);
	return { ms, pauseMs: await pulse.stop() };
}

/** *Our Screening* with the tables and the workflow that it needs; it opens no cases. */
async function publishScreening(): Promise<Saved<Workflow>> {
	for (const file of ['set-up', 'set-up-deadlines'])
		await stage.runFrom(await stage.importTemplate(file), 'Click Here Once');
	await stage.publishTemplate('tell-the-team');
	const screening = await stage.publishTemplate('our-screening', {
		'Hand Over': { disabled: true },
	});
	await stage.publishTemplate('rescreen-customers-compare');
	nightly = await stage.importTemplate('rescreen-customers-nightly', {
		'Every Night at Two': never,
	});
	return screening;
}

/** How long a node takes for a list, as n8n measured it, and how long n8n did not answer meanwhile, in milliseconds. */
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

/** Asks n8n again and again whether it is there. */
function watchPulse(url: string) {
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
