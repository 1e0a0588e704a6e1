import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { createEngine, type Engine } from '../host/engine';
import type { Credential } from '../host/workflow';
import { bulkWorkflow, screenNode } from './bulk';
import { failIf, type Place } from './place';
import { customers, type Nights, nightNodes } from './nights';
import { nodes, wallets } from './screenings';
import workflow from './workflow.json';

const scoreOf = ({ json }: INodeExecutionData) => (json.risk as { score: number }).score;

/** n8n's engine in this process, in which this package's nodes run; n8n's own nodes are not there. */
export async function openEngine(
	credential: Credential,
): Promise<Place & Nights & { close(): Promise<void> }> {
	const { name, type, data } = credential;
	const engine = await createEngine({ credentials: { [name]: { type, data } } });
	const run = (node: INode, input: IDataObject[]) =>
		outputOf(engine, { ...node, credentials: { [type]: { id: name, name } } }, input);

	return {
		screenList: async () => {
			const reports = await run(
				nodeOf(workflow, nodes.screen),
				wallets.map((wallet) => ({ ...wallet })),
			);
			const [riskiest] = [...reports].sort((a, b) => scoreOf(b) - scoreOf(a));
			if (!riskiest) throw new Error('No report came.');
			const [download] = await run(nodeOf(workflow, nodes.download), [riskiest.json]);
			const property = download?.binary?.data;
			if (!property) throw new Error('No PDF came.');
			const bytes = await engine.bytes(property);
			return { reports, riskiest, pdf: { fileName: property.fileName ?? 'report.pdf', bytes } };
		},
		screenInBulk: () => run(nodeOf(bulkWorkflow, screenNode), [{}]),
		compareNights: async (nextDay) => {
			const before = await run(nightNodes.screen, [...customers]);
			nextDay();
			const after = await run(nightNodes.screen, [...customers]);
			const paired = after.map(({ json }, index) => ({ ...json, previous: before[index]?.json }));
			return await run(nightNodes.compare, paired);
		},
		close: engine.close,
	};
}

function nodeOf(of: { nodes: unknown[] }, name: string): INode {
	return (of.nodes as INode[]).find((node) => node.name === name) as INode;
}

/** What a node makes of items that a manual trigger hands to it. */
async function outputOf(
	engine: Engine,
	node: INode,
	input: IDataObject[],
): Promise<INodeExecutionData[]> {
	const start: INode = {
		id: 'start',
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const { error, itemsOf } = await engine.run(
		{
			nodes: [start, node],
			connections: { [start.name]: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		},
		{ input: input.map((json) => ({ json })) as INodeExecutionData[] },
	);
	failIf(error);
	return itemsOf(node.name)[0] ?? [];
}
