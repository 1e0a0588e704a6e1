import { maxPlacesAndFields } from '../../../nodes/WalletScreening/answers/places';
import { reportBody } from '../../support/unit/reports';
import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { resultsIn } from '../../support/unit/jobResults';
import { reportOf } from '../../support/unit/reports';

const ETH = `0x${'a'.repeat(40)}`;
const OTHER = `0x${'b'.repeat(40)}`;
const ended = '2026-03-11T09:14:31Z';
const sentence = 'Failed: the job was stopped after the timeout of the upstream service';
const reader = new Reader();
const readJob = (body: unknown, status = 200) => reader.readJob({ body, status }, 'j');
const readContent = (content: object) => readJob({ job_id: 'j', ...content });

describe('the state of a job is that of the first rule that fits', () => {
	it.each([
		// The rules, in their order.
		[
			'a word of failure ends a job, whatever else is said',
			'failed',
			{ status: 'failed', done: false },
		],
		['a word that runs is no end', 'running', { status: 'processing', finished_at: ended }],
		['an unknown word may run', 'running', { status: 'UploadComplete' }],
		[
			'a sentence that is not known may mean it',
			'running',
			{ status: sentence, finished_at: ended },
		],
		['a sign that is not known may mean it', 'running', { status: '⏳', finished_at: ended }],
		['a blank text is no word', 'complete', { status: ' ', finished_at: ended }],
		['an error ends a job', 'failed', { status: 'completed', error: 'out of memory' }],
		['a success that is off ends a job', 'failed', { status: 'completed', success: false }],
		['a verdict of failure ends a job', 'failed', { status: 'completed', conclusion: 'failure' }],
		['the time of a failure ends a job', 'failed', { done: false, cancelled_at: ended }],
		[
			'a switch that is off may mean that `ready` waits',
			'running',
			{ status: 'ready', done: false },
		],
		['an empty end may mean that it waits', 'running', { status: 'ready', finished_at: null }],
		['year 1 is an empty end, as Go writes it', 'running', { finished_at: '0001-01-01T00:00:00Z' }],
		['a word of completion means that all is there', 'complete', { status: 'completed' }],
		['a switch means that all is there, as Google has it', 'complete', { done: true }],
		['the time of the end means that all is there', 'complete', { completionTime: 1_773_220_471 }],
		['without a state there is no end', 'running', { created_at: ended, total: 3 }],
		// The forms of names and words.
		[
			'prefixes and capitals of an enumeration do not count',
			'complete',
			{ state: 'JOB_STATE_DONE' },
		],
		['whose state it is does not count', 'complete', { BulkStatus: 'COMPLETE' }],
		['a word that ends like `scoring` runs', 'running', { status: 'scoring' }],
		['an end with errors is one', 'complete', { status: 'COMPLETED_WITH_ERRORS' }],
		['a success with failures is an end', 'complete', { status: 'SUCCESS_WITH_FAILURES' }],
		['a part of the end is one', 'complete', { status: 'partiallySucceeded' }],
		['a part of what is unknown is none', 'running', { status: 'partially_scored' }],
		['a failure to complete is unknown', 'running', { status: 'failed_to_complete' }],
		[
			'success is the word of the job beside its ID and results',
			'complete',
			{ status: 'success', results: [reportOf(ETH)] },
		],
		['success without results may be that of the request', 'running', { status: 'success' }],
		['a word of the end is surer than a progress', 'complete', { status: 'done', progress: 67 }],
		['a time of the end is, too', 'complete', { finished_at: ended, progress: 0.4 }],
		['a state may be an object', 'running', { status: { phase: 'Running', isFailed: false } }],
		['any word in it may be the state', 'running', { status: { code: 'queued' }, end_time: ended }],
		[
			'a number of a state does not count beside its word',
			'complete',
			{ status: 2, statusDesc: 'finished' },
		],
		[
			'a state of something else does not count',
			'complete',
			{ status: 'completed', kyc_status: 'open' },
		],
		['a former state does not count', 'running', { previous_status: 'completed' }],
		[
			'a number of errors is of addresses',
			'complete',
			{ status: 'completed', failed: 1, errors: 412 },
		],
		[
			'a list of errors is of addresses',
			'complete',
			{ status: 'completed', errors: [{ code: 'x' }] },
		],
		[
			'an error of zeros and empty texts is none',
			'complete',
			{ done: true, error: { code: 0, text: '' } },
		],
		['a verdict on wallets is no failure', 'complete', { status: 'complete', result: 'consider' }],
		['an address under a name of the end is no time', 'running', { progress: 40, processed: ETH }],
		[
			'`processing` is the name of a switch, too',
			'running',
			{ is_processing: true, finished_at: ended },
		],
	])('because %s, it is %s', (_because, state, content) => {
		expect(readContent(content).state).toBe(state);
	});
});

describe('the fields about a job are those of the objects that lead to its ID and to its results', () => {
	it.each([
		['the success is that of the request', 'running', { status: 'success', data: { job_id: 'j' } }],
		[
			'a word of the request that runs may be that of the job',
			'running',
			{ status: 'completed', job: { job_id: 'j', status: 'queued' } },
		],
		[
			'what lies beside the job is not of it',
			'complete',
			{
				job_id: 'j',
				status: 'completed',
				webhook: { status: 'pending' },
				meta: { error: 'a warning' },
			},
		],
		[
			'what is about a notification is not of it, even if no word states its end',
			'complete',
			{
				job_id: 'j',
				completed_at: ended,
				webhook: { status: 'failed' },
				callback: { done: false },
			},
		],
		[
			'what is about a notification may hold it',
			'failed',
			{ delivery: { job_id: 'j', status: 'failed' } },
		],
		[
			'a job without a word has that of an object in it',
			'running',
			{ id: 'j', review: { reviewStatus: 'queued' }, finished_at: ended },
		],
		[
			'attributes of JSON:API are in the job',
			'complete',
			{ data: { id: 'j', attributes: { status: 'done' } } },
		],
		[
			'without an ID, the job may be any object that states progress',
			'running',
			{ meta: { status: 'processed' }, job: { status: 'queued' } },
		],
		[
			'it may be the first one',
			'running',
			{ job: { status: 'queued' }, meta: { status: 'processed' } },
		],
		[
			'it may hold the results',
			'running',
			{ request: { state: 'completed' }, batch: { state: 'running', results: [] } },
		],
		['the only element of a list may be the job', 'running', [{ id: 'j', status: 'queued' }]],
		[
			'it may be the job without an ID, too',
			'failed',
			[{ status: 'failed', results: [reportOf(ETH), reportOf(OTHER)] }],
		],
		[
			'an error without a job is one of the request, which may be asked again',
			'running',
			{ success: false, error: 'maintenance' },
		],
	])('because %s, the job is %s', (_because, state, body) => {
		expect(readJob(body).state).toBe(state);
	});

	it.each([
		[
			'a counter',
			2,
			{ request: { attempt: 2, status: 'success' }, job: { id: 2, status: 'processing' } },
		],
		['a page', 1, { page: 1, status: 'completed', data: { id: 1, status: 'running' } }],
		[
			'another object of the same number',
			7,
			{ request: { id: 7, status: 'success' }, job: { id: 7, state: 'queued' } },
		],
		[
			'a link',
			'k5',
			{ status: 'success', self: '/v1/bulk/k5', data: { id: 'k5', status: 'running' } },
		],
	])('no field is the ID for its value alone, such as %s', (_what, id, body) => {
		expect(reader.readJob({ body, status: 200 }, String(id)).state).toBe('running');
	});
});

describe('an earlier job beside this one', () => {
	const results = [reportOf(ETH)];

	it.each([
		['complete', { progress: 40 }, 'running'],
		['failed', { finished_at: ended }, 'complete'],
	])('that is %s does not make the state of this one', (status, content, state) => {
		expect(readContent({ ...content, previous_job: { id: 'i', status } }).state).toBe(state);
	});

	it.each<[what: string, previous: object]>([
		['an error', { errors: ['timeout'] }],
		['a failed address', { failed: [{ address: ETH }] }],
		['an expired report', { expired: true }],
		['a total', { total: 500 }],
	])('with %s changes nothing about this one', (_what, previous) => {
		const job = readContent({ status: 'done', results, previous_run: previous });
		expect(resultsIn(job)).toEqual(results);
	});
});

/** Makes a bare list of two reports. The element of the first has these fields, too. */
const besideReport = (content: object) => [
	{ report: reportOf(ETH), ...content },
	{ report: reportOf(OTHER) },
];

describe('an answer that need not name its state', () => {
	it.each([
		['it is sent when a job completes (section 6)', 'complete', {}],
		['an unknown word may mean that it runs', 'running', { status: 'scored' }],
		['a job that still runs is not over', 'running', { done: false }],
		['an event may be a failure', 'failed', { event: 'job.failed' }],
		['an event may be that it still runs', 'running', { event: 'job.running' }],
		['the name of an event may begin with that of a host', 'failed', { event: 'com.x.job.failed' }],
		['the name of an event may end with a version', 'failed', { event: 'job.failed.v1' }],
		['an unknown word may be about the wallet', 'complete', { risk_status: 'low' }],
		['the type of an event may end like a word that runs', 'complete', { type: 'billing' }],
	])('may be a delivery: because %s, the job is %s', (_because, state, content) => {
		expect(reader.readDeliveredJob({ job_id: 'j', ...content }).state).toBe(state);
	});

	it.each([
		['each address has a report', 'complete', 200, { results: [reportOf(ETH), reportOf(OTHER)] }],
		[
			'the reports may be those that are done',
			'complete',
			200,
			{
				completed: [reportOf(ETH), reportOf(OTHER)],
				pending: [],
			},
		],
		['an address has no report', 'running', 200, { results: [reportOf(ETH)] }],
		[
			'an address failed, and may be tried again',
			'running',
			200,
			{
				results: [reportOf(ETH), { address: OTHER, error: 'no source' }],
			},
		],
		[
			'the status of HTTP means that it is not done',
			'running',
			202,
			{
				results: [reportOf(ETH), reportOf(OTHER)],
			},
		],
		[
			'an unknown field may be its state',
			'running',
			200,
			{
				etat: 'cours',
				results: [reportOf(ETH), reportOf(OTHER)],
			},
		],
		[
			'its progress is below the end',
			'running',
			200,
			{ progress: '66%', results: [reportOf(ETH), reportOf(OTHER)] },
		],
		[
			'its progress is at the beginning, and 1 may be the whole only without a percent sign',
			'running',
			200,
			{ progress: '1%', results: [reportOf(ETH), reportOf(OTHER)] },
		],
		[
			'its progress is at the end',
			'complete',
			200,
			{ progress: 100, results: [reportOf(ETH), reportOf(OTHER)] },
		],
		[
			'more is promised',
			'running',
			200,
			{
				results: [reportOf(ETH), reportOf(OTHER)],
				total: 3,
			},
		],
	])('may have all reports: because %s, the job is %s', (_because, state, status, content) => {
		const body = { job_id: 'j', ...content };
		expect(reader.readJob({ body, status }, 'j', [ETH, OTHER]).state).toBe(state);
	});

	it('has the ID of a job in a list of one, also beside the wallet of a customer', () => {
		const body = { data: [{ job_id: 'j', status: 'done', wallet: ETH }] };
		expect(reader.readDeliveredJob(body).job_id).toBe('j');
	});

	it.each([
		['nothing in it runs', 'complete', [{ address: ETH, error: 'no data' }], 200],
		['results are still to come', 'running', [], 200],
		['the status of HTTP means that it is not done (RFC 9110)', 'running', [{ address: ETH }], 202],
		['an element still runs', 'running', [{ address: ETH, status: 'pending' }], 200],
		['an element may still run', 'running', [{ address: ETH, status: 'warming' }], 200],
		['a report in it may still run', 'running', [{ status: 'warming', of: reportOf(ETH) }], 200],
		['a case beside a report is open', 'complete', besideReport({ case: { status: 'open' } }), 200],
		['a customer beside it is new', 'complete', besideReport({ customer: { status: 'new' } }), 200],
		['a case may be in review', 'complete', besideReport({ case: { status: 'pending' } }), 200],
		['a contract has no end', 'complete', besideReport({ customer: { completedAt: null } }), 200],
		['a former state is over', 'complete', besideReport({ history: [{ status: 'pending' }] }), 200],
		['a check beside it still runs', 'running', besideReport({ ofac: { status: 'pending' } }), 200],
		['a check beside it is not done', 'running', besideReport({ ofac: { done: false } }), 200],
	])('may be a bare list: because %s, the job is %s', (_because, state, body, status) => {
		expect(readJob(body, status).state).toBe(state);
	});
});

describe('a name or a word that the node does not know', () => {
	const results = [reportOf(ETH)];

	it.each([
		[
			'a word of a state',
			{ status: 'baked', results },
			['"status": "baked"'],
			{ complete: ['baked'] },
		],
		[
			'a word that may be of the request',
			{ status: 'ok', results },
			['"status": "ok"'],
			{ complete: ['ok'] },
		],
		['a number of a state', { status: 3, results }, ['"status": 3'], { complete: ['3'] }],
		[
			'an end with a warning, which does not run',
			{ status: 'completed_with_warning', results },
			['"status": "completed_with_warning"'],
			{ complete: ['completed_with_warning'] },
		],
		['a sign, which cannot be taught', { status: '✗', results }, ['"status": "✗"'], undefined],
		[
			'a sentence, which cannot be taught',
			{ status: sentence, results },
			[`"status": "${sentence.slice(0, 60)}…"`],
			undefined,
		],
		[
			'a word under an unknown name',
			{ ripeness: 'ripe' },
			['"ripeness": "ripe"'],
			{ state: ['ripeness'] },
		],
		[
			'a word in an object',
			{ status: { code: 2, name: 'completed' } },
			['"status": {"code":2,"name":"completed"}'],
			{ state: ['status.name'] },
		],
		[
			'a word in a list, which has no name',
			{ status: ['done'] },
			['"status": ["done"]'],
			undefined,
		],
		[
			'a switch that does not say whether the job was started',
			{ is_running: false },
			['"is_running": false'],
			undefined,
		],
		['no number and no time', { weight: 3, born: ended }, [], undefined],
	])('is named and proposed if it is %s', (_what, content, unread, proposedNames) => {
		expect(readContent(content)).toMatchObject({ state: 'running', unread });
		expect(readContent(content).proposedNames).toEqual(proposedNames);
	});

	it.each([
		['the job has no results', {}],
		['an entry is no report', { results: [...results, { address: OTHER }] }],
		['a report is not final', { results: [{ ...results[0], status: 'NO_DATA' }] }],
		['there are more results', { results, total: 3 }],
	])('is named, but not proposed as an end, if %s', (_because, content) => {
		const job = readContent({ status: 'IN_FLIGHT', ...content });
		expect(job).toMatchObject({ state: 'running', unread: ['"status": "IN_FLIGHT"'], results: [] });
		expect(job.proposedNames).toBeUndefined();
	});

	it.each([
		'fetch_failed',
		'provisional',
		'sources_unavailable',
		'timed_out_partly',
		'rescoring_now',
	])('is not proposed as an end if a part of it has another meaning: %s', (status) => {
		const job = readContent({ status, results: [reportOf(ETH)] });
		expect(job).toMatchObject({ state: 'running', proposedNames: undefined });
	});

	it('is not proposed as an end if an address of the job has no report', () => {
		const body = { status: 'IN_FLIGHT', results };
		const proposedFor = (addresses: string[]) =>
			reader.readJob({ body, status: 200 }, 'j', addresses).proposedNames;
		expect(proposedFor([ETH])).toEqual({ complete: ['IN_FLIGHT'] });
		expect(proposedFor([ETH, OTHER])).toBeUndefined();
	});

	it.each([
		['a word', { complete: ['baked'] }, { status: 'baked' }],
		[
			'a name',
			{ state: ['ripeness'], complete: ['ripe'] },
			{ ripeness: 'ripe', status: 'pending' },
		],
		['the end of a path', { state: ['of.x'], complete: ['ripe'] }, { of: { x: 'ripe' }, x: 'raw' }],
		[
			'the end of a longer path',
			{ state: ['of.x'], complete: ['ripe'] },
			{ part: { of: { job_id: 'j', x: 'ripe' } } },
		],
	])('is read once it is taught, if it is %s', (_what, names, content) => {
		const taught = new Reader(names);
		const answer = { body: { job_id: 'j', ...content }, status: 200 };
		expect(taught.readJob(answer, 'j').state).toBe('complete');
	});

	it.each([
		['a word', { complete: ['baked'], running: ['baked'] }, { status: 'baked' }],
		[
			'a path',
			{ complete: ['job.baking'], running: ['job.baking'] },
			{ job: { id: 'j', baking: true } },
		],
	])('means running, if %s is taught as the end, too: the job may run', (_what, names, content) => {
		const answer = { body: { id: 'j', ...content }, status: 200 };
		expect(new Reader(names).readJob(answer, 'j').state).toBe('running');
	});
});

describe('the missing results of a job', () => {
	it.each([
		['a total', { total_addresses: 3 }, true],
		['a total with a comma', { total: '1,500' }, true],
		['a number of what is done', { processed: 3 }, true],
		['a number of failures', { addresses_failed: 1 }, true],
		['a number of what runs', { pending: 2 }, true],
		['another page', { nextPageToken: 'p2' }, true],
		['a further page of OData', { '@odata.nextLink': '/2' }, true],
		['more than one page', { page: { totalPages: 2 } }, true],
		['another page by its number', { next: { page: 2, limit: 50 } }, true],
		['more pages', { has_more_pages: true }, true],
		['the date of the next run', { next_run_at: '2026-12-28T00:00:00Z' }, false],
		['a page that is not the last, as Spring has it', { last: false }, true],
		['a page that is the last', { isLastPage: true }, false],
		['a link to the next page', { links: [{ rel: 'next', href: '/2' }] }, true],
		[
			'the last of many links',
			{
				links: [
					{ rel: 'self', href: `/${'x'.repeat(2000)}` },
					{ rel: 'next', href: '/2' },
				],
			},
			true,
		],
		['a switch', { partial: true }, true],
		['a word', { status: 'completed_with_errors' }, true],
		['nothing in empty fields', { total: 0, pages: 1, next: null, next_page_token: '' }, false],
		[
			'nothing in what is about the account',
			{ usage: { count: 500 }, credits: { total: 9 } },
			false,
		],
		['nothing in a page that is not there', { next: { page: null } }, false],
		['nothing in a notification', { webhook: { failed: 1, total: 9 } }, false],
		['nothing in a duration', { running_time: 532, waiting_time: 2 }, false],
		['nothing in a rate and a time', { error_rate: 0.1, completed: 1_773_220_471 }, false],
		['nothing in a link to itself', { links: [{ rel: 'self', href: '/1' }] }, false],
	])('is known from %s', (_what, content, isMore) => {
		expect(readContent({ status: 'completed', ...content }).missingResults !== undefined).toBe(
			isMore,
		);
	});

	it('is known from the only element of a list that has no known ID', () => {
		const body = [{ ticket: 'T', status: 'done', total: 3, results: [reportOf(ETH)] }];
		expect(readJob(body).missingResults?.entry).toEqual({ total: 3 });
	});

	it('is known from a header', () => {
		const headers = { link: '</v1/bulk/j?page=2>; rel="next"' };
		const answer = { body: { job_id: 'j', status: 'done' }, status: 200, headers };
		expect(reader.readJob(answer, 'j').missingResults?.entry).toEqual(headers);
	});
});

describe('the answer to a submit', () => {
	const submit = (content: object) =>
		reader.readSubmittedJob({ body: { job_id: 'j', ...content }, status: 200 });

	it.each(['success', 'ok', 'completed', 'done'])(
		'without reports is that of a job that runs: %s',
		(status) => {
			const { state, missingResults } = submit({ status, total: 2 });
			expect({ state, missingResults }).toEqual({ state: 'running', missingResults: undefined });
		},
	);

	it('is that of a job that runs, if it only repeats the addresses', () => {
		const { state, results, unnamedLack } = submit({
			status: 'success',
			items: [{ address: ETH }, {}],
		});
		expect({ state, results, unnamedLack }).toEqual({
			state: 'running',
			results: [],
			unnamedLack: undefined,
		});
	});

	it('with reports may be that of a complete job', () => {
		const { state, results } = submit({ status: 'success', results: [reportOf(ETH)] });
		expect({ state, count: results.length }).toEqual({ state: 'complete', count: 1 });
	});

	it('may be that of a failed job', () => {
		expect(submit({ status: 'failed' }).state).toBe('failed');
	});
});

describe('the ID of a job', () => {
	function idOf(body: unknown, location?: string) {
		try {
			return reader.readSubmittedJob({ body, status: 202, headers: { location } }).job_id;
		} catch (error) {
			return (error as ScreeningError).proposedNames ?? 'nothing to propose';
		}
	}

	it.each([
		['the specification names it', { id: 'no', jobId: 'j' }, '/v1/bulk/no'],
		['the header is surer than another name', { id: 'no' }, 'https://api.example.com/v1/bulk/j'],
		['an extension of a link is no part of it', { id: 'j' }, '/v1/bulk/j.json'],
		['a link is surer than another name', { id: 'no', job_url: 'https://h/v1/bulk/j' }, undefined],
		['an extension is no part of it in any link', { id: 'j', url: '/v1/bulk/j.json' }, undefined],
		[
			'a link of a webhook leads to another service',
			{ id: 'j', callback_url: 'https://h/v1/bulk/no', webhook: { url: 'https://h/v1/bulk/no' } },
			undefined,
		],
		['a template leads to no job', { id: 'j', status_url: '/v1/bulk/{id}' }, undefined],
		['a former job is another', { id: 'j', previous: '/v1/bulk/no' }, undefined],
		[
			'an earlier job is another, also if it states how far along it is',
			{ id: 'j', previous_job: { id: 'no', status: 'complete' } },
			undefined,
		],
		[
			'an earlier job is another, also under the most specific name',
			{ id: 'j', previous_job: { job_id: 'no' } },
			undefined,
		],
		['an earlier link is another', { id: 'j', history: { url: '/v1/bulk/no' } }, undefined],
		['of links to two jobs none counts', { id: 'j', a: '/v1/bulk/1', b: '/v1/bulk/2' }, undefined],
		['an ID of a job is surer than a bare one', { id: 'no', job: { id: 'j' } }, undefined],
		[
			'it is surer also beside a state',
			{ status: 'accepted', id: 'no', bulk: { uuid: 'j' } },
			undefined,
		],
		['it is surer than an earlier one', { user: { id: 5 }, batch: { id: 'j' } }, undefined],
		['the surer of two names counts', { task_id: 'no', id: 'j' }, undefined],
		['the job is where a state is', { id: 'no', data: { id: 'j', status: 'queued' } }, undefined],
		['an event has an ID of its own', { id: 'no', type: 'event', data: { id: 'j' } }, undefined],
		[
			'an event may repeat the state of its job',
			{ id: 'no', type: 'bulk.completed', status: 'done', data: { id: 'j', status: 'done' } },
			undefined,
		],
		['its name is no address', { bulkScreeningJobResponseV1: { id: 'j' } }, undefined],
		[
			'what has an ID of a job is no result',
			{ getRiskAssessmentResponseV1: { job_id: 'j' } },
			undefined,
		],
		['all links lead to it', { links: { self: '/v1/bulk/j', other: '/v1/reports/no' } }, undefined],
	])('is found, because %s', (_because, body, location) => expect(idOf(body, location)).toBe('j'));

	it.each([
		['two links lead to two jobs', { a: '/v1/bulk/1', b: '/v1/bulk/2' }, 'nothing to propose'],
		[
			'JavaScript has rounded it',
			JSON.parse('{ "job_id": 12345678901234567890, "id": "no" }'),
			'nothing to propose',
		],
		[
			'its name is like that of an ID',
			{ slip: 'T-1', screening_id: 's-1' },
			{ jobId: ['screening_id'] },
		],
		['an analysis has an ID', { analysisId: 7, status: 'queued' }, { jobId: ['analysisId'] }],
		[
			'another ID is of something else',
			JSON.parse('{ "job_id": 12345678901234567890, "id": "n0" }'),
			'nothing to propose',
		],
		[
			'no field of an element can be taught',
			[{ slip: 'T-1' }, { slip: 'T-2' }],
			'nothing to propose',
		],
		['no name is known', { request_id: 'r-1', slip: 'T-1' }, { jobId: ['slip'] }],
		[
			'a time without signs comes first',
			{ system_date: '20261102181403', reception_no: 'R2026' },
			{ jobId: ['reception_no'] },
		],
		['a time and a number are no ID', { created: ended, accepted: 3 }, 'nothing to propose'],
		['a word is no ID', { message: 'accepted' }, 'nothing to propose'],
	])('is not guessed where %s', (_because, body, proposed) => expect(idOf(body)).toEqual(proposed));

	it('is found under a taught path', () => {
		const taught = new Reader({ jobId: ['our.slip.id'] });
		const body = { id: 'no', our: { slip: { id: 'j' } } };
		expect(taught.readSubmittedJob({ body, status: 202 }).job_id).toBe('j');
	});
});

it.each([
	['an object may have members that JavaScript would call', { toString: 1, valueOf: 1 }],
	[
		'lists may be nested too deeply to be written',
		JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)),
	],
])('a value under an unknown name does no harm, because %s', (_because, value) => {
	expect(readContent({ value })).toMatchObject({ state: 'running', unread: [] });
});

it.each(['errors', 'progress', 'value'])(
	'a value under the name %s may be nested too deeply to be written',
	(name) => {
		const nested: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
		const content = { status: 'done', results: [reportOf(ETH)], [name]: nested };
		expect(readContent(content)).toMatchObject({ state: 'complete' });
	},
);

test('a body that is neither an object nor a list is no job', () => {
	expect(() => readJob('fine')).toThrow('a body that is not a bulk job');
});

describe('an answer of many places and fields', () => {
	const report = reportOf(ETH);
	const read = (more: object) => readContent({ status: 'done', results: [report], ...more });
	const listOf = (value: unknown) => Array.from({ length: maxPlacesAndFields }, () => value);

	it.each([
		['objects', { x: listOf({}) }],
		['texts in a list', { x: listOf('text') }],
		['fields', { x: Object.fromEntries(listOf(1).map((one, index) => [`name_${index}`, one])) }],
	])('is refused by name, at once, if it has too many %s', (_what, more) => {
		expect(() => read(more)).toThrow(
			expect.objectContaining({
				errorClass: 'invalid_response',
				faultCode: 'TOO_LARGE',
				message: expect.stringContaining('more than 250,000 objects, lists and fields') as string,
			}),
		);
	});

	it.each([
		['numbers are the data of a chart', { x: listOf(1) }],
		['what is in a report is not read', { results: [{ ...report, x: listOf({}) }] }],
	])('is read, because %s', (_because, more) => {
		expect(read(more).results).toMatchObject([{ report: { address: ETH } }]);
	});
});

describe('a failure beside the reports of a complete job', () => {
	const content = { status: 'completed', results: [reportOf(ETH)] };

	test.each([{ error: 'no source' }, { error_code: 'NO_SOURCE' }, { success: false }])(
		'may be about one address only, and then does not end the job: %j',
		(failure) => {
			const { state, unnamedLack } = readContent({ ...content, ...failure });
			expect({ state, entry: unnamedLack?.entry }).toEqual({ state: 'complete', entry: failure });
		},
	);

	test.each([{ cancelled: true }, { code: 503 }, { conclusion: 'failure' }])(
		'ends the job if it is about the job as a whole: %j',
		(failure) => expect(readContent({ ...content, ...failure }).state).toBe('failed'),
	);
});

describe('a statement about something in a complete job', () => {
	test.each<[because: string, stage: object, flaw: string | undefined, entry: object | undefined]>([
		['it is about each report', { provisional: true }, "'stages.0.provisional' is true", undefined],
		['a result may explain it', { error: 'OFAC is down' }, undefined, { error: 'OFAC is down' }],
		['a result may explain it', { partial: true }, undefined, { partial: true }],
	])('counts in a list of two: %s (%j)', (_because, stage, flaw, entry) => {
		const body = { job_id: 'j', status: 'done', stages: [stage, {}], results: [reportBody()] };
		const { results, unnamedLack } = new Reader().readJob({ body, status: 200 }, 'j');
		expect(results.map((result) => result.flaw)).toEqual([flaw]);
		expect(Object.values(unnamedLack?.entry ?? {})).toEqual(Object.values(entry ?? {}));
	});

	test('the failures of addresses may be ordered by address', () => {
		const errors_by_address = { [OTHER]: 'no source' };
		const body = { job_id: 'j', status: 'done', results: [reportOf(ETH)], errors_by_address };
		const { results } = new Reader().readDeliveredJob(body);
		expect(results.map(({ address, report }) => [address, report !== undefined])).toEqual([
			[ETH, true],
			[OTHER, false],
		]);
	});

	test('an error under a code that is no event is an unnamed lack', () => {
		const body = { job_id: 'j', status: 'done', meta: { code: 500 }, results: [reportBody()] };
		const job = new Reader().readJob({ body, status: 200 }, 'j');
		expect(job.unnamedLack?.entry).toEqual({ code: 500 });
	});

	test.each([{ outcome: 'denied' }, { result: 'failed' }])(
		'the verdict %j is no unnamed lack: it may be about a wallet',
		(summary) => {
			const body = { job_id: 'j', status: 'done', summary, results: [reportBody()] };
			const { results, unnamedLack } = new Reader().readJob({ body, status: 200 }, 'j');
			expect(results).toMatchObject([{ report: { report_id: 'rep_1' } }]);
			expect(unnamedLack).toBeUndefined();
		},
	);

	test('a field next to a report that contradicts it is named with the object that it is in', () => {
		const body = [{ report: reportBody(), quality: { skipped_lists: ['OFAC'] } }, reportOf(OTHER)];
		const { results } = new Reader().readJob({ body, status: 200 }, 'j');
		expect(results).toMatchObject([{ flaw: '\'quality.skipped_lists\' is ["OFAC"]' }]);
	});

	test('a bad word under a standard name counts in it beside a taught state', () => {
		const stages = [{ name: 'sanctions', status: 'failed' }];
		const body = { job_id: 'j', lifecycle: 'done', stages, results: [reportBody()] };
		const job = new Reader({ state: ['lifecycle'] }).readJob({ body, status: 200 }, 'j');
		expect(job.results.map(({ report, flaw }) => report ?? flaw)).toEqual([
			'\'stages.0.status\' is "failed"',
		]);
	});
});
