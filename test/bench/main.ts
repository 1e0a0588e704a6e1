import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { defaultN8nVersion } from '../../host/versions';
import { type Row, startBench } from './bench';
import { bulkRows } from './bulk';
import { queueRows } from './queue';
import { screenRows } from './screen';

const file = join(__dirname, '../../docs/benchmarks.md');

function document(rows: Row[]): string {
	const line = ({ name, measured, against, ratio }: Row) =>
		`| ${name} | ${measured} | ${against} | ${ratio?.toFixed(2) ?? ''} |`;
	return `# Benchmarks

\`npm run bench\` measures these in a real n8n ${defaultN8nVersion} with the packed package, next to something else in the
same run, and writes this page. It takes some minutes. Figures differ between machines; look at the ratios.

Machine: ${cpus().length} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GB.

| what | measured | next to | ratio |
| --- | --- | --- | --- |
${rows.map(line).join('\n')}
`;
}

async function main(): Promise<void> {
	const bench = await startBench();
	try {
		const rows = [...(await bulkRows(bench)), ...(await screenRows(bench)), ...(await queueRows())];
		console.table(rows);
		await writeFile(file, await format(document(rows), { parser: 'markdown' }));
	} finally {
		await bench.close();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
