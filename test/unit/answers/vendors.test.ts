import type { Job } from '../../../nodes/WalletScreening/answers/jobAnswer';
import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { submittedAddresses } from '../../support/data/vendors';
import vendors from '../../support/data/vendors.json';
import { resultsByAddress, resultsIn } from '../../support/unit/jobResults';

const submitted: string[] = [...submittedAddresses];
const [ETH, BTC] = submittedAddresses;
const reader = new Reader();
type Vendor = (typeof vendors)[number];

const jobIn = ({ jobId }: Vendor, body: unknown) =>
	reader.readJob({ body, status: 200 }, String(jobId));
const reported = (job: Job) =>
	[...resultsByAddress(submitted, job)].flatMap(([address, one]) =>
		one instanceof ScreeningError ? [] : address,
	);

/** Whole services in the styles of public APIs, written without knowledge of the reader. */
test.each(vendors.map((one) => [one.id, one] as const))('%s is read without harm', (_, vendor) => {
	expect(reader.readReport({ body: vendor.screen, status: 200 }, { address: ETH }).address).toBe(
		ETH,
	);
	expect(
		reader.readReport({ body: vendor.screenRed, status: 200 }, { address: ETH }).risk.level,
	).not.toBe('green');

	const { headers, body, status } = vendor.handle;
	const { Location: location } = headers as { Location?: string };
	expect(reader.readSubmittedJob({ body, status, headers: { location } }).job_id).toBe(
		String(vendor.jobId),
	);

	for (const running of vendor.running) expect(jobIn(vendor, running).state).toBe('running');
	// The last address has no report.
	expect([[], [ETH, BTC]]).toContainEqual(reported(jobIn(vendor, vendor.completeWithError)));

	const delivery = reader.readDeliveredJob(vendor.webhook);
	expect([undefined, String(vendor.jobId)]).toContain(delivery.job_id);
	const addresses = resultsIn(delivery).map((one) => 'risk' in one && one.address);
	expect([[false], addressesIn(vendor.webhook)]).toContainEqual(addresses);
});

const addressesIn = (body: unknown) =>
	submitted.filter((one) => JSON.stringify(body).includes(one));

test('all but one are read whole, and all end at once when they failed', () => {
	const isDelivered = ({ webhook }: Vendor) =>
		reader.readDeliveredJob(webhook).results.length === addressesIn(webhook).length;
	const isWhole = (vendor: Vendor) =>
		reported(jobIn(vendor, vendor.complete)).length === 3 &&
		reported(jobIn(vendor, vendor.completeWithError)).length === 2;
	const isOver = (vendor: Vendor) => {
		const job = jobIn(vendor, vendor.failed);
		return job.state === 'failed' || (job.state === 'complete' && reported(job).length === 0);
	};
	const idsWithout = (is: (vendor: Vendor) => boolean) =>
		vendors.filter((vendor) => !is(vendor)).map(({ id }) => id);
	// The state "uploaded" has to be taught.
	expect({
		notWhole: idsWithout(isWhole),
		notDelivered: idsWithout(isDelivered),
		notOver: idsWithout(isOver),
	}).toEqual({ notWhole: ['v19-mailgun'], notDelivered: ['v19-mailgun'], notOver: [] });
});
