import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const page = readFileSync(join(root, 'docs/specification-coverage.md'), 'utf8');

const rows = page
	.split('\n')
	.filter((line) => line.startsWith('| ') && !/^\| (the specification says|-)/.test(line))
	.map((line) =>
		line
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);

function quoted(cell = ''): string[] {
	return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
}

function isThere(file: string): boolean {
	return ['', 'nodes/WalletScreening'].some((folder) => existsSync(join(root, folder, file)));
}

it('has every section of the specification, and a row of four cells for each statement', () => {
	expect(page.match(/^## \d/gm)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `## ${n}`));
	expect(rows.length).toBeGreaterThanOrEqual(75);
	expect(rows.filter((cells) => cells.length !== 4 || cells.includes(''))).toEqual([]);
});

it('says in each row where to look, and names no file that is not there', () => {
	expect(rows.filter(([, , where]) => quoted(where).length === 0)).toEqual([]);
	expect(rows.flatMap(([, , where]) => quoted(where)).filter((file) => !isThere(file))).toEqual([]);
});

it('names in each row files of tests that are there, or says that there is nothing to show', () => {
	const proven = rows.map(([, , , tests = '']) => tests).filter((tests) => !tests.startsWith('— '));
	const filesIn = (tests: string) =>
		quoted(tests).filter((text) => /^(unit|integration|e2e)\/.*\.ts$/.test(text));
	expect(proven.filter((tests) => filesIn(tests).length === 0)).toEqual([]);
	const files = proven.flatMap(filesIn);
	expect(files.filter((file) => !existsSync(join(root, 'test', file)))).toEqual([]);
});

it('quotes the names of tests that are there', () => {
	const named = [...page.matchAll(/`((?:unit|integration|e2e)\/[^`]+\.ts)` "([^"]+)"/g)];
	expect(named.length).toBeGreaterThanOrEqual(rows.length);
	const isNamed = ([, file = '', name = '']: RegExpMatchArray) =>
		readFileSync(join(root, 'test', file), 'utf8')
			.replaceAll("\\'", "'")
			.includes(name);
	expect(named.filter((one) => !isNamed(one)).map(([text]) => text)).toEqual([]);
});
