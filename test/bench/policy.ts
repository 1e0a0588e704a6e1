import type { INode, INodeParameters } from 'n8n-workflow';
import { reportOn } from '../../sandbox/reports';
import { createEngine, type Engine } from '../../tools/host/engine';
import { addressNumber } from '../support/data/addresses';
import { loadNodesOfN8n } from '../support/engine/n8nNodes';
import { inARow, start } from '../support/n8n/workflows';
import { inSeconds, median, type Row } from './bench';

const reportCount = 100_000;
const rounds = 3;

/**
 * One report in 100 is not green, one in 1,000 is of a sanctioned address, and the score of one in
 * 50 rose.
 */
const reports = Array.from({ length: reportCount }, (_, index) => {
	const isGreen = index % 100 > 0;
	const score = isGreen ? 0.1 : 0.6;
	const categories = { sanctions: index % 1000 > 0 ? 0.01 : 0.9, mixer: 0.1, clean_exchange: 1.2 };
	const reportWith = (ownScore: number) => ({
		...reportOn(addressNumber(index), 'ETH', 'https://example.com'),
		risk: { level: isGreen ? 'green' : 'amber', score: ownScore, categories },
	});
	return { report: reportWith(score), previous: reportWith(index % 50 > 0 ? score : 0.05) };
});

/** A node, and the word in each item of its first output that shows that it did its work. */
interface Contender {
	node: Pick<INode, 'type'> & Partial<INode>;
	wordOf: (item: any) => unknown;
}

const ours = (parameters: INodeParameters, wordOf: Contender['wordOf']): Contender => ({
	node: { type: 'n8n-nodes-wallet-screening.walletScreening', parameters },
	wordOf,
});
const editFields = (name: string, value: string): Contender => {
	const assignments = [{ id: name, name, type: 'string', value }];
	const options = { mode: 'manual', includeOtherFields: true, options: {} };
	const parameters = { ...options, assignments: { assignments } };
	return {
		node: { type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters },
		wordOf: (item) => item[name],
	};
};

const policy = JSON.stringify([
	{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review' },
	{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' },
]);
const all = { aggregate: 'aggregateAllItemData', destinationFieldName: 'data', options: {} };

/**
 * Each operation is compared with one of n8n's own nodes. `words` is the expected number of items
 * with each word.
 */
const comparisons = [
	{
		name: 'Decide on 100,000 reports by two rules',
		ours: ours(
			{ resource: 'decision', operation: 'decide', rulesSource: 'json', rulesJson: policy },
			({ outcome }) => outcome,
		),
		theirs: editFields(
			'outcome',
			"={{ $json.report.risk.categories.sanctions >= 0.5 ? 'block' : $json.report.risk.level !== 'green' ? 'review' : 'allow' }}",
		),
		against: 'Edit Fields with the rules in an expression',
		words: { allow: 99_000, review: 900, block: 100 },
		meaning: 'Try a policy on all reports of a month.',
	},
	{
		name: 'Compare 100,000 reports with earlier ones',
		ours: ours(
			{ resource: 'report', operation: 'compare', earlierField: 'previous' },
			({ change }) => change.kind,
		),
		theirs: editFields(
			'kind',
			"={{ $json.report.risk.level !== 'green' && $json.report.risk.level !== $json.previous.risk.level || $json.report.risk.score > $json.previous.risk.score ? 'worse' : 'same' }}",
		),
		against: 'Edit Fields with level and score in an expression',
		words: { same: 98_000, worse: 2000 },
		meaning: 'Compare a whole customer list every night.',
	},
	{
		name: 'Create a digest of 100,000 reports',
		ours: ours(
			{ resource: 'alert', operation: 'createDigest', title: 'Screening' },
			({ total }) => total,
		),
		theirs: {
			node: { type: 'n8n-nodes-base.aggregate', parameters: all },
			wordOf: ({ data }: any) => data.length,
		},
		against: 'Aggregate, which only puts them into one item',
		words: { [reportCount]: 1 },
		meaning: 'One message for a run of any length.',
	},
];

/**
 * Rows on the operations on reports in hand, compared with n8n's own nodes in the same engine in
 * this process.
 */
export async function policyRows(): Promise<Row[]> {
	const engine = await createEngine({ nodeTypes: await loadNodesOfN8n('set', 'aggregate') });
	const rows: Row[] = [];
	try {
		for (const { name, ours, theirs, against, words, meaning } of comparisons) {
			const node = await timeOf(engine, ours, words);
			const other = await timeOf(engine, theirs, words);
			const figures = { measured: inSeconds(node), against: `${against}: ${inSeconds(other)}` };
			rows.push({ name, ...figures, ratio: node / other, meaning });
		}
		return rows;
	} finally {
		await engine.close();
	}
}

/** The median time of a node, as n8n's engine measured it. */
async function timeOf(engine: Engine, { node, wordOf }: Contender, words: object): Promise<number> {
	const workflow = inARow(start, { name: 'Measured', ...node });
	const times: number[] = [];
	while (times.length < rounds) {
		const { error, itemsOf, runData } = await engine.run(workflow, { input: reports });
		if (error) throw error;
		times.push(runData.Measured?.[0]?.executionTime ?? NaN);
		const found: Record<string, number> = {};
		for (const { json } of itemsOf('Measured')[0] ?? []) {
			const word = String(wordOf(json));
			found[word] = (found[word] ?? 0) + 1;
		}
		const [expected, seen] = [words, found].map((counts) => Object.entries(counts).sort().join());
		if (expected !== seen) throw new Error(`Not the same work: ${seen} instead of ${expected}`);
	}
	return median(times);
}
