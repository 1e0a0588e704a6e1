import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A trigger that gives an item for each result, without a look at the signature: the least that such a node does. */
const name = 'n8n-nodes-least';
export const leastTrigger = `${name}.least`;

const source = `exports.Least = class {
	description = {
		displayName: 'Least',
		name: 'least',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: { name: 'Least' },
		inputs: [],
		outputs: ['main'],
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
		return { workflowData: [this.getBodyData().results.map((json) => ({ json }))] };
	}
};
`;

/** Makes the package of that trigger in a new folder. */
export async function makeLeastPackage(folder: string): Promise<void> {
	const n8n = { n8nNodesApiVersion: 1, credentials: [], nodes: ['Least.node.js'] };
	await mkdir(folder);
	await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', n8n }));
	await writeFile(join(folder, 'Least.node.js'), source);
}
