import type { IDataObject } from 'n8n-workflow';
import type { PlanJob } from '../../sandbox/bulk';
import type { Saved, Workflow } from '../../tools/host/workflow';
import type { ClusterOptions } from '../../tools/host/queue/cluster';
import { numberedAddress } from '../support/data/addresses';
import { table } from '../support/templates/dataTable';
import { publishOurScreening } from '../support/templates/foundation';
import { openStage, stage } from '../support/templates/stage';
import { measureRun, type StageTiming } from './stageTiming';
import { yearlySchedule } from '../support/templates/schedules';

/** The workflows of a team that screens its customers. */
export interface CustomerWorkflows {
	/** *Our Screening*, published. It opens no cases. */
	screening: Saved<Workflow>;
	/** *Re-Screen Customers Every Night*, imported. */
	nightly: Saved<Workflow>;
}

/** What differs between the stages of the bench. */
interface StageSettings {
	/** Variables of n8n. */
	environment?: Record<string, string>;
	/** If it is given, n8n runs in queue mode. */
	cluster?: ClusterOptions;
	/** How long each bulk job takes; otherwise all take `quickJobMs`. */
	jobs?: PlanJob;
}

/**
 * Opens a stage with these workflows for `work`, and closes it afterwards.
 *
 * @param name the name of n8n's folder
 */
export async function withCustomerWorkflows<T>(
	name: string,
	{ environment, ...others }: StageSettings,
	work: (workflows: CustomerWorkflows) => Promise<T>,
): Promise<T> {
	await openStage(name, environment, others);
	try {
		const { screening } = await publishOurScreening();
		await stage.publishTemplate('rescreen-customers-compare');
		const nightly = await stage.importTemplate('rescreen-customers-nightly', {
			'Every Night at Two': yearlySchedule,
		});
		return await work({ screening, nightly });
	} finally {
		await stage.close();
	}
}

/** How many customers a large team screens in one night. */
export const nightSize = 5000;

/** Returns the rows of `count` customers, each with its own address. */
export const createCustomers = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		address: numberedAddress(index),
		reference: `C-${index}`,
	}));

/**
 * Runs the first night, with `size` new customers.
 *
 * @throws unless each has a row. A new customer without a report gets none, so a row proves a
 * report.
 */
export async function runNight({ nightly }: CustomerWorkflows, size: number): Promise<StageTiming> {
	const customers = table('Screening Customers');
	await customers.clear();
	await customers.insert(...createCustomers(size));
	const { ms, pauseMs } = await measureRun(nightly, 'Every Night at Two');
	const ids = (await customers.rows()).map(({ id }) => Number(id));
	const results = table('Screening Customer Results');
	const customerIds = (await results.rows()).map(({ customer_id }) => Number(customer_id));
	const withResult = new Set(customerIds);
	const found = ids.filter((id) => withResult.has(id)).length;
	if (found !== size) throw new Error(`${size} customers: ${found} results`);
	// n8n gives the next customers the same IDs, so these results would count as theirs.
	await results.clear();
	return { ms, pauseMs };
}

/** @throws unless there are `count` results, each with a report on a different address */
export function expectReports(results: readonly IDataObject[], count: number): void {
	const addresses = results.filter(({ report }) => report).map(({ address }) => address);
	const distinct = new Set(addresses).size;
	if (results.length !== count || distinct !== count) {
		throw new Error(
			`${count} addresses: ${results.length} results, with reports on ${distinct} addresses`,
		);
	}
}
