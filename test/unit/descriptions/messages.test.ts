/** What n8n's UX guidelines ask of the texts of an error: what happened, and how to get unstuck. */
import {
	invalidResponse,
	networkFault,
	statusError,
} from '../../../nodes/WalletScreening/service/errors';

const statuses = [301, 400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504];
const codes = [
	'ECONNREFUSED',
	'ECONNRESET',
	'ENOTFOUND',
	'EAI_AGAIN',
	'CERT_HAS_EXPIRED',
	'TIMEOUT',
];

const errors = [
	...statuses.map((status) => [String(status), statusError(status, undefined)] as const),
	...codes.map((code) => [code, networkFault(code, 30)] as const),
	['2xx without a report', invalidResponse('no report')] as const,
];

describe.each(errors)('%s', (_, { message, description }) => {
	it('says what happened in one sentence', () => {
		expect(message).toMatch(/^[A-Z][^.]*[^.]$/);
	});

	it('says how to get unstuck in whole sentences', () => {
		expect(description).toMatch(/^[A-Z'].*\.$/);
		expect(description).not.toBe(message);
	});

	it('does without words that only alarm, and names fields in single quotation marks', () => {
		expect(`${message} ${description}`).not.toMatch(
			/\b(errors?|problems?|failures?|mistakes?)\b|"/i,
		);
	});
});
