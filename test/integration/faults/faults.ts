import type { FaultEffect } from '../../../sandbox/faults';
import type { Operation } from './operations';

/** How often a request is repeated after a server fault or a broken connection, in these tests. */
export const MAX_RETRIES = 1;

/** A fault and what must become of an item that meets it. */
export interface FaultCase {
	name: string;
	/** @param body of the good answer */
	effect(body: string | Buffer): FaultEffect;
	/** After how many requests it is over; never where absent. */
	times?: number;
	/** The error class; a good item where absent. */
	errorClass?: string;
	/** How many requests are made. */
	requests(operation: Operation): number;
	/** Milliseconds that pass at least before the second request. */
	wait?: number;
	/** Operations that it can befall; all where absent. */
	befalls?(operation: Operation): boolean;
	options?: { requestTimeout: number };
	/** Whether another look at a job may see something else; it may where nothing is said. */
	isFinal?: boolean;
	/** Whether the limiter is told to wait for longer than other tests can. */
	stopsLimiter?: boolean;
}

const once = () => 1;
const repeatedIfHarmless = ({ repeatable }: Operation) => (repeatable ? 1 + MAX_RETRIES : 1);

/** An answer in place of the right one, called JSON unless the headers say otherwise. */
export const answer = (
	status: number,
	body: string | Buffer = '',
	headers: Record<string, string> = {},
): FaultEffect => ({
	kind: 'answer',
	status,
	body,
	headers: { 'content-type': 'application/json', ...headers },
});

const broken: FaultCase[] = [
	['reset before the request was read', { kind: 'reset', at: 'beforeRead' } as const],
	['reset after the request was read', { kind: 'reset', at: 'beforeAnswer' } as const],
	['body cut off', { kind: 'truncate' } as const],
].map(([name, effect]) => ({
	name: name as string,
	effect: () => effect as FaultEffect,
	errorClass: 'network',
	requests: repeatedIfHarmless,
}));

const late: FaultCase[] = [
	{ name: 'black hole', effect: () => ({ kind: 'silence' as const }) },
	{
		name: 'body that trickles',
		// Bytes come more often than the time is up, the body does not.
		effect: () => ({ kind: 'dribble' as const, ms: 2000 }),
		// It takes its time, and all operations read alike.
		befalls: ({ repeatable, waits }: Operation) => repeatable && !waits,
	},
].map((fault) => ({
	...fault,
	errorClass: 'network',
	requests: repeatedIfHarmless,
	options: { requestTimeout: 0.3 },
}));

const statuses: FaultCase[] = Object.entries({
	401: 'unauthorized',
	403: 'forbidden',
	404: 'not_found',
	409: 'bad_request',
	500: 'server',
	503: 'server',
	504: 'server',
}).map(([status, errorClass]) => ({
	name: `status ${status}`,
	effect: () => answer(Number(status), '{"error":{"message":"no"}}'),
	errorClass,
	// Gateways give 500 and 504 also for requests that were carried out; 503 says that it was not.
	requests:
		status === '503' ? () => 1 + MAX_RETRIES : errorClass === 'server' ? repeatedIfHarmless : once,
	isFinal: errorClass === 'unauthorized' || errorClass === 'forbidden',
}));

const limited: FaultCase[] = [
	{
		name: '429 with seconds in Retry-After',
		effect: () => answer(429, '', { 'retry-after': '1' }),
		times: 1,
		requests: () => 2,
		wait: 990,
		befalls: ({ request }) => request.method === 'POST',
	},
	{
		name: '429 with ten minutes in Retry-After',
		effect: () => answer(429, '', { 'retry-after': '600' }),
		errorClass: 'rate_limited',
		requests: once,
		stopsLimiter: true,
	},
];

const contents: FaultCase[] = [
	{ name: 'invalid JSON', effect: () => answer(200, '{"report_id":') },
	{
		name: 'web page with status 200',
		effect: () =>
			answer(200, '<!doctype html><title>Maintenance</title>', { 'content-type': 'text/html' }),
	},
	{ name: 'status 204', effect: () => answer(204) },
	{ name: 'something else in JSON', effect: () => answer(200, '{"ok":true}') },
].map((fault) => ({
	...fault,
	errorClass: 'invalid_response',
	requests: once,
	befalls: isNoStatus(fault.name),
}));

const scores: FaultCase[] = [
	['missing', '"other":0.5'],
	['NaN', '"score":NaN'],
].map(([what, score]) => ({
	name: `score ${what}`,
	effect: (body) => answer(200, String(body).replace(/"score":[\d.]+/, score as string)),
	errorClass: 'invalid_response',
	requests: once,
	// JSON has no NaN, and another look may get an answer that is JSON.
	isFinal: what !== 'NaN',
	befalls: ({ needsReport }) => needsReport,
}));

const harmless: FaultCase[] = [
	{
		name: 'wrong content type',
		effect: (body) => answer(200, body, { 'content-type': 'text/html' }),
		requests: once,
	},
	{ name: 'status 201', effect: (body) => answer(201, body), requests: once },
	{
		name: 'body of 15 MB',
		effect: (body) => answer(200, Buffer.concat([Buffer.from(body), Buffer.alloc(15 * 2 ** 20)])),
		requests: once,
		befalls: ({ name }) => name === 'report: downloadPdf',
	},
	{ name: 'slow body', effect: () => ({ kind: 'dribble', ms: 100 }), requests: once },
];

export const faults = [
	...broken,
	...late,
	...statuses,
	...contents,
	...scores,
	...harmless,
	...limited,
];

/** A job's status may be any object, or nothing at all: what it does not say is taken for "still running". */
const sayLittle = ['something else in JSON', 'status 204'];

function isNoStatus(name: string) {
	return ({ request, holds }: Operation) =>
		!(sayLittle.includes(name) && holds === 'job' && request.method === 'GET');
}
