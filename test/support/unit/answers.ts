import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { readRetryAfter } from '../../../nodes/WalletScreening/client/retryAfter';
import { networkFault } from '../../../nodes/WalletScreening/client/networkFaults';
import { type Answer } from '../../../nodes/WalletScreening/shared/http';
import { ethereum } from '../data/knownAddresses';

const green = {
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
	risk: { ...green, ...(changes.risk as object) },
});

/** Returns an answer with this status. A body that is neither text nor bytes becomes JSON. */
export function answer(
	status: number,
	body: unknown = '',
	headers: Answer['headers'] = {},
): Answer {
	const bytes =
		typeof body === 'string' || Buffer.isBuffer(body)
			? Buffer.from(body as string)
			: Buffer.from(JSON.stringify(body));
	return { status, headers, body: bytes, retryAfter: readRetryAfter(headers, Date.now()) };
}

/** Returns the same answer in the form of n8n's HTTP helper. */
export function helperAnswer(...values: Parameters<typeof answer>) {
	const { status: statusCode, headers, body } = answer(...values);
	return { statusCode, headers, body };
}

/** Returns an answer that asks the client to wait. */
export const waitAnswer = (status: number, retryAfter: string | string[]): Answer =>
	answer(status, '', { 'retry-after': retryAfter });

const timeoutSeconds = 30;

/** Returns the error with which `send` rejects after a fault of the connection. */
export const networkFaultOf = (code: string): ScreeningError => networkFault(code, timeoutSeconds);

/** Returns the `ScreeningError` that `work` throws or rejects with. */
export async function errorOf(work: () => unknown): Promise<ScreeningError> {
	try {
		await work();
	} catch (error) {
		if (error instanceof ScreeningError) return error;
		throw error;
	}
	throw new Error('It was expected to throw');
}
