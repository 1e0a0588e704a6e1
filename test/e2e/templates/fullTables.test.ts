import { greenAddresses } from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import { callWorkflow, foundation, setUp } from '../../support/templates/foundation';
import { yearlySchedule, stage } from '../../support/templates/stage';

/** The tables of *Set Up*, empty, have room in it. */
const maxBytes = 2_000_000;

beforeAll(
	async () =>
		await setUp('e2e-templates-full', { N8N_DATA_TABLES_MAX_SIZE_BYTES: String(maxBytes) }),
);
afterAll(async () => await stage?.close());

test('if the data tables are full, nothing is sent to the service, and nothing is billed', async () => {
	const asked = greenAddresses.slice(0, 12).map((address) => ({ address }));
	expect(await callWorkflow(foundation.screening, asked)).toHaveLength(asked.length);
	const [customers, journal] = [table('Screening Customers'), table('Screening Journal')];
	await customers.insert({ reference: 'C-1', address: greenAddresses[0]! });
	await stage.publishTemplate('rescreen-customers-compare');
	const nightly = await stage.importTemplate('rescreen-customers-nightly', {
		'Every Night at Two': yearlySchedule,
	});
	const large = { reason: 'x'.repeat(maxBytes / 4) };
	await journal.insert(large, large, large, large);
	stage.clear();
	for (const items of [asked, asked.slice(0, 1)])
		await expect(callWorkflow(foundation.screening, items)).rejects.toThrow(/size limit/);
	expect(await stage.runToFailure(nightly, 'Every Night at Two')).toMatch(/size limit/);
	expect(stage.sandbox.requests).toEqual([]);
});
