/** What one version of n8n needs, so that npm can install it and Node can run it. */
export interface N8nVersion {
	/** Lowest and highest major version of Node that it, and the isolated-vm in it, run on. */
	readonly node: readonly [lowest: number, highest: number];
	/**
	 * Versions for packages of which n8n's ranges ask for one that the npm registry does not have, or
	 * allow one that does not go with the rest.
	 */
	readonly overrides: Readonly<Record<string, string>>;
	/** Peer dependencies that its nodes load, and that an install without peer dependencies leaves out. */
	readonly peers?: Readonly<Record<string, string>>;
}

/** Those that all tests know. */
export const n8nVersions: Readonly<Record<string, N8nVersion>> = {
	'2.41.1': {
		node: [24, 24],
		overrides: {
			linkedom: '0.18.12',
			'@langchain/langgraph-checkpoint': '1.1.5',
			'@langchain/protocol': '0.0.19',
		},
		// Of ts-ics, which the nodes that read and write CSV load.
		peers: { 'date-fns': '2.30.0' },
	},
	'1.123.81': {
		node: [22, 24],
		overrides: {
			linkedom: '0.18.12',
			'@langchain/langgraph-checkpoint': '1.0.0',
			xlsx: 'npm:xlsx@0.18.5',
		},
	},
};

export const defaultN8nVersion = '2.41.1';

/** What a version needs; of one that is not listed, most likely what that of the same major version needs. */
export function needsOf(version: string): N8nVersion {
	const listed = n8nVersions[version];
	if (listed) return listed;
	const majorOf = (name: string) => name.split('.')[0];
	const similar = Object.keys(n8nVersions).find((name) => majorOf(name) === majorOf(version));
	if (similar === undefined) throw new Error(`'${version}' is no version of n8n 1 or 2.`);
	const all = Object.values(n8nVersions).map(({ overrides }) => overrides);
	const needs = n8nVersions[similar]!;
	return { ...needs, overrides: Object.assign({}, ...all, needs.overrides) };
}

/** The version of its database that both ask for. */
export const sqlite3 = '5.1.7';

/** The Node that comes from npm where the machine's own does not suit. */
export const bundledNode = '24.21.0';
