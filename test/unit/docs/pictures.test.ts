import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, pictureFolder, readPictures } from '../../support/data/pictures';

const root = join(__dirname, '../../..');
const pictures = Object.entries(readPictures());
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
	.filter((name) => name.endsWith('.md'))
	.map((name) => readFileSync(join(root, name), 'utf8'))
	.join('\n');
const templates = readdirSync(join(root, 'templates'))
	.map((name) => readFileSync(join(root, 'templates', name), 'utf8'))
	.join('\n');

test('each picture is on a page, and says what it shows', () => {
	const files = readdirSync(pictureFolder, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.png'))
		.map((name) => name.replaceAll('\\', '/').replace('.png', ''));
	expect(pictures.map(([name]) => name).sort()).toEqual(files.sort());
	expect(files.filter((name) => !pages.includes(`images/${name}.png`))).toEqual([]);
});

/** `npm run pictures -- NAME` takes one again. */
const ofTemplates = pictures.filter(([, { templates: shown }]) => shown);
test.each(ofTemplates)(
	'the picture %s is no older than the template that it shows',
	(_, picture) => {
		const { shows = 'result', templates: shown = {} } = picture;
		expect(shown).not.toEqual({});
		const now = Object.keys(shown).map((name) => [name, digestOf(name, shows)]);
		expect(Object.fromEntries(now)).toEqual(shown);
	},
);

const columnsIn = (text = '') => [...new Set(text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [])];
const withColumns = pictures
	.map(([name, { text }]) => ({ name, columns: columnsIn(text) }))
	.filter(({ columns }) => columns.length > 0);
test.each(withColumns)(
	'the picture $name names only columns that workflows have',
	({ columns }) => {
		expect(columns.filter((name) => !templates.includes(name))).toEqual([]);
	},
);
