import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { type Report, reportOn } from '../../../sandbox/reports';
import {
	type RequestRecord,
	type Sandbox,
	type SandboxOptions,
	startSandbox,
} from '../../../sandbox/server';
import {
	createEngine,
	type Engine,
	type RunOptions,
	type RunResult,
} from '../../../tools/host/engine/engine';
import { itemOf } from '../data/items';
import { expressionNode } from './expressionNode';
import { CREDENTIAL, type ScreeningOptions, engineWorkflow } from './workflows';

/** The name of a credential whose service is not running. It is beside `CREDENTIAL` in each engine. */
export const UNREACHABLE = 'Unreachable Service';

interface ServiceOptions {
	/** Changes to the sandbox, which by default has no rate limit, and completes jobs at once. */
	sandbox?: SandboxOptions;
	/** More credentials by their names. Each has only the fields in which it differs from `CREDENTIAL`. */
	credentials?: (baseUrl: string) => Record<string, ICredentialDataDecryptedObject>;
}

/** A sandbox, and an engine with credentials for it. */
export interface Service {
	sandbox: Sandbox;
	engine: Engine;
	/**
	 * Runs one Wallet Screening node with these parameters, and expects that its result contains no
	 * secret. `json` is the JSON of the items of the first output.
	 */
	run(
		parameters: INodeParameters,
		options?: RunOptions & ScreeningOptions,
	): Promise<RunResult & { json: any[] }>;
	/** Lists the requests since the last `reset()`, each as e.g. `POST /v1/screen`. */
	requestLines(): string[];
	/** Lists the POST requests since the last `reset()`. */
	postRequests(): RequestRecord[];
	reportOf(address: string, chain?: string): Report;
	/** Returns the item of that report, without a decision. */
	itemOf(address: string, chain?: string): IDataObject;
	/** Removes all faults and all records of requests. */
	reset(): void;
	close(): Promise<void>;
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
	const sandbox = await startSandbox({ limit: null, jobDurationMs: 0, ...options.sandbox });
	const usual = { apiKey: sandbox.keys.readWrite, baseUrl: sandbox.baseUrl, plan: 'enterprise' };
	const changes: Record<string, ICredentialDataDecryptedObject> = {
		[CREDENTIAL]: {},
		[UNREACHABLE]: { baseUrl: 'http://127.0.0.1:9' },
		...options.credentials?.(sandbox.baseUrl),
	};
	const credentials = Object.entries(changes).map(([name, change]) => ({
		name,
		type: 'walletScreeningApi',
		data: { ...usual, ...change },
	}));
	const engine = await createEngine({
		credentials,
		nodeTypes: { 'test.expression': expressionNode },
	});
	return {
		sandbox,
		engine,
		async run(parameters, runOptions = {}) {
			const result = await engine.run(engineWorkflow(parameters, runOptions), runOptions);
			expect(engine.leaks(result)).toEqual([]);
			return { ...result, json: (result.items[0] ?? []).map(({ json }) => json) };
		},
		requestLines: () => sandbox.requests.map(({ method, path }) => `${method} ${path}`),
		postRequests: () => sandbox.requests.filter(({ method }) => method === 'POST'),
		reportOf: (address, chain) => reportOn(address, chain, sandbox.baseUrl),
		itemOf: (address, chain) => itemOf(reportOn(address, chain, sandbox.baseUrl)),
		reset() {
			sandbox.clearFaults();
			sandbox.requests.length = 0;
		},
		async close() {
			await engine.close();
			await sandbox.close();
		},
	};
}

/**
 * Starts a service for the tests of a file or group. Before each test, faults and requests of the
 * earlier ones are cleared.
 */
export function useService(options: ServiceOptions = {}): Service {
	const service = {} as Service;
	beforeAll(async () => Object.assign(service, await startService(options)));
	afterAll(async () => await service.close());
	beforeEach(() => service.reset());
	return service;
}
