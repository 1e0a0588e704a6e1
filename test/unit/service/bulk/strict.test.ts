import { parseReport, reportIn } from '../../../../nodes/WalletScreening/service/report';
import { parseCompletion, parseJob } from '../../../../nodes/WalletScreening/service/shapes';
import { isSettled, match, outcomesOf } from '../../../../nodes/WalletScreening/service/results';
import { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { addressesOf } from '../../../support/addresses';
import { entriesIn, BTC, ETH, failureOf, reportOf, SEGWIT } from './samples';

const [eth, btc] = [reportOf(ETH), reportOf(BTC)];
const sent = [ETH, BTC];
const byAddress = { [ETH]: eth, [BTC]: btc };
const bare = sent.map((address) => ({ address, label: null }));
const red = { level: 'red', score: 9.9 };

/** What a complete job with these fields says: the addresses with a report, and whether anything is amiss. */
function told(fields: object) {
	const job = parseJob({ job_id: 'j1', status: 'completed', ...fields }, 200, 'j1');
	const outcomes = outcomesOf(job.entries ?? [], 'j1').map(({ outcome }) => outcome);
	return {
		reports: outcomes.flatMap((one) => (one instanceof ScreeningError ? [] : one.address)),
		errors: outcomes.flatMap((one) => (one instanceof ScreeningError ? one.errorClass : [])),
	};
}
const bothAreThere = { reports: sent, errors: [] };

describe('a job that does not say how far it is', () => {
	it.each<[string, object]>([
		['no state', {}],
		['null for a state', { status: null }],
		['an empty state', { state: '' }],
		['a blank state', { state: ' ' }],
		['the status of the request', { status: 200 }],
		['a word for the request', { status: 'ok', code: 0 }],
	])('is settled with a report for each address, and not before: %s', (_what, said) => {
		const settled = (results: unknown, more = {}) =>
			isSettled(sent, parseJob({ ...said, results, ...more }, 200, 'j1'));
		expect(settled([eth, btc])).toBe(true);
		expect(settled({ [ETH]: eth, [BTC]: btc })).toBe(true);
		expect(settled([eth])).toBe(false);
		expect(settled([eth, { address: BTC }])).toBe(false);
		expect(settled([eth, btc], { next: 'x' })).toBe(false);
		expect(settled([eth, btc], { progress: 40 })).toBe(false);
		expect(settled([eth, btc], { completed_at: null })).toBe(false);
		expect(settled([eth, btc], { completed_at: '2026-11-20T10:00:00Z' })).toBe(true);
		expect(settled([eth, btc], { event: 'bulk.progress' })).toBe(false);
		expect(settled([eth, btc], { stage: 'processing' })).toBe(false);
		expect(settled([eth, btc], { stage: 'final' })).toBe(true);
		expect(settled([eth, btc], { failed: { count: 0, progress: 0 } })).toBe(true);
		expect(settled([eth, btc], { failed: { count: 0, level: 'error' } })).toBe(true);
		expect(settled([])).toBe(false);
		expect(parseJob({ ...said, results: [eth, btc] }, 200, 'j1')).toMatchObject({
			state: 'running',
			isStated: false,
		});
	});

	it('may lie in an object that says nothing of the request', () => {
		const job = parseJob({ data: { results: [eth, btc] } }, 200, 'j1');
		expect(job).toMatchObject({ state: 'running', isStated: false });
		expect(isSettled(sent, job)).toBe(true);
		const noted = parseJob({ note: 'success', data: { results: [eth, btc] } }, 200, 'j1');
		expect(noted).toMatchObject({ state: 'running', isStated: false });
	});

	it('may be a list of results, if its ID was asked for', () => {
		const job = parseJob([eth, btc], 200, 'j1');
		expect(isSettled(sent, job)).toBe(true);
		expect(match(sent, job).outcomes).toEqual(
			new Map([
				[ETH, eth],
				[BTC, btc],
			]),
		);
		expect(isSettled(sent, parseJob([eth], 200, 'j1'))).toBe(false);
	});

	it('is complete if the request went well and every result is a report, and settled with all', () => {
		const within = (results: unknown[]) =>
			parseJob({ status: 'success', data: { job_id: 'j1', results } }, 200, 'j1');
		expect(within([eth, btc])).toMatchObject({ state: 'complete', isStated: false });
		expect(isSettled(sent, within([eth, btc]))).toBe(true);
		expect(isSettled(sent, within([eth]))).toBe(false);
		expect(within([eth, { address: BTC }])).toMatchObject({ state: 'running' });
		expect(within([])).toMatchObject({ state: 'running', isStated: false });
		const accepted = { status: 'success', data: { job_id: 'j1' } };
		expect(parseJob(accepted, 202)).toMatchObject({ state: 'running', isStated: false });
		const data = { job_id: 'j1', results: [eth, btc] };
		const cut = { status: 'success', data: { ...data, total: 9 } };
		expect(parseJob(cut, 200)).toMatchObject({ state: 'running', isStated: false });
		const unsaid = { isStated: false };
		const said = { code: 200, name: 'success' };
		expect(parseJob({ status: said, data }, 200)).toMatchObject({ state: 'complete', ...unsaid });
		expect(parseJob({ status: null, data }, 200)).toMatchObject({ state: 'running', ...unsaid });
	});
});

describe('a job that says that it runs', () => {
	it.each<[string, object]>([
		['a state that nobody knows', { status: 'marinating' }],
		['a word that only begins with success', { status: 'success_pending' }],
		['a number for a state', { status: 2 }],
		['the status of a request that was only accepted', { status: 202 }],
		['a state that is an object', { status: { code: 'pending' } }],
		['a state that is an object in an object', { status: { code: { name: 'completed' } } }],
		['a state of another name', { jobStatus: 'RUNNING' }],
		['two states', { status: 'success', state: 'processing' }],
		[
			'an unfinished state around a complete one',
			{ status: 'processing', data: { status: 'done' } },
		],
		['an unfinished state beside', { status: 'completed', meta: { status: 'processing' } }],
		['a switch', { status: 'completed', success: false }],
		['a switch that is not yet on', { completed: false }],
		['a switch as text', { is_complete: 'false' }],
		['a switch that is on', { status: 'completed', processing: true }],
	])('has no results: %s', (_what, said) => {
		const job = parseJob({ job_id: 'j1', results: [eth, btc], ...said }, 200, 'j1');
		expect(job).toMatchObject({ state: 'running', isStated: true, entries: undefined });
		expect(isSettled(sent, job)).toBe(false);

		const body = { job_id: 'j1', results: [eth, btc], ...said };
		expect(parseCompletion(Buffer.from(JSON.stringify(body)))).toMatchObject({
			job_id: 'j1',
			state: 'running',
			entries: undefined,
		});
		// Nobody can look after a job without an ID, so what came in place of results is shown.
		const { job_id, ...nameless } = body;
		const completion = parseCompletion(Buffer.from(JSON.stringify(nameless)));
		expect(completion?.entries?.map(({ address, report }) => [address, report])).toEqual([
			[ETH, undefined],
			[BTC, undefined],
		]);
		expect(job_id).toBe('j1');
	});

	it.each<[string, object]>([
		['what is delivered', { webhook: { status: 'pending' }, delivery: { status: 'queued' } }],
		['what is billed', { billing: { status: 'pending' } }],
		['what nobody knows', { pdf_archive: { status: 'pending' } }],
		['what has a list of its own', { pdf_archive: { status: 'pending', files: ['1.pdf'] } }],
	])('is not one if only %s is unfinished', (_what, beside) => {
		expect(told({ results: [eth, btc], ...beside })).toEqual(bothAreThere);
	});
});

describe('the state of a job', () => {
	const stateOf = (body: object) => {
		const { state, isStated } = parseJob(body, 200, 'j1');
		return { state, isStated };
	};
	const results = [eth, btc];
	const complete = { state: 'complete', isStated: true };

	it('is what an object with results says, whatever its name', () => {
		const job = parseJob({ run_7: { status: 'processing', results } }, 200, 'j1');
		expect(job).toMatchObject({ state: 'running', isStated: true, entries: undefined });
		expect(stateOf({ run_7: { status: 'completed', results } })).toEqual(complete);
		expect(stateOf({ run_7: { status: 'failed', results } })).toMatchObject({ state: 'failed' });
	});

	it('is not what a description or an outer object says in words that nobody knows', () => {
		const meta = { status: 'archived' };
		expect(stateOf({ status: 'completed', results, meta })).toEqual(complete);
		const data = { status: 'completed', results };
		expect(stateOf({ status: 'fresh', data })).toEqual(complete);
		const parts = [{ status: 'completed', results: [eth] }, { results: [btc] }];
		expect(stateOf({ status: 'fresh', parts })).toEqual(complete);
	});

	it.each<[string, object]>([
		[
			'jobs',
			{
				jobs: [
					{ job_id: 'j1', status: 'completed', results: [eth] },
					{ job_id: 'j2', status: 'failed' },
				],
			},
		],
		['parts', { parts: [{ results: [eth] }, { status: 'failed' }] }],
		['parts in a list of results', { results: [{ items: [eth] }, { status: 'failed', error: 7 }] }],
	])('is that of its parts, also of one that has no results: %s', (_what, body) => {
		expect(stateOf(body)).toEqual({ state: 'failed', isStated: true });
		expect(entriesIn(body)?.map(({ report }) => report)).toEqual([eth]);
	});

	it('is not that of an entry beside a part', () => {
		const parts = [
			{ results: [eth] },
			{ wallet: BTC, status: 'failed' },
			{ report: reportOf(SEGWIT) },
		];
		expect(stateOf({ status: 'completed', results: parts })).toEqual({
			state: 'complete',
			isStated: true,
		});
		expect(
			entriesIn({ results: parts })
				?.map(({ address }) => address)
				.sort(),
		).toEqual([ETH, BTC, SEGWIT].sort());
	});

	it('is that of an object with the ID of a job, whatever its name', () => {
		const job = parseJob({ ticket: { job_id: 'j9', status: 'queued' } }, 202);
		expect(job).toMatchObject({ job_id: 'j9', state: 'running', isStated: true });
	});

	it('is a success beside its results, and not beside addresses without one', () => {
		expect(stateOf({ status: 'success', results })).toEqual({ state: 'complete', isStated: true });
		expect(stateOf({ status: 'success', failed: [ETH] })).toEqual({
			state: 'running',
			isStated: true,
		});
	});

	it('is a success beside its results, also if the word says whose it is', () => {
		expect(stateOf({ status: 'JOB_SUCCESS', results })).toEqual(complete);
		expect(stateOf({ status: 'JOB_SUCCESS' })).toEqual({ state: 'running', isStated: true });
	});

	it.each(['bulk.partial_success', 'batch.partial_completion', 'batch:partialSuccess'])(
		"is complete, by the event '%s'",
		(event) => {
			expect(stateOf({ event, results })).toEqual(complete);
		},
	);

	it('is a failure, by a switch', () => {
		expect(stateOf({ cancelled: true, results })).toEqual({ state: 'failed', isStated: true });
	});

	it('is complete, by a switch', () => {
		expect(stateOf({ completed: true, results })).toEqual({ state: 'complete', isStated: true });
	});

	it.each([{ id: 'j1' }, { job_id: 'j1' }])('is a success beside its ID: %j', (id) => {
		const body = { ...id, status: 'success', data: { results } };
		expect(stateOf(body)).toEqual({ state: 'complete', isStated: true });
	});
});

describe('the results of a job', () => {
	it.each<[string, object]>([
		['lists by chain', { results: { ETH: [eth], BTC: [btc] } }],
		['objects by chain', { results: { ETH: { [ETH]: eth }, BTC: { [BTC]: btc } } }],
		['reports by their ID', { results: { [eth.report_id]: eth, [btc.report_id]: btc } }],
		['reports by number', { results: { 0: eth, 1: btc } }],
		['fields of the job', { [ETH]: eth, [BTC]: btc }],
		['lists of lists', { results: [[eth], [btc]] }],
		['parts with lists', { parts: [{ results: [eth] }, { results: [btc] }] }],
		['results by address, and a summary', { results: { ...byAddress, summary: { total: 2 } } }],
		['entries with lists', { results: [{ address: ETH, reports: [eth] }, btc] }],
		['lists under names that nobody knows', { harmless: [eth], dangerous: [btc] }],
		['a list, and a part of it again', { results: [eth, btc], previous: [eth], other: [btc] }],
		['objects under names of their own', { wallet: eth, screened: btc }],
		['entries that hold other reports', { results: [{ ...eth, items: [reportOf(SEGWIT)] }, btc] }],
		[
			'parts, one of which has none',
			{
				results: [
					{ chain: 'ETH', results: [eth, btc] },
					{ chain: 'SOL', results: [] },
				],
			},
		],
		[
			'parts in as many envelopes as are opened',
			{
				data: {
					data: { data: { data: { data: { data: { results: [{ results: [eth, btc] }] } } } } },
				},
			},
		],
		['a list beside an address', { address: ETH, results: [eth, btc] }],
		['objects by address and chain', { results: { [ETH]: { ETH: eth }, [BTC]: { BTC: btc } } }],
		[
			'what was asked, and its report',
			{
				results: [
					{ query: ETH, output: eth },
					{ input: BTC, output: btc },
				],
			},
		],
		[
			'reports by address that count pages of their own',
			{ results: { [ETH]: { ...eth, total: 500, next: 'x' }, [BTC]: btc } },
		],
		['a list, and what was sent', { results: [eth, btc], addresses: sent, input: sent }],
		['a list, and its addresses under a name of results', { results: [eth, btc], data: bare }],
		[
			'lists with a count of their own',
			{ results: [{ address: ETH, reports: [eth], total: 1 }, btc] },
		],
		[
			'a list by address with a count of its own',
			{ results: [{ address: ETH, reports: [eth, { ...eth, note: 'again' }], total: 2 }, btc] },
		],
	])('may be %s', (_what, fields) => expect(told(fields)).toEqual(bothAreThere));

	it.each<[string, object, string[]]>([
		[
			'an address that is sent without a result',
			{ addresses: [...sent, SEGWIT] },
			['invalid_response'],
		],
		[
			'an address in a list that nobody knows',
			{ other: [{ address: SEGWIT }] },
			['invalid_response'],
		],
		['a report in a list that nobody knows', { other: [reportOf(SEGWIT)] }, ['invalid_response']],
		['an object of errors by address', { errors: { [SEGWIT]: 'no' } }, ['invalid_response']],
		[
			'one that failed, in an envelope',
			{ payload: { address: SEGWIT, error: 'no' } },
			['invalid_response'],
		],
		[
			'one that failed, in place of a list',
			{ reports: { address: SEGWIT, error: 'no' } },
			['invalid_response'],
		],
		[
			'one that failed, by an address',
			{ mine: { [ETH]: eth, [SEGWIT]: 'failed' } },
			['invalid_response'],
		],
		[
			'one that failed, by a number',
			{ mine: { 1: eth, 2: btc, 3: { error: 'no' } } },
			['invalid_response'],
		],
		[
			'a list in an object of failures',
			{ failed: { count: 1, items: [reportOf(SEGWIT)] } },
			['invalid_response'],
		],
		[
			'placeholders in a list of those that wait',
			{ pending: [reportOf(SEGWIT)] },
			['invalid_response'],
		],
		['an error of the job', { error: { code: 1 } }, ['missing_result']],
		['an error in several objects', { error: { a: { b: { c: { d: 0 } } } } }, ['missing_result']],
		['a total as text', { total: '12' }, ['missing_result']],
		['a number of pages as text', { pages: '10 of 12' }, ['missing_result']],
		['a level that no report has', { counts: { green: 1, red: 1 } }, ['missing_result']],
		['levels that sum up to more', { counts: { high: 1, low: 2 } }, ['missing_result']],
		['levels and other kinds', { counts: { green: 2, high: 1 } }, ['missing_result']],
		['a cursor', { cursor: 'c2' }, ['missing_result']],
		['a cursor beside any switch', { cursor: 'c2', cached: false }, ['missing_result']],
		['what is left', { left: 3 }, ['missing_result']],
		['what is left, as an object', { more: { count: 2 } }, ['missing_result']],
		['a range in words', { showing: '1-2 of 12' }, ['missing_result']],
		['a range of what', { showing: '1-2 of 12 addresses in total' }, ['missing_result']],
		['a page of several', { page: '1 of 3' }, ['missing_result']],
		['a page of several, in words', { page: 'Page 1 of 3' }, ['missing_result']],
		['a page of several, in more words', { page: 'You are on page 1 of 3' }, ['missing_result']],
		['a number of those that failed', { failed: 1 }, ['missing_result']],
		['what remains', { remaining: 3 }, ['missing_result']],
		['a page that is not the last', { last: false }, ['missing_result']],
		['a part of several', { part: '1/3' }, ['missing_result']],
		[
			'a link among others',
			{ links: [{ rel: 'self' }, { rel: 'next', href: '/2' }] },
			['missing_result'],
		],
		[
			'a number of failures',
			{ failed: { count: 2, items: [reportOf(SEGWIT)] } },
			['invalid_response', 'missing_result'],
		],
	])('are not all, by %s', (_what, beside, errors) => {
		expect(told({ results: [eth, btc], ...beside })).toEqual({ reports: sent, errors });
	});

	it.each<[string, string, string[]]>([
		['ends with one', `slow: ${SEGWIT}`, []],
		['begins with one', `${SEGWIT} is slow`, []],
		['has no digit', 'abcdefghijklmnopqrstuvwxyz', []],
		['is one', SEGWIT, ['invalid_response']],
		[
			'is one with an underscore',
			'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz',
			['invalid_response'],
		],
	])('lack the address that a warning is, and no other text: it %s', (_what, warning, errors) => {
		expect(told({ results: [eth, btc], warnings: [warning] })).toEqual({ reports: sent, errors });
	});

	it.each<[string, object]>([
		['an event with errors', { event: 'batch.completed_with_errors' }],
		['an event of a part', { event: 'bulk.partially_completed' }],
		['an event with errors, of anything', { type: 'wallets.export.completed_with_errors' }],
		['a number of failures', { fail_count: 1 }],
		['a number of failures, in short', { failed_cnt: '1' }],
		['a number of results, in short', { total_cnt: 3 }],
		['results that were cut off', { results_truncated: true }],
		['a body that was cut off', { payload_truncated: 'true' }],
		['a number of red ones', { red_count: 1 }],
		['a number of flagged ones', { flagged_count: 1 }],
		['a high risk', { summary: { high_risk: 1, low_risk: 1 } }],
		['a number of pages', { nb_pages: 2 }],
		['the last page', { max_page: '2' }],
		['an end that was not reached', { eof: false }],
		['a total that is an object', { hits: { total: { value: 3, relation: 'eq' } } }],
	])('are not all, by %s', (_what, beside) => {
		expect(told({ status: undefined, results: [eth, btc], ...beside })).toEqual({
			reports: sent,
			errors: ['missing_result'],
		});
	});

	it.each<[string, object]>([
		['numbers that are right', { red_count: 0, green_count: 2, flagged_cnt: 0, fail_count: 0 }],
		['one page', { nb_pages: 1, max_page: 1, eof: true, results_truncated: false }],
		['a total that is an object', { hits: { total: { value: 2, relation: 'eq' } } }],
		['an event', { event: 'bulk.completed' }],
		['the number of each level', { counts: { green: 2, red: 0 } }],
		['a text with numbers', { note: 'try 1 of 9' }],
		['a number that is not of pages', { pages: { retry_count: 5, total_bytes: 900, total: 1 } }],
		['a link to something else', { links: [{ rel: 'next-steps', href: '/help' }] }],
		['numbers by address', { tallies: { [SEGWIT]: 5 } }],
		['no cursor', { cursor: 'c2', has_more: false }],
		['a page of one', { page: '1 of 1' }],
		['a share and a range without a total', { progress: '100%', showing: '1-2' }],
		['a range of dates', { range: '2026-01-01/2026-12-31' }],
		['a number in an object of pages', { pages: { size: { count: 2 } } }],
		['what lies beside one report', { mine: { own: eth, archive: { files: 1 } } }],
		['a text beside reports by address', { results: { ...byAddress, run_of: 'a7' } }],
		['an error in several objects that is empty', { error: { a: { b: { c: {} } } } }],
		['the address of somebody else', { counterparty: { address: SEGWIT } }],
	])('are all there beside %s', (_what, beside) => {
		expect(told({ results: [eth, btc], ...beside })).toEqual(bothAreThere);
		expect(told({ harmless: [eth, btc], preview: [], ...beside })).toEqual(bothAreThere);
	});

	it('lack no more than one of them says, if an error of the job may be its', () => {
		const results = [eth, { address: BTC, error: 'busy' }];
		expect(told({ results, error: { code: 1 } })).toEqual({
			reports: [ETH],
			errors: ['invalid_response'],
		});
	});

	it.each<[string, object, string[]]>([
		['a result that names nothing', { data: { risk: red } }, ['invalid_response']],
		[
			'a total beside results by address',
			{ results: { ...byAddress, total: 9 } },
			['missing_result'],
		],
	])('are not all, by %s', (_what, fields, errors) => {
		expect(told(fields).errors).toEqual(errors);
	});

	it('say of an entry of what address it is, and of no other', () => {
		const addressesIn = (results: unknown) => entriesIn({ results })!.map(({ address }) => address);
		expect(addressesIn({ [ETH]: eth, x1: { error: 'no' } })).toEqual([ETH, 'x1']);
		expect(addressesIn({ [BTC]: btc, x1: { counterparty: eth } })).toEqual([BTC, 'x1']);
		expect(addressesIn([{ error: 'no', result: { wallet: BTC } }])).toEqual([BTC]);
		expect(addressesIn([{ error: 'no', counterparty: { address: BTC } }])).toEqual([undefined]);
		const named = { x1: { address: ETH, error: 'no' }, x2: { report_id: 'rep_2', data: btc } };
		expect(addressesIn(named)).toEqual([ETH, BTC]);
		const listed = reportOf(SEGWIT);
		expect(entriesIn({ results: [eth], other: [listed] })!.slice(1)).toEqual([
			{ address: SEGWIT, report: undefined, value: listed },
		]);
	});

	it('in an entry that is not final do not count', () => {
		const results = [{ address: ETH, status: 'pending', reports: [eth] }, btc];
		expect(told({ results })).toEqual({ reports: [BTC], errors: ['invalid_response'] });
		for (const more of [{ has_more: true }, { total: 2 }, { flagged: 1 }]) {
			const paged = [{ address: ETH, reports: [eth], ...more }, btc];
			expect(told({ results: paged })).toEqual({ reports: [BTC], errors: ['invalid_response'] });
		}
	});

	it('are there beside one in the same list that is invalid', () => {
		const lost = { reports: [ETH, BTC], errors: ['invalid_response'] };
		const inner = { report_id: 'part_1', reports: [eth, { error: 'no' }] };
		expect(told({ results: [inner, btc] })).toEqual(lost);
		expect(told({ results: [eth], items: ['none', btc] })).toEqual(lost);
		const harmless = [eth, { address: BTC, error: 'no' }];
		expect(told({ harmless })).toEqual({ reports: [ETH], errors: ['invalid_response'] });
	});

	it('are missing for failed addresses, and for addresses of an unknown list beside them', () => {
		expect(told({ failed: [ETH], other: [{ address: BTC }] })).toEqual({
			reports: [],
			errors: ['invalid_response', 'invalid_response'],
		});
	});

	it('are all there if as many are flagged as are not green', () => {
		const results = [eth, { ...btc, risk: red }];
		for (const flagged of [{ flagged_count: 1 }, { flagged: [BTC] }, { red: 1, green: 1 }])
			expect(told({ results, ...flagged })).toEqual(bothAreThere);
		expect(told({ results, flagged_count: 2 }).errors).toEqual(['missing_result']);
	});

	it('are missing if their list is empty, whatever was sent', () => {
		const job = parseJob({ status: 'done', results: [], addresses: [ETH] }, 200, 'j1');
		expect(match([ETH], job).outcomes.get(ETH)).toMatchObject({ errorClass: 'missing_result' });
	});

	it('are not taken from an unknown list beside an empty known one', () => {
		expect(told({ results: [], other: [eth] })).toEqual({
			reports: [],
			errors: ['invalid_response'],
		});
		expect(told({ results: [], preview: [eth] })).toEqual({
			reports: [],
			errors: ['invalid_response', 'missing_result'],
		});
	});

	it('are none for an address that was asked for with the report of another one', () => {
		const results = [eth, { query: BTC, output: eth }];
		expect(told({ results })).toEqual({ reports: [ETH], errors: ['invalid_response'] });
	});

	it('keyed by address and chain may contradict each other', () => {
		const other = { ...eth, chain: 'BSC', risk: red };
		const job = { job_id: 'j1', status: 'done', results: { [ETH]: { ETH: eth, BSC: other } } };
		expect(match([ETH], parseJob(job, 200, 'j1')).outcomes.get(ETH)).toEqual(
			expect.objectContaining({ errorClass: 'invalid_response' }),
		);
		expect(told(job)).toEqual({ reports: [ETH, ETH], errors: [] });
	});

	it('keyed by address may repeat it under any name, and lie beside a text', () => {
		const { address, ...rest } = eth;
		const named = { ...rest, wallet: address };
		expect(told({ results: { [ETH]: named, [BTC]: btc, note: 'x' } })).toEqual(bothAreThere);
		expect(told({ results: { [BTC]: named } })).toEqual({
			reports: [],
			errors: ['invalid_response'],
		});
		expect(entriesIn({ [ETH]: { error: 'no' } })).toMatchObject([{ address: ETH }]);
		expect(entriesIn({ payload: { [ETH]: { error: 'no' } } })).toMatchObject([{ address: ETH }]);
		expect(entriesIn({ [ETH]: { error: 'no' }, archive: { files: 1 } })).toHaveLength(1);
	});

	it('are not the key of a request, nor a list of anything else', () => {
		const request = { idempotency_key: '5f2c7b1e9d3a4f6088c1b2d3e4f5061728394a5b' };
		expect(told({ results: [eth, btc], request })).toEqual(bothAreThere);
		const chains = ['ETH', 'BTC'];
		for (const fields of [
			{ chains },
			{ data: { chains } },
			{ failed: [] },
			{ results: { x: null } },
		]) {
			expect(parseJob({ status: 'done', ...fields }, 200, 'j1').entries).toBeUndefined();
		}
	});

	it('are not all if the job was completed with errors that it does not name', () => {
		const status = 'completed_with_errors';
		expect(told({ status, results: [eth, btc] }).errors).toEqual(['missing_result']);
		expect(told({ status, results: [eth, { address: BTC, error: 'x' }] })).toEqual({
			reports: [ETH],
			errors: ['invalid_response'],
		});
	});

	it('of one address contradict each other in whatever list', () => {
		expect(told({ results: [eth, btc], alerts: [{ ...eth, risk: red }] })).toEqual({
			reports: [BTC],
			errors: ['invalid_response'],
		});
	});

	it('of one address on two chains are both given to those who do not know what was sent', () => {
		const other = { ...eth, chain: 'BSC', risk: red };
		expect(told({ results: [eth, other, btc] })).toEqual({ reports: [ETH, ETH, BTC], errors: [] });
		expect(told({ results: [{ address: ETH, reports: [eth, other] }, btc] }).errors).toEqual([]);
	});

	it('of one address on two chains, one of which is no report, are one contradiction', () => {
		const results = [eth, { address: ETH, error: 'busy' }];
		expect(outcomesOf(entriesIn(results)!, 'j1')).toEqual([
			{
				address: ETH,
				outcome: expect.objectContaining({
					errorClass: 'invalid_response',
					known: { address: ETH, job_id: 'j1', entry: results },
				}) as object,
			},
		]);
	});

	it('that name no address are an error each, which names none', () => {
		const results = [{ risk: 1 }, { risk: 2 }];
		const outcomes = outcomesOf(entriesIn(results)!, 'j1');
		expect(outcomes.map(({ address }) => address)).toEqual([undefined, undefined]);
		expect(outcomes.map(({ outcome }) => (outcome as ScreeningError).known)).toStrictEqual(
			results.map((entry) => ({ job_id: 'j1', entry })),
		);
	});

	it('say which results are missing if the service has more than it sent', () => {
		const job = parseJob({ job_id: 'j1', status: 'done', results: [eth], total: 9 }, 200);
		expect(outcomesOf(job.entries!, 'j1')[1]).toMatchObject({
			address: undefined,
			outcome: {
				errorClass: 'missing_result',
				known: { job_id: 'j1', entry: { results: 1, total: 9 } },
			},
		});
		const kinds = { results: [eth], counts: { high: 1, low: 1 } };
		const counted = parseJob({ job_id: 'j1', status: 'done', ...kinds }, 200);
		expect(counted.entries![1]!.value).toEqual({ results: 1, 'counts.*': 2 });
		const excerpt = parseJob({ job_id: 'j1', status: 'done', preview: [eth] }, 200);
		expect(excerpt.entries![1]).toMatchObject({ rest: true, value: { results: 1, preview: 1 } });
	});

	it('are as many addresses as there are, without what stands for the rest', () => {
		const countOf = (fields: object) =>
			parseJob({ job_id: 'j1', status: 'done', ...fields }, 200).addressCount;
		expect(countOf({ results: [eth, { ...eth, chain: 'BSC' }, btc] })).toBe(2);
		expect(countOf({ results: [eth, reportOf(ETH.toLowerCase())] })).toBe(1);
		expect(countOf({ results: [eth], failed: [BTC] })).toBe(2);
		expect(countOf({ results: [{ risk: 1 }, { risk: 2 }] })).toBe(2);
		expect(countOf({ results: [eth, btc], total: 500 })).toBe(500);
		expect(countOf({ results: [eth, btc], next: 'x' })).toBeUndefined();
		expect(countOf({ status: 'running', results: [eth, btc] })).toBeUndefined();
		expect(countOf({ status: 'running', results: [eth], total: 7 })).toBe(7);
		expect(countOf({ status: 'running', total: 7, summary: { total: 3 } })).toBe(7);
		expect(countOf({ status: 'running', failed: { total: 3 } })).toBeUndefined();
		expect(countOf({})).toBeUndefined();
	});

	it('that are nothing but the ID of a report say which', () => {
		const list = [
			{ address: ETH, report_id: 'rep_1' },
			{ reportId: 2 },
			{ address: BTC, report: { report_id: 'rep_3' } },
			{ address: BTC, report: 'rep_4', status: 'completed' },
			{ address: BTC, result: {}, report: { report_id: ' rep_5 ' } },
		];
		expect(entriesIn(list)?.map(({ reportId }) => reportId)).toEqual([
			'rep_1',
			'2',
			'rep_3',
			'rep_4',
			'rep_5',
		]);
		for (const none of [
			{ address: ETH, report_id: 'rep_1', status: 'pending' },
			{ address: ETH, report_id: 'rep_1', risk: {} },
			{ address: ETH, report_id: '..' },
			{ address: ETH, report_id: '' },
			eth,
		]) {
			expect(entriesIn([none])![0]).not.toHaveProperty('reportId');
		}
		expect(outcomesOf(entriesIn(list.slice(0, 1))!, 'j1')).toMatchObject([
			{ address: ETH, reportId: 'rep_1', outcome: { errorClass: 'invalid_response' } },
		]);
		// One ID is enough for a list of addresses to be one of results.
		const wallets = [{ address: ETH, report_id: 'rep_1' }, { address: BTC }];
		expect(entriesIn({ wallets })).toMatchObject([
			{ address: ETH, reportId: 'rep_1' },
			{ address: BTC },
		]);
		// Of two that contradict each other, neither is the result.
		const both = ['rep_1', 'rep_2'].map((report_id) => ({ address: ETH, report_id }));
		const [outcome, ...others] = outcomesOf(entriesIn(both)!, 'j1');
		expect(outcome).toMatchObject({ address: ETH, outcome: { errorClass: 'invalid_response' } });
		expect(outcome).not.toHaveProperty('reportId');
		expect(others).toEqual([]);
		expect(outcomesOf(entriesIn([eth])!, 'j1')[0]).not.toHaveProperty('reportId');
	});
});

describe('a report', () => {
	it.each<[string, object]>([
		['a state of its risk', { risk: { ...eth.risk, status: 'elevated', label: 'Pending' } }],
		['the level as a state', { status: 'green' }],
		['a verdict for a state', { status: 'Clear', screening_status: 'HIGH_RISK' }],
		['a state of the wallet', { wallet_status: 'active', type: 'wallet', kind: 'screening' }],
		['pages and totals', { pages: 3, total: 500, next: 'x', has_more: true }],
		['empty errors', { error: null, errors: {}, error_code: '', error_message: null }],
		[
			'errors with words such as None and OK, which report no error',
			{ error: 'None', error_code: ' 0 ', errors: ['OK'] },
		],
		['errors that are empty in every part', { error: { code: 0, message: '' }, errors: [null] }],
		[
			'switches as they should be',
			{ success: true, screened: 'true', pending: false, failed: 'no' },
		],
		['the status of a request', { status: '200', code: 0 }],
		['a text that only begins as a switch', { found: 'Norway', running: 'yesterday' }],
		['a text that only ends as a switch', { found: 'casino', running: 'untrue' }],
		['a share that is done', { progress: '100%', percent: 100, completion: 1 }],
		['a share that is not said', { progress: null, percent: '', completion: ' ' }],
		['no state', { status: null }],
		['what failed elsewhere', { counterparty: { status: 'failed', pending: true } }],
		['what its source says', { source: { valid: false }, meta: { pending: ['pdf'], error: '' } }],
		['the level as the state of a summary', { summary: { status: 'green', failed: [] } }],
		['a word for the code of a request that went well', { code: 'OK', statusCode: '200 OK' }],
		['an empty code', { code: ' ', status_code: null }],
		['what was not left out', { failed: 0, skipped: [], unavailable: 'none', errcode: '0' }],
		['a step with words of its own', { analysis: { status: 'thorough', type: 'graph' } }],
		['more of its risk', { risk: { ...eth.risk, tags: ['x'], is_new: false, cached: true } }],
		['sources', { sources: ['OFAC', 'EU'], data_sources: { ofac: { version: 3, status: 'ok' } } }],
		['sources that know nothing of it', { sources: [{ name: 'OFAC', found: false }] }],
		['checks that it failed', { checks: [{ name: 'mixer', result: 'failed' }] }],
		['checks that found nothing', { checks: { ofac: 'not_found', un: { status: 'no_data' } } }],
		[
			'a category of another kind',
			{ risk: { ...eth.risk, categories: { tax: 'low', scam: null } } },
		],
		['a warning', { warnings: ['The USD price is unavailable'], comment: 'Not urgent' }],
		[
			'warnings of its wallet',
			{
				warnings: [
					'Address was not found on any sanctions list',
					'2 failed transactions of this address',
					'Partially spent by a mixer',
					{ code: 'MIXER_EXPOSURE', message: '5 % of the risk is of mixers' },
				],
			},
		],
		['a share as numbers', { progress: '3/3' }],
	])('may have %s', (_what, more) => {
		const report = { ...eth, ...more };
		expect(reportIn(report)).toBe(report);
	});

	it.each<[string, object]>([
		['a level that is a state', { risk: { level: 'pending', score: 0 } }],
		['a part that is none yet', { metadata: { state: 'queued' } }],
		['a share that is not done', { percent: 99 }],
		['a share that is not done, as text', { progress: '40%' }],
		['a share that is no number', { progress: 'some' }],
		['a time that has not come', { completed_at: null }],
		['a switch that is off, as a number', { success: 0 }],
		['a switch that is on, as a number', { pending: 1 }],
		['a result that failed', { result: { status: 'failed' } }],
		['a part that waits', { processing: { state: 'running' } }],
		['a risk that waits', { risk: { ...eth.risk, pending: true } }],
		['a risk with two states', { risk: { ...eth.risk, status: { code: 'ok', name: 'pending' } } }],
		['a risk with an error', { risk: { ...eth.risk, error: 'no data' } }],
		['a risk without a source', { risk: { ...eth.risk, missing_data: ['sanctions'] } }],
		['two states', { status: { code: 'completed', phase: 'pending' } }],
		['an error in a part of it', { errors: { chain: 'late' } }],
		['a switch that is off', { is_valid: false }],
		['a switch that is off, as text', { screened: 'no' }],
		['a switch that is on, as text', { isPending: 'true' }],
		['a status that no request has when it went well', { code: 404 }],
		['a code that is a text', { code: 'UPSTREAM_TIMEOUT' }],
		['a code that is a text in capitals', { resultCode: 'E1' }],
		['a description with errors', { meta: { errors: ['sanctions provider timed out'] } }],
		['a description with an error', { metadata: { error: 'x' } }],
		['a description that is not complete', { meta: { complete: false } }],
		['sources that failed', { failed: ['sanctions'] }],
		['sources that were skipped', { skipped: [{ source: 'mixer' }] }],
		['sources that were not available', { risk: { ...eth.risk, unavailable: ['scam'] } }],
		['a code of an error', { errcode: 7 }],
		['no data', { no_data: true }],
		['too little data', { insufficient_data: true }],
		['an address that was not found', { address_found: false }],
		['a chain that is not supported', { chain_supported: 'false' }],
		['a step that waits', { analysis: { status: 'pending' } }],
		['a state as a list', { status: ['completed'] }],
		['a source that failed', { sources: [{ name: 'OFAC', status: 'failed' }] }],
		['a source that was not there', { providers: { ofac: 'unavailable', eu: 'ok' } }],
		['a source with an error', { data_sources: [{ name: 'EU', error: 'late' }] }],
		['a source that was not asked', { risk: { ...eth.risk, sources: [{ checked: false }] } }],
		['a source that did not go well', { sources: [{ name: 'OFAC', ok: false }] }],
		['a list of such sources', { sources_unavailable: ['OFAC'] }],
		['a category that does not apply', { risk: { ...eth.risk, categories: { scam: 'n/a' } } }],
		['a notice', { notices: ['Sanctions data unavailable'] }],
		['a reason for its level', { risk: { ...eth.risk, level_reason: 'insufficient_data' } }],
		['a part that was covered', { coverage: 'partial' }],
		['a stand-in', { fallback: true }],
		['an address that was not found, in words', { message: 'Address not found' }],
		['a chain that is not supported, in words', { reason: 'unsupported_chain' }],
		['a check that waits', { checks: [{ name: 'mixer', state: 'In progress' }] }],
		['a check that timed out', { risk: { ...eth.risk, checks: { mixer: 'timed_out' } } }],
		['a category without data', { risk: { ...eth.risk, categories: { scam: 'unavailable' } } }],
		['a warning of a source', { warnings: ['Sanctions provider timed out'] }],
		['a warning in its risk', { risk: { ...eth.risk, warning: 'mixer data was not available' } }],
		['a reason', { reason: 'not_found' }],
		['a message', { message: 'Pending' }],
		['a share as numbers', { progress: '1 of 3' }],
		['a state as an object that nobody knows', { state: { at: 'completed' } }],
	])('that has %s does not count', (_what, more) => {
		expect(reportIn({ ...eth, ...more })).toBeUndefined();
	});

	it('may lie beside what has a state of its own', () => {
		expect(reportIn({ customer: { status: 'new' }, data: eth })).toBe(eth);
	});

	it.each<[string, unknown]>([
		['status', { ...eth, status: 'pending' }],
		['risk.status', { ...eth, risk: { ...eth.risk, status: 'pending' } }],
		['data.report.errors', { data: { report: { ...eth, errors: ['late'] } } }],
		['meta.status', { meta: { status: 'pending' }, data: eth }],
		['meta.errors', { ...eth, meta: { errors: ['late'] } }],
		['code', { code: 'UPSTREAM_TIMEOUT', data: eth }],
		['several reports', { report: eth, data: { ...eth, risk: red } }],
		['warnings', { data: eth, warnings: ['Sanctions list unavailable'] }],
		['risk.checks', { ...eth, risk: { ...eth.risk, checks: { mixer: 'skipped' } } }],
		['report.sources', { report: { ...eth, sources: { ofac: 'offline' } } }],
	])('that is not final is refused with the place that says so: %s', async (place, body) => {
		const error = (await failureOf(() => parseReport(body, 200))) as ScreeningError;
		expect(error).toMatchObject({ errorClass: 'invalid_response', httpCode: 200 });
		expect(error.message).toContain(`not final (see '${place}')`);
	});

	it.each<[unknown, string | undefined]>([
		[{ report_id: ' rep_9 ' }, 'rep_9'],
		[{ ok: true, result: {}, data: { report: { report_id: 9 } } }, '9'],
		[[eth], eth.report_id],
		[{ data: [{ report: eth }] }, eth.report_id],
		[[eth, btc], undefined],
		[{ data: 7, note: { report_id: 'rep_9' } }, undefined],
	])('that is invalid is refused with its ID, because it may be paid: %j', async (body, id) => {
		const { known } = (await failureOf(() => parseReport(body, 200))) as ScreeningError;
		expect(known).toStrictEqual({
			...(id !== undefined && { report_id: id }),
			body: JSON.stringify(body),
		});
	});

	it('that is invalid is refused with the place of the first fault', async () => {
		const messageFor = async (body: unknown) =>
			((await failureOf(() => parseReport(body, 200))) as Error).message;
		expect(await messageFor({ ...eth, risk: { level: 'green' } })).toContain("'risk.score'");
		expect(await messageFor([])).toContain("'the body'");
	});

	it('is refused if it lies in any number of envelopes', async () => {
		const levels = 20_000;
		const body = JSON.parse(`${'{"data":'.repeat(levels)}{}${'}'.repeat(levels)}`) as unknown;
		expect(await failureOf(() => parseReport(body, 200))).toMatchObject({
			errorClass: 'invalid_response',
		});
	});

	it('in two envelopes that contradict each other does not count', () => {
		expect(reportIn({ report: eth, data: eth })).toBe(eth);
		expect(reportIn({ report: eth, data: { ...eth, risk: red } })).toBeUndefined();
		expect(reportIn({ report: eth, data: { status: 'pending' } })).toBeUndefined();
	});
});

describe('what a webhook delivers', () => {
	const completion = (body: unknown) => parseCompletion(Buffer.from(JSON.stringify(body)));

	it('may be one report', () => {
		for (const body of [
			eth,
			{ event: 'screening.completed', data: eth },
			{ report: eth },
			{ payload: eth },
		]) {
			expect(completion(body)).toMatchObject({ state: 'complete', entries: [{ report: eth }] });
		}
	});

	it('may be one that is no report, which is not lost', () => {
		const value = { address: ETH, risk: { level: 'green' } };
		expect(completion(value)?.entries).toEqual([{ address: ETH, report: undefined, value }]);
	});

	it('has nothing beside an empty list, and beside what is not final', () => {
		const job = { job_id: 'j1', status: 'completed', total: 2 };
		expect(completion({ ...job, results: [] })?.entries).toEqual([]);
		const nameless = { status: 'processing', total: 2, results: [eth] };
		expect(completion(nameless)?.entries).toEqual([
			{ address: ETH, report: undefined, value: eth },
		]);
	});

	it('is of a complete job if nothing says how far it is', () => {
		expect(completion({ job_id: 'j1', results: [eth] })).toMatchObject({ state: 'complete' });
		expect(completion({ job_id: 'j1' })).toMatchObject({ state: 'running', entries: undefined });
		expect(completion({ job_id: 'j1', event: 'bulk.completed' })).toMatchObject({
			state: 'complete',
			entries: undefined,
		});
		const running = { status: 'running', chains: ['ETH'], results: [eth] };
		expect(completion(running)!.entries).toHaveLength(1);
		expect(completion({ job_id: 'j1', results: [] })).toMatchObject({
			state: 'running',
			entries: [],
		});
	});

	it.each([
		['bulk.failed', 'failed'],
		['BulkJobFailed', 'failed'],
		['CustomerListFailed', 'failed'],
		['bulk.progress', 'running'],
		['bulk_job.completed', 'complete'],
	])('is of a job that is as the event %s says', (event, state) => {
		expect(completion({ event, job_id: 'j1', results: [eth] })).toMatchObject({ state });
	});
});

it('reads as much of a job of any size, in steps that do not grow', () => {
	// An excerpt for each address would make this a gigabyte.
	const addresses = addressesOf(20_000);
	const job = parseJob({ job_id: 'j1', status: 'done', note: 'x'.repeat(50_000) }, 200);
	expect(match(addresses, job).outcomes.size).toBe(20_000);
});

describe('results of which there are more', () => {
	it.each<[string, Record<string, string | string[]>]>([
		['a link to the next page', { link: '</v1/bulk/j1?page=2>; rel="next"' }],
		['a link of two kinds', { link: '</b>; rel = "last next"' }],
		['several links', { link: ['</a>; rel="first"', '</b>; rel=next'] }],
		['a greater number', { 'x-total-count': '3' }],
		['a total', { 'x-total': '3' }],
		['several pages', { 'X-Total-Pages': '2' }],
		['a count of pages', { 'X-Page-Count': '2' }],
		['a next page', { 'x-next-page': '2' }],
		['a range', { 'content-range': 'items 0-1/3' }],
		['a range in words', { 'content-range': 'items 1-2 of 9' }],
		['that there is more', { 'x-has-more': 'true' }],
		['that there is a next page', { 'X-Has-Next-Page': 'true' }],
		['pages as JSON', { 'X-Pagination': '{"TotalPages":2,"CurrentPage":1}' }],
		['a next page as JSON', { 'x-pagination': '{"NextPageLink":"https://x.example/?page=2"}' }],
		['a total of WordPress', { 'X-WP-Total': '3' }],
		['pages of WordPress', { 'X-WP-TotalPages': '2' }],
		['a total in one word', { 'X-TotalCount': '3' }],
		['a total that is repeated', { 'X-Total-Count': '3, 3' }],
		['a total that is sent twice', { 'X-Total-Count': ['2', '3'] }],
		['pages of a pagination', { 'X-Pagination-Total-Pages': '2' }],
		['a continuation', { 'x-ms-continuation': 'c2' }],
		['a token of continuation', { 'X-Continuation-Token': 'c2' }],
		['a cursor by no other name', { Next: 'c2' }],
		['one of two totals', { 'X-Total': '3', 'X-WP-Total': '2' }],
		['a page as JSON that is an object', { 'x-pagination': '{"next":{"page":2}}' }],
		['a total as JSON that is a text', { 'x-pagination': '{"total":"3"}' }],
	])('are announced by a header: %s', (_what, headers) => {
		const body = { job_id: 'j1', status: 'completed', results: [eth, btc] };
		const { entries } = parseJob(body, 200, 'j1', headers);
		expect(entries?.map(({ report, rest }) => report ?? rest)).toEqual([eth, btc, true]);
	});

	it.each<[string, object]>([
		['in a page of a number', { page: 1, per_page: 2 }],
		['in a page of a size', { page: { number: 0, size: 2 } }],
		['from an offset', { offset: 0, limit: 2 }],
		['in a pagination', { pagination: { page: 1, pageSize: '2' } }],
		['by a standard for lists', { startIndex: 1, itemsPerPage: 2 }],
	])('are possible, if a page is full and may not be the last: %s', (_what, page) => {
		const body = { job_id: 'j1', status: 'completed', results: [eth, btc] };
		const restOf = (more: object) =>
			parseJob({ ...body, ...page, ...more }, 200, 'j1').entries?.[2]?.rest;
		expect(restOf({})).toBe('possible');
		for (const last of [{ total: 2 }, { next: null }, { has_more: false }, { total_pages: 1 }]) {
			expect(restOf(last)).toBeUndefined();
		}
		expect(restOf({ total: 3 })).toBe(true);
		expect(restOf({ results: [eth] })).toBeUndefined();
	});

	it('are not possible beyond the most addresses that a job holds', () => {
		const results = Array.from({ length: 1000 }, (_, at) => ({ ...eth, report_id: `rep_${at}` }));
		const body = { job_id: 'j1', status: 'completed', page: 1, per_page: 1000, results };
		expect(parseJob(body, 200, 'j1').entries).toHaveLength(1000);
		expect(parseJob({ ...body, total: 1001 }, 200, 'j1').entries).toHaveLength(1001);
	});

	it('are announced by the status 206', () => {
		const body = { job_id: 'j1', status: 'completed', results: [eth, btc] };
		const { entries } = parseJob(body, 206, 'j1');
		expect(entries).toHaveLength(3);
		expect(entries![2]!.value).toEqual({ results: 2, 'headers.partial': true });
	});

	it('show no text of a link, which may hold a key', () => {
		const headers = {
			link: '</v1?key=secret-key>; rel="next"',
			'x-next-cursor': 'secret-key',
			'x-ms-continuation': 'secret-key',
			'x-pagination': '{"next":"secret-key"}',
		};
		const body = { job_id: 'j1', status: 'completed', results: [eth] };
		expect(JSON.stringify(parseJob(body, 200, 'j1', headers))).not.toContain('secret-key');
	});

	it('are not announced by the headers of a whole list', () => {
		const headers: Record<string, string | string[]> = {
			link: '</v1/bulk/j1?page=1>; rel="first", </v1/bulk/j1?page=1>; rel="last"',
			'x-total-count': '2',
			'x-total-pages': '1',
			'x-next-page': '',
			'x-next-page-size': '50',
			'x-ratelimit-remaining': '49',
			'content-length': '900',
			'content-range': 'items 0-1/2',
			'x-pagination':
				'{"TotalCount":2,"TotalPages":1,"CurrentPage":1,"HasNext":false,"NextLink":""}',
			'x-wp-total': '2, 2',
			'x-wp-totalpages': '1',
			'x-ms-continuation': '',
			'x-has-next-page': 'false',
			'x-total-results': ['1', '2'],
			pagination: 'page 1',
		};
		const body = { job_id: 'j1', status: 'completed', results: [eth, btc] };
		expect(parseJob(body, 200, 'j1', headers).entries).toHaveLength(2);
		for (const other of [
			{ 'x-pagination': '{"total":"2","next":null,"links":{"self":"/1"}}' },
			{ 'x-ratelimit-total': '50' },
		]) {
			expect(parseJob(body, 200, 'j1', other).entries).toHaveLength(2);
		}
	});

	it.each<[string, object]>([
		['a preview', { preview: [eth, btc], download_url: 'https://service.example/r.csv' }],
		['the top ones', { top_results: [eth, btc] }],
		['the number of inputs', { results: [eth, btc], total_inputs: 3 }],
		['a number of pages', { results: [eth, btc], pages: { current: 1, total: 2 } }],
		['a progress as text', { results: [eth, btc], progress: '2/3' }],
		['the request', { results: [eth, btc], request: { addresses: [...sent, SEGWIT] } }],
		['a warning', { results: [eth, btc], warnings: [{ address: SEGWIT, message: 'late' }] }],
	])('are announced by %s', (_what, fields) => {
		expect(told(fields).reports.slice(0, 2)).toEqual(sent);
		expect(told(fields).errors).toHaveLength(1);
	});

	it.each<[string, object]>([
		['a preview beside the results', { results: [eth, btc], preview: [eth] }],
		['the request', { results: [eth, btc], request: { addresses: sent, limit: 10 } }],
		['a warning of a result', { results: [eth, btc], warnings: [{ address: ETH }, 'slow'] }],
	])('are not announced by %s', (_what, fields) => expect(told(fields)).toEqual(bothAreThere));
});
