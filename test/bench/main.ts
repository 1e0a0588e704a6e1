import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { defaultN8nVersion } from '../../tools/host/versions';
import { addressRows } from './addresses';
import { type Row, withBench } from './bench';
import { largeTableRows, queueTableRows } from './largeTables';
import { memoryRows } from './memory';
import { packageRows } from './package';
import { policyRows } from './policy';
import { queueRows } from './queue';
import { readingRows } from './reading';
import { screenRows } from './screen';
import { nightRows, templateRows } from './templates';
import { triggerRows } from './trigger';

const file = join(__dirname, '../../docs/engineering/benchmarks.md');

const parts: Record<string, () => Promise<Row[]>> = {
	screen: async () => await withBench(screenRows),
	memory: memoryRows,
	policy: policyRows,
	queue: queueRows,
	reading: readingRows,
	addresses: addressRows,
	templates: templateRows,
	night: nightRows,
	largeTables: largeTableRows,
	queueTables: queueTableRows,
	trigger: triggerRows,
	package: packageRows,
};

function document(rows: Row[]): string {
	const line = ({ name, measured, against, ratio, meaning }: Row) =>
		`| ${name} | ${measured} | ${against} | ${ratio?.toFixed(2) ?? ''} | ${meaning} |`;
	return `# Benchmarks

How fast the nodes are, and what that means for you. \`npm run bench\` measured everything in one run, in a real n8n
${defaultN8nVersion} with the packed package, and wrote this page. Each row compares a figure with another one of the same run.
The machine had ${cpus().length} cores (${cpus()[0]?.model.trim()}) and ${(totalmem() / 2 ** 30).toFixed(0)} GB. Other machines give other figures; the ratios stay similar.

| what | measured | compared with | ratio | what it means for you |
| --- | --- | --- | --- | --- |
${rows.map(line).join('\n')}
`;
}

/** Measures the named parts, or all of them. It writes the page only if it measured all. */
async function main(names: string[]): Promise<void> {
	const all = Object.keys(parts);
	const unknown = names.filter((name) => !all.includes(name)).join(', ');
	if (unknown) throw new Error(`No ${unknown} in the bench, only ${all.join(', ')}`);
	const rows: Row[] = [];
	for (const name of all)
		if (names.length === 0 || names.includes(name)) rows.push(...(await parts[name]!()));
	for (const { name, measured, against, ratio } of rows) {
		console.log(`${name}\n  ${measured}\n  ${against}\n  ${ratio?.toFixed(2) ?? ''}`);
	}
	if (names.length > 0) return;
	await writeFile(file, await format(document(rows), { parser: 'markdown' }));
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
