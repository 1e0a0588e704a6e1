import { splitIntoJobs as split } from '../../../../nodes/WalletScreening/client/division';
import { bitcoin, ethereum, sanctionedBitcoin } from '../../../support/data/knownAddresses';
import { numberedAddresses } from '../../../support/data/addresses';

const splitIntoJobs = (addresses: string[]) => split(addresses, 1000);

describe('addresses in jobs', () => {
	it('in spellings that mean the same are sent once, as the first is spelled', () => {
		expect(
			splitIntoJobs([ethereum.toLowerCase(), sanctionedBitcoin, ethereum, ethereum.toUpperCase()]),
		).toEqual([[ethereum.toLowerCase(), sanctionedBitcoin]]);
		expect(splitIntoJobs([bitcoin.toUpperCase(), bitcoin])).toEqual([[bitcoin.toUpperCase()]]);
		const other = sanctionedBitcoin.replace('w', 'W');
		expect(splitIntoJobs([sanctionedBitcoin, other])).toEqual([[sanctionedBitcoin, other]]);
	});

	it('are sent each if their spellings name different chains, because a wallet may be clean on one of them only', () => {
		const legacy = '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu';
		const cashAddr = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
		expect(splitIntoJobs([legacy, cashAddr, cashAddr.toUpperCase()])).toEqual([[legacy, cashAddr]]);
	});

	it('are in their order, and every job but the last is full', () => {
		const addresses = numberedAddresses(2001);
		const jobs = splitIntoJobs([...addresses, ...addresses]);
		expect(jobs.flat()).toEqual(addresses);
		expect(jobs.map(({ length }) => length)).toEqual([1000, 1000, 1]);
		expect(splitIntoJobs(addresses.slice(1))).toHaveLength(2);
		expect(splitIntoJobs([])).toEqual([]);
	});
});
