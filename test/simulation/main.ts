import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { apart, endless, lists, stated } from './scenarios';
import { type Figures, meanOf, type Scenario } from './simulate';

const file = join(__dirname, '../../docs/engineering/scaling.md');
const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const percent = (share: number) => (100 * share).toFixed(1);
const ofList = (of: Figures) => [of.time.toFixed(2), percent(of.refused)];
const ofHour = ({ limitUsed, refused, fairness }: Figures) => [
	limitUsed.toFixed(3),
	percent(refused),
	fairness.toFixed(2),
];

/** A row for each scenario: with the number of workers not stated, and stated. */
async function table(
	scenarios: Scenario[],
	runs: number,
	titles: string[],
	cells: (figures: Figures) => string[],
): Promise<string> {
	const head = ['workers', ...titles, ...titles.map((title) => `${title}, stated`)];
	const rows = [head, head.map(() => '---')];
	for (const scenario of scenarios) {
		const row = [`${scenario.workers}${scenario.apart ? `, ${scenario.apart} s apart` : ''}`];
		for (const one of [scenario, stated(scenario)]) {
			const figures = await meanOf(one, seeds(runs));
			if (figures.lost > 0) throw new Error(`${scenario.workers} workers: items were lost`);
			row.push(...cells(figures));
		}
		rows.push(row);
		console.log(row.join('\t'));
	}
	return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Writes the tables of docs/engineering/scaling.md anew, and leaves its text as it is. */
async function main(): Promise<void> {
	const tables = {
		lists: await table([...lists, apart], 20, ['time', '429 %'], ofList),
		endless: await table(endless, 5, ['used', '429 %', 'fairness'], ofHour),
	};
	let text = await readFile(file, 'utf8');
	for (const [name, rows] of Object.entries(tables)) {
		const place = new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- end -->)`);
		if (!place.test(text)) throw new Error(`docs/engineering/scaling.md has no place for ${name}`);
		text = text.replace(place, (_all, begin, end) => `${begin}\n\n${rows}\n\n${end}`);
	}
	await writeFile(file, await format(text, { parser: 'markdown' }));
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
