import { createReader, type Job } from '../../../../nodes/WalletScreening/service/reader/reader';
import { match, outcomesOf } from '../../../../nodes/WalletScreening/service/results';
import { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import vendors from '../../../support/vendors.json';

const [ETH, BTC, TRON] = [
	'0x28C6c06298d514Db089934071355E5743bf21d60',
	'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
	'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
];
const submitted = [ETH, BTC, TRON];
const reader = createReader();

const addressesOf = (outcomes: Iterable<[string | undefined, unknown]>) =>
	[...outcomes].flatMap(([address, one]) => (one instanceof ScreeningError ? [] : address));
const reported = (job: Job) => addressesOf(match(submitted, job).outcomes);

/** Whole services in the styles of public APIs, written without knowledge of the reader. */
describe.each(vendors.map((vendor) => [vendor.id, vendor] as const))('%s', (_, vendor) => {
	const job = (body: unknown) => reader.job(body, 200, String(vendor.jobId), {}, submitted);

	test('has a report for a screening', () => {
		expect(reader.report(vendor.screen, 200, { address: ETH }).address).toBe(ETH);
		expect(reader.report(vendor.screenRed, 200, { address: ETH }).risk.level).not.toBe('green');
	});

	test('has no other ID of a job than its own', () => {
		const { headers, body, status } = vendor.handle;
		const located = (headers as { Location?: string }).Location?.replace(/\/$/, '')
			.split('/')
			.at(-1);
		expect(reader.handle(body, status, located).job_id).toBe(String(vendor.jobId));
	});

	test('has no complete job while it runs', () => {
		expect(vendor.running.map((body) => job(body).state)).toEqual(
			vendor.running.map(() => 'running'),
		);
	});

	test('has no report of the address without one', () => {
		expect([[], [ETH, BTC]]).toContainEqual(reported(job(vendor.completeWithError)));
	});

	test('has a report of each address in a delivery', () => {
		const { job_id, ...delivery } = reader.delivery(vendor.webhook);
		const outcomes = outcomesOf({ job_id, ...delivery });
		expect(outcomes.map((one) => !(one instanceof ScreeningError) && one.address)).toEqual(
			submitted.filter((one) => JSON.stringify(vendor.webhook).includes(one)),
		);
		expect([undefined, String(vendor.jobId)]).toContain(job_id);
	});
});

test('at least 17 of 20 have a report of each address of a complete job, and no address without one', () => {
	const read = (key: 'complete' | 'completeWithError') =>
		vendors.map(
			(one) => reported(reader.job(one[key], 200, String(one.jobId), {}, submitted)).length,
		);
	expect(read('complete').filter((count) => count === 3).length).toBeGreaterThanOrEqual(17);
	expect(read('completeWithError').filter((count) => count === 2).length).toBeGreaterThanOrEqual(
		17,
	);
});

test('at least 18 of 20 end at once when they failed, without a report', () => {
	const ended = vendors.filter((one) => {
		const job = reader.job(one.failed, 200, String(one.jobId), {}, submitted);
		return job.state !== 'running' && (job.state === 'failed' || reported(job).length === 0);
	});
	expect(ended.length).toBeGreaterThanOrEqual(18);
});
