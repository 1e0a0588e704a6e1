/** Phrases that readers stumble over: a help, not a grammar. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { anchorOf } from '../../support/anchor';
import { action, credential, trigger } from '../descriptions/walk';

const root = join(__dirname, '../../..');

/** Each with what to write instead. */
const stumblingBlocks: Array<[RegExp, string]> = [
	[/\bwhoever\b/i, 'the person who'],
	[/\bwhere there (is|are) (no|none|one|some|more)\b/i, 'if there is'],
	[/\bbut for\b/i, 'except'],
	[/\balone\b/i, 'only, or by itself'],
	[/\bcannot be right\b/i, 'invalid'],
	[/\bunder way\b/i, 'in progress'],
	[/\bwhat cannot\b/i, 'a noun'],
	[/\b(is|are|be|was|were|been|unless) told\b/i, 'notified, or a verb that names who says it'],
	[/\bgives? up\b|\bgave up\b/i, 'stop, or end without completing'],
	// The specification names no prices.
	[/\bfor free\b|\bfree of (charge|cost)\b|\bcosts nothing\b/i, 'makes no new screening request'],
	[/\b(paid|pays?|paying) (once|twice|again)\b|\bpaid (report|screening)/i, 'screened again'],
];

/** Marks of a merge that nobody finished, also as Prettier rewrites them. */
const mergeMark = /^(<{7}|={7}$|>{7}|(> ){6})/;

function stumbled(text: string): string[] {
	return text.split('\n').flatMap((line, index) => {
		const found = stumblingBlocks.flatMap(([phrase, better]) => {
			const [said] = phrase.exec(line) ?? [];
			return said === undefined ? [] : [`line ${index + 1}: "${said}" → ${better}`];
		});
		return mergeMark.test(line) ? [...found, `line ${index + 1}: ${line}`] : found;
	});
}

const pages = ['.', 'docs', 'docs/engineering'].flatMap((folder) =>
	readdirSync(join(root, folder))
		.filter((name) => name.endsWith('.md'))
		.map((name) => join(folder, name)),
);
const sources = (folder: string) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name));
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const notesOf = (template: string) =>
	(JSON.parse(textOf(template)) as { nodes: Array<{ parameters: { content?: string } }> }).nodes
		.flatMap(({ parameters }) => parameters.content ?? [])
		.join('\n\n');

it.each([...pages, ...['nodes', 'credentials', 'sandbox', 'tools'].flatMap(sources)])(
	'%s has plain words',
	(path) => {
		// Names in code, and rows that quote the names of tests, are not prose.
		const code = /`[^`\n]*`( "[^"\n]*")*|<!--.*?-->/g;
		const text = textOf(path);
		expect(stumbled(path.endsWith('.md') ? text.replace(code, '') : text)).toEqual([]);
	},
);

describe('no sentence has more than 30 words', () => {
	/** A sentence ends where a paragraph, an item of a list or a cell of a table does, too. */
	const sentencesOf = (text: string) =>
		text
			.replace(/^```[\s\S]*?^```|<!--.*?-->|"[^"\n]*"/gm, '')
			.replace(/\]\([^)]*\)/g, ']')
			.replace(/`[^`\n]*`/g, 'code')
			.split(/\n\s*\n|\n\s*(?=[-#|]|\d+\. )|(?<=^#.*)\n|\|| · |(?<=[.!?][*_)]*)\s+/m)
			.map((sentence) => sentence.match(/\S*[\p{L}\d]\S*/gu) ?? []);
	const tooLong = (text: string) =>
		sentencesOf(text)
			.filter(({ length }) => length > 30)
			.map((words) => words.join(' '));

	it.each(pages)('in %s', (path) => {
		expect(tooLong(textOf(path))).toEqual([]);
	});

	it.each(readdirSync(join(root, 'templates')))('in the notes of %s', (name) => {
		const notes = notesOf(join('templates', name));
		expect([...tooLong(notes), ...stumbled(notes)]).toEqual([]);
	});
});

it('the editor has plain words', () => {
	const shown = JSON.stringify([action, trigger, credential.properties, credential.test], null, 1);
	expect(stumbled(shown)).toEqual([]);
});

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
