import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { endless, lists, listWithGaps, stated } from './scenarios';
import { type Figures, meanOf, type Scenario } from './simulate';

const file = join(__dirname, '../../docs/engineering/scaling.md');
const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const percent = (share: number) => (100 * share).toFixed(1);
const listCells = ({ time, refused }: Figures) => [time.toFixed(2), percent(refused)];
const endlessCells = ({ limitUsed, refused, fairness }: Figures) => [
	limitUsed.toFixed(3),
	percent(refused),
	fairness.toFixed(2),
];

/** A table with a row for each scenario: first the number of workers is not stated, then it is. */
async function table(
	scenarios: Scenario[],
	runs: number,
	titles: string[],
	cells: (figures: Figures) => string[],
): Promise<string> {
	const head = ['workers', ...titles, ...titles.map((title) => `${title}, stated`)];
	const rows = [head, head.map(() => '---')];
	for (const scenario of scenarios) {
		const row = [
			`${scenario.workers}${scenario.gapSeconds ? `, ${scenario.gapSeconds} s apart` : ''}`,
		];
		for (const variant of [scenario, stated(scenario)]) {
			const figures = await meanOf(variant, seeds(runs));
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
		lists: await table([...lists, listWithGaps], 20, ['time', '429 %'], listCells),
		endless: await table(endless, 5, ['used', '429 %', 'fairness'], endlessCells),
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
