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

	test('has at most 16 nodes, so that a person can follow its canvas', () => {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(nodes.length - notes.length).toBeLessThanOrEqual(16);
	});

	test('ships no threshold: the vendor confirmed none', () => {
		expect(JSON.stringify(nodes)).not.toMatch(/operator\\*":\s*\\*"(gte|lte)/);
	});

	test('leads to its section of the page, and holds no code', () => {
		const [, anchor] = /\/docs\/templates\.md#([\w-]+)\)/.exec(JSON.stringify(nodes[0])) ?? [];
		expect(sections.get(String(anchor))).toContain(`\`${file}.json\``);
		expect(nodes.filter(({ type }) => /\.(code|function|functionItem)$/.test(type))).toEqual([]);
	});
});
