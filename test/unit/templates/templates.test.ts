import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workflow } from '../../../tools/host/workflow';
import { anchorOf } from '../../support/anchor';

const root = join(__dirname, '../../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const templates = readdirSync(join(root, 'templates')).map((file) => ({
	file: file.replace('.json', ''),
	...(JSON.parse(textOf(`templates/${file}`)) as Workflow),
}));
const page = textOf('docs/templates.md');
/** The text of each section of the page, by its anchor. */
const sections = new Map(
	page.split(/^## /m).map((section) => [anchorOf(section.split('\n')[0] ?? ''), section]),
);

test('the page names each template, and no other', () => {
	const named = [...page.matchAll(/`([\w-]+)\.json`/g)].map(([, file]) => file);
	expect([...new Set(named)].sort()).toEqual(templates.map(({ file }) => file).sort());
});

test('the states of a payment are the words of the workflows', () => {
	const [, diagram = ''] = /stateDiagram-v2\n([^`]+)/.exec(page) ?? [];
	const quoted = [...diagram.matchAll(/"(.+)" as/g)].map(([, state]) => String(state));
	const plain = [...diagram.matchAll(/--> (\w{6,})/g)].map(([, state]) => String(state));
	const workflows = ['take', 'answer', 'release'].map((part) =>
		textOf(`templates/approve-${part}.json`),
	);
	for (const state of [...quoted, ...plain]) expect(workflows.join()).toContain(state);
	expect(new Set([...quoted, ...plain]).size).toBe(9);
});

test('together they have at most 310 nodes, and none has more than 16', () => {
	const counts = templates.map(
		({ nodes }) => nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote').length,
	);
	expect(Math.max(...counts)).toBeLessThanOrEqual(16);
	expect(counts.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(310);
});

describe.each(templates)('the template $file', (template) => {
	const { file, nodes } = template;

	test('holds nothing of the person who made it', () => {
		const keys = ['file', 'id', 'name', 'nodes', 'connections', 'settings'];
		expect(keys).toEqual(expect.arrayContaining(Object.keys(template)));
		for (const node of nodes) {
			expect(node).not.toHaveProperty('credentials');
			expect(node).not.toHaveProperty('webhookId');
		}
	});

	test('says first what it does, what it needs, which n8n, and where there is more', () => {
		const [first] = nodes;
		const content = String(first?.parameters.content);
		expect(first?.name).toBe('About This Workflow');
		expect(content).toMatch(/^## .+\n.+/);
		expect(content).toContain('**You need:** ');
		expect(content).toContain('**n8n:** ');
		const [, anchor] = /\/docs\/templates\.md#([\w-]+)\)/.exec(content) ?? [];
		expect(sections.get(String(anchor))).toContain(`\`${file}.json\``);
	});

	test('ships no threshold: the vendor confirmed none', () => {
		expect(JSON.stringify(nodes)).not.toMatch(/operator\\*":\s*\\*"(gte|lte)/);
	});

	test('holds no code, and no long expression', () => {
		expect(nodes.filter(({ type }) => /\.(code|function|functionItem)$/.test(type))).toEqual([]);
		const expressions: string[] = [];
		JSON.stringify(nodes, (_, value: unknown) => {
			if (typeof value === 'string' && value.startsWith('='))
				expressions.push(...(value.match(/\{\{.*?\}\}/gs) ?? []));
			return value;
		});
		expect(expressions.filter(({ length }) => length > 120)).toEqual([]);
	});
});
