import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createEngine, type Engine } from '../../tools/host/engine';
import type { NodeTypeTable } from '../../tools/host/engine/nodeTypes';
import { installN8n } from '../../tools/host/install';
import { defaultN8nVersion } from '../../tools/host/versions';
import { addressNumber } from '../support/addresses';
import { inARow, start } from '../support/workflows';
import { inSeconds, median, type Row } from './bench';

const count = 100_000;
const rounds = 3;

/** Rows about what is done with reports that are already there, next to n8n's own nodes in the same engine in this process. */
export async function policyRows(): Promise<Row[]> {
	const engine = await createEngine({ nodeTypes: await ownNodesOfN8n() });
	try {
		return [await decided(engine), await compared(engine), await digested(engine)];
	} finally {
		await engine.close();
	}
}

/** From the n8n that is installed for tests: they are no dependency of this project. */
async function ownNodesOfN8n(): Promise<NodeTypeTable> {
	const { folder } = await installN8n(defaultN8nVersion);
	const load = (path: string, name: string) => {
		const file = join(folder, 'node_modules/n8n-nodes-base/dist/nodes', `${path}/${name}.node.js`);
		const types = require(file) as Record<string, new () => NodeTypeTable[string]>;
		return new types[name]!();
	};
	return {
		'n8n-nodes-base.set': load('Set', 'Set'),
		'n8n-nodes-base.aggregate': load('Transform/Aggregate', 'Aggregate'),
	};
}

/** One report in 100 is not green, one in 1,000 is of a sanctioned address, and the score of one in 50 rose. */
const reports = Array.from({ length: count }, (_, index) => {
	const isGreen = index % 100 > 0;
	const score = isGreen ? 0.1 : 0.6;
	const reportWith = (its: number) => ({
		report_id: `rep_${index}`,
		address: addressNumber(index),
		chain: 'ETH',
		risk: {
			level: isGreen ? 'green' : 'amber',
			score: its,
			categories: { sanctions: index % 1000 > 0 ? 0.01 : 0.9, mixer: 0.1, clean_exchange: 1.2 },
		},
		balance: '1.5 ETH',
		tx_count: 12,
		report_url: `https://example.com/reports/rep_${index}`,
	});
	return { ...reportWith(score), previous: reportWith(index % 50 > 0 ? score : 0.05) };
});

const ours = 'n8n-nodes-wallet-screening.walletScreening';

interface Contender {
	type: string;
	typeVersion?: number;
	parameters: INodeParameters;
	/** What has to be in the items of its first output, so that it is known to have done its work. */
	counts: (items: IDataObject[]) => IDataObject;
}

const edit = (
	name: string,
	value: string,
): Pick<Contender, 'type' | 'typeVersion' | 'parameters'> => ({
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'manual',
		includeOtherFields: true,
		assignments: { assignments: [{ id: name, name, type: 'string', value }] },
		options: {},
	},
});

const policy = JSON.stringify([
	{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review' },
	{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' },
]);

async function decided(engine: Engine): Promise<Row> {
	const node = await timeOf(engine, {
		type: ours,
		parameters: {
			...{ resource: 'decision', operation: 'decide', rulesSource: 'json', rulesJson: policy },
		},
		counts: (items) => tally(items, ({ decision }) => (decision as IDataObject).outcome),
	});
	const set = await timeOf(engine, {
		...edit(
			'outcome',
			"={{ $json.risk.categories.sanctions >= 0.5 ? 'block' : $json.risk.level !== 'green' ? 'review' : 'allow' }}",
		),
		counts: (items) => tally(items, ({ outcome }) => outcome),
	});
	expectSame(node.counts, set.counts, { allow: 99_000, review: 900, block: 100 });
	return {
		name: '100,000 reports decided by two rules, Decide',
		measured: inSeconds(node.ms),
		against: `Edit Fields with the rules in an expression: ${inSeconds(set.ms)}`,
		ratio: node.ms / set.ms,
		meaning: 'Try a policy on all reports of a month.',
	};
}

async function compared(engine: Engine): Promise<Row> {
	const node = await timeOf(engine, {
		type: ours,
		parameters: { resource: 'report', operation: 'compare', earlierField: 'previous' },
		counts: (items) => tally(items, ({ change }) => (change as IDataObject).kind),
	});
	const set = await timeOf(engine, {
		...edit(
			'kind',
			"={{ $json.risk.level !== 'green' && $json.risk.level !== $json.previous.risk.level || $json.risk.score > $json.previous.risk.score ? 'worse' : 'same' }}",
		),
		counts: (items) => tally(items, ({ kind }) => kind),
	});
	expectSame(node.counts, set.counts, { same: 98_000, worse: 2000 });
	return {
		name: '100,000 reports compared with earlier ones, Compare',
		measured: inSeconds(node.ms),
		against: `Edit Fields with level and score in an expression: ${inSeconds(set.ms)}`,
		ratio: node.ms / set.ms,
		meaning: 'Compare a whole customer list every night.',
	};
}

async function digested(engine: Engine): Promise<Row> {
	const node = await timeOf(engine, {
		type: ours,
		parameters: { resource: 'alert', operation: 'createDigest', title: 'Screening' },
		counts: ([item]) => ({ items: item?.total }),
	});
	const aggregate = await timeOf(engine, {
		type: 'n8n-nodes-base.aggregate',
		parameters: { aggregate: 'aggregateAllItemData', destinationFieldName: 'data', options: {} },
		counts: ([item]) => ({ items: (item?.data as unknown[]).length }),
	});
	expectSame(node.counts, aggregate.counts, { items: count });
	return {
		name: '100,000 reports in one message, Create Digest',
		measured: inSeconds(node.ms),
		against: `Aggregate, which only puts them into one item: ${inSeconds(aggregate.ms)}`,
		ratio: node.ms / aggregate.ms,
		meaning: 'One message for a run of any length.',
	};
}

interface Timed {
	/** As n8n's engine measured it. */
	ms: number;
	counts: IDataObject;
}

async function timeOf(
	engine: Engine,
	{ type, typeVersion = 1, parameters, counts }: Contender,
): Promise<Timed> {
	const workflow = inARow(start, { name: 'Measured', type, typeVersion, parameters });
	const times: number[] = [];
	let items: IDataObject[] = [];
	for (let round = 0; round < rounds; round++) {
		const { error, itemsOf, runData } = await engine.run(workflow, { input: reports });
		if (error) throw error;
		times.push(runData.Measured?.[0]?.executionTime ?? NaN);
		items = (itemsOf('Measured')[0] ?? []).map(({ json }) => json);
	}
	return { ms: median(times), counts: counts(items) };
}

function tally(items: IDataObject[], wordOf: (item: IDataObject) => unknown): IDataObject {
	const counts: Record<string, number> = {};
	for (const item of items) counts[String(wordOf(item))] = (counts[String(wordOf(item))] ?? 0) + 1;
	return counts;
}

function expectSame(...counts: IDataObject[]) {
	const texts = counts.map((each) => JSON.stringify(Object.entries(each).sort()));
	if (new Set(texts).size > 1) throw new Error(`Not the same work: ${texts.join(', ')}`);
}
