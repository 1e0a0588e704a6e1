import type { INode, INodeParameters } from 'n8n-workflow';
import type { Credential, Saved, Workflow } from '../host/workflow';

/** The choices of a user in the nodes of a template. */
export interface Choices {
	readonly credentials: ReadonlyArray<Saved<Credential>>;
	/** Values by the names of their fields. A field with an expression keeps it. */
	readonly values: Readonly<Record<string, unknown>>;
	/**
	 * The URL for a node that asks a system of the team and names none yet, by the first word of its
	 * name, e.g. `release`.
	 */
	readonly urlOf?: (action: string) => string;
}

/**
 * A resource locator of n8n: how a node names another workflow, or something of another service.
 */
export const resourceLocator = (mode: string, value: string) => ({ __rl: true, mode, value });

const credentialTypes: Record<string, string> = {
	'n8n-nodes-wallet-screening.walletScreening': 'walletScreeningApi',
	'n8n-nodes-wallet-screening.walletScreeningTrigger': 'walletScreeningApi',
	'n8n-nodes-base.slack': 'slackApi',
	'n8n-nodes-base.googleSheets': 'googleApi',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.n8n': 'n8nApi',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
};

/** The types of credentials of callers, by the names of triggers for them. */
const authentications: Record<string, string> = {
	basicAuth: 'httpBasicAuth',
	bearerAuth: 'httpBearerAuth',
	headerAuth: 'httpHeaderAuth',
};

/** The type of the credential that a node needs, if it needs one. */
export function credentialTypeOf({ type, parameters }: INode): string | undefined {
	const { action, genericAuthType, authentication } = parameters;
	if (action === 'hmac') return 'crypto';
	return (
		credentialTypes[type] ?? (genericAuthType as string) ?? authentications[`${authentication}`]
	);
}

/** The ids of the workflows that a workflow calls. It may call itself. */
export const calledIds = ({ nodes }: Workflow): string[] =>
	nodes.flatMap((node) => calledId(node) ?? []);

function calledId({ type, parameters }: INode): string | undefined {
	if (!/\.(executeWorkflow|toolWorkflow)$/.test(type)) return undefined;
	const { value } = parameters.workflowId as { value: string };
	return value.startsWith('=') ? undefined : value;
}

/**
 * The workflows, each after those that it calls: n8n publishes no workflow before them. Of workflows
 * that call each other, one has to come before a workflow that it calls.
 */
export function sortByCalls(workflows: ReadonlyArray<Saved<Workflow>>): Array<Saved<Workflow>> {
	const visited = new Set<Saved<Workflow>>();
	const ordered: Array<Saved<Workflow>> = [];
	const add = (workflow: Saved<Workflow>) => {
		if (visited.has(workflow)) return;
		visited.add(workflow);
		const called = calledIds(workflow);
		workflows.filter(({ id }) => called.includes(id)).forEach(add);
		ordered.push(workflow);
	};
	workflows.forEach(add);
	return ordered;
}

/**
 * The workflow with other workflows in place of those that it calls. `others` has the ID of the new
 * one by that of the old one.
 */
export function replaceCalls(workflow: Workflow, others: ReadonlyMap<string, string>): Workflow {
	const nodes = workflow.nodes.map((node): INode => {
		const other = others.get(calledId(node) ?? '');
		if (!other) return node;
		return {
			...node,
			parameters: { ...node.parameters, workflowId: resourceLocator('id', other) },
		};
	});
	return { ...workflow, nodes };
}

/** The workflow with the choices of its user: credentials, values and URLs. */
export function applyChoices<T extends Workflow>(workflow: T, choices: Choices): T {
	const { credentials, values, urlOf } = choices;
	const nodes = workflow.nodes.map((node): INode => {
		const credential = credentials.find(({ type }) => type === credentialTypeOf(node));
		const parameters = setValues(node.parameters, values) as INodeParameters;
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

/**
 * Parameters with these values, at any depth.
 *
 * @param field the name of the field whose value this parameter is; empty if it has none
 * @example With { folder: '/files' }, `{ folder: '' }` becomes `{ folder: '/files' }`, and
 * `[{ name: 'folder', value: '' }]` becomes `[{ name: 'folder', value: '/files' }]`.
 */
function setValues(parameter: unknown, values: Choices['values'], field = ''): unknown {
	const isExpression = typeof parameter === 'string' && parameter.startsWith('=');
	if (Object.hasOwn(values, field) && !isExpression) return values[field];
	if (Array.isArray(parameter)) return parameter.map((entry) => setValues(entry, values));
	if (typeof parameter !== 'object' || parameter === null) return parameter;
	const entries = Object.entries(parameter).map(([key, value]) => {
		return [key, setValues(value, values, fieldOf(key, parameter))];
	});
	return Object.fromEntries(entries);
}

/**
 * The name of the field whose value a parameter has under a key. Edit Fields and its like hold name
 * and value of a field side by side: there the name stands under `name`.
 */
function fieldOf(key: string, { name }: { name?: unknown }): string {
	return key === 'value' && typeof name === 'string' ? name : key;
}
