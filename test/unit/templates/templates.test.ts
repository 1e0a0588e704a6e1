import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workflow } from '../../../host/workflow';
import { anchorOf } from '../../support/anchor';

const root = join(__dirname, '../../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const templates = readdirSync(join(root, 'templates')).map((file) => ({
	file: file.replace('.json', ''),
	...(JSON.parse(textOf(`templates/${file}`)) as Workflow),
}));
const raw = 'https://raw.githubusercontent.com/wallet-screening/n8n-nodes-wallet-screening/main';

test('the index of templates has each of them, under its name in n8n, with its address, and no other', () => {
	const page = textOf('docs/templates.md');
	const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
	expect(sections.sort()).toEqual(templates.map(({ name }) => name).sort());
	for (const { file, name } of templates) {
		expect(page).toContain(`[${name}](#${anchorOf(name)})`);
		expect(page).toContain(`](images/templates/${file}.png)`);
		expect(existsSync(join(root, `docs/images/templates/${file}.png`))).toBe(true);
		expect(page).toContain(`<${raw}/templates/${file}.json>`);
	}
});

describe.each(templates)('the template $file', (template) => {
	const { name, nodes } = template;

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
		expect(content).toContain(`/docs/templates.md#${anchorOf(name)})`);
	});

	test('holds no long expression, and no code that an operation could replace', () => {
		// They read what an explorer answers, which no node of n8n's does.
		const readers = ['Read Esplora', 'Read Etherscan', 'Read TronGrid'];
		const coded = nodes.filter(({ type }) => /\.(code|function|functionItem)$/.test(type));
		expect(readers).toEqual(expect.arrayContaining(coded.map(({ name }) => name)));
		const long: unknown[] = [];
		for (const { name: node, parameters } of nodes) {
			const texts = JSON.stringify(parameters, (_, value) =>
				typeof value === 'string' && !value.startsWith('=') ? undefined : value,
			);
			for (const [expression] of texts.matchAll(/\{\{.*?\}\}/g)) {
				const text = JSON.parse(`"${expression}"`) as string;
				if (text.length > 120) long.push([node, text]);
			}
		}
		expect(long).toEqual([]);
	});
});
