import fc from 'fast-check';

import {
	divide,
	isDivisible,
	type Submission,
} from '../../../../nodes/WalletScreening/client/division';
import { statusError } from '../../../../nodes/WalletScreening/client/statusErrors';
import { Reader } from '../../../../nodes/WalletScreening/answers/reader';
import { numberedAddresses } from '../../../support/data/addresses';

/**
 * Submits a list, and its halves if the service rejects it: it takes no list with a bad address.
 */
async function submitting(all: string[], isBad: (address: string) => boolean, status: number) {
	const lists: string[] = [];
	async function submit(addresses: string[]): Promise<Submission> {
		const number = lists.push(addresses.join());
		const job = new Reader().readSubmittedJob({
			body: { job_id: `j${number}`, status: 'queued' },
			status: 202,
		});
		const isRejected = addresses.some(isBad);
		const error = statusError(status, 'An address is invalid');
		return await Promise.resolve(isRejected ? { addresses, error } : { addresses, value: job });
	}
	const whole = await submit(all);
	return { lists, submissions: isDivisible(whole) ? await divide(whole, submit) : [whole] };
}

describe('a list that the service rejects for an address in it', () => {
	test('any bad addresses: each by itself, the others in one job each, nothing sent twice, and few submits', async () => {
		const sizes = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 1000 }));
		const places = fc.array(fc.oneof(fc.nat(7), fc.nat(999)), { maxLength: 12 });
		const anyList = fc.asyncProperty(sizes, places, async (size, at) => {
			const addresses = numberedAddresses(size);
			const bad = new Set(at.flatMap((place) => addresses[place] ?? []));
			const httpCode = bad.size % 2 ? 400 : 422;
			const { submissions, lists } = await submitting(addresses, (one) => bad.has(one), httpCode);

			expect(submissions.flatMap((one) => one.addresses)).toEqual(addresses);
			const refused = submissions.filter(({ error }) => error);
			const alone = addresses.filter((one) => bad.has(one)).map((one) => ({ addresses: [one] }));
			expect(refused.map((one) => ({ addresses: one.addresses }))).toEqual(alone);
			for (const { error } of refused)
				expect(error).toMatchObject({ errorClass: 'bad_request', httpCode });
			expect(new Set(lists).size).toBe(lists.length);
			const most = 2 * bad.size * Math.ceil(Math.log2(size));
			expect(lists.length).toBeLessThanOrEqual(1 + most);
		});
		await fc.assert(anyList, { numRuns: 100 });
	});

	test('costs the whole list if the refusal is of another kind', () => {
		const addresses = numberedAddresses(8);
		const divisible = [400, 401, 409, 422, 500].filter((status) =>
			isDivisible({ addresses, error: statusError(status, undefined) }),
		);
		expect(divisible).toEqual([400, 422]);
	});
});
