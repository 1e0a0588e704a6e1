import type { IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';

export interface ContextOptions {
	/** The collection "Options". */
	options?: unknown;
	items?: number;
	continueOnFail?: boolean;
	credential?: Record<string, unknown>;
	signal?: AbortSignal;
	/** Stands for n8n's HTTP helper; `withKey` tells which of the two was called. */
	http?: (request: IHttpRequestOptions, withKey: boolean) => Promise<unknown>;
}

export const node: INode = {
	id: 'node',
	name: 'Wallet Screening',
	type: 'n8n-nodes-wallet-screening.walletScreening',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** As much of what n8n gives a node as the plain parts of `items` ask for. */
export function createContext({
	options = {},
	items = 1,
	continueOnFail = false,
	credential = { apiKey: 'sk_test', baseUrl: 'https://api.example.com', plan: 'pro' },
	signal,
	http = async () => await Promise.reject(new Error('No request was expected')),
}: ContextOptions = {}): IExecuteFunctions {
	return {
		getNode: () => node,
		getInputData: () => Array.from({ length: items }, () => ({ json: {} })),
		getNodeParameter: (name: string, _index: number, otherwise: unknown) =>
			name === 'options' ? options : otherwise,
		getCredentials: async () => await Promise.resolve(credential),
		getExecutionCancelSignal: () => signal,
		continueOnFail: () => continueOnFail,
		helpers: {
			httpRequest: async (request: IHttpRequestOptions) => await http(request, false),
			httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) =>
				await http(request, true),
		},
	} as unknown as IExecuteFunctions;
}
