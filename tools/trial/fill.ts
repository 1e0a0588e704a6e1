import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8n, Saved, Workflow } from '../host/instance';
import { projectFolder } from '../host/paths';
import { calledBy, type Choices, credentialTypeOf, wired } from './wiring';

/** A template in n8n. */
export interface Filled {
	readonly workflow: Saved<Workflow>;
	/** The types of credentials that it needs and that are not here. */
	readonly lacks: readonly string[];
	/** Whether something starts it by itself, and nothing lacks. */
	readonly isPublished: boolean;
}

async function readTemplates(): Promise<Workflow[]> {
	const folder = join(projectFolder, 'templates');
	const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'));
	return (await Promise.all(texts)).map((text) => JSON.parse(text) as Workflow);
}

/** Where the sandbox delivers the results of bulk jobs. */
export const deliveries = 'bulk-jobs';
export const deliveriesTo = ({ url }: N8n) => `${url}/webhook/${deliveries}/webhook`;

/** Nobody has an account of Slack here. */
function prepared(workflow: Workflow): Workflow {
	const nodes = workflow.nodes.map((node) => {
		if (node.type.endsWith('.walletScreeningTrigger')) return { ...node, webhookId: deliveries };
		// What is overdue goes to somebody else, too. As an expression it stays, whatever address the others get.
		if (node.name === 'Tell the Head of the Team')
			return { ...node, parameters: { ...node.parameters, toEmail: '=head.of.team@example.com' } };
		return node.type.endsWith('.slack') ? { ...node, disabled: true } : node;
	});
	return { ...workflow, nodes };
}

/**
 * Imports all templates, each after those that it calls, and chooses in them what a user chooses. Makes the data tables,
 * and publishes what can run here.
 */
export async function fill(
	n8n: N8n,
	choices: Omit<Choices, 'workflows'>,
	{ publishes = true } = {},
): Promise<Filled[]> {
	const templates = new Map((await readTemplates()).map((one) => [one.name, prepared(one)]));
	const hasNode = (end: string) => (workflow: Workflow) =>
		workflow.nodes.some(({ type, disabled }) => type.endsWith(end) && !disabled);
	/** The one that says what failed in the others. */
	const teller = [...templates.values()].find(hasNode('.errorTrigger'))?.name;

	const names = [...templates.keys()];
	const saved = new Map<string, Saved<Workflow>>();
	const save = async (name: string, callers: readonly string[] = []): Promise<void> => {
		const template = templates.get(name);
		if (!template || saved.has(name) || callers.includes(name)) return;
		for (const called of calledBy(template, names)) await save(called, [...callers, name]);
		const workflows = new Map([...saved].map(([title, { id }]) => [title, id]));
		const { settings, ...workflow } = wired(template, { ...choices, workflows });
		const errorWorkflow = teller && workflows.get(teller);
		const all = { ...settings, ...(errorWorkflow && { errorWorkflow }) };
		saved.set(name, await n8n.saveWorkflow({ ...workflow, settings: all }));
	};
	for (const name of [...(teller ? [teller] : []), ...names]) await save(name);

	const here = choices.credentials.map(({ type }) => type);
	const filled = [...saved.values()].map((workflow): Filled => {
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
