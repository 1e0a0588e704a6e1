import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8n, Saved, Workflow } from '../host/instance';
import { projectFolder } from '../host/paths';
import { type Choices, credentialTypeOf, inOrder, wired } from './wiring';

/** A template in n8n. */
export interface Filled {
	readonly workflow: Saved<Workflow>;
	/** The types of credentials that it needs and that are not here. */
	readonly lacks: readonly string[];
	/** Whether something starts it by itself, and nothing lacks. */
	readonly isPublished: boolean;
}

/** All templates, each after those that it calls. */
export async function readTemplates(): Promise<Array<Saved<Workflow>>> {
	const folder = join(projectFolder, 'templates');
	const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'));
	return inOrder((await Promise.all(texts)).map((text) => JSON.parse(text) as Saved<Workflow>));
}

/** Where the sandbox delivers the results of bulk jobs. */
export const deliveries = 'bulk-jobs';
export const deliveriesTo = ({ url }: N8n) => `${url}/webhook/${deliveries}/webhook`;

/** Nobody has an account of Slack here. */
export function prepared(workflow: Saved<Workflow>): Saved<Workflow> {
	const nodes = workflow.nodes.map((node) => {
		if (node.type.endsWith('.walletScreeningTrigger')) return { ...node, webhookId: deliveries };
		// What is overdue goes to somebody else, too. As an expression it stays, whatever address the others get.
		if (node.name === 'Tell the Head of the Team')
			return { ...node, parameters: { ...node.parameters, toEmail: '=head.of.team@example.com' } };
		return node.type.endsWith('.slack') ? { ...node, disabled: true } : node;
	});
	return { ...workflow, nodes };
}

/** Imports all templates, and chooses in them what a user chooses. Makes the data tables, and publishes what can run here. */
export async function fill(
	n8n: N8n,
	choices: Choices,
	{ publishes = true } = {},
): Promise<Filled[]> {
	const hasNode = (end: string) => (workflow: Workflow) =>
		workflow.nodes.some(({ type, disabled }) => type.endsWith(end) && !disabled);
	const saved: Array<Saved<Workflow>> = [];
	for (const template of await readTemplates())
		saved.push(await n8n.saveWorkflow(wired(prepared(template), choices)));

	const here = choices.credentials.map(({ type }) => type);
	const filled = saved.map((workflow): Filled => {
		const needed = workflow.nodes.filter(({ disabled }) => !disabled).map(credentialTypeOf);
		const lacks = [...new Set(needed)].filter((type) => type !== undefined && !here.includes(type));
		const starts = workflow.nodes.some(
			({ type }) => /Trigger$|\.webhook$/.test(type) && !/manualTrigger$/.test(type),
		);
		const isPublished = publishes && starts && lacks.length === 0;
		return { workflow, lacks: lacks as string[], isPublished };
	});
	for (const { workflow } of filled) {
		const makesTables = workflow.nodes.some(
			({ parameters: { resource, operation } }) => resource === 'table' && operation === 'create',
		);
		// A workflow that runs by itself makes its table in its first run.
		const isClicked = hasNode('.manualTrigger')(workflow);
		if (makesTables && isClicked) await n8n.runWorkflow(workflow);
	}
	for (const { workflow, isPublished } of filled)
		if (isPublished) await n8n.publishWorkflow(workflow);
	return filled;
}
