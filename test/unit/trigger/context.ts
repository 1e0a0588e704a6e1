import { createHmac } from 'node:crypto';
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { WalletScreeningTrigger } from '../../../nodes/WalletScreening/WalletScreeningTrigger.node';
import type { Answer } from '../../../nodes/WalletScreening/pace/retry';

export const SECRET = 'hook-secret-2026';

export interface TriggerOptions {
	parameters?: Record<string, unknown>;
	/** What is in it beside the key; an error is what n8n throws where there is no credential. */
	credential?: Record<string, unknown> | Error;
	/** Resolves when n8n has read the credential. */
	reading?: () => Promise<void>;
	/** `manual` while the workflow is tried out in the editor. */
	mode?: 'webhook' | 'manual';
	/** Stands for n8n's HTTP helper. */
	http?: () => Promise<Answer>;
}

export interface Delivery {
	body: string | undefined;
	headers?: Record<string, string>;
	/** Other than that of the trigger. */
	mode?: TriggerOptions['mode'];
	/** What becomes of the request after the node: n8n answers with 500 where it cannot store the execution. */
	status?: number;
	/** Resolves when n8n has stored the execution, or has failed to. */
	storing?: () => Promise<void>;
}

/** What the sender sees, and what the workflow starts with: undefined where nothing starts. */
export interface Outcome {
	status: number;
	text: string | undefined;
	retryAfter: string | undefined;
	items: IDataObject[] | undefined;
}

let nodes = 0;

/** A trigger of its own in one n8n process, with as much of n8n around it as it asks for. */
export function createTrigger({
	parameters = {},
	credential = {},
	mode: usualMode = 'webhook',
	reading = async () => await Promise.resolve(),
	http = async () => await Promise.reject(new Error('No request was expected')),
}: TriggerOptions = {}) {
	const given: Record<string, unknown> = {
		signedContent: 'body',
		signatureHeader: 'X-Signature',
		output: 'reports',
		...parameters,
	};
	const name = 'Wallet Screening Trigger';
	const node = { id: `node${++nodes}`, name, type: 'trigger', parameters: given };
	const staticData: {
		deliveries?: Record<string, number>;
		waiting?: Record<string, number>;
	} = {};
	const warnings: string[] = [];
	const reads = { count: 0 };
	async function getCredentials() {
		reads.count++;
		await reading();
		if (credential instanceof Error) return await Promise.reject(credential);
		// A key of its own, because all that use a key share its limiter.
		const service = {
			apiKey: `sk_test_${node.id}`,
			baseUrl: 'https://api.example.com',
			plan: 'enterprise',
		};
		return await Promise.resolve({ ...service, webhookSecret: SECRET, ...credential });
	}
	const shared = {
		getNode: () => node,
		getNodeParameter: (parameter: string, otherwise: unknown) => given[parameter] ?? otherwise,
		getCredentials,
	};

	async function deliver({
		body,
		headers,
		mode = usualMode,
		status = 200,
		storing = async () => await Promise.resolve(),
	}: Delivery): Promise<Outcome> {
		const outcome: Outcome = {
			status,
			text: undefined,
			retryAfter: undefined,
			items: undefined,
		};
		const response = {
			statusCode: 200,
			end: () => response,
			setHeader(header: string, value: string) {
				if (header === 'Retry-After') outcome.retryAfter = value;
			},
			status(code: number) {
				outcome.status = code;
				response.statusCode = code;
				return response;
			},
			type: () => response,
			send: (text: string) => (outcome.text = text),
		};
		const context = {
			...shared,
			getRequestObject: () => ({ rawBody: body === undefined ? undefined : Buffer.from(body) }),
			getResponseObject: () => response,
			getHeaderData: () => headers ?? signed(body ?? ''),
			getWorkflow: () => ({ id: 'workflow' }),
			getWorkflowStaticData: () => staticData,
			getExecutionId: () => undefined,
			getMode: () => mode,
			logger: { warn: (message: string) => warnings.push(message) },
			helpers: {
				httpRequestWithAuthentication: async () => {
					const answer = await http();
					return { statusCode: answer.status, headers: answer.headers, body: answer.body };
				},
			},
		} as unknown as IWebhookFunctions;
		const { workflowData } = await new WalletScreeningTrigger().webhook.call(context);
		if (outcome.text === undefined) {
			await storing();
			response.statusCode = status;
			response.end();
		}
		if (workflowData) outcome.items = workflowData[0]?.map(({ json }) => json);
		return outcome;
	}

	const activate = async () =>
		await new WalletScreeningTrigger().webhookMethods.default.create.call(
			shared as unknown as IHookFunctions,
		);

	return { deliver, activate, staticData, warnings, reads };
}

/** The header that the service sends with a body; n8n gives its name in small letters. */
export function signed(body: string, secret = SECRET): Record<string, string> {
	return { 'x-signature': createHmac('sha256', secret).update(body).digest('hex') };
}
