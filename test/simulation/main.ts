import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { anHour, comeAndGo, type Named, together } from './scenarios';
import { type Figures, seeded, simulate } from './simulate';

const file = join(__dirname, '../../docs/scaling.md');
const seeds = [1, 2, 3, 4, 5];

/** The figures of a scenario, in each of the runs. */
async function run(scenario: Named): Promise<Figures[]> {
	const runs: Figures[] = [];
	for (const seed of seeds) runs.push(await simulate(scenario, seeded(seed)));
	return runs;
}

async function table(scenarios: Named[]): Promise<string> {
	const lines: string[] = [];
	for (const scenario of scenarios) {
		const line = row(scenario, await run(scenario));
		console.log(line);
		lines.push(line);
	}
	return `| workers | latency | limit used | answered 429 | fairness (least) | longest wait | lost |
| --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}`;
}

function row({ name, latencyMs }: Named, runs: Figures[]): string {
	const mean = (figure: keyof Figures) =>
		runs.reduce((sum, figures) => sum + figures[figure], 0) / runs.length;
	const least = Math.min(...runs.map(({ fairness }) => fairness));
	const longest = Math.max(...runs.map(({ longestWait }) => longestWait));
	const lost = runs.reduce((sum, figures) => sum + figures.lost, 0);
	return `| ${name} | ${latencyMs} ms | ${mean('limitUsed').toFixed(3)} | ${(100 * mean('refused')).toFixed(1)} % | ${mean('fairness').toFixed(2)} (${least.toFixed(2)}) | ${longest.toFixed(0)} s | ${lost} |`;
}

/** Writes the tables of docs/scaling.md anew and leaves its text as it is. */
async function main(): Promise<void> {
	let text = await readFile(file, 'utf8');
	for (const [name, scenarios] of Object.entries({ together, anHour, comeAndGo })) {
		const place = new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- end -->)`);
		const rows = await table(scenarios);
		text = text.replace(place, (_all, begin, end) => `${begin}\n\n${rows}\n\n${end}`);
	}
	await writeFile(file, await format(text, { parser: 'markdown' }));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
