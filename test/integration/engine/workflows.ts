import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { WorkflowJson } from '../../../tools/host/engine';
import { inARow, screening, screeningNode, start } from '../../support/workflows';

/** Names in the workflows that are built here. */
export const SCREENING = screeningNode;
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
	const saved = { id: credential, name: credential, type: 'walletScreeningApi', data: {} };
	const last = { name: 'Behind', type: 'test.expression', parameters: { value: behind } };
	return inARow(
		start,
		screening(saved, parameters, onError && { onError }),
		...(behind === undefined ? [] : [last]),
	);
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
