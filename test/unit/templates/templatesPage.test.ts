import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorOf } from '../../support/anchor';

const root = join(__dirname, '../../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const templates = readdirSync(join(root, 'templates')).map((file) => ({
	file: file.replace('.json', ''),
	...(JSON.parse(textOf(`templates/${file}`)) as { name: string }),
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
