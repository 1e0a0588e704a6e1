import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { reportOn } from '../../sandbox/reports';
import { createEngine, type Engine } from '../../tools/host/engine/engine';
import { numberedAddress } from '../support/data/addresses';
import { loadNodesOfN8n } from '../support/engine/n8nNodes';
import { connectInRow, startNode } from '../support/n8n/workflows';
import { formatCount, formatSeconds, type Row } from './row';
import { median } from './statistics';

const reportCount = 100_000;
const rounds = 3;

/**
 * Makes the input items, each with a report and an earlier one. One report in 100 is not green, one in
 * 1,000 is on a sanctioned address, and the score of one in 50 has risen.
 */
function createItems(): IDataObject[] {
	return Array.from({ length: reportCount }, (_, index) => {
		const isGreen = index % 100 > 0;
		const score = isGreen ? 0.1 : 0.6;
		const categories = {
			sanctions: index % 1000 > 0 ? 0.01 : 0.9,
			mixer: 0.1,
			clean_exchange: 1.2,
		};
		const reportWith = (reportScore: number) => ({
			...reportOn(numberedAddress(index), 'ETH', 'https://example.com'),
			risk: { level: isGreen ? 'green' : 'amber', score: reportScore, categories },
		});
		return { report: reportWith(score), previous: reportWith(index % 50 > 0 ? score : 0.05) };
	});
}

/** A node that does the measured work. */
interface MeasuredNode {
	node: Pick<INode, 'type'> & Partial<INode>;
	/** Returns the result in the JSON of an output item. */
	resultOf: (json: any) => unknown;
}

/** This package's node. */
const ourNode = (
	parameters: INodeParameters,
	resultOf: MeasuredNode['resultOf'],
): MeasuredNode => ({
	node: { type: 'n8n-nodes-wallet-screening.walletScreening', parameters },
	resultOf,
});

/** n8n's Edit Fields, which writes a value into a field. */
const editFields = (name: string, value: string): MeasuredNode => {
	const assignments = [{ id: name, name, type: 'string', value }];
	const parameters = {
		mode: 'manual',
		includeOtherFields: true,
		assignments: { assignments },
		options: {},
	};
	return {
		node: { type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters },
		resultOf: (json) => json[name],
	};
};

const rules = JSON.stringify([
	{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review' },
	{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' },
]);
/** The parameters with which n8n's Aggregate puts all items into one. */
const aggregateAll = {
	aggregate: 'aggregateAllItemData',
	destinationFieldName: 'data',
	options: {},
};

/** An operation, and one of n8n's own nodes with which it is compared. */
interface Comparison {
	name: string;
	ours: MeasuredNode;
	theirs: MeasuredNode;
	against: string;
	/** How many items have each result, e.g. 900 `review`: the same number for both nodes. */
	expectedCounts: Record<string, number>;
	meaning: string;
}

const comparisons: Comparison[] = [
	{
		name: `Decide on ${formatCount(reportCount)} reports by two rules`,
		ours: ourNode(
			{ resource: 'decision', operation: 'decide', rulesSource: 'json', rulesJson: rules },
			({ outcome }) => outcome,
		),
		theirs: editFields(
			'outcome',
			"={{ $json.report.risk.categories.sanctions >= 0.5 ? 'block' : $json.report.risk.level !== 'green' ? 'review' : 'allow' }}",
		),
		against: 'Edit Fields with the rules in an expression',
		expectedCounts: { allow: 99_000, review: 900, block: 100 },
		meaning: 'Try a policy on all reports of a month.',
	},
	{
		name: `Compare ${formatCount(reportCount)} reports with earlier ones`,
		ours: ourNode(
			{ resource: 'report', operation: 'compare', earlierField: 'previous' },
			({ change }) => change.kind,
		),
		theirs: editFields(
			'kind',
			"={{ $json.report.risk.level !== 'green' && $json.report.risk.level !== $json.previous.risk.level || $json.report.risk.score > $json.previous.risk.score ? 'worse' : 'same' }}",
		),
		against: 'Edit Fields with level and score in an expression',
		expectedCounts: { same: 98_000, worse: 2000 },
		meaning: 'Compare a whole customer list every night.',
	},
	{
		name: `Create a digest of ${formatCount(reportCount)} reports`,
		ours: ourNode(
			{ resource: 'alert', operation: 'createDigest', title: 'Screening' },
			({ total }) => total,
		),
		theirs: {
			node: { type: 'n8n-nodes-base.aggregate', parameters: aggregateAll },
			resultOf: ({ data }: any) => data.length,
		},
		against: 'Aggregate, which only puts them into one item',
		expectedCounts: { [reportCount]: 1 },
		meaning: 'One message for a run of any length.',
	},
];

/**
 * Measures rows about the operations on reports in hand, compared with n8n's own nodes. Both run in
 * n8n's engine in this process.
 */
export async function policyRows(): Promise<Row[]> {
	const items = createItems();
	const engine = await createEngine({ nodeTypes: await loadNodesOfN8n('set', 'aggregate') });
	const rows: Row[] = [];
	try {
		for (const { name, ours, theirs, against, expectedCounts, meaning } of comparisons) {
			const ourMs = await measureMs(engine, items, ours, expectedCounts);
			const theirMs = await measureMs(engine, items, theirs, expectedCounts);
			rows.push({
				name,
				measured: `${formatSeconds(ourMs)} (median of ${rounds})`,
				against: `${against}: ${formatSeconds(theirMs)}`,
				ratio: ourMs / theirMs,
				meaning,
			});
		}
		return rows;
	} finally {
		await engine.close();
	}
}

/**
 * Runs a node in each round.
 *
 * @returns the median of its times in milliseconds, as n8n's engine measured them
 * @throws if the results are not the expected ones
 */
async function measureMs(
	engine: Engine,
	items: IDataObject[],
	{ node, resultOf }: MeasuredNode,
	expectedCounts: Record<string, number>,
): Promise<number> {
	const workflow = connectInRow(startNode, { name: 'Measured', ...node });
	const times: number[] = [];
	while (times.length < rounds) {
		const { error, itemsOf, runData } = await engine.run(workflow, { input: items });
		if (error) throw error;
		const [run] = runData.Measured ?? [];
		if (!run) throw new Error('The measured node did not run');
		times.push(run.executionTime);
		const results = (itemsOf('Measured')[0] ?? []).map(({ json }) => String(resultOf(json)));
		expectCounts(results, expectedCounts);
	}
	return median(times);
}

/** @throws unless each result comes as often as expected */
function expectCounts(results: readonly string[], expectedCounts: Record<string, number>): void {
	const counts: Record<string, number> = {};
	for (const result of results) counts[result] = (counts[result] ?? 0) + 1;
	const format = (each: Record<string, number>) => Object.entries(each).sort().join();
	if (format(counts) !== format(expectedCounts))
		throw new Error(`Not the same work: ${format(counts)} instead of ${format(expectedCounts)}`);
}
