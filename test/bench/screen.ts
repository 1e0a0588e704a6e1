import { type Bench, expectAll, inSeconds, median, type Row } from './bench';

/** Rows about Screen, next to n8n's own HTTP Request node in the same n8n. */
export async function screenRows(bench: Bench): Promise<Row[]> {
	return [...(await underLimit(bench)), await withoutLimit(bench), await oneAddress(bench)];
}

const latency = { latencyMs: 100 };
const screen = { resource: 'address', operation: 'screen', address: '={{ $json.address }}' };

async function underLimit(bench: Bench): Promise<Row[]> {
	const limit = (300 - 50) / 10;
	const trial = { addresses: 300, sandbox: latency };
	const run = await bench.run({ ...trial, parameters: screen, plan: 'pro' });
	expectAll(run, 300);
	const batching = { batch: { batchSize: 10, batchInterval: 1000 } };
	const batched = await bench.run({ ...trial, httpRequest: { batching } });
	const ours = {
		name: '300 addresses on the Pro plan, 100 ms latency, Screen',
		measured: `${inSeconds(run.nodeMs, 1)}, ${run.refused} answered 429`,
	};
	return [
		{
			...ours,
			against: `the least that the limit allows: ${limit.toFixed(1)} s`,
			ratio: run.nodeMs / 1000 / limit,
			meaning: 'How well one n8n process uses the limit of its key.',
		},
		{
			...ours,
			against: `HTTP Request, batches of 10 a second: ${inSeconds(batched.nodeMs, 1)}, ${300 - batched.reports} lost`,
			ratio: run.nodeMs / batched.nodeMs,
			meaning: 'HTTP Request needs batches that you set by hand for your plan.',
		},
	];
}

/** The medians of so many rounds without a limit, of this node and of HTTP Request in turns. */
async function inTurns(bench: Bench, addresses: number, rounds: number) {
	const trial = { addresses, sandbox: { ...latency, limit: null } };
	const ours: number[] = [];
	const theirs: number[] = [];
	while (ours.length < rounds) {
		const parameters = screen;
		ours.push(await bench.medianMs(1, { ...trial, parameters, plan: 'enterprise' }));
		theirs.push((await bench.run({ ...trial, httpRequest: {} })).nodeMs);
	}
	return { ours: median(ours), theirs: median(theirs), ratio: median(ours) / median(theirs) };
}

const against = 'HTTP Request with a header credential';

async function withoutLimit(bench: Bench): Promise<Row> {
	const { ours, theirs, ratio } = await inTurns(bench, 1000, 3);
	return {
		name: '1,000 addresses without a limit, 100 ms latency, Screen',
		measured: `${inSeconds(ours)} (median of 3)`,
		against: `${against}: ${inSeconds(theirs)}`,
		ratio,
		meaning: 'What to expect of a key without a rate limit.',
	};
}

async function oneAddress(bench: Bench): Promise<Row> {
	const { ours, theirs, ratio } = await inTurns(bench, 1, 15);
	return {
		name: 'One address, 100 ms latency, Screen',
		measured: `${ours.toFixed(0)} ms (median of 15)`,
		against: `${against}: ${theirs.toFixed(0)} ms`,
		ratio,
		meaning: 'What a payment waits for its report.',
	};
}
