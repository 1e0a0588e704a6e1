import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A trigger node that is the only one of its package. */
export interface TriggerNode {
	/** Of the class and the node, e.g. `Empty`. */
	name: string;
	/** The body of `webhook()`. */
	webhook: string;
}

/** Starts its workflow with one empty item, the least that n8n runs. */
export const emptyTrigger: TriggerNode = {
	name: 'Empty',
	webhook: 'return { workflowData: [[{ json: {} }]] };',
};

/** Gives an item for each result, without a look at the signature. */
export const sameTrigger: TriggerNode = {
	name: 'Same',
	webhook: 'return { workflowData: [this.getBodyData().results.map((json) => ({ json }))] };',
};

/** Does what no trigger with a secret and several items can do without. */
export const leastTrigger: TriggerNode = {
	name: 'Least',
	webhook: `await this.getCredentials('walletScreeningApi');
		return { workflowData: [this.getBodyData().results.map((json) => ({ json }))] };`,
};

const packageOf = ({ name }: TriggerNode) => `n8n-nodes-${name.toLowerCase()}`;

/** The name of the node in workflows. */
export function typeOf(node: TriggerNode): string {
	return `${packageOf(node)}.${node.name.toLowerCase()}`;
}

/** Makes the package of a node in a new folder. */
export async function makePackage(folder: string, node: TriggerNode): Promise<void> {
	const file = `${node.name}.node.js`;
	const n8n = { n8nNodesApiVersion: 1, credentials: [], nodes: [file] };
	await mkdir(folder);
	await writeFile(
		join(folder, 'package.json'),
		JSON.stringify({ name: packageOf(node), version: '1.0.0', n8n }),
	);
	await writeFile(join(folder, file), sourceOf(node));
}

function sourceOf({ name, webhook }: TriggerNode): string {
	return `exports.${name} = class {
	description = {
		displayName: '${name}',
		name: '${name.toLowerCase()}',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: { name: '${name}' },
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'walletScreeningApi' }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: 'accepted',
				path: 'webhook',
			},
		],
		properties: [],
	};

	async webhook() {
		${webhook}
	}
};
`;
}
