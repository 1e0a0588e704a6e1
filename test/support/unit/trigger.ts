import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { WalletScreeningTrigger } from '../../../nodes/WalletScreening/WalletScreeningTrigger.node';
import type { StoredMarks } from '../../../nodes/WalletScreening/webhook/deliveryMarks';
import { itemOf } from '../data/items';
import { reportBody } from './answers';
import { parameterAt, streamed } from './context';
import { type Answer } from '../../../nodes/WalletScreening/shared/http';

export const SECRET = 'hook-secret-2026';
const productionUrl = 'https://n8n.example/webhook/bulk-results/webhook';

/** Two reports. */
export const green = reportBody();
export const red = reportBody({
	report_id: 'rep_2',
	address: 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9',
	risk: { level: 'red', score: 0.9 },
});

/** Returns the body of a delivery with these results. */
export const bodyOf = (...results: unknown[]) => JSON.stringify({ job_id: 'job_1', results });

/** The data that n8n has saved about a workflow. */
interface Database {
	/** The ID of the workflow. */
	workflow: string;
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
	headers?: Record<string, string>;
	/** Replaces the mode of the trigger for this delivery. */
	mode?: TriggerOptions['mode'];
}

/**
 * The answer to the sender, and the items with which the workflow starts; `items` is undefined if
 * it does not start.
 */
export interface Outcome {
	status: number;
	text: string | undefined;
	retryAfter: string | undefined;
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

type Sent = Omit<Outcome, 'items'>;

/** Creates the response of n8n's web server. It writes what the node sends into `sent`. */
function createResponse(sent: Sent) {
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

/** Returns whether a promise resolves. */
const resolves = async (promise: Promise<unknown>) =>
	await promise.then(
		() => true,
		() => false,
	);

let nodeCount = 0;

/** Creates a trigger, and as much of n8n around it as it uses. All triggers are in one process. */
export function createTrigger({
	parameters = {},
	credential = {},
	mode: usualMode = 'webhook',
	onCredentialRead = async () => await Promise.resolve(),
	onExecutionSave = async () => await Promise.resolve(),
	beside,
	http = async () => await Promise.reject(new Error('No request was expected')),
}: TriggerOptions = {}) {
	const given: Record<string, unknown> = {
		signedContent: 'body',
		signatureHeader: 'X-Signature',
		output: 'reports',
		...parameters,
	};
	const node = {
		id: `node${++nodeCount}`,
		name: 'Bulk Results',
		type: 'trigger',
		parameters: given,
	};
	const { database } = beside ?? { database: { workflow: `of ${node.id}`, staticData: {} } };
	const warnings: string[] = [];
	const reads = { count: 0 };
	const shared = {
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
			const apiKey = `sk_test_${node.id}`;
			const service = { apiKey, baseUrl: 'https://api.example.com', plan: 'enterprise' };
			return { ...service, webhookSecret: SECRET, ...credential };
		},
	};

	async function deliver({
		body,
		headers = signed(body ?? ''),
		mode = usualMode,
	}: Delivery): Promise<Outcome> {
		const sent: Sent = { status: 200, text: undefined, retryAfter: undefined };
		const response = createResponse(sent);
		const asLoaded = JSON.stringify(database.staticData);
		const staticData = JSON.parse(asLoaded) as IDataObject;
		const context = {
			...shared,
			getRequestObject: () => ({ rawBody: body === undefined ? undefined : Buffer.from(body) }),
			getResponseObject: () => response,
			getHeaderData: () => headers,
			getWorkflow: () => ({ id: database.workflow, name: 'Alerts' }),
			getWorkflowStaticData: () => staticData,
			getNodeWebhookUrl: () => productionUrl,
			getExecutionId: () => undefined,
			getMode: () => mode,
			logger: { warn: (message: string) => warnings.push(message), debug: () => {} },
			helpers: {
				httpRequestWithAuthentication: async () => {
					const { status: statusCode, headers, body } = await http();
					return streamed({ statusCode, headers, body });
				},
			},
		} as unknown as IWebhookFunctions;
		const { workflowData } = await new WalletScreeningTrigger().webhook.call(context);
		// n8n stores the execution, saves the static data as a whole if this request changed them, and
		// then answers.
		const isStored = workflowData ? await resolves(onExecutionSave()) : true;
		if (!isStored) {
			response.statusCode = 500;
			sent.status = 500;
		} else if (JSON.stringify(staticData) !== asLoaded) {
			const saved = JSON.stringify(staticData);
			await setImmediate();
			database.staticData = JSON.parse(saved) as IDataObject;
		}
		if (sent.text === undefined) response.end();
		return { ...sent, items: workflowData?.[0]?.map(({ json }) => json) };
	}

	const activate = async () =>
		await new WalletScreeningTrigger().webhookMethods.default.create.call(
			shared as unknown as IHookFunctions,
		);

	/** Returns the marks that n8n has saved. */
	const marks = () => (database.staticData['walletScreeningDeliveries'] ?? {}) as StoredMarks;
	return { deliver, activate, database, marks, warnings, reads };
}

/** Returns the header that the service sends with a body. n8n gives its name in small letters. */
export function signed(body: string, secret = SECRET): Record<string, string> {
	return { 'x-signature': createHmac('sha256', secret).update(body).digest('hex') };
}
