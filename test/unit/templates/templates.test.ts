import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { readTemplate, templateNames } from '../../../tools/trial/templates';
import { calledIds, resourceLocator, sortByCalls } from '../../../tools/trial/wiring';
import { workflowOf } from '../../support/n8n/workflows';

const root = join(__dirname, '../../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const templates = templateNames.map((file) => ({ file, ...readTemplate(file) }));
/** The text of each page on the templates, by its file. */
const pages = new Map(
	readdirSync(join(root, 'docs'))
		.filter((file) => /^templates-.*\.md$/.test(file))
		.map((file) => [file, textOf(`docs/${file}`)]),
);

test('the pages name each template, and no other', () => {
	const named = [...pages.values()].flatMap((page) =>
		[...page.matchAll(/\(\.\.\/templates\/([\w-]+)\.json\)/g)].map(([, file]) => file),
	);
	expect([...new Set(named)].sort()).toEqual(templates.map(({ file }) => file).sort());
});

test('each can be published after those that it calls', () => {
	const ids = sortByCalls(templates).map(({ id }) => id);
	expect(ids).toHaveLength(templates.length);
	for (const template of templates)
		for (const called of calledIds(template))
			expect(ids.indexOf(called)).toBeLessThan(ids.indexOf(template.id));
});

test('workflows that call each other, or themselves, are sorted, too', () => {
	const calling = (id: string, ...ids: string[]): Saved<Workflow> => ({
		id,
		...workflowOf(
			id,
			...ids.map((called) => ({
				name: called,
				type: 'n8n-nodes-base.executeWorkflow',
				parameters: { workflowId: resourceLocator('id', called) },
			})),
		),
	});
	const workflows = [calling('a', 'b', 'a'), calling('b', 'a', 'c'), calling('c')];
	expect(sortByCalls(workflows).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});

/**
 * Returns whether a workflow starts by itself or by a request, and so may fail without anyone
 * noticing.
 */
const startsUnseen = ({ nodes }: Workflow) =>
	nodes.some(({ type }) => /(Trigger|\.webhook)$/.test(type) && !/\.manualTrigger$/.test(type));

/**
 * The code between the double braces of all expressions in a parameter. n8n ends each at the first
 * two closing braces.
 */
function codeIn(value: unknown): string[] {
	if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(codeIn);
	if (typeof value !== 'string' || !value.startsWith('=')) return [];
	return [...value.matchAll(/\{\{([\s\S]*?)\}\}/g)].map(([, code]) => code!);
}

/** The nodes of a workflow that write a message to the team. */
function messagesIn(template: (typeof templates)[number]) {
	const { connections, nodes } = template;
	const telling = nodes.filter((node) =>
		calledIds({ ...template, nodes: [node] }).includes('ws-tell-the-team'),
	);
	const tells = telling.map(({ name }) => name);
	const leadsToTeam = (name: string) =>
		(connections[name]?.main ?? []).flat().some((next) => tells.includes(next?.node ?? ''));
	return nodes.filter(({ name, type }) => type.endsWith('.set') && leadsToTeam(name));
}

test('each message to the team says what to do', () => {
	const messages = templates.flatMap(messagesIn);
	const idle = messages.filter(({ parameters }) => !JSON.stringify(parameters).includes('To do: '));
	expect(idle.map(({ name }) => name)).toEqual([]);
	expect(messages).toHaveLength(16);
});

describe.each(templates)('the template $file', (template) => {
	const { file, nodes } = template;

	test('has expressions that are JavaScript', () => {
		for (const { name, parameters } of nodes)
			for (const code of codeIn(parameters))
				expect(() => new Script(`(${code}\n)`, { filename: name })).not.toThrow();
	});

	test('holds nothing of the person who made it', () => {
		const keys = ['file', 'id', 'name', 'nodes', 'connections', 'settings'];
		expect(keys).toEqual(expect.arrayContaining(Object.keys(template)));
		for (const node of nodes) {
			expect(node).not.toHaveProperty('credentials');
			expect(node).not.toHaveProperty('webhookId');
		}
	});

	test('has an id, by which the others call it, and calls others by theirs', () => {
		expect(template.id).toBe(`ws-${file}`);
		for (const { parameters } of nodes) {
			const { value, cachedResultName } = (parameters.workflowId ?? { value: '=' }) as {
				value: string;
				cachedResultName?: string;
			};
			if (value.startsWith('=')) continue;
			expect(templates.find(({ id }) => id === value)?.name).toBe(cachedResultName);
		}
	});

	test('has the error workflow, and its note says what to select after an import of this file alone', () => {
		const first = ['ws-tell-the-team', 'ws-screen-a-wallet'];
		const isTold = startsUnseen(template) && !first.includes(template.id);
		expect(template.settings?.errorWorkflow).toBe(isTold ? 'ws-tell-the-team' : undefined);
		const called = calledIds(template).map((id) => templates.find((one) => one.id === id)!.name);
		const note = JSON.stringify(nodes[0]);
		const [, selected = ''] = /\*\*Imported alone:\*\*(.*?)\*\*n8n:/.exec(note) ?? [];
		const names = isTold ? [...called, 'Tell the Team'] : called;
		expect(names.filter((name) => !selected.includes(`_${name}_`))).toEqual([]);
	});

	test('names nodes by what they do', () => {
		const names = nodes.map(({ name }) => name);
		expect(
			names.filter((name) => /\b(some|any|no)(body|one)\b|\b(say|said|told|hear)\b/i.test(name)),
		).toEqual([]);
	});

	test('has at most 17 nodes, so that a person can follow its canvas', () => {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(nodes.length - notes.length).toBeLessThanOrEqual(17);
	});

	test('ships no threshold: the vendor confirmed none', () => {
		expect(JSON.stringify(nodes)).not.toMatch(/operator\\*":\s*\\*"(gte|lte)/);
	});

	test('leads to the page that explains it, and holds no code', () => {
		const [, page] = /\/docs\/(templates-[\w-]+\.md)\)/.exec(JSON.stringify(nodes[0])) ?? [];
		expect(pages.get(String(page))).toContain(`(../templates/${file}.json)`);
		expect(nodes.filter(({ type }) => /\.(code|function|functionItem)$/.test(type))).toEqual([]);
	});
});
