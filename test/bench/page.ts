import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import type { Part } from './parts';
import type { Row } from './row';

const pageFile = join(__dirname, '../../docs/engineering/benchmarks.md');

const introduction = `# Benchmarks

For anyone who wants to know how fast the nodes and the workflows are, and what that means for them.
\`npm run bench\` wrote this page. Each section names where it was measured. Other machines give
other figures. A row about whole executions of n8n is of one run, unless it names a median: the next
run may differ by half.

Most rows compare a figure with another one of the same run. The ratio is the first figure divided
by the second: below 1 is better, unless the row says that more is better.
`;

/** Describes where a section was measured: in which n8n, and on which machine. */
function describePlace(place: string): string {
	const memory = (totalmem() / 2 ** 30).toFixed(0);
	const cores = `${cpus().length} cores (${cpus()[0]?.model.trim()})`;
	return `Measured ${place}, on ${cores} with ${memory} GB.`;
}

export const formatRatio = (ratio: number | undefined) => ratio?.toFixed(2) ?? '';

/** Returns the text of a section with these rows. */
export function formatSection({ title, place }: Part, rows: Row[]): string {
	const line = ({ name, measured, against, ratio, meaning }: Row) =>
		`| ${name} | ${measured} | ${against} | ${formatRatio(ratio)} | ${meaning} |`;
	return `## ${title}

${describePlace(place)}

| what | measured | compared with | ratio | what it means for you |
| --- | --- | --- | --- | --- |
${rows.map(line).join('\n')}
`;
}

/** Reads the sections that the page has, by their titles. */
export async function readSections(): Promise<Map<string, string>> {
	const [, ...sections] = (await readFile(pageFile, 'utf8')).split(/^(?=## )/m);
	return new Map(sections.map((text) => [/^## (.*)/.exec(text)![1]!, text]));
}

/**
 * Writes the page.
 *
 * @param sections the sections by their titles
 * @param titles the order of the sections; one without a text is left out
 */
export async function writePage(
	sections: ReadonlyMap<string, string>,
	titles: readonly string[],
): Promise<void> {
	const texts = titles.map((title) => sections.get(title) ?? '');
	const page = [introduction, ...texts].join('\n');
	await writeFile(pageFile, await format(page, { parser: 'markdown' }));
}
