/** What one version of n8n needs, so that npm can install it and Node can run it. */
export interface N8nVersion {
	/** Lowest and highest major version of Node that it, and the isolated-vm in it, run on. */
	readonly node: readonly [lowest: number, highest: number];
	/**
	 * Versions of packages that are installed in place of those that n8n asks for: npm's registry
	 * does not have these, or they do not fit the other packages.
	 */
	readonly overrides: Readonly<Record<string, string>>;
	/**
	 * Peer dependencies that its nodes load. They are named here, because n8n is installed without
	 * peer dependencies.
	 */
	readonly peers?: Readonly<Record<string, string>>;
}

/** The versions that the tests run. */
export const n8nVersions: Readonly<Record<string, N8nVersion>> = {
	'2.41.1': {
		node: [24, 24],
		overrides: {
			linkedom: '0.18.12',
			'@langchain/langgraph-checkpoint': '1.1.5',
			'@langchain/protocol': '0.0.19',
		},
		// The nodes that read and write CSV load ts-ics, which needs it.
		peers: { 'date-fns': '2.30.0' },
	},
};

export const defaultN8nVersion = '2.41.1';

/**
 * What a version needs. A version of n8n 2 that is not listed most likely needs what the default
 * version needs.
 */
export function needsOf(version: string): N8nVersion {
	if (!version.startsWith('2.')) throw new Error(`'${version}' is not a version of n8n 2.`);
	return n8nVersions[version] ?? n8nVersions[defaultN8nVersion]!;
}

/** The version of its database driver that n8n asks for. */
export const sqlite3 = '5.1.7';

/** The Node.js that is installed from npm if n8n does not run on this machine's own. */
export const bundledNode = '24.21.0';
