import { type ErrorClass, ScreeningError } from '../shared/errors';
import type { Answer } from '../shared/http';
import {
	fieldOf,
	isJsonObject,
	isObjectOrList,
	type JsonObject,
	tryParseJson,
} from '../shared/json';
import { clip, formatCount } from '../shared/text';
import { minute } from '../shared/time';
import type { FaultText } from './networkFaults';
import { maxPause } from './pauses';

/** What a status means. `%` stands for the status in the message. */
interface StatusMeaning extends FaultText {
	errorClass: ErrorClass;
}

const rejected = (description: string): StatusMeaning => ({
	errorClass: 'bad_request',
	message: 'The service rejected the request (status %)',
	description,
});
const badValue = rejected(
	'The service does not accept a value in the request, e.g. the address or the chain. Correct the value and run again.',
);
const notNow = rejected('The service cannot process the request right now. Run it again later.');

/** Section 7 names 400, 401, 403, 429 and 5xx; the others mean what they mean in HTTP. */
const statusMeanings: Record<string, StatusMeaning> = {
	400: badValue,
	401: {
		errorClass: 'unauthorized',
		message: 'The service does not accept the API key',
		description:
			'The key may be mistyped, expired or of another environment. The vendor issues keys.',
	},
	402: rejected(
		'The account of the API key may have no credit left, or a plan that does not include this. Ask the vendor.',
	),
	403: {
		errorClass: 'forbidden',
		message: 'The API key is not allowed to do this',
		description:
			"The key may lack the scope for this, or this n8n's IP address is missing from the key's allowlist. Ask the vendor.",
	},
	404: {
		errorClass: 'not_found',
		message: 'The service did not find what was asked for',
		description: 'The service answered with status 404.',
	},
	408: notNow,
	409: notNow,
	410: rejected(
		'The service no longer keeps what was asked for. Ask the vendor how long it keeps jobs and reports.',
	),
	413: rejected(
		'The request is too long for the service, or for a proxy before it. In a bulk job, submit fewer addresses at once.',
	),
	422: badValue,
	429: {
		errorClass: 'rate_limited',
		message: 'Rate limit reached for this API key',
		description: 'Run it again later, or use fewer workflows with this key at the same time.',
	},
	'4xx': rejected(
		'The answer may come from a proxy or a gateway before the service. Ask the vendor what this status means.',
	),
	'5xx': {
		errorClass: 'server',
		message: 'The service is unavailable (status %)',
		description: 'The service cannot answer right now. Run it again later.',
	},
};

const undocumentedStatus: StatusMeaning = {
	errorClass: 'invalid_response',
	message: 'The service answered with an undocumented status (%)',
	description: 'The answer may come from a proxy, or from a page that forwards to the service.',
};

/**
 * Makes the error that a status outside 2xx means. `serviceMessage` is the service's own
 * explanation, if it gave one.
 */
export function statusError(status: number, serviceMessage: string | undefined): ScreeningError {
	const ofClass = statusMeanings[`${Math.floor(status / 100)}xx`];
	const { errorClass, message, description } =
		statusMeanings[status] ?? ofClass ?? undocumentedStatus;
	const title = message.replace('%', String(status));
	return new ScreeningError(errorClass, title, description, { httpCode: status, serviceMessage });
}

/** Whether the service rejected what the request holds, e.g. one of many addresses. */
export function rejectsContent({ httpCode }: Pick<ScreeningError, 'httpCode'>): boolean {
	return httpCode === 400 || httpCode === 422;
}

/**
 * Makes the error of a 4xx of another host, to which the service forwards. The key is not sent
 * there, so neither the key nor its rate is the reason.
 */
export function foreignRefusalError(httpCode: number): ScreeningError {
	return new ScreeningError(
		'server',
		`The address that the service forwards to refused the request (status ${httpCode})`,
		'The node sends the API key only to the service itself. Run it again later. If this returns, ask the vendor.',
		{ httpCode },
	);
}

/**
 * Makes the error that an answer outside 2xx means, with the pause that the service asks for, in this
 * answer or for the key (`QueuedAnswer`), if that is longer than the node waits.
 */
export function answerError(
	{ status, body, retryAfter = 0 }: Answer,
	keyPause = 0,
): ScreeningError {
	const error = statusError(status, readExplanation(body));
	const pause = Math.max(retryAfter, keyPause);
	if (pause <= maxPause) return error;
	const minutes = Math.ceil(pause / minute);
	const time = minutes < 24 * 60 ? formatCount(minutes, 'minute') : 'a day or more';
	return error.withText({
		description: `${error.description} The service asks for a pause of ${time}, which is longer than the node waits.`,
	});
}

const maxExplanationLength = 300;

/**
 * Reads the service's own explanation of an error, on one line, from the usual places: section 7
 * does not show the shape of error bodies.
 */
function readExplanation(body: Buffer): string | undefined {
	const errorBody = tryParseJson(body);
	const reason = isJsonObject(errorBody) ? findReason(errorBody) : undefined;
	const text = clip(reason?.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ') ?? '', maxExplanationLength);
	return text === '' ? undefined : text;
}

/** Where an error body gives its reason, the most telling name first. */
const reasonNames = ['message', 'detail', 'error_description', 'error', 'errors', 'msg', 'title'];

/**
 * Finds the first reason in an error body: a text under one of the usual names, or in a list under the
 * name of the field that is wrong.
 */
function findReason(value: unknown, depth = 3): string | undefined {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	if (depth === 0 || !isObjectOrList(value)) return undefined;
	const parts = Array.isArray(value)
		? value
		: [
				...reasonNames.map((name) => fieldOf(value as JsonObject, name)),
				...Object.values(value).filter(Array.isArray),
			];
	for (const part of parts) {
		const reason = findReason(part, depth - 1);
		if (reason !== undefined) return reason;
	}
	return undefined;
}
