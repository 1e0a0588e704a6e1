import { type Bench, expectAll, inSeconds, type Row } from './bench';

/** Rows about many addresses in bulk jobs. */
export async function bulkRows(bench: Bench): Promise<Row[]> {
	return [await threeAddresses(bench), await thirtyJobs(bench), await screenOrBulk(bench)];
}

const plan = 'pro';
const screen = { resource: 'address', operation: 'screen', address: '={{ $json.address }}' };
const defaults = { resource: 'bulkJob', operation: 'screenAndWait' };
const jobsOf = (jobDurationMs: number) => ({ sandbox: { jobDurationMs }, plan }) as const;

async function threeAddresses(bench: Bench): Promise<Row> {
	const ms = await bench.medianMs(5, { addresses: 3, ...jobsOf(300), parameters: defaults });
	return {
		name: '3 addresses in a job of 0.3 s, Screen and Wait as it comes',
		measured: `${inSeconds(ms)} (median of 5)`,
		against: 'the job: 0.30 s',
		ratio: ms / 300,
		meaning: 'A short list does not wait for Poll Interval.',
	};
}

async function thirtyJobs(bench: Bench): Promise<Row> {
	const run = await bench.run({ addresses: 30_000, ...jobsOf(1500), parameters: defaults });
	expectAll(run, 30_000);
	return {
		name: '30,000 addresses in 30 jobs of 1.5 s each, Screen and Wait, Pro plan',
		measured: inSeconds(run.nodeMs),
		against: 'the 30 jobs one after the other: 45 s',
		ratio: run.nodeMs / 45_000,
		meaning: 'The node waits for many jobs at the same time.',
	};
}

async function screenOrBulk(bench: Bench): Promise<Row> {
	const trial = { addresses: 1000, ...jobsOf(1500) };
	const one = await bench.medianMs(1, { ...trial, parameters: screen });
	const many = await bench.medianMs(1, { ...trial, parameters: defaults });
	return {
		name: '1,000 addresses on the Pro plan, Screen and Wait (a job takes 1.5 s)',
		measured: inSeconds(many),
		against: `Screen: ${inSeconds(one)}`,
		ratio: many / one,
		meaning: 'For a list, use Screen and Wait.',
	};
}
