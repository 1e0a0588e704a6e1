import fc from 'fast-check';

import { inJobs } from '../../../../nodes/WalletScreening/service/bulk';
import { BTC, ETH, SEGWIT } from './samples';

describe('addresses in jobs', () => {
	it('in spellings that mean the same are sent once, as the first is spelled', () => {
		expect(inJobs([ETH.toLowerCase(), BTC, ETH, ETH.toUpperCase()])).toEqual([
			[ETH.toLowerCase(), BTC],
		]);
		expect(inJobs([SEGWIT.toUpperCase(), SEGWIT])).toEqual([[SEGWIT.toUpperCase()]]);
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
