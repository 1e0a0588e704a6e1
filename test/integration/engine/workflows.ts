import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { WorkflowJson } from '../../../host/engine';

/** Names in the workflows that are built here. */
export const START = 'Start';
export const SCREENING = 'Wallet Screening';
export const CREDENTIAL = 'Wallet Screening API';

export interface ScreeningOptions {
	onError?: INode['onError'];
	credential?: string;
	/** An expression that a node behind the screening resolves for each item of its first output. */
	behind?: string;
}

/** A workflow of a start node and Wallet Screening, and a node behind it where one is asked for. */
export function screeningWorkflow(
	parameters: INodeParameters,
	{ onError, credential = CREDENTIAL, behind }: ScreeningOptions = {},
): WorkflowJson {
	const nodes: INode[] = [
		node(START, 'n8n-nodes-base.manualTrigger', {}),
		{
			...node(SCREENING, 'n8n-nodes-wallet-screening.walletScreening', parameters),
			credentials: { walletScreeningApi: { id: credential, name: credential } },
			...(onError && { onError }),
		},
	];
	if (behind !== undefined) nodes.push(node('Behind', 'test.expression', { value: behind }));
	return { nodes, connections: chain(nodes) };
}

/** A workflow file with what it must give; `{base_url}` in it stands for the service's address. */
export interface WorkflowCase extends WorkflowJson {
	name: string;
	/** For each node named, the items of each of its outputs. */
	expected: Record<string, Array<Array<Partial<INodeExecutionData>>>>;
	/** What the service is asked, in this order, e.g. `POST /v1/screen`. */
	requests: string[];
}

const folder = join(__dirname, '../workflows');

export const workflowFiles = readdirSync(folder).filter((file) => file.endsWith('.json'));

export function readWorkflowCase(file: string, baseUrl: string): WorkflowCase {
	const text = readFileSync(join(folder, file), 'utf8').replaceAll('{base_url}', baseUrl);
	return JSON.parse(text) as WorkflowCase;
}

function node(name: string, type: string, parameters: INodeParameters): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}

function chain(nodes: INode[]): WorkflowJson['connections'] {
	const links = nodes.slice(1).map(({ name }, index) => {
		const main = [[{ node: name, type: 'main' as const, index: 0 }]];
		return [nodes[index]!.name, { main }] as const;
	});
	return Object.fromEntries(links);
}
