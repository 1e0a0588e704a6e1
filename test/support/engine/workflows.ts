import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowJson } from '../../../tools/host/engine/engine';
import { connectInRow, screenEach, screeningNode, startNode } from '../n8n/workflows';

/** The name of the credential in the workflows that are built here. */
export const CREDENTIAL = 'Wallet Screening API';

/** The settings of On Error with which an item may fail while the others go on. */
export const CONTINUE = 'continueRegularOutput';
export const ERROR_OUTPUT = 'continueErrorOutput';

/** Returns an input item for each address. */
export const itemsFor = (addresses: unknown[]) =>
	addresses.map((address) => ({ address }) as IDataObject);

/** Parameters of operations. They read the fields that the input items of these tests have. */
export const SCREEN: INodeParameters = screenEach;
export const SUBMIT: INodeParameters = { resource: 'bulkJob', operation: 'submit' };
export const SCREEN_AND_WAIT: INodeParameters = {
	resource: 'bulkJob',
	operation: 'screenAndWait',
	options: { pollInterval: 0.01 },
};
export const GET_JOB: INodeParameters = {
	resource: 'bulkJob',
	operation: 'get',
	jobId: '={{ $json.job_id }}',
};
export const GET_REPORT: INodeParameters = {
	resource: 'report',
	operation: 'get',
	reportId: '={{ $json.report.report_id }}',
};
export const VERIFY: INodeParameters = { resource: 'decision', operation: 'verify' };

export interface ScreeningOptions {
	onError?: INode['onError'];
	/** n8n's own repetition of the whole node, without a pause. */
	retryOnFail?: boolean;
	/** The name of the credential; `null` for none. */
	credential?: string | null | undefined;
	/** An expression that a node behind the screening resolves for each item of its first output. */
	behind?: string;
}

/**
 * Returns a workflow for the engine: a start node, Wallet Screening and, if `behind` is given, a
 * node that follows it.
 */
export function engineWorkflow(
	parameters: INodeParameters,
	{ onError, retryOnFail, credential = CREDENTIAL, behind }: ScreeningOptions = {},
): WorkflowJson {
	const name = String(credential);
	const saved = { id: name, name, type: 'walletScreeningApi', data: {} };
	const more = {
		...(onError && { onError }),
		...(retryOnFail && { retryOnFail, waitBetweenTries: 1 }),
		...(credential === null && { credentials: {} }),
	};
	const last = { name: 'Behind', type: 'test.expression', parameters: { value: behind } };
	return connectInRow(
		startNode,
		screeningNode(saved, parameters, more),
		...(behind === undefined ? [] : [last]),
	);
}
