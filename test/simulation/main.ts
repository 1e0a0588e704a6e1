import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { alternatives } from './alternatives';
import {
	alone,
	anHour,
	comeAndGo,
	crowds,
	lists,
	misstated,
	nights,
	type Named,
	stated,
	together,
	withHeaders,
} from './scenarios';
import { type Figures, seeded, simulate } from './simulate';

const file = join(__dirname, '../../docs/scaling.md');
/** A list ends at a moment that varies more than what is counted over ten minutes, and takes less time to run. */
const runsOf = ({ items }: Named) => (items ? 20 : 5);

/** The figures of a scenario, in each of the runs. */
async function run(scenario: Named): Promise<Figures[]> {
	const runs: Figures[] = [];
	for (let seed = 1; seed <= runsOf(scenario); seed++)
		runs.push(await simulate(scenario, seeded(seed)));
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

const used: Column = {
	title: 'limit used',
	cell: (_, runs) => mean(runs, 'limitUsed').toFixed(3),
};
const fairness: Column = {
	title: 'fairness (least)',
	cell: (_, runs) =>
		`${mean(runs, 'fairness').toFixed(2)} (${Math.min(...values(runs, 'fairness')).toFixed(2)})`,
};
const longestWait: Column = {
	title: 'longest wait',
	cell: (_, runs) => `${Math.max(...values(runs, 'longestWait')).toFixed(0)} s`,
};
const endless: Column[] = [workers, used, refused, fairness, longestWait, lost];

const timeOfLimit: Column = {
	title: 'time (most)',
	cell: (_, runs) =>
		`${mean(runs, 'ofLimit').toFixed(2)} (${Math.max(...values(runs, 'ofLimit')).toFixed(2)})`,
};
const took: Column = {
	title: 'took',
	cell: (_, runs) => `${mean(runs, 'took').toFixed(0)} s`,
};
const dealt: Column[] = [workers, took, timeOfLimit, refused, lost];

/** The same columns twice: with the number of workers stated, and not. */
function both(columns: Column[], titleOf: (scenario: Named) => string) {
	return async (scenarios: Named[]): Promise<string> => {
		const lines = [
			row([
				'workers',
				...['stated', 'not stated'].flatMap((kind) =>
					columns.map(({ title }) => `${title}, ${kind}`),
				),
			]),
			row(['---', ...columns.flatMap(() => ['---', '---'])]),
		];
		for (const scenario of scenarios) {
			const [known] = stated([scenario]);
			const [withNumber, without] = [await run(known!), await run(scenario)];
			lines.push(
				row([
					titleOf(scenario),
					...columns.map(({ cell }) => cell(scenario, withNumber)),
					...columns.map(({ cell }) => cell(scenario, without)),
				]),
			);
			console.log(lines.at(-1));
		}
		return lines.join('\n');
	};
}

/** All lists, by algorithm: the mean and the worst of their rows. */
async function compared(): Promise<string> {
	const figures = async (scenarios: Named[]) => {
		const means: Array<{ time: number; refusals: number }> = [];
		for (const scenario of scenarios) {
			const runs = await run(scenario);
			means.push({ time: mean(runs, 'ofLimit'), refusals: mean(runs, 'refused') });
		}
		const times = means.map(({ time }) => time);
		const refusals = means.map((each) => each.refusals);
		const average = (numbers: number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
		return [
			`${average(times).toFixed(2)} (${Math.max(...times).toFixed(2)})`,
			`${(100 * average(refusals)).toFixed(1)} % (${(100 * Math.max(...refusals)).toFixed(1)} %)`,
		];
	};
	const lines = [
		row([
			'algorithm',
			'time, stated',
			'429, stated',
			'time, not stated',
			'429, not stated',
			'one worker, 16 stated',
		]),
		row(Array<string>(6).fill('---')),
	];
	const all: Record<string, Named['paceFor']> = { 'what ships': undefined, ...alternatives };
	for (const [name, paceFor] of Object.entries(all)) {
		const by = (scenarios: Named[]) =>
			scenarios.map((scenario) => ({ ...scenario, ...(paceFor && { paceFor }) }));
		const [single] = by(alone.filter(({ sharedBy }) => sharedBy === 16));
		lines.push(
			row([
				name,
				...(await figures(by(stated(lists)))),
				...(await figures(by(lists))),
				mean(await run(single!), 'ofLimit').toFixed(2),
			]),
		);
		console.log(lines.at(-1));
	}
	return lines.join('\n');
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`;

const table = (columns: Column[]) => async (scenarios: Named[]) => {
	const lines = [row(columns.map(({ title }) => title)), row(columns.map(() => '---'))];
	for (const scenario of scenarios) {
		const runs = await run(scenario);
		lines.push(row(columns.map(({ cell }) => cell(scenario, runs))));
		console.log(lines.at(-1));
	}
	return lines.join('\n');
};

/** One run of each, with what it costs in requests. */
async function nightly(): Promise<string> {
	const lines = [
		row(['addresses', 'requests', 'answered 429', 'took', 'of the limit', 'lost']),
		row(Array<string>(6).fill('---')),
	];
	for (const night of nights) {
		const figures = await simulate(night, seeded(1));
		const { requests, refused, took, ofLimit, lost } = figures;
		const time =
			took < 600
				? `${took.toFixed(0)} s`
				: took < 7200
					? `${(took / 60).toFixed(0)} min`
					: `${(took / 3600).toFixed(1)} h`;
		lines.push(
			row([
				night.name,
				requests.toLocaleString('en'),
				`${(100 * refused).toFixed(1)} %`,
				time,
				ofLimit.toFixed(2),
				`${lost}`,
			]),
		);
		console.log(lines.at(-1));
	}
	return lines.join('\n');
}

const tables: Record<string, () => Promise<string>> = {
	nights: nightly,
	alone: async () =>
		await table([{ ...workers, title: 'processes in the credential' }, ...dealt.slice(1)])(alone),
	lists: async () =>
		await both([timeOfLimit, refused, lost], ({ name }) => name)([...lists, ...crowds]),
	withHeaders: async () => await table(dealt)(withHeaders),
	misstated: async () => await table(endless)(misstated),
	together: async () =>
		await both(
			[used, refused, fairness, lost],
			({ name, latencyMs }) => `${name}, ${latencyMs} ms`,
		)(together),
	anHour: async () =>
		await both([used, refused, fairness, longestWait, lost], ({ name }) => name)(anHour),
	comeAndGo: async () => await table(endless)(comeAndGo),
	compared,
};

/** Writes the named tables of docs/scaling.md anew, or all, and leaves its text as it is. */
async function main(names: string[]): Promise<void> {
	let text = await readFile(file, 'utf8');
	for (const [name, rows] of Object.entries(tables)) {
		if (names.length > 0 && !names.includes(name)) continue;
		const place = new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- end -->)`);
		if (!place.test(text)) throw new Error(`docs/scaling.md has no place for ${name}`);
		const lines = await rows();
		text = text.replace(place, (_all, begin, end) => `${begin}\n\n${lines}\n\n${end}`);
	}
	await writeFile(file, await format(text, { parser: 'markdown' }));
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
