import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { defaultN8nVersion } from '../../tools/host/versions';
import { addressRows } from './addresses';
import { nightSize } from './customersStage';
import { largeTableRows, queueTableRows } from './largeTables';
import { memoryRows } from './memory';
import { packageRows } from './package';
import { policyRows } from './policy';
import { queueRows } from './queue';
import { readingRows } from './reading';
import { formatCount, type Row } from './row';
import { screenRows } from './screen';
import { nightRows, templateRows } from './templates';
import { triggerRows } from './trigger';

const pageFile = join(__dirname, '../../docs/engineering/benchmarks.md');

/** A part of the bench: it measures the rows of a section of the page. */
interface Part {
	title: string;
	/** Measures the rows. */
	rows: () => Promise<Row[]>;
	/** Where they are measured. */
	place: string;
}

const realN8n = `in a real n8n ${defaultN8nVersion} with the packed package`;
const queueMode = `${realN8n}, in queue mode with PostgreSQL`;
const engineAlone = `in the engine of n8n ${defaultN8nVersion} alone`;
const loaderAlone = `with the loader of n8n ${defaultN8nVersion} alone`;
const codeAlone = 'in the code of the package alone';

const parts: Record<string, Part> = {
	screen: { title: 'Screening', rows: screenRows, place: realN8n },
	memory: { title: 'Memory', rows: memoryRows, place: realN8n },
	policy: {
		title: 'Decisions, comparisons and digests',
		rows: policyRows,
		place: engineAlone,
	},
	queue: { title: 'Queue mode', rows: queueRows, place: queueMode },
	reading: { title: 'Reading answers', rows: readingRows, place: codeAlone },
	addresses: { title: 'Checking addresses', rows: addressRows, place: codeAlone },
	templates: { title: 'Lists in the workflows', rows: templateRows, place: realN8n },
	night: {
		title: `A night of ${formatCount(nightSize)} customers`,
		rows: nightRows,
		place: realN8n,
	},
	largeTables: { title: 'Large tables', rows: largeTableRows, place: realN8n },
	queueTables: { title: 'Large tables in queue mode', rows: queueTableRows, place: queueMode },
	trigger: { title: 'Webhooks', rows: triggerRows, place: realN8n },
	package: { title: 'Loading', rows: packageRows, place: loaderAlone },
};

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

const formatRatio = (ratio: number | undefined) => ratio?.toFixed(2) ?? '';

function formatSection({ title, place }: Part, rows: Row[]): string {
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
async function readSections(): Promise<Map<string, string>> {
	const [, ...sections] = (await readFile(pageFile, 'utf8')).split(/^(?=## )/m);
	return new Map(sections.map((text) => [/^## (.*)/.exec(text)![1]!, text]));
}

/**
 * Writes the page: the sections in the order of the parts. `sections` has them by their titles.
 */
async function writePage(sections: ReadonlyMap<string, string>): Promise<void> {
	const texts = Object.values(parts).map(({ title }) => sections.get(title) ?? '');
	const page = [introduction, ...texts].join('\n');
	await writeFile(pageFile, await format(page, { parser: 'markdown' }));
}

/** Measures the named parts, or all of them, and writes their sections into the page. */
async function main(names: string[]): Promise<void> {
	const all = Object.keys(parts);
	const unknown = names.filter((name) => !all.includes(name)).join(', ');
	if (unknown) throw new Error(`The bench has no part ${unknown}; it has ${all.join(', ')}`);
	const sections = await readSections();
	for (const name of names.length > 0 ? names : all) {
		const part = parts[name]!;
		const rows = await part.rows();
		for (const row of rows)
			console.log(`${row.name}\n  ${row.measured}\n  ${row.against}\n  ${formatRatio(row.ratio)}`);
		sections.set(part.title, formatSection(part, rows));
		// If a later part fails, the page keeps this section.
		await writePage(sections);
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
