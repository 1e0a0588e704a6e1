import { itemsOf } from '../../../host/instance';
import { reportOn } from '../../../sandbox/reports';
import template from '../../../templates/bulk-screen-a-list.json';
import type { Stage } from './stage';

const groups = ['No Action Needed', 'Review These Customers', 'Could Not Be Screened'];

interface Customer {
	name: string;
	wallet: string;
}

/** The workflow that sorts a list of customers into three groups. */
export function listTests(stageOf: () => Stage): void {
	let stage: Stage;
	beforeAll(() => {
		stage = stageOf();
	});

	const { parameters } = template.nodes.find(({ name }) => name === 'Customers to Screen')!;
	const { customers } = JSON.parse(String(parameters.jsonOutput)) as { customers: Customer[] };
	/** The names of the customers in each group. */
	const run = async () => {
		const workflow = await stage.importTemplate(template);
		const execution = await stage.runFrom(workflow, 'When You Execute the Workflow');
		expect(execution.status).toBe('success');
		const items = groups.map((group) => itemsOf(execution, group));
		return {
			items,
			names: items.map((some) => some.map(({ json }) => String(json.name))),
		};
	};

	test('puts every customer into one group, with the fields of the customer beside the report', async () => {
		const { items, names } = await run();
		expect(names).toEqual([
			customers.map(({ name }) => name).filter((name) => !/Sanctioned|Slip/.test(name)),
			['Ronin Bridge Thief (Sanctioned)', 'SamSam Ransomware (Sanctioned)'],
			['Typing Slip'],
		]);
		const { name, wallet } = customers[2]!;
		const { risk, report_url } = reportOn(wallet, undefined, stage.sandbox.baseUrl);
		expect(items[1]?.[0]?.json).toMatchObject({
			...{ name, wallet, address: wallet, report_url, risk_level: 'red' },
			...{ risk_score: risk.score, decision: { outcome: 'block' } },
		});
		expect(items[2]?.[0]?.json).toMatchObject({
			error: expect.stringMatching(/space/),
			details: { errorClass: 'invalid_input', description: expect.stringMatching(/\w/) },
		});
	});

	test.each([401, 500])('if the service answers %i, nobody is in another group', async (status) => {
		stage.sandbox.addFault({ effect: { kind: 'answer', status } });
		const { names } = await run();
		expect(names).toEqual([[], [], customers.map(({ name }) => name)]);
	});
}
