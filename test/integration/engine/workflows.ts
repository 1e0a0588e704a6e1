import type { INode, INodeParameters } from 'n8n-workflow';

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
