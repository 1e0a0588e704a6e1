/** What happens on each day of the month that lies behind a new trial. */
import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { sanctionedAddresses } from '../../sandbox/sanctions';
import { scenarioAddress } from '../../sandbox/scenarios';
import { sanctionedWallet } from './paymentSystem';

/** Days of the sandbox's timeline that lie behind a new trial. */
export const daysPlayed = 30;

/** Wallets that are on no list, the same in every trial. About 85 % of them are green. */
const unlisted = (number: number) =>
	`0x${createHash('sha256').update(`wallet ${number}`).digest('hex').slice(0, 40)}`;

/** A wallet of the US list, whose case two people close as a true match. */
const reported = sanctionedAddresses[3]!.address;

/**
 * An invented wallet, whose case they close as a false positive: a real one of the list would be a
 * bad example.
 */
const mistaken = scenarioAddress('sanctioned');

/** The unusual wallets that are screened that many days before today. */
const unusual: Record<number, string[]> = {
	26: [reported],
	21: [scenarioAddress('darknet')],
	17: ['0x12 34, typed by hand'],
	12: [mistaken],
	8: [scenarioAddress('unknownLevel')],
	3: [scenarioAddress('withoutSanctions')],
};

/** Customers, some of whom get worse during the month. */
const customers = (
	['sanctionedFromDay1', 'drifting', 'amberSanctionedFromDay1', 'harmless'] as const
).map(scenarioAddress);

/** A wallet to screen, and the transaction or the customer that it belongs to. */
type WalletToScreen = Record<'address' | 'reference', string>;

/**
 * The wallets that are screened that many days before today, which is `date`: few on weekends, and
 * the customers once a week.
 */
export function screenedOn(daysAgo: number, date: Date): WalletToScreen[] {
	const isWeekend = [0, 6].includes(date.getUTCDay());
	const count = isWeekend ? 2 : 5 + (daysAgo % 4);
	const wallets = Array.from({ length: count }, (_, at) => unlisted(10 * daysAgo + at));
	const weekly = daysAgo % 7 === 2 ? customers : [];
	const all = [...wallets, ...(unusual[daysAgo] ?? []), ...weekly];
	return all.map((address, at) => {
		const number = customers.indexOf(address);
		const reference = number < 0 ? `T-${10 * daysAgo + at}` : `customer ${number + 1}`;
		return { address, reference };
	});
}

/** The payments of some days, by the number of days before today. */
export const paymentsOn: Record<number, Array<[address: string, amount: string]>> = {
	9: [[scenarioAddress('harmless'), '4.00 ETH']],
	6: [[unlisted(1), '250.00 ETH']],
	5: [[scenarioAddress('drifting'), '1.75 ETH']],
	2: [[sanctionedWallet, '30.00 ETH']],
};

/** The answer of a person in a sanctions case. */
export interface Answer {
	/** The wallet of the case. */
	readonly address: string;
	readonly person: 'first' | 'second';
	/** The fields of the form that the person sends. */
	readonly form: (dayOfAnswer: string) => IDataObject;
}

/** The answers of some days, by the number of days before today. */
export const answersOn: Record<number, Answer> = {
	25: {
		address: reported,
		person: 'first',
		form: (dayOfAnswer) => ({
			answer: 'True match',
			reported_on: dayOfAnswer,
			reported_to: 'OFAC',
			report_number: 'B-2026-0417',
			reason: 'The list names this very wallet.',
		}),
	},
	24: {
		address: reported,
		person: 'second',
		form: () => ({ answer: 'Confirm it', reason: 'I read the report that we sent.' }),
	},
	11: {
		address: mistaken,
		person: 'second',
		form: () => ({
			answer: 'False positive',
			proof: 'ticket T-9',
			reason: 'The service mixed up two wallets, and took it back in writing.',
		}),
	},
	10: {
		address: mistaken,
		person: 'first',
		form: () => ({ answer: 'Confirm it', reason: 'I called the vendor, and read its letter.' }),
	},
};
