import { type Bench, expectAll, type Measurement, shortestSeconds } from './bench';
import { formatCount, inSeconds, median, type Row } from './row';

/**
 * Measures rows about 1,000 addresses: with the limit of a plan, and without a limit in comparison
 * with n8n's own HTTP Request node.
 */
export async function screenRows(bench: Bench): Promise<Row[]> {
	return [...(await limitedRows(bench)), await unlimitedRow(bench)];
}

const addresses = 1000;
const jobDurationMs = 1500;
const latencyMs = 100;
const rounds = 3;
const screen = { resource: 'address', operation: 'screen', address: '={{ $json.address }}' };
const screenAndWait = { resource: 'bulkJob', operation: 'screenAndWait' };

/** Makes a measurement. @returns the time of the node in milliseconds */
async function measureMs(bench: Bench, settings: Omit<Measurement, 'addresses'>): Promise<number> {
	const run = await bench({ addresses, ...settings });
	expectAll(run, addresses);
	return run.nodeMs;
}

async function limitedRows(bench: Bench): Promise<Row[]> {
	const shortest = shortestSeconds(addresses);
	const settings = { sandbox: { jobDurationMs }, plan: 'pro' } as const;
	const single = await measureMs(bench, { ...settings, parameters: screen });
	const bulk = await measureMs(bench, { ...settings, parameters: screenAndWait });
	return [
		{
			name: `Screen ${formatCount(addresses)} addresses on the Pro plan`,
			measured: inSeconds(single),
			against: `the shortest time that the limit allows: ${shortest.toFixed(1)} s`,
			ratio: single / 1000 / shortest,
			meaning: 'How well one n8n process uses the limit of its key.',
		},
		{
			name: `Screen and Wait for ${formatCount(addresses)} addresses on the Pro plan (the job takes ${inSeconds(jobDurationMs, 1)})`,
			measured: inSeconds(bulk),
			against: `Screen: ${inSeconds(single)}`,
			ratio: bulk / single,
			meaning: 'For a list, use Screen and Wait.',
		},
	];
}

async function unlimitedRow(bench: Bench): Promise<Row> {
	const settings = { sandbox: { latencyMs, limit: null } };
	const ours: number[] = [];
	const theirs: number[] = [];
	while (ours.length < rounds) {
		ours.push(await measureMs(bench, { ...settings, parameters: screen, plan: 'enterprise' }));
		theirs.push(await measureMs(bench, { ...settings, httpRequest: {} }));
	}
	return {
		name: `Screen ${formatCount(addresses)} addresses without a limit, ${latencyMs} ms latency`,
		measured: `${inSeconds(median(ours))} (median of ${rounds})`,
		against: `HTTP Request with a header credential: ${inSeconds(median(theirs))}`,
		ratio: median(ours) / median(theirs),
		meaning: 'What to expect of a key without a rate limit.',
	};
}
