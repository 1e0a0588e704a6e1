import type { INode, INodeParameters } from 'n8n-workflow';
import type { Credential, Saved, Workflow } from '../host/instance';

/** What a user chooses in the nodes of a template. */
export interface Choices {
	readonly credentials: ReadonlyArray<Saved<Credential>>;
	/** The ids of the workflows that others call, by their names. */
	readonly workflows: ReadonlyMap<string, string>;
	/** Values by the names of their fields, for each field that holds no expression. */
	readonly values: Readonly<Record<string, unknown>>;
	/** The URL for a node that asks a system of the team and names none yet, by the first word of its name, e.g. `release`. */
	readonly urlOf?: (action: string) => string;
}

/** How a node names another workflow, or something of another service. */
export const chosen = (mode: string, value: string) => ({ __rl: true, mode, value });

const credentialTypes: Record<string, string> = {
	'n8n-nodes-wallet-screening.walletScreening': 'walletScreeningApi',
	'n8n-nodes-wallet-screening.walletScreeningTrigger': 'walletScreeningApi',
	'n8n-nodes-base.slack': 'slackApi',
	'n8n-nodes-base.googleSheets': 'googleApi',
	'n8n-nodes-base.emailSend': 'smtp',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
};

/** How triggers name the credential of who calls them. */
const authentications: Record<string, string> = {
	basicAuth: 'httpBasicAuth',
	bearerAuth: 'httpBearerAuth',
	headerAuth: 'httpHeaderAuth',
};

/** The type of the credential that a node needs, if it needs one. */
export function credentialTypeOf({ type, parameters }: INode): string | undefined {
	const { genericAuthType, authentication } = parameters;
	return (
		credentialTypes[type] ?? (genericAuthType as string) ?? authentications[`${authentication}`]
	);
}

/** The names of workflows that a workflow calls. A node has the name of the workflow that it calls, or the last part of it. */
export function calledBy({ nodes }: Workflow, names: readonly string[]): string[] {
	return nodes.flatMap((node) => calledByNode(node, names) ?? []);
}

function calledByNode({ type, name, parameters }: INode, names: readonly string[]) {
	const { value } = (parameters.workflowId ?? {}) as { value?: string };
	if (!/\.(executeWorkflow|toolWorkflow)$/.test(type) || value) return undefined;
	return names.find((title) => title === name || title.endsWith(`: ${name}`));
}

/** The workflow as its user leaves it: what its notes ask for is chosen. */
export function wired(workflow: Workflow, choices: Choices): Workflow {
	const { credentials, workflows, values, urlOf } = choices;
	const nodes = workflow.nodes.map((node): INode => {
		const credential = credentials.find(({ type }) => type === credentialTypeOf(node));
		const called = calledByNode(node, [...workflows.keys()]);
		const parameters = withValues(node.parameters, values) as INodeParameters;
		return {
			...node,
			...(credential && {
				credentials: { [credential.type]: { id: credential.id, name: credential.name } },
			}),
			parameters: {
				...parameters,
				...(called && { workflowId: chosen('id', workflows.get(called)!) }),
				...(parameters.url === '' &&
					urlOf && { url: urlOf(node.name.toLowerCase().split(' ')[0]!) }),
			},
		};
	});
	return { ...workflow, nodes };
}

/** Parameters, and in them lists like `[{ name: 'folder', value: '/files' }]`, with these values. */
function withValues(given: unknown, values: Choices['values'], field = ''): unknown {
	const isExpression = typeof given === 'string' && given.startsWith('=');
	if (Object.hasOwn(values, field) && !isExpression) return values[field];
	if (Array.isArray(given)) return given.map((one) => withValues(one, values));
	if (typeof given !== 'object' || given === null) return given;
	const { name } = given as { name?: unknown };
	const fieldOf = (key: string) => (key === 'value' && typeof name === 'string' ? name : key);
	const entries = Object.entries(given);
	return Object.fromEntries(
		entries.map(([key, one]) => [key, withValues(one, values, fieldOf(key))]),
	);
}
