import type { INode, INodeParameters } from 'n8n-workflow';
import type { Credential, Saved, Workflow } from '../host/instance';

/** What a user chooses in the nodes of a template. */
export interface Choices {
	readonly credentials: ReadonlyArray<Saved<Credential>>;
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
	'n8n-nodes-base.n8n': 'n8nApi',
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

/** The ids of the workflows that a workflow calls, itself not among them. */
export const calledBy = ({ nodes }: Workflow): string[] =>
	nodes.flatMap((node) => calledId(node) ?? []);

function calledId({ type, parameters }: INode): string | undefined {
	if (!/\.(executeWorkflow|toolWorkflow)$/.test(type)) return undefined;
	const { value } = parameters.workflowId as { value: string };
	return value.startsWith('=') ? undefined : value;
}

/** The workflows, each after those that it calls: n8n publishes no workflow before them. */
export function inOrder(workflows: ReadonlyArray<Saved<Workflow>>): Array<Saved<Workflow>> {
	const ordered = new Set<Saved<Workflow>>();
	const add = (workflow: Saved<Workflow>) => {
		for (const id of calledBy(workflow)) {
			const called = workflows.find((one) => one.id === id);
			if (called && !ordered.has(called)) add(called);
		}
		ordered.add(workflow);
	};
	for (const workflow of workflows) add(workflow);
	return [...ordered];
}

/** The workflow with other workflows in place of those that it calls, by the ids of both. */
export function calling(workflow: Workflow, others: ReadonlyMap<string, string>): Workflow {
	const nodes = workflow.nodes.map((node): INode => {
		const other = others.get(calledId(node) ?? '');
		if (!other) return node;
		return { ...node, parameters: { ...node.parameters, workflowId: chosen('id', other) } };
	});
	return { ...workflow, nodes };
}

/** The workflow as its user leaves it: what its notes ask for is chosen. */
export function wired<T extends Workflow>(workflow: T, choices: Choices): T {
	const { credentials, values, urlOf } = choices;
	const nodes = workflow.nodes.map((node): INode => {
		const credential = credentials.find(({ type }) => type === credentialTypeOf(node));
		const parameters = withValues(node.parameters, values) as INodeParameters;
		return {
			...node,
			...(credential && {
				credentials: { [credential.type]: { id: credential.id, name: credential.name } },
			}),
			parameters: {
				...parameters,
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
