import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { Answer } from '../nodes/WalletScreening/pace/retry';
import type { Clock } from '../nodes/WalletScreening/pace/clock';
import type { Send } from '../nodes/WalletScreening/service/client';
import { type Fields, isFields } from '../nodes/WalletScreening/service/json';
import { reportIn } from '../nodes/WalletScreening/service/report';
import { jobIdIn, parseJob } from '../nodes/WalletScreening/service/shapes';
import { isStateName } from './shape';
import { createSamples, type Samples } from './samples';

/** An OpenAPI file (3.x) as a service that answers with its examples or with samples of its schemas. */
export interface Described {
	send: Send;
	/** Bodies of the webhook, if the file describes it. */
	webhookBodies: unknown[];
	/** Headers of the webhook, by name. */
	webhookHeaders: string[];
	/** Whether the file has the answer for an unknown report and an unknown job. */
	tellsUnknown: boolean;
	/** Names in the body of a job that announce more results than it holds. */
	ofParts: string[];
	/** Calls of the specification that the file does not describe. */
	missing: string[];
}

/** Section 4. */
const calls = [
	{ name: 'POST /v1/screen', method: 'post', path: /\/screen$/ },
	{ name: 'GET /v1/reports/{id}', method: 'get', path: /\/reports\/[^/]+$/ },
	{ name: 'POST /v1/bulk', method: 'post', path: /\/bulk$/ },
	{ name: 'GET /v1/bulk/{job_id}', method: 'get', path: /\/bulk\/[^/]+$/ },
	{ name: 'GET /v1/reports/{id}/pdf', method: 'get', path: /\/reports\/[^/]+\/pdf$/ },
] as const;
type Call = (typeof calls)[number]['name'];

/** An answer of the file. */
interface Sample {
	status: number;
	headers: Answer['headers'];
	body: unknown;
}

const callOf = (method: string, path: string) =>
	calls.find((call) => call.method === method.toLowerCase() && call.path.test(path))?.name;

/** Throws an Error that says what is wrong with the file. */
export async function readOpenApi(
	file: string,
	addresses: readonly [string, string],
): Promise<Described> {
	let document: unknown;
	const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
		throw new Error(`${file} cannot be read (${error.code}).`);
	});
	try {
		document = parse(text);
	} catch {
		throw new Error(`${file} is neither YAML nor JSON.`);
	}
	if (!isFields(document) || !isFields(document.paths)) {
		throw new Error(`${file} is not an OpenAPI file: it has no 'paths'.`);
	}
	const samples = createSamples(document);
	const operations = operationsIn(document.paths, samples);
	const [webhook] = webhooksIn(document, operations.get('POST /v1/bulk'), samples);
	return {
		send: standIn(operations, samples, addresses),
		webhookBodies: webhook
			? mediaIn(webhook.requestBody, samples).flatMap(([, media]) =>
					samples.of(media, true).map((body) => filled(body, addresses)),
				)
			: [],
		webhookHeaders: webhook ? headersOf(webhook, samples) : [],
		tellsUnknown: (['GET /v1/reports/{id}', 'GET /v1/bulk/{job_id}'] as const).every(
			(call) => answersOf(operations.get(call), false, samples).length > 0,
		),
		ofParts: partNamesIn(answersOf(operations.get('GET /v1/bulk/{job_id}'), true, samples, false)),
		missing: calls.map(({ name }) => name).filter((name) => !operations.has(name)),
	};
}

function operationsIn(paths: Fields, samples: Samples): Map<Call, Fields> {
	const operations = new Map<Call, Fields>();
	for (const [path, value] of Object.entries(paths)) {
		const item = samples.deref(value);
		for (const method of ['get', 'post']) {
			const operation = isFields(item) ? samples.deref(item[method]) : undefined;
			const call = callOf(method, path);
			if (call && isFields(operation)) operations.set(call, operation);
		}
	}
	return operations;
}

/** POST operations that the service sends: `webhooks`, or the callbacks of a bulk job. */
function webhooksIn(document: Fields, submit: Fields | undefined, samples: Samples): Fields[] {
	const fieldsIn = (value: unknown) => Object.values((samples.deref(value) ?? {}) as Fields);
	return [...fieldsIn(document.webhooks), ...fieldsIn(submit?.callbacks).flatMap(fieldsIn)]
		.map((item) => samples.deref(item))
		.flatMap((item) => (isFields(item) && isFields(item.post) ? [item.post] : []));
}

function headersOf({ parameters }: Fields, samples: Samples): string[] {
	return (Array.isArray(parameters) ? (parameters as unknown[]) : [])
		.map((parameter) => samples.deref(parameter) as Fields)
		.flatMap(({ in: place, name }) => (place === 'header' ? String(name) : []));
}

function mediaIn(holder: unknown, samples: Samples): Array<[type: string, media: unknown]> {
	const { content } = (samples.deref(holder) ?? {}) as Fields;
	return isFields(content) ? Object.entries(content) : [];
}

/**
 * The answers of an operation with a success, or those that may mean something unknown. Lean ones omit fields that report
 * trouble.
 */
function answersOf(
	operation: Fields | undefined,
	isSuccess: boolean,
	samples: Samples,
	isLean = isSuccess,
): Sample[] {
	const responses = Object.entries((operation?.responses ?? {}) as Fields);
	const chosen = responses.filter(([status]) =>
		isSuccess ? status.startsWith('2') : ['404', '410', '422'].includes(status),
	);
	return chosen.flatMap(([code, value]): Sample[] => {
		const response = samples.deref(value);
		const status = /^\d{3}$/.test(code) ? Number(code) : 200;
		const headers = headersIn(response, samples);
		const media = mediaIn(response, samples);
		if (media.length === 0) return [{ status, headers, body: undefined }];
		return media.flatMap(([type, one]): Sample[] => {
			const typed = { ...headers, 'content-type': type };
			const isBinary = !/json/i.test(type);
			if (isBinary) return [{ status, headers: typed, body: Buffer.from('%PDF-1.7') }];
			return samples.of(one, isLean).map((body) => ({ status, headers: typed, body }));
		});
	});
}

const partName = /^(?:next|has_?more|has_?next|cursor|next_?\w+|is_?truncated|truncated)$/i;

function partNamesIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null || value instanceof Buffer) return [];
	const names = Object.entries(value).flatMap(([name, part]) => [
		...(partName.test(name) ? [name] : []),
		...partNamesIn(part),
	]);
	return [...new Set(names)];
}

function headersIn(response: unknown, samples: Samples): Answer['headers'] {
	const { headers } = (isFields(response) ? response : {}) as { headers?: Fields };
	return Object.fromEntries(
		Object.entries(headers ?? {}).map(([name, value]) => {
			const { schema, example } = (samples.deref(value) ?? {}) as Fields;
			return [name.toLowerCase(), String(example ?? samples.one(schema) ?? '')];
		}),
	);
}

const nothing: Sample = { status: 404, headers: {}, body: {} };

/** Answers each call as the file says. It knows only the report and the job that it gave out. */
function standIn(
	operations: Map<Call, Fields>,
	samples: Samples,
	addresses: readonly [string, string],
): Send {
	const good = (call: Call) =>
		answersOf(operations.get(call), true, samples).map((answer) => ({
			...answer,
			body: filled(answer.body, addresses),
		}));
	const jobs = completeLast(good('GET /v1/bulk/{job_id}'));
	const [screened] = good('POST /v1/screen');
	const [submitted] = good('POST /v1/bulk');
	const reportId = reportIn(screened?.body)?.report_id ?? '';
	const jobId = jobIdIn(submitted?.body);
	let looks = 0;

	return async ({ method, url }) => {
		const { pathname } = new URL(url);
		const call = callOf(method, pathname)!;
		const id = decodeURIComponent(pathname.split('/')[3] ?? '');
		const isUnknown = id !== '' && id !== reportId && id !== jobId;
		if (isUnknown) return asAnswer(answersOf(operations.get(call), false, samples)[0]);
		if (call === 'POST /v1/screen') return asAnswer(screened);
		if (call === 'POST /v1/bulk') return asAnswer(submitted);
		if (call !== 'GET /v1/bulk/{job_id}') return asAnswer(good(call)[0], reportId);
		return asAnswer(jobs[Math.min(looks++, jobs.length - 1)], jobId);
	};
}

function asAnswer({ status, headers, body }: Sample = nothing, id?: string): Answer {
	const content = body instanceof Buffer ? body : JSON.stringify(withId(body, id) ?? '');
	return { status, headers, body: body === undefined ? Buffer.alloc(0) : Buffer.from(content) };
}

/** The body with the ID that was asked for: an example of another call may show another one. */
function withId(body: unknown, id: string | undefined): unknown {
	const shown = id === undefined ? undefined : (reportIn(body)?.report_id ?? jobIdIn(body));
	if (shown === undefined) return body;
	return JSON.parse(JSON.stringify(body), (name, value: unknown) => {
		if (/id$/i.test(name) && String(value) === shown) return id;
		return name === 'report_url' && typeof value === 'string' ? value.replace(shown, id!) : value;
	});
}

/** Of several bodies of a job, those that are complete come last, and those that failed not at all. */
function completeLast(jobs: Sample[]): Sample[] {
	const stateOf = ({ body, status }: Sample) => {
		try {
			return parseJob(body, status, jobIdIn(body) ?? '-').state;
		} catch {
			return 'running';
		}
	};
	const of = (state: string) => jobs.filter((job) => stateOf(job) === state);
	const ended = of('complete');
	return [...of('running'), ...(ended.length > 0 ? ended.slice(0, 1) : of('failed'))];
}

const addressName = /^(?:(?:wallet|input|requested)_?)?address$|^wallet$/i;
/** What the sampler writes where a text may be anything. */
const unfilled = 'string';
const unnamedState = 'a state without a name';
/** The names that the sampler gives to fields of any name. */
const anyName = /^property\d+$/;

/** A sample with the addresses that were asked for, and with texts in the documented forms (section 2.1). */
function filled(value: unknown, addresses: readonly string[], name = ''): unknown {
	if (value instanceof Buffer) return value;
	const [address = ''] = addresses;
	if (Array.isArray(value)) {
		const [first] = value as unknown[];
		if (isFields(first) && isOfAddress(first)) return addresses.map((one) => filled(first, [one]));
		if (/address|wallet/i.test(name) && typeof first === 'string') return [...addresses];
		return value.map((one) => filled(one, addresses));
	}
	if (!isFields(value)) {
		if (addressName.test(name)) return address;
		if (isStateName(name) && value === unfilled) return unnamedState;
		if (typeof value === 'number' && /progress|percent/i.test(name)) return 100;
		if (name === 'chain' && value === unfilled) return 'ETH';
		if (name === 'balance' && value === unfilled) return '0 ETH';
		return value;
	}
	const keyed = Object.entries(value).find(([key, one]) => anyName.test(key) && isFields(one));
	const fields = Object.entries(value).filter(([key]) => !anyName.test(key));
	const body: Fields = Object.fromEntries([
		...fields.map(([key, one]) => [key, filled(one, addresses, key)] as const),
		...(keyed ? addresses.map((one) => [one, filled(keyed[1], [one])] as const) : []),
	]);
	const { report_id, report_url } = body;
	if (typeof report_url === 'string' && typeof report_id === 'string') {
		body.report_url = `https://example.com/reports/${encodeURIComponent(report_id)}`;
	}
	return body;
}

function isOfAddress(fields: Fields): boolean {
	return (
		Object.keys(fields).some((name) => addressName.test(name)) ||
		'risk' in fields ||
		Object.values(fields).some((one) => isFields(one) && isOfAddress(one))
	);
}

/** Time that passes as soon as somebody waits for it. */
export function createHurry(): Clock {
	let now = 0;
	return {
		now: () => now,
		async sleep(ms) {
			now += ms;
		},
	};
}
