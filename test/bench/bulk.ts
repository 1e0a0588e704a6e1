import { type Bench, median, type Row } from './bench';

/** Rows about many addresses in bulk jobs, against a sandbox that answers at once. */
export async function bulkRows(bench: Bench): Promise<Row[]> {
	return [
		await threeAddresses(bench),
		await thirtyJobs(bench, 'enterprise'),
		await thirtyJobs(bench, 'pro'),
		await tenThousand(bench),
		await hundredThousand(bench),
		await screenOrBulk(bench),
	];
}

const instantly = { limit: null, jobDurationMs: 0 } as const;
const defaults = { resource: 'bulkJob', operation: 'screenAndWait' };
const bulk = { resource: 'bulkJob', operation: 'screenAndWait', options: { pollInterval: 0.01 } };

async function threeAddresses(bench: Bench): Promise<Row> {
	const times: number[] = [];
	for (let round = 0; round < 5; round++) {
		const run = await bench.run({
			addresses: 3,
			sandbox: { jobDurationMs: 300 },
			parameters: defaults,
			plan: 'pro',
		});
		bench.expectAll(run, 3);
		times.push(run.nodeMs);
	}
	return {
		name: '3 addresses in a job of 0.3 s, Screen and Wait as it comes',
		measured: `${seconds(median(times))} (median of 5)`,
		against: 'the job: 0.30 s',
		ratio: median(times) / 300,
		meaning: 'A short list does not wait for Poll Interval.',
	};
}

async function thirtyJobs(bench: Bench, plan: 'pro' | 'enterprise'): Promise<Row> {
	const run = await bench.run({
		addresses: 30_000,
		sandbox: { jobDurationMs: 1500, ...(plan === 'enterprise' && { limit: null }) },
		parameters: defaults,
		plan,
	});
	bench.expectAll(run, 30_000);
	return {
		name: `30,000 addresses in 30 jobs of 1.5 s each, Screen and Wait, ${plan === 'pro' ? 'Pro plan' : 'no limit'}`,
		measured: seconds(run.nodeMs),
		against: 'the 30 jobs one after the other: 45 s',
		ratio: run.nodeMs / 45_000,
		meaning: 'The node waits for many jobs at the same time.',
	};
}

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
	const bare = await bench.run({ addresses: 10_000, sandbox: instantly, noOperation: true });
	return {
		name: '10,000 addresses, Screen and Wait, from a service that answers at once',
		measured: `${seconds(Math.min(...times))} (best of 3)`,
		against: `the same items through No Operation: ${seconds(bare.nodeMs)}`,
		ratio: undefined,
		meaning: "The node's own part of the time that a list takes.",
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
		measured: `${megabytes(run.memoryBytes)} MB for ${megabytes(json)} MB of results, in ${(run.nodeMs / 1000).toFixed(1)} s`,
		against: `only the addresses through No Operation: ${megabytes(bare.memoryBytes)} MB`,
		ratio: run.memoryBytes / bare.memoryBytes,
		meaning: 'n8n keeps all items in memory. Only Not Green needs less: see below.',
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
		parameters: defaults,
		plan: 'pro',
	});
	bench.expectAll(one, 1000);
	bench.expectAll(many, 1000);
	return {
		name: '1,000 addresses on the Pro plan, Screen and Wait (a job takes 1.5 s)',
		measured: seconds(many.nodeMs),
		against: `Screen: ${seconds(one.nodeMs)}`,
		ratio: many.nodeMs / one.nodeMs,
		meaning: 'For a list, use Screen and Wait.',
	};
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

function megabytes(bytes: number): string {
	return (bytes / 1e6).toFixed(0);
}
