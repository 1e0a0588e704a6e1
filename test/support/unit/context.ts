import { Readable } from 'node:stream';
import {
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeParameters,
	type NodeExecutionHint,
} from 'n8n-workflow';

export interface ContextOptions {
	/** The parameter with the collection *Options*. */
	options?: unknown;
	/** The other parameters. A function returns the value for an item, or throws as n8n does. */
	parameters?: Record<string, unknown>;
	/** The JSON of each input item, or the number of empty items. */
	items?: number | IDataObject[];
	continueOnFail?: boolean;
	/** The user's choices in the node's settings. */
	settings?: Partial<INode>;
	credential?: Record<string, unknown>;
	signal?: AbortSignal;
	/** Receives the lines for n8n's log. */
	log?: string[];
	/** Receives the hints that n8n shows beside the output. */
	hints?: NodeExecutionHint[];
	/** Replaces n8n's two HTTP helpers. `withKey` is true for the one that adds the API key. */
	http?: (request: IHttpRequestOptions, withKey: boolean) => Promise<unknown>;
	/** Replaces n8n's storage of binary data. */
	store?: (data: Buffer, fileName: string) => Promise<unknown>;
}

export const node: INode = {
	id: 'node',
	name: 'Wallet Screening',
	type: 'n8n-nodes-wallet-screening.walletScreening',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Returns a response whose body is a stream, as n8n's HTTP helper does if a request asks for it. */
export function withStreamedBody(response: unknown) {
	const { body, ...others } = response as { body?: unknown };
	const isStream = typeof (body as Readable | undefined)?.pipe === 'function';
	return {
		...others,
		body: isStream ? body : Readable.from([Buffer.from((body ?? '') as string)]),
	};
}

/** Returns the parameter at a path. A dot in the path leads into a collection. */
export function parameterAt(parameters: Record<string, unknown>, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((value, name) => (value as IDataObject | undefined)?.[name], parameters);
}

let keyCount = 0;

/**
 * Creates a credential with a key of its own. Otherwise a test would wait for the pause that the
 * service ordered for the key in another one.
 */
const createCredential = () => ({
	apiKey: `sk_test_${keyCount++}`,
	baseUrl: 'https://api.example.com',
	plan: 'enterprise',
});

/** Creates the part of n8n's execution context that unit tests of `nodes/` need. */
export function createContext({
	options = {},
	parameters = {},
	items = 1,
	continueOnFail = false,
	settings = {},
	credential = createCredential(),
	signal,
	log = [],
	hints = [],
	http = async () => await Promise.reject(new Error('No request was expected')),
	store = async (data, fileName) =>
		await Promise.resolve({ data: data.toString('base64'), fileName }),
}: ContextOptions = {}): IExecuteFunctions {
	const input = typeof items === 'number' ? Array.from({ length: items }, () => ({})) : items;
	const values: Record<string, unknown> = { options, ...parameters };
	/** The parameters as a workflow has them: the expression of each function. */
	const saved = Object.fromEntries(
		Object.entries(values).map(([name, value]) => [
			name,
			typeof value === 'function' ? '={{ $json }}' : value,
		]),
	) as INodeParameters;
	return {
		getNode: () => ({ ...node, parameters: saved, ...settings }),
		logger: { info: (line: string) => log.push(line), debug: () => {}, warn: () => {} },
		getWorkflow: () => ({ id: 'workflow', name: 'Workflow', active: false }),
		getExecutionId: () => 'execution',
		getTimezone: () => 'America/New_York',
		getInputData: () => input.map((json) => ({ json })),
		getNodeParameter: (name: string, index: number, otherwise: unknown) => {
			// As in n8n, the default replaces a missing parameter, but not the null or undefined of an
			// expression.
			const found = parameterAt(values, name);
			const value = found === undefined ? otherwise : found;
			if (value === undefined) throw new Error(`Could not get parameter "${name}"`);
			return typeof value === 'function' ? (value as (item: number) => unknown)(index) : value;
		},
		getCredentials: async () => await Promise.resolve(credential),
		getExecutionCancelSignal: () => signal,
		continueOnFail: () => continueOnFail,
		addExecutionHints: (...given: NodeExecutionHint[]) => hints.push(...given),
		helpers: {
			httpRequest: async (request: IHttpRequestOptions) =>
				withStreamedBody(await http(request, false)),
			httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) =>
				withStreamedBody(await http(request, true)),
			prepareBinaryData: store,
		},
	} as unknown as IExecuteFunctions;
}
