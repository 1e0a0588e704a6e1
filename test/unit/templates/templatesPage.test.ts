import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const names = readdirSync(join(root, 'templates')).map((file) => file.replace('.json', ''));
const raw = 'https://raw.githubusercontent.com/wallet-screening/n8n-nodes-wallet-screening/main';

test('the index of templates has each of them, with its address, and no other', () => {
	const page = textOf('docs/templates.md');
	const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
	expect(sections.sort()).toEqual([...names].sort());
	for (const name of names) {
		expect(page).toContain(`[\`${name}\`](#${name})`);
		expect(page).toContain(`](images/templates/${name}.png)`);
		expect(existsSync(join(root, `docs/images/templates/${name}.png`))).toBe(true);
		expect(page).toContain(`<${raw}/templates/${name}.json>`);
	}
});

test('the README names each template', () => {
	for (const name of names) expect(textOf('README.md')).toContain(`docs/templates.md#${name})`);
});
