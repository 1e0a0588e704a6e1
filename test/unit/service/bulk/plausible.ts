import fc from 'fast-check';

import type { Report } from '../../../../nodes/WalletScreening/service/report';
import { BTC, ETH, reportOf, SEGWIT } from './samples';

/**
 * Bodies of plausible services, each made together with what is true of it. The specification shows none of them, so the
 * spellings are those of well-known interfaces and formats: JSON:API, HAL, GraphQL (Relay), OData, JSend, JSON-RPC, and
 * those of Stripe, AWS, Google, Elasticsearch, Kubernetes, Spring, Laravel and Django. They are written without a look at
 * what the reader knows.
 */
export interface Plausible {
	body: unknown;
	/** What was sent. */
	addresses: string[];
	/** The final reports in the body. */
	final: Report[];
	/** What the body says of the job; undefined where it says nothing. */
	state: 'complete' | 'running' | 'failed' | undefined;
	/** Whether the body says that there are results which it does not hold as a report. */
	tellsOfMore: boolean;
}

type Fields = Record<string, unknown>;
type Fate = 'final' | 'unfinished' | 'refused' | 'listedAside' | 'absent';

const all = [
	ETH,
	BTC,
	SEGWIT,
	'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9',
	'0x7f367cc41522ce07553e823bf3be79a889debe1b',
];

/** A record that was made and not yet filled. */
const freshOf = (address: string) =>
	reportOf(address, { risk: { level: 'green', score: 0, categories: {} } });

/** What an entry may be around the report that it has. */
const wrappings: Array<(report: Report) => unknown> = [
	(report) => report,
	(report) => report,
	(report) => ({ address: report.address, report }),
	(report) => ({ address: report.address, status: 'completed', result: report }),
	(report) => ({ id: report.report_id, type: 'reports', attributes: report }),
	(report) => ({ cursor: 'b2Zmc2V0OjA=', node: report }),
	(report) => ({ _id: '1', _score: 1.5, _source: report }),
	(report) => ({ statusCode: 200, body: report }),
	(report) => ({ code: 0, message: 'ok', data: report }),
	(report) => ({ success: true, error: null, data: { report } }),
	(report) => ({ custom_id: 'a-1', result: { type: 'succeeded', report } }),
	(report) => ({ Status: 'SUCCEEDED', Item: report }),
];

/** What a report may have beside the fields of the specification without being anything else than final. */
const harmless: Fields[] = [
	{},
	{ tags: ['exchange'], labels: { team: 'ops' }, warnings: [] },
	{ error: null, errors: [], error_code: '' },
	{ errors: {}, error_message: null, error: false },
	{ status: 'completed', completed_at: '2026-11-20T10:00:00Z' },
	{ status: 200, code: 'OK' },
	{ state: { code: 'DONE', label: 'Screening finished', since: 1763632800 } },
	{ cached: true, expires_at: '2026-12-20T10:00:00Z', next_review: '2026-12-01', pages: 3 },
	{ _links: { self: { href: '/v1/reports/1' } }, meta: { version: 2, total: 9000 } },
	{ entity: { name: 'Some Exchange', type: 'exchange', status: 'active' }, is_contract: false },
	{ is_final: true, pending: false, progress: 100, wallet_status: 'active' },
	{ counterparties: [{ address: '0x1111111111111111111111111111111111111111', share: 0.2 }] },
	{ first_seen: null, balance: null, page: 4, count: 12, has_more: true, next: 'x' },
];

/** How an entry says that its report, which has the values of a fresh record, is not final. */
const unfinished: Array<(report: Report) => unknown> = [
	(report) => ({ ...report, status: 'pending' }),
	(report) => ({ ...report, State: 'IN_PROGRESS' }),
	(report) => ({ ...report, status: { code: 'queued', label: 'In the queue' } }),
	(report) => ({ ...report, status: 1 }),
	(report) => ({ ...report, status: false }),
	(report) => ({ ...report, screening_status: 'marinating' }),
	(report) => ({ ...report, screened: false }),
	(report) => ({ ...report, isFinal: false }),
	(report) => ({ ...report, pending: true }),
	(report) => ({ ...report, completed_at: null }),
	(report) => ({ ...report, progress: 0.4 }),
	(report) => ({ ...report, error: { code: 'upstream_timeout' } }),
	(report) => ({ ...report, errorCode: 'E_CHAIN' }),
	(report) => ({ ...report, errors: ['late'] }),
	(report) => ({ ...report, expired: true }),
	(report) => ({ ...report, risk: { ...report.risk, status: 'pending' } }),
	(report) => ({ address: report.address, status: 'processing', report }),
	(report) => ({ address: report.address, report: { ...report, state: 'queued' } }),
	(report) => ({ success: false, data: report }),
	(report) => ({ ok: 'false', result: report }),
	(report) => ({ statusCode: 202, body: report }),
	(report) => ({ data: { status: 'running', report } }),
	(report) => ({ custom_id: 'a-1', result: { type: 'errored', report } }),
	(report) => ({ id: 'x', type: 'reports', attributes: report, meta: {}, status: 'waiting' }),
	(report) => ({ found: false, data: report }),
	(report) => ({ report, result: { status: 'pending' } }),
	(report) => ({ ...report, risk: { ...report.risk, is_final: false } }),
	(report) => ({ ...report, risk: { ...report.risk, error: 'no data' } }),
	(report) => ({ ...report, processing: { state: 'running' } }),
	(report) => ({ ...report, status_text: 'Pending' }),
	(report) => ({ ...report, supported: false }),
	(report) => ({ code: 503, message: 'try later', data: report }),
];

/** What stands in place of a report that will never come. */
const refused: Array<(address: string) => unknown> = [
	(address) => ({ address, error: 'unsupported chain' }),
	(address) => ({ address, status: 'failed' }),
	(address) => ({ address, report: null }),
	(address) => ({ address, success: false, errors: [{ code: 'E1' }] }),
	(address) => ({ address }),
];

/** How a job says how far it is. */
const phrases = {
	complete: ['complete', 'completed', 'Done', 'FINISHED', 'succeeded', 'JOB_STATE_SUCCEEDED'],
	running: [
		'queued',
		'PENDING',
		'in_progress',
		'Running',
		'JOB_STATE_RUNNING',
		'storing results',
		7,
	],
	failed: ['failed', 'Errored', 'CANCELLED', 'expired'],
};

/** What beside the results says that there are more. */
const more: Array<(shown: number, sent: number) => Fields> = [
	(_, sent) => ({ total: sent }),
	(shown) => ({ total_count: shown + 1 }),
	(shown) => ({ meta: { total: String(shown + 3) } }),
	(shown) => ({ summary: { total: shown + 1, succeeded: shown } }),
	(shown) => ({ counts: { green: shown, red: 1 } }),
	() => ({ summary: { pending: 2 } }),
	() => ({ next: 'https://service.example/v1/bulk/j1?page=2' }),
	() => ({ next_cursor: 'c2' }),
	() => ({ nextPageToken: 'CAUQAA' }),
	() => ({ NextToken: 'AAAA' }),
	() => ({ '@odata.nextLink': 'https://service.example/v1/bulk/j1?$skiptoken=2' }),
	() => ({ has_more: true }),
	() => ({ pagination: { page: 1, total_pages: 3, per_page: 2 } }),
	() => ({ meta: { current_page: 1, last_page: 2 } }),
	() => ({ links: { self: '/v1/bulk/j1', next: '/v1/bulk/j1?page=2' } }),
	() => ({ _links: { self: { href: '/v1/bulk/j1' }, next: { href: '/v1/bulk/j1?page=2' } } }),
	() => ({
		links: [
			{ rel: 'self', href: '/a' },
			{ rel: 'next', href: '/b' },
		],
	}),
	() => ({
		paging: { cursors: { before: 'QVFI', after: 'MTAx' }, next: '/v1/bulk/j1?after=MTAx' },
	}),
	() => ({ pageInfo: { hasNextPage: true, endCursor: 'Y3Vyc29yMg==' } }),
	() => ({ metadata: { continue: 'eyJ2', remainingItemCount: 4 } }),
	() => ({ LastEvaluatedKey: { address: { S: 'x' } } }),
	() => ({ IsTruncated: true }),
	() => ({ partial: true }),
	() => ({ incomplete_results: true }),
	() => ({ page: '1 of 3' }),
	() => ({ response_metadata: { next_cursor: 'dGVhbTpD' } }),
	(shown) => ({ hits: shown + 2 }),
	(shown) => ({ last: false, totalElements: shown + 1, number: 0, size: 20 }),
	(shown) => ({ address_count: shown + 1 }),
	(shown) => ({ progress: { done: shown, total: shown + 1 } }),
	() => ({ remaining: 3 }),
	() => ({ error: { message: 'some addresses timed out' } }),
	() => ({ truncated: 'true' }),
	(shown) => ({ numFound: shown + 4 }),
	(shown) => ({ recordsTotal: shown + 1, recordsFiltered: shown }),
	(shown) => ({ result_info: { page: 1, per_page: 20, count: shown, total_count: shown + 9 } }),
	() => ({ nextRecordsUrl: '/v1/bulk/j1-2000' }),
	() => ({ more: { url: '/v1/bulk/j1?page=2' } }),
	() => ({ continuation_key: 'k2' }),
	(shown) => ({ showing: `1-${shown} of ${shown + 5}` }),
	() => ({ content_range: 'items 0-1/900' }),
	() => ({ part: 1, parts: 3 }),
	() => ({ omitted: 3 }),
	() => ({ all_results_included: false }),
];

/** What beside the results says nothing of any more. */
const calm: Array<(shown: number) => Fields> = [
	() => ({}),
	(shown) => ({ total: shown, next: null, has_more: false, cursor: '' }),
	(shown) => ({ count: shown, next: null, previous: null }),
	(shown) => ({ meta: { total: shown, current_page: 1, last_page: 1, per_page: 1000 } }),
	(shown) => ({ pagination: { page: 1, pages: 1, total_items: shown, limit: 1000, offset: 0 } }),
	() => ({
		links: { self: '/v1/bulk/j1', first: '/v1/bulk/j1?page=1', last: '/v1/bulk/j1?page=1' },
	}),
	() => ({ links: [{ rel: 'self', href: '/a' }], _links: { next: { href: null } } }),
	() => ({ pageInfo: { hasNextPage: false, hasPreviousPage: false, endCursor: 'Y3Vyc29yMQ==' } }),
	() => ({ paging: { cursors: { before: 'QVFI', after: '' } } }),
	() => ({ rate_limit: { limit: 50, remaining: 49, reset: 1763632800 } }),
	() => ({
		usage: { total: 120000, remaining: 880000 },
		billing: { status: 'pending', total: 30.5 },
	}),
	() => ({ took: 12, timed_out: false, request_id: 'req_1', version: 3, ttl: 3600 }),
	() => ({ errors: [], failed: [], error: null, warnings: ['slow chain'] }),
	() => ({ errors: {}, failed: 0, pending: 0, remaining: 0, truncated: false }),
	() => ({
		created_at: '2026-11-20T10:00:00Z',
		completed_at: '2026-11-20T10:01:00Z',
		progress: 100,
	}),
	() => ({ webhook: { status: 'pending', url: 'https://x.example' }, page: 1, page_size: 500 }),
	(shown) => ({
		last: true,
		first: true,
		totalElements: shown,
		totalPages: 1,
		number: 0,
		size: 20,
	}),
	() => ({
		page_count: 1,
		retry_count: 3,
		fee: { total: 12 },
		total_time: 5000,
		max_results: 1000,
	}),
	() => ({ summary: { average_score: 12.5, chains: ['ETH'] }, created_by: { status: 'active' } }),
	(shown) => ({ showing: `1-${shown} of ${shown}`, all_results_included: true, parts: 1 }),
	() => ({ request: { limit: 10, cursor: 'abc' }, next_poll_in: 5, message: 'Thank you' }),
];

/** Where results lie. Each gives the fields of the job that hold them. */
const holders: Array<(entries: unknown[]) => Fields> = [
	...[
		'results',
		'reports',
		'data',
		'items',
		'Results',
		'records',
		'value',
		'content',
		'assessments',
	].map((name) => (entries: unknown[]) => ({ [name]: entries })),
	(entries) => ({ results: { object: 'list', data: entries, url: '/v1/bulk/j1/results' } }),
	(entries) => ({ _embedded: { results: entries } }),
	(entries) => ({ results: { edges: entries.map((node, at) => ({ cursor: `c${at}`, node })) } }),
	(entries) => ({ hits: { max_score: 1, hits: entries } }),
	(entries) => ({ response: { results: entries } }),
	(entries) => ({ output: { screening: { items: entries } } }),
	(entries) => ({
		chunks: [
			{ index: 0, results: entries.slice(0, 1) },
			{ index: 1, results: entries.slice(1) },
		],
	}),
	(entries) => ({ results: entries, screened: entries }),
];

/** What lies around a job. */
const frames: Array<(job: Fields) => unknown> = [
	(job) => job,
	(job) => job,
	(job) => ({ status: 'success', data: job }),
	(job) => ({ ok: true, result: job }),
	(job) => ({ jsonrpc: '2.0', id: 1, result: job }),
	(job) => ({ code: 200, message: 'OK', payload: { job } }),
	(job) => ({ data: { bulkJob: job } }),
	(job) => ({
		jsonapi: { version: '1.1' },
		data: { type: 'bulk-jobs', id: 'j1', attributes: job },
	}),
	(job) => ({ id: 'evt_1', object: 'event', livemode: true, data: { object: job } }),
	(job) => ({ error: null, response: job }),
];

const recasings: Array<(name: string) => string> = [
	(name) => name,
	(name) => name,
	(name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
	(name) => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
	(name) => name.replace(/_/g, '-'),
];

/** The fields with their names, and those of objects in them, spelled in another way; lists stay as they are. */
function recased(value: unknown, spell: (name: string) => string): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]) => [
			name.startsWith('_') || name.startsWith('@') ? name : spell(name),
			recased(one, spell),
		]),
	);
}

const oneOf = <T>(choices: readonly T[]) => fc.constantFrom(...choices);

const result = fc.record({
	fate: fc.oneof(
		{ weight: 8, arbitrary: fc.constant<Fate>('final') },
		{ weight: 2, arbitrary: oneOf<Fate>(['unfinished', 'refused', 'listedAside', 'absent']) },
	),
	wrap: oneOf(wrappings),
	extra: oneOf(harmless),
	placeholder: oneOf(unfinished),
	refusal: oneOf(refused),
	isRed: fc.boolean(),
});

const asides = [
	'errors',
	'failed',
	'failures',
	'unprocessed',
	'rejected',
	'not_found',
	'pending',
	'skipped',
];

export const plausible: fc.Arbitrary<Plausible> = fc
	.record({
		addresses: fc.shuffledSubarray(all, { minLength: 1 }),
		results: fc.array(result, { minLength: all.length, maxLength: all.length }),
		state: oneOf([
			'complete',
			'complete',
			'complete',
			'complete',
			'running',
			'failed',
			undefined,
		] as const),
		phrase: fc.nat(),
		said: fc.nat({ max: 4 }),
		idField: oneOf(['job_id', 'id', 'jobId']),
		holder: oneOf(holders),
		isKeyed: fc.nat({ max: 6 }).map((one) => one === 0),
		frame: oneOf(frames),
		aside: oneOf(asides),
		asideForm: fc.nat({ max: 4 }),
		hasMore: fc.nat({ max: 3 }).map((one) => one === 0),
		more: oneOf(more),
		calm: oneOf(calm),
		spell: oneOf(recasings),
		atTop: fc.boolean(),
	})
	.map((made) => {
		const { addresses, results, state, spell } = made;
		const final: Report[] = [];
		const entries: Array<[address: string, entry: unknown]> = [];
		const aside: string[] = [];
		addresses.forEach((address, at) => {
			const { fate, wrap, extra, placeholder, refusal, isRed } = results[at]!;
			const fresh = freshOf(address);
			if (fate === 'final') {
				const risk = isRed ? { risk: { level: 'red', score: 8.5, categories: { scam: 1 } } } : {};
				const report = reportOf(address, { ...risk, ...extra });
				final.push(report);
				entries.push([address, wrap(report)]);
			}
			if (fate === 'unfinished') entries.push([address, placeholder(fresh)]);
			if (fate === 'refused') entries.push([address, refusal(address)]);
			if (fate === 'listedAside') aside.push(address);
		});
		const shown = entries.length + aside.length;
		const listed = aside.map(
			(address) =>
				[
					address,
					{ address, message: 'no' },
					{ address, code: 4 },
					{ input: 1, address },
					freshOf(address),
				][made.asideForm],
		);
		const holding = {
			...(made.isKeyed && entries.length > 0
				? { results: Object.fromEntries(entries) }
				: made.holder(entries.map(([, entry]) => entry))),
			...(aside.length > 0 && { [made.aside]: listed }),
		};
		const telling = made.more(shown, addresses.length);
		const hasMore =
			made.hasMore &&
			shown > 0 &&
			telling.total !== shown &&
			!Object.keys(telling).some((name) => name in holding);
		const beside = hasMore ? telling : made.calm(shown);
		const job = {
			...(state &&
				sayings[made.said]!(phrases[state][made.phrase % phrases[state].length]!, state)),
			...beside,
			...holding,
		};
		const keep = (value: unknown) => recased(value, spell);
		const spelled = keepResults(job, holding, keep);
		const body = made.frame({ [made.idField]: 'j1', ...spelled });
		return {
			body,
			addresses,
			final,
			state,
			tellsOfMore: hasMore || shown > final.length,
		};
	});

/** Names that may be addresses stay as they are. */
function keepResults(job: Fields, holding: Fields, spell: (value: unknown) => unknown): Fields {
	const others = Object.fromEntries(Object.entries(job).filter(([name]) => !(name in holding)));
	return { ...(spell(others) as Fields), ...holding };
}

/** Where a job says how far it is. */
const sayings: Array<(word: unknown, state: 'complete' | 'running' | 'failed') => Fields> = [
	(word) => ({ status: word }),
	(word) => ({ state: word }),
	(word) => ({ job_status: word }),
	(word) => ({ status: { phase: word, since: '2026-11-20T10:00:00Z' } }),
	(word, state) => (state === 'failed' ? { status: word } : { done: state === 'complete' }),
];
