import { readRetryAfter } from '../../../nodes/WalletScreening/client/answerHeaders';
import type { Answer } from '../../../nodes/WalletScreening/shared/http';

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

/** Returns an answer as `answer` does, in the form of n8n's HTTP helper. */
export function helperAnswer(status: number, body?: unknown, headers?: Answer['headers']) {
	const { status: statusCode, ...others } = answer(status, body, headers);
	return { statusCode, headers: others.headers, body: others.body };
}

/** Returns an answer that asks the client to wait. */
export const waitAnswer = (status: number, retryAfter: string | string[]): Answer =>
	answer(status, '', { 'retry-after': retryAfter });
