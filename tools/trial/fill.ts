import type { N8n, Saved, Workflow } from '../host/instance';
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
		// no expressions.
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
	const hasNode = (end: string) => (workflow: Workflow) =>
		workflow.nodes.some(({ type, disabled }) => type.endsWith(end) && !disabled);
	const saved: Array<Saved<Workflow>> = [];
	for (const template of readTemplates())
		saved.push(await n8n.saveWorkflow(applyChoices(prepareTemplate(template), choices)));

	const available = choices.credentials.map(({ type }) => type);
	const filled = saved.map((workflow): ImportedTemplate => {
		const needed = workflow.nodes.filter(({ disabled }) => !disabled).map(credentialTypeOf);
		const missing = [...new Set(needed)].filter(
			(type) => type !== undefined && !available.includes(type),
		);
		const starts = workflow.nodes.some(
			({ type }) => /Trigger$|\.webhook$/.test(type) && !/manualTrigger$/.test(type),
		);
		const isPublished = publishes && starts && missing.length === 0;
		return { workflow, missingCredentials: missing as string[], isPublished };
	});
	for (const { workflow } of filled) {
		const makesTables = workflow.nodes.some(
			({ parameters: { resource, operation } }) => resource === 'table' && operation === 'create',
		);
		// A workflow that starts by itself makes its table in its first run.
		const isStartedByHand = hasNode('.manualTrigger')(workflow);
		if (makesTables && isStartedByHand) await n8n.runWorkflow(workflow);
	}
	for (const { workflow, isPublished } of filled)
		if (isPublished) await n8n.publishWorkflow(workflow);
	return filled;
}
