import { type ErrorClass, ScreeningError } from '../shared/errors';
import type { Answer } from '../shared/http';
import { fieldOf, type Fields, isFields, tryParseJson } from '../shared/json';
import { clip, formatCount } from '../shared/text';
import { minute } from '../shared/time';
import { maxRetryAfter } from './retryAfter';

/** What a fault of the network means, by its code: what happened, and how to get unstuck. */
const networkTexts: Record<string, [string, string]> = {
	ECONNREFUSED: [
		'No server responds at the address of the service',
		'Check the host name and the port, and ask the vendor whether the service is up (ECONNREFUSED).',
	],
	ENOTFOUND: [
		'The host name of the service is unknown',
		'Check the spelling of the host name (ENOTFOUND).',
	],
	EAI_AGAIN: [
		'The host name of the service could not be resolved for now',
		'Run it again in a minute. If this returns, ask the administrator of this n8n to check its DNS (EAI_AGAIN).',
	],
	STOPPED: [
		'The execution was stopped before the service answered',
		'The service may have carried out the request.',
	],
	TIMEOUT: ['The service did not answer within %', 'Run it again later.'],
	SSRF: [
		"This n8n's own rules forbid requests to the address of the service, or to where it forwards",
		'Nothing was sent there. Ask the administrator of this n8n to allow the host (N8N_SSRF_ALLOWED_HOSTNAMES) or its IP address (N8N_SSRF_ALLOWED_IP_RANGES).',
	],
};

/**
 * Another try after one of these would end the same way: this n8n forbids the request, the user stopped the execution, or the
 * answer is too large.
 */
const permanent = ['SSRF', 'STOPPED', 'TOO_LARGE'];

/** Whether another try would end the same way. */
export function isPermanent({ faultCode = '' }: ScreeningError): boolean {
	return permanent.includes(faultCode);
}

/** No usable answer. `code` is the network's own, e.g. `ECONNRESET`, or `SSRF`, `STOPPED`, or `TIMEOUT` after so many `seconds`. */
export function networkFault(code: string, seconds?: number): ScreeningError {
	// The code is not in the message, because n8n replaces a message that holds one by its own.
	const [message, description] = networkTexts[code] ?? [
		'Could not connect to the service, or the connection was interrupted',
		`Check the network, proxy and TLS settings of the machine that runs n8n, then run it again (${code}).`,
	];
	const time = seconds === undefined ? '' : formatCount(seconds, 'second');
	return new ScreeningError('network', message.replace('%', time), description, {
		faultCode: code,
	});
}

/** The class of an error, what happened, and how to get unstuck. */
type Meaning = [ErrorClass, string, string];
const rejected = (advice: string): Meaning => [
	'bad_request',
	'The service rejected the request (status %)',
	advice,
];
const badValue = rejected(
	'The service does not accept a value in the request, e.g. the address or the chain. Correct the value and run again.',
);
const notNow = rejected('The service cannot process the request right now. Run it again later.');

/** What a status means. Section 7 names 400, 401, 403, 429 and 5xx; the others mean what they mean in HTTP. */
const statusTexts: Record<string, Meaning> = {
	400: badValue,
	422: badValue,
	408: notNow,
	409: notNow,
	401: [
		'unauthorized',
		'The service does not accept the API key',
		'The key may be mistyped, expired or of another environment. The vendor issues keys.',
	],
	402: rejected(
		'The account of the API key may have no credit left, or a plan that does not include this. Ask the vendor.',
	),
	403: [
		'forbidden',
		'The API key is not allowed to do this',
		"The key may lack the scope for this, or this n8n's IP address is missing from the key's allowlist. Ask the vendor.",
	],
	404: [
		'not_found',
		'The service did not find what was asked for',
		'The service answered with status 404.',
	],
	410: rejected(
		'The service no longer keeps what was asked for. Ask the vendor how long it keeps jobs and reports.',
	),
	413: rejected(
		'The request is too long for the service, or for a proxy before it. In a bulk job, submit fewer addresses at once.',
	),
	429: [
		'rate_limited',
		'Rate limit reached for this API key',
		'Run it again later, or use fewer workflows with this key at the same time.',
	],
	'4xx': rejected(
		'The answer may come from a proxy or a gateway before the service. Ask the vendor what this status means.',
	),
	'5xx': [
		'server',
		'The service is unavailable (status %)',
		'The service cannot answer right now. Run it again later.',
	],
	other: [
		'invalid_response',
		'The service answered with an undocumented status (%)',
		'The answer may come from a proxy, or from a page that forwards to the service.',
	],
};

/** The error that a status outside 2xx means. `serviceMessage` is the service's own explanation, if it gave one. */
export function statusError(status: number, serviceMessage: string | undefined): ScreeningError {
	const [errorClass, message, description] =
		statusTexts[status] ?? statusTexts[`${Math.floor(status / 100)}xx`] ?? statusTexts.other!;
	const title = message.replace('%', String(status));
	return new ScreeningError(errorClass, title, description, { httpCode: status, serviceMessage });
}

/** Whether the service rejected what the request holds, e.g. one of many addresses. */
export function rejectsContent({ httpCode }: Pick<ScreeningError, 'httpCode'>): boolean {
	return httpCode === 400 || httpCode === 422;
}

/** A refusal by another host, to which the service forwards. The key is not sent there, so it is not the reason. */
export function foreignRefusalError(httpCode: number): ScreeningError {
	return new ScreeningError(
		'forbidden',
		`The address that the service forwards to refused the request (status ${httpCode})`,
		'The node sends the API key only to the service itself. Run it again later. If this returns, ask the vendor.',
		{ httpCode },
	);
}

/** The error that an answer outside 2xx means, with the pause that the service asks for, if that is longer than the node waits. */
export function answerError({ status, body, retryAfter = 0 }: Answer): ScreeningError {
	const error = statusError(status, explanation(body));
	if (retryAfter <= maxRetryAfter) return error;
	const minutes = Math.ceil(retryAfter / minute);
	const pause = minutes < 24 * 60 ? formatCount(minutes, 'minute') : 'a day or more';
	return error.withText({
		description: `${error.description} The service asks for a pause of ${pause}, which is longer than the node waits.`,
	});
}

const maxExplanationLength = 300;

/** The service's own reason for a refusal, on one line, from the usual places: section 7 does not show the shape of error bodies. */
function explanation(body: Buffer): string | undefined {
	const refusal = tryParseJson(body);
	const reason = isFields(refusal) ? findReason(refusal) : undefined;
	const text = clip(reason?.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ') ?? '', maxExplanationLength);
	return text === '' ? undefined : text;
}

/** Where a refusal gives its reason, the most telling name first. */
const reasons = ['message', 'detail', 'error_description', 'error', 'errors', 'msg', 'title'];

/** The first reason in a refusal: a text under one of the usual names, or in a list under the name of the field that is wrong. */
function findReason(value: unknown, depth = 3): string | undefined {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	if (depth === 0 || typeof value !== 'object' || value === null) return undefined;
	const parts = Array.isArray(value)
		? value
		: [
				...reasons.map((name) => fieldOf(value as Fields, name)),
				...Object.values(value).filter(Array.isArray),
			];
	for (const part of parts) {
		const reason = findReason(part, depth - 1);
		if (reason !== undefined) return reason;
	}
	return undefined;
}
