import type { IDataObject } from 'n8n-workflow';
import { itemsOf, type Saved, type Workflow } from '../../../host/instance';
import template from '../../../templates/watch-an-address.json';
import { startExplorers } from '../../support/explorers';
import { type DataTable, dataTable, type TableName } from './dataTable';
import type { Changes, Stage } from './stage';

interface Watched extends IDataObject {
	id: number;
	wallet: string;
	network: string;
	since: number | null;
	position: number | null;
	message: string | null;
}

export function watchTests(stageOf: () => Stage): void {
	let stage: Stage;
	let net: Awaited<ReturnType<typeof startExplorers>>;
	let workflow: Saved<Workflow>;
	let addresses: DataTable;
	let payments: DataTable;

	beforeAll(async () => {
		stage = stageOf();
		net = await startExplorers();
		const key = await stage.n8n.saveCredential({
			name: 'Etherscan',
			type: 'httpQueryAuth',
			data: { name: 'apikey', value: net.explorers.etherscanKey },
		});
		const settings = template.nodes.find(({ name }) => name === 'Settings')!.parameters as any;
		const given: Record<string, unknown> = {
			bitcoin_explorer: net.esplora,
			ethereum_explorer: net.etherscan,
			tron_explorer: net.tronGrid,
		};
		const assignments = settings.assignments.assignments.map((one: any) => ({
			...one,
			value: given[one.name] ?? one.value,
		}));
		const credentials = { httpQueryAuth: { id: key.id, name: key.name } };
		const changes: Changes = {
			Settings: { parameters: { assignments: { assignments } } },
			'Newest Ethereum Block': { credentials },
			'Ethereum Transactions': { credentials },
		};
		workflow = await stage.importTemplate(template, changes);
	});
	afterAll(async () => await net?.close());

	const run = async () => await stage.runFrom(workflow, 'Every Ten Minutes');

	test('tables', async () => {
		const run = await stage.runFrom(workflow, 'Click Here Once to Make the Tables');
		expect(run.status).toBe('success');
		const tableOf = (node: string) =>
			dataTable(stage.rest, itemsOf(run, node)[0]?.json as unknown as TableName);
		addresses = tableOf('Make the Table of Addresses');
		payments = tableOf('Make the Table of Payments');
		console.log(await addresses.rows());
	});
	test('first', async () => {
		net.explorers.bitcoin.tip = 57_050;
		const done = await run();
		console.log(done.status, done.data.resultData.error, await addresses.rows(), stage.slack.messages);
		console.log(Object.keys(done.data.resultData.runData), net.explorers.requests.map(String));
		net.explorers.fault = () => ({ status: 429, body: 'Too many', type: 'text/plain' });
		const again = await run();
		console.log(again.status, JSON.stringify(itemsOf(again, 'Newest Bitcoin Block')), JSON.stringify(itemsOf(again, 'Bitcoin Transactions')), again.data.resultData.error, await addresses.rows());
		net.explorers.fault = () => ({ status: 200, body: '<html>', type: 'text/html' });
		const html = await run();
		console.log(html.status, JSON.stringify(itemsOf(html, 'Newest Bitcoin Block')), JSON.stringify(itemsOf(html, 'Bitcoin Transactions')), html.data.resultData.error, await addresses.rows());
		net.explorers.fault = () => 'reset';
		const reset = await run();
		console.log(reset.status, JSON.stringify(itemsOf(reset, 'Newest Bitcoin Block')), JSON.stringify(itemsOf(reset, 'Bitcoin Transactions')), reset.data.resultData.error, await addresses.rows());
		console.log(JSON.stringify(reset.data.resultData.runData['Read Esplora']?.[0]?.data));
		void payments;
	});
}
