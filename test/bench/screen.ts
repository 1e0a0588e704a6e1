import { type Bench, median, type Row } from './bench';

/** Rows about Screen, next to n8n's own HTTP Request node in the same n8n. */
export async function screenRows(bench: Bench): Promise<Row[]> {
	return [...(await underLimit(bench)), await withoutLimit(bench), await oneAddress(bench)];
}

const latency = { latencyMs: 100 };
const screen = { resource: 'address', operation: 'screen', address: '={{ $json.address }}' };

async function underLimit(bench: Bench): Promise<Row[]> {
	const name = '300 addresses on the Pro plan, 100 ms latency, Screen';
	const limit = (300 - 50) / 10;
	const run = await bench.run({
		addresses: 300,
		sandbox: latency,
		parameters: screen,
		plan: 'pro',
	});
	bench.expectAll(run, 300);
	const batched = await bench.run({
		addresses: 300,
		sandbox: latency,
		httpRequest: { batching: { batch: { batchSize: 10, batchInterval: 1000 } } },
	});
	const plain = await bench.run({ addresses: 300, sandbox: latency, httpRequest: {} });
	const measured = `${(run.nodeMs / 1000).toFixed(1)} s, ${run.refused} answered 429, ${300 - run.reports} lost`;
	return [
		{
			name,
			measured,
			against: `the least that the limit allows: ${limit.toFixed(1)} s`,
			ratio: run.nodeMs / 1000 / limit,
			meaning: 'How well one n8n process uses the limit of its key.',
		},
		{
			name,
			measured,
			against: `HTTP Request, batches of 10 a second: ${(batched.nodeMs / 1000).toFixed(1)} s, ${300 - batched.reports} lost`,
			ratio: run.nodeMs / batched.nodeMs,
			meaning: 'HTTP Request needs batches that you set by hand for your plan.',
		},
		{
			name,
			measured,
			against: `HTTP Request as it comes: ${300 - plain.reports} of 300 lost`,
			ratio: undefined,
			meaning: 'Why the node repeats what the service refuses.',
		},
	];
}

async function withoutLimit(bench: Bench): Promise<Row> {
	const sandbox = { ...latency, limit: null };
	const ours: number[] = [];
	const theirs: number[] = [];
	for (let round = 0; round < 3; round++) {
		const run = await bench.run({
			addresses: 1000,
			sandbox,
			parameters: screen,
			plan: 'enterprise',
		});
		bench.expectAll(run, 1000);
		ours.push(run.nodeMs);
		theirs.push((await bench.run({ addresses: 1000, sandbox, httpRequest: {} })).nodeMs);
	}
	return {
		name: '1,000 addresses without a limit, 100 ms latency, Screen',
		measured: `${(median(ours) / 1000).toFixed(2)} s (median of 3)`,
		against: `HTTP Request with a header credential: ${(median(theirs) / 1000).toFixed(2)} s`,
		ratio: median(ours) / median(theirs),
		meaning: 'What to expect of a key without a rate limit.',
	};
}

async function oneAddress(bench: Bench): Promise<Row> {
	const sandbox = { ...latency, limit: null };
	const ours: number[] = [];
	const theirs: number[] = [];
	for (let round = 0; round < 15; round++) {
		ours.push(
			(await bench.run({ addresses: 1, sandbox, parameters: screen, plan: 'enterprise' })).nodeMs,
		);
		theirs.push((await bench.run({ addresses: 1, sandbox, httpRequest: {} })).nodeMs);
	}
	return {
		name: 'One address, 100 ms latency, Screen',
		measured: `${median(ours).toFixed(0)} ms (median of 15)`,
		against: `HTTP Request with a header credential: ${median(theirs).toFixed(0)} ms`,
		ratio: median(ours) / median(theirs),
		meaning: 'What a payment waits for its report.',
	};
}
