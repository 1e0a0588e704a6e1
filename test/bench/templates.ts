import type { IDataObject } from 'n8n-workflow';
import { itemsOf } from '../../tools/host/workflow';
import { type PlainNode, startNode, credentialsOf, workflowOf } from '../support/n8n/workflows';
import { table } from '../support/templates/dataTable';
import { quickJobMs } from '../support/templates/standIns';
import { stage } from '../support/templates/stage';
import {
	createCustomers,
	expectReports,
	nightSize,
	runNight,
	withCustomerWorkflows,
} from './customersStage';
import { formatCount, formatSeconds, type Row } from './row';
import { describeTiming, measureRun, type StageTiming } from './stageTiming';
import { callNodeFor } from '../support/templates/workflowCalls';

/**
 * The lengths of the lists. They show how much longer a longer list takes, in an n8n whose log has
 * the results of the shorter ones.
 */
const sizes = [1000, 2000, 4000];

/** Measures rows about the workflows for lists, compared with the node alone in the same n8n. */
export async function templateRows(): Promise<Row[]> {
	return await withCustomerWorkflows('bench-templates', {}, async (workflows) => {
		const rows: Row[] = [];
		for (const size of sizes) {
			const alone = await runNode(size, screenAndWait());
			const ourScreening = await runNode(size, callNodeFor(workflows.screening));
			expectDecisions(ourScreening.results);
			rows.push({
				name: `The workflow _Our Screening_ for ${formatCount(size)} addresses: policy, evidence and log`,
				...compareColumns(ourScreening, alone),
				meaning: 'What policy, evidence and log cost, for a list of customers.',
			});
			const night = await runNight(workflows, size);
			rows.push({
				name: `The workflow _Re-Screen Customers Every Night_ for ${formatCount(size)} customers`,
				...compareColumns(night, alone),
				meaning: `How long a night takes if the service needs only ${formatSeconds(quickJobMs, 1)} for a job.`,
			});
		}
		// *Our Screening* runs twice for each list: by itself, and for the night.
		await expectLogRows(2 * sizes.reduce((sum, size) => sum + size, 0));
		return rows;
	});
}

/** @throws unless each result of *Our Screening* has an outcome and the evidence of it */
function expectDecisions(results: readonly IDataObject[]): void {
	const decided = results.filter(({ outcome, evidence }) => outcome && evidence).length;
	if (decided !== results.length)
		throw new Error(`${results.length} results: ${decided} with an outcome and evidence`);
}

/** @throws unless the log has that many rows */
async function expectLogRows(count: number): Promise<void> {
	const { length } = await table('Screening Results').rows();
	if (length !== count) throw new Error(`${count} results: ${length} rows in the log`);
}

/** Returns the columns that compare a workflow with Screen and Wait alone. */
const compareColumns = (whole: StageTiming, alone: StageTiming) => ({
	measured: describeTiming(whole),
	against: `Screen and Wait alone: ${describeTiming(alone)}`,
	ratio: whole.ms / alone.ms,
});

/** How long the sandbox takes for each address of a job in `nightRows`, as a real service may. */
const msPerAddress = 20;

/** Measures the row about a night with a service that takes `msPerAddress` for an address. */
export async function nightRows(): Promise<Row[]> {
	const jobs = ({ addresses }: { addresses: string[] }) => ({
		durationMs: msPerAddress * addresses.length,
	});
	return await withCustomerWorkflows('bench-night', { jobs }, async (workflows) => {
		const alone = await runNode(nightSize, screenAndWait());
		const night = await runNight(workflows, nightSize);
		return [
			{
				name: `The workflow _Re-Screen Customers Every Night_ for ${formatCount(nightSize)} customers, with a service that takes ${msPerAddress} ms for each address of a job, and works on several jobs at once`,
				...compareColumns(night, alone),
				meaning: 'How long a night takes.',
			},
		];
	});
}

/** Returns the node alone. Its jobs have as many addresses as those of *Our Screening*. */
const screenAndWait = (): PlainNode => ({
	name: 'Measured',
	type: 'n8n-nodes-wallet-screening.walletScreening',
	typeVersion: 1,
	parameters: {
		resource: 'bulkJob',
		operation: 'screenAndWait',
		options: { addressesPerJob: 500 },
	},
	credentials: credentialsOf(stage.service),
});

/**
 * Runs a node for a list of `size` addresses. The time is that of the whole execution, as for a
 * night.
 */
async function runNode(
	size: number,
	node: PlainNode,
): Promise<StageTiming & { results: IDataObject[] }> {
	const items = createCustomers(size).map((json) => ({ json }));
	const workflow = {
		...workflowOf(`Bench ${size}`, startNode, node),
		pinData: { [startNode.name]: items },
	};
	const saved = await stage.n8n.saveWorkflow(workflow);
	const { execution, ...timing } = await measureRun(saved);
	const results = itemsOf(execution, node.name).map(({ json }) => json);
	expectReports(results, size);
	return { ...timing, results };
}
