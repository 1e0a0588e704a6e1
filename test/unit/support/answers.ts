import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { networkFault } from '../../../nodes/WalletScreening/client/faults';
import { type Answer } from '../../../nodes/WalletScreening/shared/http';

const green = {
	level: 'green',
	score: 0.02,
	categories: { sanctions: 0, darknet: 0.01, mixer: 0.03, scam: 0, stolen: 0, clean_exchange: 1.4 },
};

/** A report as section 2.1 shows it, but for what `changes` replaces, in its risk too. */
export const reportBody = (changes: Record<string, unknown> = {}) => ({
	report_id: 'rep_1',
	address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
	chain: 'ETH',
	balance: '12.5 ETH',
	tx_count: 42,
	report_url: 'https://app.example.com/reports/rep_1',
	...changes,
	risk: { ...green, ...(changes.risk as object) },
});

/** An answer with this status; a body that is not text or bytes is sent as JSON. */
export function answer(
	status: number,
	body: unknown = '',
	headers: Answer['headers'] = {},
): Answer {
	const bytes =
		typeof body === 'string' || Buffer.isBuffer(body)
			? Buffer.from(body as string)
			: Buffer.from(JSON.stringify(body));
	return { status, headers, body: bytes };
}

/** The same as n8n's HTTP helper gives it. */
export function response(...given: Parameters<typeof answer>) {
	const { status: statusCode, headers, body } = answer(...given);
	return { statusCode, headers, body };
}

/** An answer that asks to wait. */
export const wait = (status: number, retryAfter: string | string[]): Answer =>
	answer(status, '', { 'retry-after': retryAfter });

/** The fault of a connection, as `send` gives it. */
export const fault = (code: string): ScreeningError => networkFault(code, 30);

/** The `ScreeningError` that `work` throws or rejects with. */
export async function errorOf(work: () => unknown): Promise<ScreeningError> {
	try {
		await work();
	} catch (error) {
		if (error instanceof ScreeningError) return error;
		throw error;
	}
	throw new Error('It was expected to throw');
}
