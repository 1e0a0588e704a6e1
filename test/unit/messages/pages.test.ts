import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareReports } from '../../../nodes/WalletScreening/policy/change';
import { decide } from '../../../nodes/WalletScreening/policy/decision';
import { readPolicy } from '../../../nodes/WalletScreening/policy/policy';
import { parseReport } from '../../../nodes/WalletScreening/answers/report';

/** The examples of a page of the documentation, which has some. */
function examplesOf(page: string, form: RegExp): string[][] {
	const text = readFileSync(join(__dirname, '../../../docs', page), 'utf8');
	const examples = [...text.matchAll(form)].map(([, ...parts]) => parts);
	if (examples.length === 0) throw new Error(`${page} has no example`);
	return examples;
}

test.each(examplesOf('monitoring.md', /^```json\n([^`]+)^```$/gm))(
	'the page on monitoring is right: %s',
	(json) => {
		const { earlier, report, scoreChange, change } = JSON.parse(json!) as Record<string, object>;
		for (const one of [earlier, JSON.stringify(earlier)])
			expect(compareReports(parseReport(one), report as never, Number(scoreChange))).toEqual(
				change,
			);
	},
);

/**
 * The policies of the page on decision rules, and for each of them a table of reports with their
 * decisions.
 */
const policies = examplesOf('decision-rules.md', /^```json\n([^`]+)^```$/gm).flat();
const tables = examplesOf(
	'decision-rules.md',
	/^(\|.+\| decision +\|\n\|[-| ]+\n(?:\|.+\n)+)/gm,
).flat();

/**
 * The rows of a table, each by the names of its columns. A value that the page calls missing is
 * left out.
 */
function rowsOf(table: string): Array<Record<string, string>> {
	const [names = [], , ...rows] = table
		.trim()
		.split('\n')
		.map((line) => line.split('|').slice(1, -1))
		.map((cells) => cells.map((cell) => cell.trim().replace(/^`(.+)`$/, '$1')));
	return rows.map((cells) =>
		Object.fromEntries(
			cells.map((cell, at) => [names[at], cell]).filter(([, cell]) => cell !== 'missing'),
		),
	);
}

const decisions = tables.flatMap((table, at) => rowsOf(table).map((row) => ({ row, at })));

test('the page on decision rules has a table for each policy', () => {
	expect(tables).toHaveLength(policies.length);
});

test.each(decisions)('the page on decision rules is right about $row', ({ row, at }) => {
	const { level, score, address = '0x1', chain = 'ETH', amount, decision, ...others } = row;
	const numbers = Object.entries({ score, ...others }).map(([name, text]) => [name, Number(text)]);
	const { score: total, ...categories } = Object.fromEntries(numbers) as Record<string, number>;
	const report = { address, chain, risk: { level, score: total, categories } };
	const circumstances = {
		at: new Date('2026-12-01T12:00:00Z'),
		input: amount === undefined ? {} : { amount: Number(amount) },
	};
	const { summary } = decide(report as never, readPolicy(policies[at]), circumstances);
	expect(summary).toBe(decision);
});
