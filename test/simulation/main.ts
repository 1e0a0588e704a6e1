import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { anHour, comeAndGo, lists, type Named, shortest, together } from './scenarios';
import { type Figures, seeded, simulate } from './simulate';

const file = join(__dirname, '../../docs/scaling.md');
const seeds = [1, 2, 3, 4, 5];

/** The figures of a scenario, in each of the runs. */
async function run(scenario: Named): Promise<Figures[]> {
	const runs: Figures[] = [];
	for (const seed of seeds) runs.push(await simulate(scenario, seeded(seed)));
	return runs;
}

interface Column {
	title: string;
	cell: (scenario: Named, runs: Figures[]) => string;
}

function mean(runs: Figures[], figure: keyof Figures): number {
	return runs.reduce((sum, figures) => sum + figures[figure], 0) / runs.length;
}
const values = (runs: Figures[], figure: keyof Figures) => runs.map((figures) => figures[figure]);

const workers: Column = { title: 'workers', cell: ({ name }) => name };
const refused: Column = {
	title: 'answered 429',
	cell: (_, runs) => `${(100 * mean(runs, 'refused')).toFixed(1)} %`,
};
const lost: Column = {
	title: 'lost',
	cell: (_, runs) => `${runs.length * mean(runs, 'lost')}`,
};

const endless: Column[] = [
	workers,
	{ title: 'latency', cell: ({ latencyMs }) => `${latencyMs} ms` },
	{ title: 'limit used', cell: (_, runs) => mean(runs, 'limitUsed').toFixed(3) },
	refused,
	{
		title: 'fairness (least)',
		cell: (_, runs) =>
			`${mean(runs, 'fairness').toFixed(2)} (${Math.min(...values(runs, 'fairness')).toFixed(2)})`,
	},
	{
		title: 'longest wait',
		cell: (_, runs) => `${Math.max(...values(runs, 'longestWait')).toFixed(0)} s`,
	},
	lost,
];

const dealt: Column[] = [
	workers,
	{ title: 'took', cell: (_, runs) => `${mean(runs, 'took').toFixed(0)} s` },
	{
		title: `of ${shortest} s (most)`,
		cell: (_, runs) =>
			`${(mean(runs, 'took') / shortest).toFixed(2)} (${(Math.max(...values(runs, 'took')) / shortest).toFixed(2)})`,
	},
	refused,
	lost,
];

const tables = {
	together: { scenarios: together, columns: endless },
	lists: { scenarios: lists, columns: dealt },
	anHour: { scenarios: anHour, columns: endless },
	comeAndGo: { scenarios: comeAndGo, columns: endless },
};

async function table(scenarios: Named[], columns: Column[]): Promise<string> {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	const lines = [line(columns.map(({ title }) => title)), line(columns.map(() => '---'))];
	for (const scenario of scenarios) {
		const runs = await run(scenario);
		lines.push(line(columns.map(({ cell }) => cell(scenario, runs))));
		console.log(lines.at(-1));
	}
	return lines.join('\n');
}

/** Writes the tables of docs/scaling.md anew and leaves its text as it is. */
async function main(): Promise<void> {
	let text = await readFile(file, 'utf8');
	for (const [name, { scenarios, columns }] of Object.entries(tables)) {
		const place = new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- end -->)`);
		const rows = await table(scenarios, columns);
		text = text.replace(place, (_all, begin, end) => `${begin}\n\n${rows}\n\n${end}`);
	}
	await writeFile(file, await format(text, { parser: 'markdown' }));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
