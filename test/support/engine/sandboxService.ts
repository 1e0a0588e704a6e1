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
} from '../../../tools/host/engine';
import { itemOf } from '../data/items';
import { CREDENTIAL, type ScreeningOptions, engineWorkflow } from './workflows';

/**
 * The name of the credential for a service that is not running. Every test has it, beside the good
 * one, `CREDENTIAL`.
 */
export const UNREACHABLE = 'Unreachable Service';

interface ServiceOptions {
	/** By default, it has no rate limit, and jobs are complete at once. */
	sandbox?: SandboxOptions;
	/** More credentials by their names, each with its differences from the good one. */
	credentials?: (baseUrl: string) => Record<string, ICredentialDataDecryptedObject>;
}

/** The service and an engine with credentials for it. */
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
	/** Lists the requests since the last `reset()`, e.g. `POST /v1/screen`. */
	requested(): string[];
	posts(): RequestRecord[];
	reportOf(address: string, chain?: string): Report;
	/** Returns the item of that report, without a decision. */
	itemOf(address: string, chain?: string): IDataObject;
	/** Ends all faults and forgets all requests. */
	reset(): void;
	close(): Promise<void>;
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
	const sandbox = await startSandbox({ limit: null, jobDurationMs: 0, ...options.sandbox });
	const good = { apiKey: sandbox.keys.readWrite, baseUrl: sandbox.baseUrl, plan: 'enterprise' };
	const changes: Record<string, ICredentialDataDecryptedObject> = {
		[CREDENTIAL]: {},
		[UNREACHABLE]: { baseUrl: 'http://127.0.0.1:9' },
		...options.credentials?.(sandbox.baseUrl),
	};
	const credentials = Object.entries(changes).map(([name, change]) => [
		name,
		{ type: 'walletScreeningApi', data: { ...good, ...change } },
	]);
	const engine = await createEngine({ credentials: Object.fromEntries(credentials) });
	return {
		sandbox,
		engine,
		async run(parameters, runOptions = {}) {
			const result = await engine.run(engineWorkflow(parameters, runOptions), runOptions);
			expect(engine.leaks(result)).toEqual([]);
			return { ...result, json: (result.items[0] ?? []).map(({ json }) => json) };
		},
		requested: () => sandbox.requests.map(({ method, path }) => `${method} ${path}`),
		posts: () => sandbox.requests.filter(({ method }) => method === 'POST'),
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
