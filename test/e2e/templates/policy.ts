import type { IDataObject } from 'n8n-workflow';
import { itemsOf } from '../../../host/instance';
import { reportOn } from '../../../sandbox/reports';
import nightly from '../../../templates/rescreen-customers-nightly.json';
import template from '../../../templates/try-a-policy.json';
import { greenAddresses, sanctionedAddress } from './addresses';
import { dataTable, makeTables } from './dataTable';
import type { Stage } from './stage';

/** The workflow that shows which decisions a new policy would change. */
export function policyTests(stageOf: () => Stage): void {
	const reportWith = (address: string, mixer: number) => {
		const report = reportOn(address, undefined, 'https://x.example');
		const categories = { ...report.risk.categories, mixer };
		return { ...report, risk: { ...report.risk, categories } };
	};
	const [calm, mixed, old] = greenAddresses as [string, string, string];

	test('shows the decisions that would change, and the rows that cannot be read', async () => {
		const stage = stageOf();
		const tables = await stage.importTemplate(nightly);
		const made = await makeTables(stage, tables);
		const history = dataTable(stage.rest, made('Make the Table of the History'));
		await history.clear();
		const row = (report: object | string, daysAgo = 1): IDataObject => ({
			screened_at: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
			report: typeof report === 'string' ? report : JSON.stringify(report),
		});
		await history.insert(
			row(reportWith(calm, 0.1)),
			row(reportWith(mixed, 0.4)),
			row(reportWith(sanctionedAddress, 0.9)),
			row('no report'),
			row(reportWith(old, 0.9), 31),
		);

		const workflow = await stage.importTemplate(template);
		const run = await stage.runFrom(workflow, 'When You Execute the Workflow');
		expect(run.status).toBe('success');
		expect(
			itemsOf(run, 'Different or Failed').map(({ json }) => json.decision ?? json.error),
		).toEqual([
			expect.objectContaining({ outcome: 'block' }),
			expect.stringContaining('no report'),
		]);
		const counted = itemsOf(run, 'How Many Would Change').map(({ json }) => json);
		expect(counted).toContainEqual({
			...{ today_outcome: 'allow', decision_outcome: 'block', count_decision_outcome: 1 },
		});
		const [digest] = itemsOf(run, 'List the Differences');
		expect(digest?.json).toMatchObject({ total: 2, counts: { block: 1, failed: 1 } });
		expect(JSON.stringify(digest?.json.alert)).toContain(mixed);
		expect(stage.sandbox.requests).toEqual([]);
	});
}
