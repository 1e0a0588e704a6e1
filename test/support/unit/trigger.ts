import { setImmediate } from 'node:timers/promises';
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { Answer } from '../../../nodes/WalletScreening/shared/http';
import { WalletScreeningTrigger } from '../../../nodes/WalletScreening/WalletScreeningTrigger.node';
import type { StoredMarks } from '../../../nodes/WalletScreening/webhook/deliveryMarks';
import { itemOf } from '../data/items';
import { parameterAt, withStreamedBody } from './context';
import { SECRET, signatureHeadersOf } from './deliveries';

const productionUrl = 'https://n8n.example/webhook/bulk-results/webhook';

/** The data that n8n has saved about a workflow. */
interface Database {
	readonly workflowId: string;
	staticData: IDataObject;
}

export interface TriggerOptions {
	parameters?: Record<string, unknown>;
	/**
	 * The fields of the credential beside the API key, or the error that n8n throws if there is no
	 * credential.
	 */
	credential?: Record<string, unknown> | Error;
	/** n8n's read of the credential ends when this promise resolves. */
	onCredentialRead?: () => Promise<void>;
	/** n8n's save of the execution ends when this promise resolves, and fails when it rejects. */
	onExecutionSave?: () => Promise<void>;
	/** Another trigger of the same workflow, with which it shares n8n's data. */
	beside?: { database: Database };
	/** It is `manual` while only the editor listens. */
	mode?: 'webhook' | 'manual';
	/** Replaces n8n's HTTP helper. By default, each request fails. */
	http?: () => Promise<Answer>;
}

interface Delivery {
	body: string | undefined;
	/** By default, those with the right signature. */
	headers?: Record<string, string>;
	/** Replaces the mode of the trigger for this delivery. */
	mode?: TriggerOptions['mode'];
}

/** The answer to the sender. */
interface SenderAnswer {
	status: number;
	text: string | undefined;
	retryAfter: string | undefined;
}

/**
 * The answer to the sender, and the items with which the workflow starts; `items` is undefined if
 * it does not start.
 */
export interface Outcome extends SenderAnswer {
	items: IDataObject[] | undefined;
}

/**
 * The outcome when n8n stores an execution that starts with these items. A report may be given in
 * place of its item.
 */
export const started = (...items: object[]): Outcome => ({
	status: 200,
	text: undefined,
	retryAfter: undefined,
	items: items.map((item) => ('risk' in item ? itemOf(item) : item) as IDataObject),
});

/** The outcome when the node answers and no workflow starts. */
export const ended = (status: number, text: string): Outcome => ({
	status,
	text,
	retryAfter: status === 503 ? '60' : undefined,
	items: undefined,
});

/** A trigger, and as much of n8n around it as it uses. */
export interface TestTrigger {
	/** Calls the trigger with a delivery as n8n does, and stores what n8n would store. */
	deliver(delivery: Delivery): Promise<Outcome>;
	/** Calls what n8n calls when a user publishes the workflow. */
	activate(): Promise<boolean>;
	readonly database: Database;
	/** Returns the marks of deliveries that n8n has saved. */
	marks(): StoredMarks;
	/** The warnings in n8n's log. */
	readonly warnings: string[];
	/** How often the trigger has read its credential. */
	readonly reads: { count: number };
}

let nodeCount = 0;

/** Creates a trigger. All triggers of a test file are in one process, as in n8n. */
export function createTrigger(options: TriggerOptions = {}): TestTrigger {
	const nodeId = `node${++nodeCount}`;
	const { database } = options.beside ?? {
		database: { workflowId: `of ${nodeId}`, staticData: {} },
	};
	const warnings: string[] = [];
	const reads = { count: 0 };
	const nodeFunctions = createNodeFunctions(nodeId, options, reads);
	const {
		mode: usualMode = 'webhook',
		onExecutionSave = async () => await Promise.resolve(),
		http = async () => await Promise.reject(new Error('No request was expected')),
	} = options;

	async function deliver(delivery: Delivery): Promise<Outcome> {
		const { body, headers = signatureHeadersOf(body ?? ''), mode = usualMode } = delivery;
		const sent: SenderAnswer = { status: 200, text: undefined, retryAfter: undefined };
		const response = createResponse(sent);
		const loaded = JSON.stringify(database.staticData);
		const staticData = JSON.parse(loaded) as IDataObject;
		const context = {
			...nodeFunctions,
			getRequestObject: () => ({ rawBody: body === undefined ? undefined : Buffer.from(body) }),
			getResponseObject: () => response,
			getHeaderData: () => headers,
			getWorkflow: () => ({ id: database.workflowId, name: 'Alerts' }),
			getWorkflowStaticData: () => staticData,
			getNodeWebhookUrl: () => productionUrl,
			getExecutionId: () => undefined,
			getMode: () => mode,
			logger: { warn: (message: string) => warnings.push(message), debug: () => {} },
			helpers: { httpRequestWithAuthentication: async () => await request(http) },
		} as unknown as IWebhookFunctions;
		const { workflowData } = await new WalletScreeningTrigger().webhook.call(context);
		// n8n stores the execution, saves the static data as a whole if this request changed them, and
		// then answers.
		const isStored = workflowData ? await resolves(onExecutionSave()) : true;
		if (!isStored) {
			response.statusCode = 500;
			sent.status = 500;
		} else if (JSON.stringify(staticData) !== loaded) {
			await saveStaticData(database, staticData);
		}
		if (sent.text === undefined) response.end();
		return { ...sent, items: workflowData?.[0]?.map(({ json }) => json) };
	}

	const activate = async () =>
		await new WalletScreeningTrigger().webhookMethods.default.create.call(
			nodeFunctions as unknown as IHookFunctions,
		);
	const marks = () => (database.staticData['walletScreeningDeliveries'] ?? {}) as StoredMarks;
	return { deliver, activate, database, marks, warnings, reads };
}

/**
 * Creates the functions of n8n that a trigger calls for a delivery and when it is published.
 *
 * @param reads is counted up with each read of the credential
 */
function createNodeFunctions(
	nodeId: string,
	{
		parameters = {},
		credential = {},
		onCredentialRead = async () => await Promise.resolve(),
	}: TriggerOptions,
	reads: { count: number },
) {
	const given: Record<string, unknown> = {
		signedContent: 'body',
		signatureHeader: 'X-Signature',
		output: 'reports',
		...parameters,
	};
	const node = { id: nodeId, name: 'Bulk Results', type: 'trigger', parameters: given };
	return {
		getNode: () => node,
		getTimezone: () => 'America/New_York',
		getNodeParameter(parameter: string, otherwise: unknown) {
			const found = parameterAt(given, parameter);
			const value = found === undefined ? otherwise : found;
			if (value instanceof Error) throw value;
			return value;
		},
		async getCredentials() {
			reads.count++;
			await onCredentialRead();
			if (credential instanceof Error) throw credential;
			// Each trigger has its own key, because all clients of one key share its limiter.
			const apiKey = `sk_test_${nodeId}`;
			const service = { apiKey, baseUrl: 'https://api.example.com', plan: 'enterprise' };
			return { ...service, webhookSecret: SECRET, ...credential };
		},
	};
}

/** Creates the response of n8n's web server. It writes what the node sends into `sent`. */
function createResponse(sent: SenderAnswer) {
	const response = {
		statusCode: 200,
		end: () => response,
		setHeader(header: string, value: string) {
			if (header === 'Retry-After') sent.retryAfter = value;
		},
		status(code: number) {
			sent.status = code;
			return response;
		},
		type: () => response,
		send: (text: string) => (sent.text = text),
	};
	return response;
}

/** Returns the answer to a request in the form of n8n's HTTP helper. */
async function request(http: () => Promise<Answer>) {
	const { status: statusCode, headers, body } = await http();
	return withStreamedBody({ statusCode, headers, body });
}

/** Saves the static data as they are now. Like n8n, it takes a moment. */
async function saveStaticData(database: Database, staticData: IDataObject): Promise<void> {
	const saved = JSON.stringify(staticData);
	await setImmediate();
	database.staticData = JSON.parse(saved) as IDataObject;
}

/** Returns whether a promise resolves. */
const resolves = async (promise: Promise<unknown>) =>
	await promise.then(
		() => true,
		() => false,
	);
