import fc from 'fast-check';

import {
	divide,
	isDivisible,
	submit,
	type Submission,
} from '../../../../nodes/WalletScreening/service/bulk';
import type { Client } from '../../../../nodes/WalletScreening/service/client';
import { ScreeningError, statusError } from '../../../../nodes/WalletScreening/service/errors';
import { parseJob } from '../../../../nodes/WalletScreening/service/shapes';
import { addressesOf } from '../../../support/addresses';
import { failureOf } from './samples';

/** A service that rejects a list as a whole for a bad address in it; `status` may depend on the list. */
function serviceOf(isBad: (address: string) => boolean, status = 422) {
	const lists: string[][] = [];
	const accepted: string[][] = [];
	const client: Partial<Client> = {
		async submitBulk(addresses) {
			await Promise.resolve();
			lists.push(addresses);
			if (addresses.some(isBad)) throw statusError(status, 'An address is invalid');
			accepted.push(addresses);
			return parseJob({ job_id: `j${accepted.length}`, status: 'queued' }, 202);
		},
	};
	return { client: client as Client, lists, accepted };
}

/** Submits a list, and its halves if the service rejects it. */
async function submitting(
	{ client }: { client: Client },
	addresses: string[],
	onSubmission: (submission: Submission) => void = () => {},
	mayGoOn = () => true,
): Promise<Submission[]> {
	const whole = await submit(client, addresses, onSubmission);
	return isDivisible(whole) ? await divide(client, whole, onSubmission, mayGoOn) : [whole];
}

describe('a list that the service accepts', () => {
	test('is one job, reported at once', async () => {
		const service = serviceOf(() => false);
		const told: unknown[] = [];
		const addresses = addressesOf(1000);
		const submissions = await submitting(service, addresses, (submission) => told.push(submission));
		expect(submissions).toEqual([
			{ addresses, outcome: expect.objectContaining({ job_id: 'j1' }) as object },
		]);
		expect(told).toEqual(submissions);
		expect(service.lists).toEqual([addresses]);
	});
});

describe('a list that the service rejects for an address in it', () => {
	test.each([400, 422])('with %i, costs only that address', async (status) => {
		const addresses = addressesOf(1000);
		const bad = addresses[617]!;
		const service = serviceOf((address) => address === bad, status);
		const submissions = await submitting(service, addresses);
		const failed = submissions.filter(({ outcome }) => outcome instanceof ScreeningError);
		expect(failed).toEqual([
			{
				addresses: [bad],
				outcome: expect.objectContaining({ errorClass: 'bad_request', httpCode: status }) as object,
			},
		]);
		expect(service.accepted.flat().sort()).toEqual(addresses.filter((address) => address !== bad));
		expect(service.lists.length).toBeLessThanOrEqual(2 * Math.log2(1000) + 2);
	});

	test.each([401, 403, 404, 409, 429, 500, 503, 302])(
		'with %i, is not divided: that is the fault of no address',
		async (status) => {
			const addresses = addressesOf(100);
			const service = serviceOf((address) => address === addresses[3], status);
			expect(await submitting(service, addresses)).toEqual([
				{ addresses, outcome: expect.objectContaining({ httpCode: status }) as object },
			]);
			expect(service.lists).toHaveLength(1);
		},
	);

	test('any bad addresses: each by itself, the others in one job each, nothing sent twice, and few submits', async () => {
		const lists = fc
			.tuple(fc.integer({ min: 1, max: 1000 }), fc.array(fc.nat(999), { maxLength: 12 }))
			.map(([size, places]) => ({
				addresses: addressesOf(size),
				bad: new Set(
					places.filter((place) => place < size).map((place) => addressesOf(size)[place]!),
				),
			}));
		await fc.assert(
			fc.asyncProperty(lists, async ({ addresses, bad }) => {
				const service = serviceOf((address) => bad.has(address));
				const submissions = await submitting(service, addresses);

				// Each address once, in order; the bad ones alone, with the service's refusal.
				expect(submissions.flatMap((one) => one.addresses)).toEqual(addresses);
				for (const { addresses: part, outcome } of submissions) {
					if (outcome instanceof ScreeningError)
						expect([part.length, bad.has(part[0]!)]).toEqual([1, true]);
				}
				expect(service.accepted.flat().sort()).toEqual(
					addresses.filter((address) => !bad.has(address)),
				);

				const sent = service.lists.map((list) => list.join());
				expect(new Set(sent).size).toBe(sent.length);
				const most = bad.size * (2 * Math.log2(addresses.length) + 2);
				expect(sent.length).toBeLessThanOrEqual(Math.max(1, most));
			}),
			{ numRuns: 300 },
		);
	});

	test('of bad addresses only, ends too, each sent by itself once', async () => {
		const addresses = addressesOf(64);
		const service = serviceOf(() => true);
		const submissions = await submitting(service, addresses);
		expect(submissions.map((one) => one.addresses)).toEqual(addresses.map((address) => [address]));
		expect(service.accepted).toEqual([]);
		const sent = service.lists.map((list) => list.join());
		expect(new Set(sent).size).toBe(sent.length);
	});
});

test('a list that is not divided any further costs the rest of it, and each submit is reported', async () => {
	const addresses = addressesOf(8);
	const service = serviceOf((address) => address === addresses[0]);
	const told: Submission[] = [];
	const submissions = await submitting(
		service,
		addresses,
		(submission) => told.push(submission),
		() => service.lists.length < 3,
	);
	// The whole list, its second half, and half of the first one.
	expect(told.map((one) => one.addresses)).toEqual(service.lists);
	expect(service.lists).toEqual([addresses, addresses.slice(4), addresses.slice(2, 4)]);
	expect(submissions.flatMap((one) => one.addresses)).toEqual(addresses);
	expect(submissions.slice(0, 2)).toEqual(
		[addresses[0], addresses[1]].map((one) => ({ addresses: [one], outcome: told[0]!.outcome })),
	);
});

test('what is no screening error is thrown on, the stop among them', async () => {
	const stop = new Error('stopped');
	const client = { submitBulk: async () => await Promise.reject(stop) } as unknown as Client;
	expect(await failureOf(async () => await submitting({ client }, addressesOf(2)))).toBe(stop);
});

test('a refusal that names a job costs its whole list, and nothing is submitted again', async () => {
	const lists: string[][] = [];
	const client: Partial<Client> = {
		async submitBulk(addresses) {
			lists.push(addresses);
			await Promise.resolve();
			throw statusError(422, 'One address was skipped').with({ job_id: 'j1' });
		},
	};
	const addresses = addressesOf(8);
	const submissions = await submitting({ client: client as Client }, addresses);
	expect(submissions).toEqual([
		{ addresses, outcome: expect.objectContaining({ known: { job_id: 'j1' } }) as object },
	]);
	expect(lists).toEqual([addresses]);
});
