import type { Bench, Row } from './bench';

/** Rows about many addresses in bulk jobs, against a sandbox that answers at once. */
export async function bulkRows(bench: Bench): Promise<Row[]> {
	return [await tenThousand(bench), await hundredThousand(bench), await screenOrBulk(bench)];
}

const instantly = { limit: null, jobDurationMs: 0 } as const;
const bulk = { resource: 'bulkJob', operation: 'screenAndWait', options: { pollInterval: 0.01 } };

async function tenThousand(bench: Bench): Promise<Row> {
	const times: number[] = [];
	for (let round = 0; round < 3; round++) {
		const run = await bench.run({
			addresses: 10_000,
			sandbox: instantly,
			parameters: bulk,
			plan: 'enterprise',
		});
		bench.expectAll(run, 10_000);
		times.push(run.nodeMs);
	}
	return {
		name: '10,000 addresses by field, Screen and Wait: time of the node, that of the service included',
		measured: `${(Math.min(...times) / 1000).toFixed(2)} s (best of 3)`,
		against: 'goal: under 0.3 s, without that of the service',
		ratio: Math.min(...times) / 300,
	};
}

async function hundredThousand(bench: Bench): Promise<Row> {
	const run = await bench.run({
		addresses: 100_000,
		sandbox: instantly,
		parameters: bulk,
		plan: 'enterprise',
		watchMemory: true,
	});
	bench.expectAll(run, 100_000);
	const bare = await bench.run({
		addresses: 100_000,
		sandbox: instantly,
		noOperation: true,
		watchMemory: true,
	});
	const json = run.resultBytes;
	return {
		name: '100,000 addresses in 100 jobs, Screen and Wait: peak memory of n8n above its level before',
		measured: `${megabytes(run.memoryBytes)} MB, in ${(run.nodeMs / 1000).toFixed(1)} s`,
		against: `${megabytes(json)} MB of results as JSON, goal: at most 3 times that (only n8n, with the same items through No Operation: ${megabytes(bare.memoryBytes)} MB)`,
		ratio: run.memoryBytes / json,
	};
}

async function screenOrBulk(bench: Bench): Promise<Row> {
	const sandbox = { jobDurationMs: 1500 };
	const one = await bench.run({
		addresses: 1000,
		sandbox,
		parameters: { resource: 'address', operation: 'screen', address: '={{ $json.address }}' },
		plan: 'pro',
	});
	const many = await bench.run({
		addresses: 1000,
		sandbox,
		parameters: { ...bulk, options: {} },
		plan: 'pro',
	});
	bench.expectAll(one, 1000);
	bench.expectAll(many, 1000);
	return {
		name: '1,000 addresses on the Pro plan, Screen and Wait (a job takes 1.5 s)',
		measured: `${(many.nodeMs / 1000).toFixed(1)} s`,
		against: `Screen: ${(one.nodeMs / 1000).toFixed(1)} s`,
		ratio: many.nodeMs / one.nodeMs,
	};
}

function megabytes(bytes: number): string {
	return (bytes / 1e6).toFixed(0);
}
