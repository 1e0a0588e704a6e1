import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../../..');
const pages = ['.', 'docs', 'docs/engineering'].flatMap((folder) =>
	readdirSync(join(root, folder))
		.filter((name) => name.endsWith('.md'))
		.map((name) => join(folder, name)),
);
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** Returns the anchor that GitHub gives a heading of a page. */
const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\d\- _]/gu, '')
		.replaceAll(' ', '-');

describe('links', () => {
	const linksOf = (path: string) =>
		[...textOf(path).matchAll(/\]\(([^)\s]+)\)/g)]
			.map(([, target = '']) => target)
			.filter((target) => !/^(https?:|mailto:)/.test(target));
	const anchorsOf = (path: string) =>
		[...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title));

	it('lead to every page', () => {
		const linked = pages.flatMap((path) =>
			linksOf(path).map((target) => join(dirname(path), target.split('#')[0]!)),
		);
		const starts = ['README.md', 'CONTRIBUTING.md'];
		expect(pages.filter((path) => ![...linked, ...starts].includes(path))).toEqual([]);
	});

	it.each(pages)('of %s lead somewhere', (path) => {
		const dead = linksOf(path).filter((target) => {
			const [file = '', anchor] = target.split('#');
			const linked = file === '' ? path : join(dirname(path), file);
			if (!existsSync(join(root, linked))) return true;
			return anchor !== undefined && !anchorsOf(linked).includes(anchor);
		});
		expect(dead).toEqual([]);
	});
});
