import { screenEach } from '../support/n8n/workflows';
import {
	expectAllReports,
	type MeasureScreening,
	type ScreeningSetup,
	minSeconds,
	withFreshN8n,
} from './measureScreening';
import { formatCount, formatSeconds, type Row } from './row';
import { median } from './statistics';

const addressCount = 1000;
const jobDurationMs = 1500;
const latencyMs = 100;
const rounds = 3;
const screenAndWait = { resource: 'bulkJob', operation: 'screenAndWait' };

/**
 * Measures rows about 1,000 addresses: with the limit of a plan, and without a limit in comparison
 * with n8n's own HTTP Request node.
 */
export async function screenRows(): Promise<Row[]> {
	return await withFreshN8n(async (measure) => [
		...(await limitedRows(measure)),
		await unlimitedRow(measure),
	]);
}

/** Measures a screening of all addresses. @returns the time of the node in milliseconds */
async function measureNodeMs(
	measure: MeasureScreening,
	setup: Omit<ScreeningSetup, 'addressCount'>,
): Promise<number> {
	const figures = await measure({ addressCount, ...setup });
	expectAllReports(figures, { addresses: addressCount, reports: addressCount });
	return figures.nodeMs;
}

async function limitedRows(measure: MeasureScreening): Promise<Row[]> {
	const minimum = minSeconds(addressCount);
	const settings = { sandbox: { jobDurationMs }, plan: 'pro' } as const;
	const single = await measureNodeMs(measure, { ...settings, parameters: screenEach });
	const bulk = await measureNodeMs(measure, { ...settings, parameters: screenAndWait });
	return [
		{
			name: `Screen ${formatCount(addressCount)} addresses on the Pro plan`,
			measured: formatSeconds(single),
			against: `the shortest time that the limit allows: ${minimum.toFixed(1)} s`,
			ratio: single / 1000 / minimum,
			meaning: 'How well one n8n process uses the limit of its key.',
		},
		{
			name: `Screen and Wait for ${formatCount(addressCount)} addresses on the Pro plan (the job takes ${formatSeconds(jobDurationMs, 1)})`,
			measured: formatSeconds(bulk),
			against: `Screen: ${formatSeconds(single)}`,
			ratio: bulk / single,
			meaning: 'For a list, use Screen and Wait.',
		},
	];
}

async function unlimitedRow(measure: MeasureScreening): Promise<Row> {
	const settings = { sandbox: { latencyMs, limit: null } };
	const ours: number[] = [];
	const theirs: number[] = [];
	while (ours.length < rounds) {
		ours.push(
			await measureNodeMs(measure, { ...settings, parameters: screenEach, plan: 'enterprise' }),
		);
		theirs.push(await measureNodeMs(measure, { ...settings, node: 'httpRequest' }));
	}
	return {
		name: `Screen ${formatCount(addressCount)} addresses without a limit, ${latencyMs} ms latency`,
		measured: `${formatSeconds(median(ours))} (median of ${rounds})`,
		against: `HTTP Request with a header credential: ${formatSeconds(median(theirs))}`,
		ratio: median(ours) / median(theirs),
		meaning: 'What to expect of a key without a rate limit.',
	};
}
