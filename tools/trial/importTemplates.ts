import type { N8n } from '../host/instance';
import type { Saved, Workflow } from '../host/workflow';
import { readTemplates } from './templates';
import { applyChoices, type Choices, credentialTypeOf } from './wiring';

/** A template that was imported into n8n. */
export interface ImportedTemplate {
	readonly workflow: Saved<Workflow>;
	/** The types of credentials that it needs and that the trial does not have. */
	readonly missingCredentials: readonly string[];
	/** Whether it has a trigger that starts it by itself, and all credentials. */
	readonly isPublished: boolean;
}

/** The path and the URL to which the sandbox delivers the results of bulk jobs. */
export const deliveryPath = 'bulk-jobs';
export const deliveryUrl = ({ url }: N8n) => `${url}/webhook/${deliveryPath}/webhook`;

/**
 * The template as the trial runs it: the trial has no account of Slack, so nodes of Slack are
 * switched off.
 */
export function prepareTemplate(workflow: Saved<Workflow>): Saved<Workflow> {
	const nodes = workflow.nodes.map((node) => {
		if (node.type.endsWith('.walletScreeningTrigger')) return { ...node, webhookId: deliveryPath };
		// Messages about overdue work have a second recipient. `applyChoices` replaces addresses, but
		// not expressions.
		if (node.name === 'Tell the Head of the Team')
			return { ...node, parameters: { ...node.parameters, toEmail: '=head.of.team@example.com' } };
		return node.type.endsWith('.slack') ? { ...node, disabled: true } : node;
	});
	return { ...workflow, nodes };
}

/**
 * Imports all templates with the choices of a user, makes the data tables, and publishes the
 * workflows that can run here.
 */
export async function importTemplates(
	n8n: N8n,
	choices: Choices,
	{ publishes = true } = {},
): Promise<ImportedTemplate[]> {
	const imported: ImportedTemplate[] = [];
	for (const template of readTemplates()) {
		const workflow = await n8n.saveWorkflow(applyChoices(prepareTemplate(template), choices));
		const missingCredentials = missingIn(workflow, choices);
		const isPublished = publishes && startsByItself(workflow) && missingCredentials.length === 0;
		imported.push({ workflow, missingCredentials, isPublished });
	}
	// A published workflow may use the tables at once.
	for (const { workflow } of imported) if (makesTables(workflow)) await n8n.runWorkflow(workflow);
	for (const { workflow, isPublished } of imported)
		if (isPublished) await n8n.publishWorkflow(workflow);
	return imported;
}

/** The types of credentials that a workflow needs and that the user does not have. */
function missingIn({ nodes }: Workflow, { credentials }: Choices): string[] {
	const available = credentials.map(({ type }) => type);
	const needed = nodes
		.filter(({ disabled }) => !disabled)
		.flatMap((node) => credentialTypeOf(node) ?? []);
	return [...new Set(needed)].filter((type) => !available.includes(type));
}

/** Whether a workflow starts without a person who executes it in the editor. */
const startsByItself = ({ nodes }: Workflow) =>
	nodes.some(({ type }) => /Trigger$|\.webhook$/.test(type) && !/manualTrigger$/.test(type));

/**
 * Whether a person executes the workflow to make data tables. A workflow that starts by itself
 * makes its table in its first run.
 */
function makesTables({ nodes }: Workflow): boolean {
	const isStartedByHand = nodes.some(
		({ type, disabled }) => type.endsWith('.manualTrigger') && !disabled,
	);
	const createsTable = nodes.some(
		({ parameters: { resource, operation } }) => resource === 'table' && operation === 'create',
	);
	return isStartedByHand && createsTable;
}
