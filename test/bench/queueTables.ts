import { stage, untilQuiet } from '../support/templates/stage';
import {
	type CustomerWorkflows,
	nightSize,
	runNight,
	withCustomerWorkflows,
} from './customersStage';
import { formatCount, type Row } from './row';
import { describeTiming } from './stageTiming';
import { payoutRow, policyRow } from './waits';
import { logInOwner } from '../support/templates/people';

/**
 * Measures rows about n8n in queue mode with PostgreSQL. As n8n is set up by default, it decides when
 * a worker counts as dead.
 */
export async function queueTableRows(): Promise<Row[]> {
	const environment = { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' };
	const cluster = { workers: 2, concurrency: 5 };
	return await withCustomerWorkflows(
		'bench-queue-tables',
		{ environment, cluster },
		async (workflows) => {
			const person = await logInOwner();
			const rows = [
				await nightRow(workflows),
				await policyRow(person, nightSize),
				await payoutRow(person),
			];
			await untilQuiet();
			const executions = await stage.n8n.executionsOf();
			const failed = executions.filter(({ status }) => !['success', 'waiting'].includes(status));
			if (failed.length > 0) throw new Error(`Executions ended badly: ${JSON.stringify(failed)}`);
			const ending = `all ${executions.length} executions that n8n kept ended well or wait`;
			return rows.map((row) => ({ ...row, measured: `${row.measured}; ${ending}` }));
		},
	);
}

/** Measures the night alone, without the time of storing its customers. */
async function nightRow(workflows: CustomerWorkflows): Promise<Row> {
	return {
		name: `The night of ${formatCount(nightSize)} customers`,
		measured: describeTiming(await runNight(workflows, nightSize)),
		against: '',
		ratio: undefined,
		meaning: 'The first night, in which all customers are new.',
	};
}
