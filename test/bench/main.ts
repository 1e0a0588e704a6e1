import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { defaultN8nVersion } from '../../tools/host/versions';
import { addressRows } from './addresses';
import { withBench } from './bench';
import { largeTableRows, queueTableRows } from './largeTables';
import { memoryRows } from './memory';
import { packageRows } from './package';
import { policyRows } from './policy';
import { queueRows } from './queue';
import { readingRows } from './reading';
import type { Row } from './row';
import { screenRows } from './screen';
import { nightRows, templateRows } from './templates';
import { triggerRows } from './trigger';

const pageFile = join(__dirname, '../../docs/engineering/benchmarks.md');

/** A part of the bench: it measures the rows of a section of the page. */
interface Part {
	title: string;
	/** Measures the rows. */
	rows: () => Promise<Row[]>;
}

const parts: Record<string, Part> = {
	screen: { title: 'Screening', rows: async () => await withBench(screenRows) },
	memory: { title: 'Memory', rows: memoryRows },
	policy: { title: 'Decisions, comparisons and digests', rows: policyRows },
	queue: { title: 'Queue mode', rows: queueRows },
	reading: { title: 'Reading answers', rows: readingRows },
	addresses: { title: 'Checking addresses', rows: addressRows },
	templates: { title: 'Lists in the workflows', rows: templateRows },
	night: { title: 'A night of 5,000 customers', rows: nightRows },
	largeTables: { title: 'Large tables', rows: largeTableRows },
	queueTables: { title: 'Large tables in queue mode', rows: queueTableRows },
	trigger: { title: 'Webhooks', rows: triggerRows },
	package: { title: 'Loading', rows: packageRows },
};

function writeIntroduction(): string {
	return `# Benchmarks

For everybody who wants to know how fast the nodes and the workflows are, and what that means for them. \`npm run bench\` wrote
this page. Most figures are of a real n8n ${defaultN8nVersion} with the packed package. _Decisions, comparisons and digests_ are of n8n's engine alone, and
_Reading answers_ and _Checking addresses_ are of the code alone. Most rows compare a figure with another one of the same run.
Each section names the machine that measured it. Other machines give other figures; the ratios stay similar.
`;
}

function describeMachine(): string {
	const memory = (totalmem() / 2 ** 30).toFixed(0);
	return `Measured with ${cpus().length} cores (${cpus()[0]?.model.trim()}) and ${memory} GB.`;
}

const formatRatio = (ratio: number | undefined) => ratio?.toFixed(2) ?? '';

function writeSection(title: string, rows: Row[]): string {
	const line = ({ name, measured, against, ratio, meaning }: Row) =>
		`| ${name} | ${measured} | ${against} | ${formatRatio(ratio)} | ${meaning} |`;
	return `## ${title}

${describeMachine()}

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

/** Measures the named parts, or all of them, and writes their sections into the page. */
async function main(names: string[]): Promise<void> {
	const all = Object.keys(parts);
	const unknown = names.filter((name) => !all.includes(name)).join(', ');
	if (unknown) throw new Error(`The bench has no part ${unknown}; it has ${all.join(', ')}`);
	const sections = await readSections();
	for (const name of names.length > 0 ? names : all) {
		const { title, rows } = parts[name]!;
		const measured = await rows();
		for (const row of measured)
			console.log(`${row.name}\n  ${row.measured}\n  ${row.against}\n  ${formatRatio(row.ratio)}`);
		sections.set(title, writeSection(title, measured));
	}
	const texts = Object.values(parts).map(({ title }) => sections.get(title) ?? '');
	const page = [writeIntroduction(), ...texts].join('\n');
	await writeFile(pageFile, await format(page, { parser: 'markdown' }));
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
