import { join } from 'node:path';
import { installN8n } from '../../../tools/host/install';
import { defaultN8nVersion } from '../../../tools/host/versions';
import type { NodeTypeTable } from '../../../tools/host/engine/nodeTypes';

/** An entry in the list of n8n's own nodes. */
interface KnownNode {
	className: string;
	sourcePath: string;
}

/**
 * Loads n8n's own nodes with these names from the n8n that is installed for tests, because this
 * project does not depend on their package.
 */
export async function loadNodesOfN8n(...names: string[]): Promise<NodeTypeTable> {
	const { folder } = await installN8n(defaultN8nVersion);
	const base = join(folder, 'node_modules/n8n-nodes-base');
	const known = require(join(base, 'dist/known/nodes.json')) as Record<string, KnownNode>;
	const load = (name: string) => {
		const { className, sourcePath } = known[name]!;
		const types = require(join(base, sourcePath)) as Record<
			string,
			new () => NodeTypeTable[string]
		>;
		return new types[className]!();
	};
	return Object.fromEntries(names.map((name) => [`n8n-nodes-base.${name}`, load(name)]));
}
