import { greenAddresses } from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import { foundation } from '../../support/templates/foundation';
import { stage } from '../../support/templates/stage';
import { callWorkflow } from '../../support/templates/workflowCalls';
import { yearlySchedule } from '../../support/templates/schedules';

/** Four large rows fill the tables. The other rows take less than a fifth of it with `KILLS=20`. */
const maxBytes = 12_000_000;

/** An n8n with these variables keeps less in its tables than by default. */
export const smallTables = { N8N_DATA_TABLES_MAX_SIZE_BYTES: String(maxBytes) };

const journal = table('Screening Journal');

/** Calls `work` while n8n refuses to write into any table. */
async function withFullTables(work: () => Promise<void>): Promise<void> {
	const large = { reason: 'x'.repeat(maxBytes / 4) };
	await journal.insert(large, large, large, large);
	try {
		await work();
	} finally {
		await journal.clear();
	}
}

export function fullTableTests(): void {
	test('if the data tables are full, nothing is sent to the service, and nothing is billed', async () => {
		const asked = greenAddresses.slice(0, 12).map((address) => ({ address }));
		expect(await callWorkflow(foundation.screening, asked)).toHaveLength(asked.length);
		await table('Screening Customers').insert({ reference: 'C-1', address: greenAddresses[0]! });
		await stage.publishTemplate('rescreen-customers-compare');
		const nightly = await stage.importTemplate('rescreen-customers-nightly', {
			'Every Night at Two': yearlySchedule,
		});
		await withFullTables(async () => {
			stage.clear();
			for (const items of [asked, asked.slice(0, 1)])
				await expect(callWorkflow(foundation.screening, items)).rejects.toThrow(/size limit/);
			expect(await stage.runToFailure(nightly, 'Every Night at Two')).toMatch(/size limit/);
			expect(stage.sandbox.requests).toEqual([]);
		});
	});
}
