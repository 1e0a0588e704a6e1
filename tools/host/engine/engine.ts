import { ExecutionLifecycleHooks, ExternalSecretsProxy, WorkflowExecute } from 'n8n-core';
import {
	type ExecutionError,
	type IBinaryData,
	type INode,
	type INodeExecutionData,
	type IRun,
	type IRunData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type NodeExecutionHint,
	Workflow,
} from 'n8n-workflow';

import { WalletScreeningApi } from '../../../credentials/WalletScreeningApi.credentials';
import type { Credential } from '../workflow';
import { SavedCredentials } from './credentials';
import { nodeTypesOf, type NodeTypeTable, defaultNodeTypes } from './nodeTypes';
import { type EngineParts, startParts } from './parts';
import { findSecrets } from './secrets';

export type WorkflowJson = Pick<IWorkflowBase, 'nodes' | 'connections'>;

export interface EngineOptions {
	/** The saved credentials. The nodes of a workflow use them by name. */
	readonly credentials?: readonly Credential[];
	/** Node types in addition to `defaultNodeTypes`. */
	readonly nodeTypes?: NodeTypeTable;
	/** Where n8n's Data Table node keeps its rows. */
	readonly dataTables?: object;
}

export interface RunOptions {
	/** The output of the start node: items, or only the JSON of each; one empty item if absent. */
	input?: Array<INodeExecutionData | INodeExecutionData['json']>;
	/** Aborting it is the user's stop button. */
	signal?: AbortSignal;
}

export interface RunResult {
	/** As n8n saves it: once stopped, a run stays `canceled`. */
	readonly status: IRun['status'];
	/** Output of the node that ran last, a list of items for each of its outputs. */
	readonly items: INodeExecutionData[][];
	/** Output of the last run of a node, a list of items for each of its outputs. */
	itemsOf(nodeName: string): INodeExecutionData[][];
	/** The error that ended the run, as n8n saves it. */
	readonly error: SavedError | undefined;
	readonly hints: NodeExecutionHint[];
	readonly runData: IRunData;
	/** The lines of the log that were written while the workflow ran. */
	readonly log: string;
}

type SavedError = ExecutionError & { httpCode?: string | null; itemIndex?: number };

export interface Engine {
	run(workflow: WorkflowJson, options?: RunOptions): Promise<RunResult>;
	/** The bytes of a binary property. */
	bytes(binary: IBinaryData): Promise<Buffer>;
	/**
	 * The text before each secret of a credential that can be read in a result. A safe result gives
	 * an empty list.
	 */
	leaks(result: RunResult): string[];
	close(): Promise<void>;
}

/**
 * Runs workflows in this process through n8n's own engine, with its own HTTP helper, on the real
 * network. One engine at a time runs workflows.
 */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
	const parts = await startParts();
	const credentials = new SavedCredentials(options.credentials ?? [], {
		walletScreeningApi: new WalletScreeningApi(),
	});
	const nodeTypes = { ...defaultNodeTypes, ...options.nodeTypes };
	const setup: EngineSetup = { parts, credentials, nodeTypes, dataTables: options.dataTables };
	return {
		run: (workflow, runOptions = {}) => runWorkflow(setup, workflow, runOptions),
		bytes: (binary) => parts.binaryData.getAsBuffer(binary),
		leaks: (result) => findSecrets(result, credentials.secrets()),
		close: parts.close,
	};
}

/** What all runs of an engine have in common. */
interface EngineSetup {
	parts: EngineParts;
	credentials: SavedCredentials;
	nodeTypes: NodeTypeTable;
	dataTables: object | undefined;
}

async function runWorkflow(
	{ parts, credentials, nodeTypes, dataTables }: EngineSetup,
	json: WorkflowJson,
	{ input = [{}], signal }: RunOptions,
): Promise<RunResult> {
	parts.use();
	const linesBefore = parts.countLogLines();
	const workflow = new Workflow({
		id: 'engine',
		name: 'Workflow',
		nodes: structuredClone(json.nodes),
		connections: structuredClone(json.connections),
		settings: { executionOrder: 'v1' },
		active: false,
		nodeTypes: nodeTypesOf(nodeTypes),
	});
	const startNode = startNodeOf(workflow);
	const startItems = input.map(asItem);

	const hooks = new ExecutionLifecycleHooks('manual', '1', {} as IWorkflowBase);
	const saved: Array<IRun['status']> = [];
	hooks.addHandler('workflowExecuteAfter', ({ status }) => void saved.push(status));
	const additionalData = additionalDataOf(credentials, hooks, dataTables);
	const execution = new WorkflowExecute(additionalData, 'manual').run({
		workflow,
		startNode,
		pinData: { [startNode.name]: structuredClone(startItems) },
	});
	const stop = () => execution.cancel();
	if (signal?.aborted) stop();
	signal?.addEventListener('abort', stop);
	const run = await execution.finally(() => signal?.removeEventListener('abort', stop));
	return resultOf({ ...run, status: saved[0] ?? run.status }, parts.logAfter(linesBefore));
}

function startNodeOf({ nodes, connectionsByDestinationNode }: Workflow): INode {
	const [start, ...others] = Object.values(nodes).filter(
		({ name, disabled }) => !disabled && connectionsByDestinationNode[name] === undefined,
	);
	if (start === undefined || others.length > 0) throw new Error('A workflow has one start node');
	return start;
}

function asItem(item: INodeExecutionData | INodeExecutionData['json']): INodeExecutionData {
	const isItem = typeof item.json === 'object' && item.json !== null;
	return isItem ? (item as INodeExecutionData) : { json: item as INodeExecutionData['json'] };
}

function resultOf(run: IRun, log: string): RunResult {
	const { runData, error, lastNodeExecuted } = run.data.resultData;
	const itemsOf = (nodeName: string): INodeExecutionData[][] =>
		(runData[nodeName]?.at(-1)?.data?.['main'] ?? []).map((items) => items ?? []);
	return {
		status: run.status,
		items: lastNodeExecuted === undefined ? [] : itemsOf(lastNodeExecuted),
		itemsOf,
		error: error as SavedError | undefined,
		hints: Object.values(runData).flatMap((tasks) => tasks.flatMap(({ hints }) => hints ?? [])),
		runData,
		log,
	};
}

/** What n8n gives to an execution, as far as the nodes of this package use it. */
function additionalDataOf(
	credentialsHelper: SavedCredentials,
	hooks: ExecutionLifecycleHooks,
	dataTables: object | undefined,
): IWorkflowExecuteAdditionalData {
	const data: Partial<Record<keyof IWorkflowExecuteAdditionalData | 'data-table', unknown>> = {
		...(dataTables && { 'data-table': { dataTableProxyProvider: dataTables } }),
		credentialsHelper,
		hooks,
		executionId: '1',
		currentNodeExecutionIndex: 0,
		variables: {},
		instanceBaseUrl: 'http://n8n.invalid/',
		webhookWaitingBaseUrl: 'http://n8n.invalid/webhook-waiting',
		formWaitingBaseUrl: 'http://n8n.invalid/form-waiting',
		externalSecretsProxy: new ExternalSecretsProxy(),
	};
	return data as IWorkflowExecuteAdditionalData;
}
