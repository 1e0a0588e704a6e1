import { createReader, type Job } from '../../../../nodes/WalletScreening/service/dialect/reader';
import type { Report } from '../../../../nodes/WalletScreening/service/report';

/** One address of each kind, from the public list of sanctioned addresses. */
export const ETH = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
export const BTC = '149w62rY42aZBox8fGcmqNsXUzSStKeq8C';
export const SEGWIT = 'bc1qgdjqv0av3q56jvd82tkdjpy7gdp9ut8tlqmgrpmv24sq90ecnvqqjwvw97';

const green = {
	level: 'green',
	score: 0.12,
	categories: { sanctions: 0, darknet: 0.01, mixer: 0.02, scam: 0, stolen: 0, clean_exchange: 1.2 },
};

/** A report with all fields of section 2.1. */
export function reportOf(
	address: string,
	more: { risk?: object; [name: string]: unknown } = {},
): Report {
	return {
		report_id: `rep_${address}`,
		address,
		chain: 'ETH',
		balance: '1.5 ETH',
		tx_count: 7,
		report_url: `https://service.example/reports/rep_${address}`,
		...more,
		risk: { ...green, ...more.risk },
	} as unknown as Report;
}

/** What `work` throws or rejects with. Fails where it does neither. */
export async function failureOf(work: () => unknown): Promise<unknown> {
	try {
		await work();
	} catch (error) {
		return error;
	}
	throw new Error('Nothing was thrown');
}

/** The job `j1` in a body. */
export const jobIn = (body: unknown): Job => createReader().job(body, 200, 'j1', {});
