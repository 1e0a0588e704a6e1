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
	/** Whether it has switched triggers on or off once it answers the request to; if not, the caller asks how that went. */
	readonly publishesAtOnce: boolean;
}

export const n8nVersions = {
	'2.41.1': {
		node: [24, 24],
		overrides: {
			linkedom: '0.18.12',
			'@langchain/langgraph-checkpoint': '1.1.5',
			'@langchain/protocol': '0.0.19',
		},
		// Of ts-ics, which the nodes that read and write CSV load.
		peers: { 'date-fns': '2.30.0' },
		publishesAtOnce: false,
	},
	'1.123.81': {
		node: [22, 24],
		overrides: {
			linkedom: '0.18.12',
			'@langchain/langgraph-checkpoint': '1.0.0',
			xlsx: 'npm:xlsx@0.18.5',
		},
		publishesAtOnce: true,
	},
} as const satisfies Record<string, N8nVersion>;

export type N8nVersionName = keyof typeof n8nVersions;

export const defaultN8nVersion: N8nVersionName = '2.41.1';

/** The version of its database that both ask for. */
export const sqlite3 = '5.1.7';

/** The Node that comes from npm where the machine's own does not suit. */
export const bundledNode = '24.21.0';
