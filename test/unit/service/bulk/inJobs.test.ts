import fc from 'fast-check';

import { inJobs } from '../../../../nodes/WalletScreening/service/bulk';
import { addressesOf } from '../../../support/addresses';
import { BTC, ETH, SEGWIT } from './samples';

describe('addresses in jobs', () => {
	it.each([
		[0, []],
		[1, [1]],
		[999, [999]],
		[1000, [1000]],
		[1001, [1000, 1]],
		[2000, [1000, 1000]],
		[2500, [1000, 1000, 500]],
	])('%i addresses', (count, sizes) => {
		expect(inJobs(addressesOf(count)).map(({ length }) => length)).toEqual(sizes);
	});

	it('keep their order', () => {
		const addresses = addressesOf(2500).reverse();
		expect(inJobs(addresses).flat()).toEqual(addresses);
	});

	it('are sent once, at the place of the first', () => {
		expect(inJobs(['b', 'a', 'b', 'c', 'a', 'a'])).toEqual([['b', 'a', 'c']]);
	});

	it('do not count as duplicates towards the size of a job', () => {
		const addresses = addressesOf(1000);
		expect(inJobs([...addresses, ...addresses])).toEqual([addresses]);
	});

	it('in spellings that mean the same are sent once, as the first is spelled', () => {
		expect(inJobs([ETH.toLowerCase(), BTC, ETH, ETH.toUpperCase()])).toEqual([
			[ETH.toLowerCase(), BTC],
		]);
		expect(inJobs([SEGWIT.toUpperCase(), SEGWIT])).toEqual([[SEGWIT.toUpperCase()]]);
	});

	it('whose letters matter are each sent as given', () => {
		const other = BTC.replace('w', 'W');
		expect(inJobs([BTC, other])).toEqual([[BTC, other]]);
	});

	it('named like a property of every object are addresses like any other', () => {
		const odd = ['__proto__', 'constructor', 'toString', 'length'];
		expect(inJobs([...odd, ...odd])).toEqual([odd]);
	});

	it('any list: every address once, in order, and every job but the last full', () => {
		const lists = fc
			.record({
				size: fc.integer({ min: 0, max: 4000 }),
				kinds: fc.integer({ min: 1, max: 4000 }),
				step: fc.integer({ min: 1, max: 997 }),
			})
			.map(({ size, kinds, step }) =>
				Array.from({ length: size }, (_, index) => `a${(index * step) % kinds}`),
			);
		fc.assert(
			fc.property(lists, (addresses) => {
				const before = [...addresses];
				const jobs = inJobs(addresses);
				expect(addresses).toEqual(before);
				const firsts = addresses.filter((address, index) => addresses.indexOf(address) === index);
				expect(jobs.flat()).toEqual(firsts);
				expect(jobs.slice(0, -1).every(({ length }) => length === 1000)).toBe(true);
				expect(jobs.every(({ length }) => length >= 1 && length <= 1000)).toBe(true);
			}),
			{ numRuns: 60 },
		);
	});
});
