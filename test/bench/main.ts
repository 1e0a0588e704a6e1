import { formatRatio, formatSection, readSections, writePage } from './page';
import { parts } from './parts';

/** Measures the named parts, or all of them, and writes their sections into the page. */
async function main(names: string[]): Promise<void> {
	const all = Object.keys(parts);
	const unknown = names.filter((name) => !all.includes(name)).join(', ');
	if (unknown) throw new Error(`The bench has no part ${unknown}; it has ${all.join(', ')}`);
	const sections = await readSections();
	const titles = Object.values(parts).map(({ title }) => title);
	for (const name of names.length > 0 ? names : all) {
		const part = parts[name]!;
		const rows = await part.measureRows();
		for (const row of rows)
			console.log(`${row.name}\n  ${row.measured}\n  ${row.against}\n  ${formatRatio(row.ratio)}`);
		sections.set(part.title, formatSection(part, rows));
		// If a later part fails, the page keeps this section.
		await writePage(sections, titles);
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
