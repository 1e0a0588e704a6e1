import type { INode } from 'n8n-workflow';
import type { Credential, N8n, Saved, Workflow } from '../../tools/host/instance';
import type { HostProcess } from '../../tools/host/process';
import { addressNumber } from './addresses';
import { screenEach, screening, workflowOf } from './workflows';

/** Name of the node that an execution of {@link deliveredListWorkflow} starts at. */
export const deliveryNode = 'Webhook';

/** A workflow that screens the list of addresses that is posted to it, an item for each. */
export function deliveredListWorkflow(
	credential: Saved<Credential>,
	path: string,
	parameters: INode['parameters'] = {},
): Workflow {
	return workflowOf(
		'Screen a Delivered List',
		{
			name: deliveryNode,
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
		screening(credential, {
			...screenEach,
			...parameters,
		}),
	);
}

/** Posts a list of addresses to {@link deliveredListWorkflow}. */
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

/** Lists of so many addresses each, no two equal. */
export function listsOfAddresses(count: number, length: number): string[][] {
	return Array.from({ length: count }, (_, list) =>
		Array.from({ length }, (_each, place) => addressNumber(list * length + place)),
	);
}

/** The ids of the executions that a worker has begun, as it says in its log. */
export async function begunBy(worker: HostProcess): Promise<string[]> {
	const lines = (await worker.log()).matchAll(/Worker started execution (\d+)/g);
	return [...lines].map(([, id]) => id!);
}
