import type { INode } from 'n8n-workflow';
import type { N8n } from '../../../tools/host/instance';
import type { Credential, Saved, Workflow } from '../../../tools/host/workflow';
import type { HostProcess } from '../../../tools/host/process';
import { numberedAddress } from '../data/addresses';
import { screenEach, screeningNode, workflowOf } from './workflows';

/** The name of the node with which an execution of {@link deliveredListWorkflow} starts. */
export const deliveryNodeName = 'Webhook';

/**
 * Returns a workflow that screens the list of addresses posted to its webhook, with an item for
 * each address.
 */
export function deliveredListWorkflow(
	credential: Saved<Credential>,
	path: string,
	parameters: INode['parameters'] = {},
): Workflow {
	return workflowOf(
		'Screen a Delivered List',
		{
			name: deliveryNodeName,
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path,
			parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
		},
		{
			name: 'Split Out',
			type: 'n8n-nodes-base.splitOut',
			parameters: {
				fieldToSplitOut: 'body.addresses',
				options: { destinationFieldName: 'address' },
			},
		},
		screeningNode(credential, { ...screenEach, ...parameters }),
	);
}

/** Posts a list of addresses to a {@link deliveredListWorkflow}. */
export async function deliverList(
	{ url }: Pick<N8n, 'url'>,
	path: string,
	addresses: readonly string[],
): Promise<void> {
	const answer = await fetch(`${url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ addresses }),
	});
	if (!answer.ok) throw new Error(`The list was answered ${answer.status}: ${await answer.text()}`);
}

/** Returns `count` lists of `length` addresses each. No two addresses are equal. */
export function listsOfAddresses(count: number, length: number): string[][] {
	return Array.from({ length: count }, (_, list) =>
		Array.from({ length }, (_each, place) => numberedAddress(list * length + place)),
	);
}

/** Reads from the log of a worker the IDs of the executions that it has started. */
export async function readStartedExecutions(worker: HostProcess): Promise<string[]> {
	const lines = (await worker.log()).matchAll(/Worker started execution (\d+)/g);
	return [...lines].map(([, id]) => id!);
}
