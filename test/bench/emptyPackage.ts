import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const emptyTrigger = 'n8n-nodes-empty.emptyTrigger';

const manifest = {
	name: 'n8n-nodes-empty',
	version: '1.0.0',
	n8n: { n8nNodesApiVersion: 1, credentials: [], nodes: ['EmptyTrigger.node.js'] },
};

const node = `exports.EmptyTrigger = class {
	description = {
		displayName: 'Empty Trigger',
		name: 'emptyTrigger',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: { name: 'Empty Trigger' },
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
		return { workflowData: [[{ json: {} }]] };
	}
};
`;

/**
 * Makes a package whose one node starts its workflow with one empty item, the least that n8n runs.
 *
 * @returns its folder
 */
export async function makeEmptyPackage(folder: string): Promise<string> {
	await mkdir(folder);
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
	await writeFile(join(folder, 'EmptyTrigger.node.js'), node);
	return folder;
}
