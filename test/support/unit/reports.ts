import type { Report } from '../../../nodes/WalletScreening/answers/report';
import { ethereum } from '../data/knownAddresses';

const greenRisk = {
	level: 'green',
	score: 0.02,
	categories: { sanctions: 0, darknet: 0.01, mixer: 0.03, scam: 0, stolen: 0, clean_exchange: 1.4 },
};

/** Returns the report of section 2.1, with `changes` to its fields and to those of its risk. */
export const reportBody = (changes: Record<string, unknown> = {}) => ({
	report_id: 'rep_1',
	address: ethereum,
	chain: 'ETH',
	balance: '12.5 ETH',
	tx_count: 42,
	report_url: 'https://app.example.com/reports/rep_1',
	...changes,
	risk: { ...greenRisk, ...(changes.risk as object) },
});

/** Returns such a report on an address, with an ID of its own. */
export const reportOf = (address: string, changes: Record<string, unknown> = {}) =>
	reportBody({ address, report_id: `rep_${address}`, ...changes }) as unknown as Report;
