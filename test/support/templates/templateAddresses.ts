import { createHash } from 'node:crypto';
import { reportOn } from '../../../sandbox/reports';
import { sanctionedAddresses } from '../../../sandbox/sanctions';
import { scenarioAddress } from '../../../sandbox/scenarios';

/** Addresses in the form of Ethereum that are on no list. They are the same in every run. */
const unlisted = Array.from({ length: 200 }, (_, number) => {
	const digest = createHash('sha256').update(`template ${number}`).digest('hex');
	return `0x${digest.slice(0, 40)}`;
});

const riskOf = (address: string) => reportOn(address, undefined, '').risk;

/** An address that is neither green nor sanctioned. */
export const notGreenAddress = unlisted.find((address) => {
	const { level, categories } = riskOf(address);
	return level !== 'green' && (categories.sanctions ?? 1) < 0.5;
})!;

export const greenAddresses = unlisted.filter((address) => riskOf(address).level === 'green');
export const [greenAddress, otherGreen, thirdGreen] = greenAddresses as [string, string, string];

/** An address on the list of the US Treasury. */
export const sanctionedAddress = sanctionedAddresses.find(({ asset }) => asset === 'ETH')!.address;

/**
 * An address that is red because of the darknet. The first policy blocks it, but it is no sanctions
 * hit.
 */
export const blockedAddress = scenarioAddress('darknet');
