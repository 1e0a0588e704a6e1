import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox/server';
import type { BinaryMode } from '../../../tools/host/engine/host';
import {
	createEngine,
	type Engine,
	type RunOptions,
	type RunResult,
	type WorkflowJson,
} from '../../../tools/host/engine';
import { CREDENTIAL, type ScreeningOptions, screeningWorkflow } from './workflows';

/** Credentials that every test can name, beside the good one, `CREDENTIAL`. */
export const READ_ONLY = 'Read-Only Key';
export const WRONG_KEY = 'Wrong Key';
export const UNREACHABLE = 'Nobody There';

export interface ServiceOptions {
	/** Without a rate limit where nothing is said. */
	sandbox?: SandboxOptions;
	binaryMode?: BinaryMode;
	/** More credentials by name, each a change to the good one. */
	credentials?: (baseUrl: string) => Record<string, ICredentialDataDecryptedObject>;
}

/** The service and an engine with credentials for it. */
export interface Service {
	sandbox: Sandbox;
	engine: Engine;
	/** Runs a workflow, and sees to it that no secret shows anywhere in what becomes of it. */
	runWorkflow(workflow: WorkflowJson, options?: RunOptions): Promise<RunResult>;
	/** Runs one Wallet Screening node with these parameters. */
	run(parameters: INodeParameters, options?: RunOptions & ScreeningOptions): Promise<RunResult>;
	/** The requests since the last `reset()`, e.g. `POST /v1/screen`. */
	requested(): string[];
	/** Ends all faults and forgets all requests. */
	reset(): void;
	close(): Promise<void>;
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
	const sandbox = await startSandbox({ limit: null, ...options.sandbox });
	const good = { apiKey: sandbox.keys.readWrite, baseUrl: sandbox.baseUrl, plan: 'enterprise' };
	const changes: Record<string, ICredentialDataDecryptedObject> = {
		[CREDENTIAL]: {},
		[READ_ONLY]: { apiKey: sandbox.keys.readOnly },
		[WRONG_KEY]: { apiKey: 'a-key-that-nobody-issued' },
		[UNREACHABLE]: { baseUrl: 'http://127.0.0.1:9' },
		...options.credentials?.(sandbox.baseUrl),
	};
	const credentials = Object.entries(changes).map(([name, change]) => [
		name,
		{ type: 'walletScreeningApi', data: { ...good, ...change } },
	]);
	const engine = await createEngine({
		credentials: Object.fromEntries(credentials),
		...(options.binaryMode && { binaryMode: options.binaryMode }),
	});

	const runWorkflow: Service['runWorkflow'] = async (workflow, runOptions) => {
		const result = await engine.run(workflow, runOptions);
		expect(engine.leaks(result)).toEqual([]);
		return result;
	};
	return {
		sandbox,
		engine,
		runWorkflow,
		run: async (parameters, { onError, credential, behind, ...runOptions } = {}) =>
			await runWorkflow(
				screeningWorkflow(parameters, {
					onError,
					...(credential && { credential }),
					...(behind && { behind }),
				}),
				runOptions,
			),
		requested: () => sandbox.requests.map(({ method, path }) => `${method} ${path}`),
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
