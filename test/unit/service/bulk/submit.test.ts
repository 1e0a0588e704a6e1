import fc from 'fast-check';

import {
	divide,
	isDivisible,
	type Submission,
} from '../../../../nodes/WalletScreening/service/bulk';
import { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { statusError } from '../../../../nodes/WalletScreening/service/faults';
import { createReader } from '../../../../nodes/WalletScreening/service/dialect/reader';
import { addressesOf } from '../../../support/addresses';

/** A service that rejects a list as a whole for a bad address in it; `status` may depend on the list. */
function serviceOf(isBad: (address: string) => boolean, status = 422) {
	const lists: string[][] = [];
	const accepted: string[][] = [];
	async function submit(addresses: string[]): Promise<Submission> {
		await Promise.resolve();
		lists.push(addresses);
		if (addresses.some(isBad)) {
			return { addresses, outcome: statusError(status, 'An address is invalid') };
		}
		accepted.push(addresses);
		const job = createReader().handle({ job_id: `j${accepted.length}`, status: 'queued' }, 202);
		return { addresses, outcome: job };
	}
	return { submit, lists, accepted };
}

/** Submits a list, and its halves if the service rejects it. */
async function submitting(
	{ submit }: Pick<ReturnType<typeof serviceOf>, 'submit'>,
	addresses: string[],
): Promise<Submission[]> {
	const whole = await submit(addresses);
	return isDivisible(whole) ? await divide(whole, submit) : [whole];
}

describe('a list that the service rejects for an address in it', () => {
	test.each([401, 409, 500])('with %i, is not divided', async (status) => {
		const addresses = addressesOf(4);
		const service = serviceOf((address) => address === addresses[3], status);
		expect(await submitting(service, addresses)).toMatchObject([
			{ addresses, outcome: { httpCode: status } },
		]);
	});

	test('any bad addresses: each by itself, the others in one job each, nothing sent twice, and few submits', async () => {
		const lists = fc
			.tuple(
				fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 1000 })),
				fc.array(fc.oneof(fc.nat(7), fc.nat(999)), { maxLength: 12 }),
			)
			.map(([size, places]) => ({
				addresses: addressesOf(size),
				bad: new Set(
					places.filter((place) => place < size).map((place) => addressesOf(size)[place]!),
				),
			}));
		await fc.assert(
			fc.asyncProperty(lists, async ({ addresses, bad }) => {
				const status = bad.size % 2 ? 400 : 422;
				const service = serviceOf((address) => bad.has(address), status);
				const submissions = await submitting(service, addresses);

				// Each address once, in order; the bad ones alone, with the service's refusal.
				expect(submissions.flatMap((one) => one.addresses)).toEqual(addresses);
				for (const { addresses: part, outcome } of submissions) {
					if (!(outcome instanceof ScreeningError)) continue;
					expect([part.length, bad.has(part[0]!)]).toEqual([1, true]);
					expect(outcome).toMatchObject({ errorClass: 'bad_request', httpCode: status });
				}
				expect(service.accepted.flat().sort()).toEqual(
					addresses.filter((address) => !bad.has(address)),
				);

				const sent = service.lists.map((list) => list.join());
				expect(new Set(sent).size).toBe(sent.length);
				const most = bad.size * (2 * Math.log2(addresses.length) + 2);
				expect(sent.length).toBeLessThanOrEqual(Math.max(1, most));
			}),
			{ numRuns: 100 },
		);
	});
});

test('a refusal that names a job costs its whole list, and nothing is submitted again', () => {
	const refusal = statusError(422, 'One address was skipped');
	const addresses = addressesOf(8);
	expect(isDivisible({ addresses, outcome: refusal })).toBe(true);
	expect(isDivisible({ addresses, outcome: refusal.with({ job_id: 'j1' }) })).toBe(false);
});
