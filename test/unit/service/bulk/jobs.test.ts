import { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { excerpt } from '../../../../nodes/WalletScreening/service/json';
import {
	jobIdIn,
	parseCompletion,
	parseJob,
} from '../../../../nodes/WalletScreening/service/shapes';
import { entriesIn, BTC, ETH, failureOf, reportOf } from './samples';

// The specification shows neither handle nor status (sections 2.4, 3, 4.3, 4.4): these spellings are to be understood.
const idFields = ['job_id', 'id', 'jobId'];
const stateFields = ['status', 'state'];
const completeWords = ['complete', 'completed', 'done', 'finished', 'success', 'succeeded'];
const failedWords = [
	'failed',
	'error',
	'errored',
	'cancelled',
	'canceled',
	'expired',
	'aborted',
	'killed',
	'crashed',
	'terminated',
];
const runningWords = ['queued', 'pending', 'processing', 'running', 'started', 'in_progress'];
const resultFields = ['results', 'reports', 'data', 'items'];
const envelopes = ['data', 'job', 'result'];

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const upper = (word: string) => word.toUpperCase();
const mixed = (word: string) => [...word].map((c, at) => (at % 2 ? upper(c) : c)).join('');
const casings = [(word: string) => word, capital, upper, mixed];

const reports = [reportOf(ETH), reportOf(BTC)];
const forms = {
	array: reports,
	'object keyed by address': Object.fromEntries(reports.map((report) => [report.address, report])),
};
const wrapped = (envelope: string | undefined, body: object) =>
	envelope ? { [envelope]: body } : body;

const words = [
	...completeWords.map((word) => [word, 'complete'] as const),
	...failedWords.map((word) => [word, 'failed'] as const),
	...runningWords.map((word) => [word, 'running'] as const),
];

describe('a job', () => {
	it.each(idFields)("has its ID under '%s'", (field) => {
		expect(parseJob({ [field]: 'j1', status: 'queued' }, 202).job_id).toBe('j1');
		expect(jobIdIn({ [field]: 'j1' })).toBe('j1');
	});

	it.each(['batch_id', 'bulkId', 'bulk_job_id', 'job', 'handle'])(
		"may have its ID under '%s', if under no other name",
		(field) => {
			expect(parseJob({ [field]: 'j1.', status: 'queued' }, 202).job_id).toBe('j1.');
			expect(jobIdIn({ [field]: 'b1', job_id: 'j1' })).toBe('j1');
		},
	);

	it('may have a number for its ID', () => {
		expect(parseJob({ id: 42 }, 202).job_id).toBe('42');
		expect(jobIdIn({ id: 0 })).toBe('0');
	});

	it('may have an ID that begins with dots', () => {
		expect(jobIdIn({ job_id: '.j1' })).toBe('.j1');
		expect(jobIdIn({ job_id: '..j1' })).toBe('..j1');
	});

	it('has its ID under the first name that holds one', () => {
		expect(jobIdIn({ jobId: 'c', id: 'b', job_id: 'a' })).toBe('a');
		expect(jobIdIn({ job_id: null, id: ' ', jobId: 'c' })).toBe('c');
		expect(jobIdIn({ job_id: { id: 'x' }, id: ['x'], jobId: true })).toBeUndefined();
	});

	it.each(stateFields)("has its state under '%s'", (field) => {
		expect(parseJob({ id: 'j1', [field]: 'completed' }, 200).state).toBe('complete');
	});

	it.each(words)("'%s' means that it is %s, in any case of letters", (word, state) => {
		for (const casing of casings) {
			const results = reports;
			expect(parseJob({ id: 'j1', results, status: casing(word) }, 200).state).toBe(state);
			expect(parseJob({ id: 'j1', results, status: ` ${casing(word)}\n` }, 200).state).toBe(state);
		}
	});

	it.each<[string, unknown]>([
		['no state', undefined],
		['null', null],
		['an empty text', ''],
		['a number', 1],
		['true', true],
		['a word nobody knows', 'marinating'],
		['a word that only begins right', 'completed_soon'],
		['a word that only ends right', 'not complete'],
		['a name of every object', 'constructor'],
		['a list of right words', ['completed']],
		['an object that nobody knows', { at: 'completed' }],
		['an object of several words', { code: 'completed', phase: 'storing' }],
	])('with %s still runs', (_what, status) => {
		expect(parseJob({ id: 'j1', status }, 200).state).toBe('running');
	});

	it.each(resultFields)("has its results under '%s'", (field) => {
		for (const results of Object.values(forms)) {
			const { entries } = parseJob({ id: 'j1', status: 'done', [field]: results }, 200);
			expect(entries?.map(({ report }) => report)).toEqual(reports);
			expect(entries?.map(({ address }) => address)).toEqual([ETH, BTC]);
		}
	});

	it.each(envelopes)("may lie in the envelope '%s'", (envelope) => {
		const body = { [envelope]: { id: 'j1', status: 'done', results: reports } };
		expect(parseJob(body, 200)).toEqual({
			job_id: 'j1',
			state: 'complete',
			isStated: true,
			entries: reports.map((report) => ({ address: report.address, report, value: report })),
			addressCount: 2,
			body,
		});
	});

	it('is understood in every combination of these', () => {
		let combinations = 0;
		for (const idField of idFields)
			for (const stateField of stateFields)
				for (const [word, state] of words)
					for (const casing of casings)
						for (const envelope of [undefined, ...envelopes])
							for (const resultField of [undefined, ...resultFields])
								for (const [form, results] of Object.entries(forms)) {
									const body = wrapped(envelope, {
										[idField]: 'j1',
										[stateField]: casing(word),
										...(resultField && { [resultField]: results }),
									});
									const job = parseJob(body, 200);
									const found = {
										id: job.job_id,
										state: job.state,
										reports: job.entries?.map(({ report }) => report),
									};
									const expected = {
										id: 'j1',
										state: word === 'success' && !resultField ? 'running' : state,
										reports: resultField && state !== 'running' ? reports : undefined,
									};
									// Comparing 9,120 times with `expect` takes ten times as long.
									if (JSON.stringify(found) !== JSON.stringify(expected))
										expect({ body, form, ...found }).toEqual({ body, form, ...expected });
									combinations++;
								}
		expect(combinations).toBe(3 * 2 * 22 * 4 * 4 * 5 * 2);
	});

	it('has the state and ID of the inner body, if a body wraps another', () => {
		// JSend (https://github.com/omniti-labs/jsend): the outer status is the request's.
		const body = { status: 'success', data: { job_id: 'j1', status: 'processing' } };
		expect(parseJob(body, 200)).toMatchObject({ job_id: 'j1', state: 'running' });
		const event = { id: 'evt_1', state: 'done', job: { id: 'j1', state: 'failed' } };
		expect(parseJob(event, 200)).toMatchObject({ job_id: 'j1', state: 'failed' });
	});

	it('still runs if the success beside an envelope can mean only the request', () => {
		for (const envelope of envelopes) {
			const handle = { status: 'Success', [envelope]: { job_id: 'j1', progress: 40 } };
			expect(parseJob(handle, 202)).toMatchObject({ job_id: 'j1', state: 'running' });
			const complete = { status: 'success', [envelope]: { job_id: 'j1', results: reports } };
			expect(parseJob(complete, 200)).toMatchObject({ job_id: 'j1', state: 'complete' });
			const failed = { status: 'error', [envelope]: { job_id: 'j1' } };
			expect(parseJob(failed, 200)).toMatchObject({ job_id: 'j1', state: 'failed' });
		}
	});

	it('is complete if the word beside an envelope can mean only the job', () => {
		for (const word of completeWords.filter((one) => one !== 'success')) {
			const body = { status: word, job: { id: 'j1' } };
			expect(parseJob(body, 200)).toMatchObject({ job_id: 'j1', state: 'complete' });
		}
	});

	it('still runs if success without results may be that of the request', () => {
		expect(parseJob({ id: 'j1', status: 'success' }, 200).state).toBe('running');
		const body = { id: 'j1', status: 'success', state: 'processing', results: [] };
		expect(parseJob(body, 200).state).toBe('running');
	});

	it('has what only the outer body holds', () => {
		const body = { job_id: 'j1', status: 'completed', data: { results: reports } };
		const job = parseJob(body, 200);
		expect(job).toMatchObject({ job_id: 'j1', state: 'complete' });
		expect(job.entries).toHaveLength(2);
	});

	it('may lie in two envelopes', () => {
		const body = { data: { job: { job_id: 'j1', status: 'done' } }, results: reports };
		expect(parseJob(body, 200)).toMatchObject({ job_id: 'j1', state: 'complete' });
	});

	it('keeps the ID that was asked for', () => {
		expect(parseJob({ status: 'done' }, 200, 'asked').job_id).toBe('asked');
		expect(parseJob({ job_id: ' asked ', status: 'done' }, 200, 'asked').job_id).toBe('asked');
		expect(parseJob({ jobId: 42 }, 200, '42').job_id).toBe('42');
		// An ID that is called nothing else may be that of the answer.
		expect(parseJob({ id: 'evt_1', status: 'done' }, 200, 'asked').job_id).toBe('asked');
	});

	it.each([
		['job_id', { job_id: 'other', status: 'done', results: reports }],
		['jobId', { jobId: 'other' }],
		['job_id in an envelope', { id: 'asked', job: { job_id: 'other' } }],
	])('is not another one, by its %s', async (_what, body) => {
		const error = await failureOf(() => parseJob(body, 200, 'asked'));
		expect(error).toMatchObject({
			errorClass: 'invalid_response',
			httpCode: 200,
			message: expect.stringContaining('a bulk job of another ID') as string,
			known: { body: expect.stringContaining('other') as string },
		});
	});

	it('keeps its body as it came', () => {
		const body = { job_id: 'j1', status: 'Completed', progress: { done: 2, of: 2 }, note: null };
		expect(parseJob(body, 200).body).toBe(body);
	});

	it('has the results of all its lists, and each list once', () => {
		const red = { ...reportOf(ETH), risk: { level: 'red', score: 9.9 } };
		const body = { id: 'j1', status: 'done', results: [reportOf(BTC)], items: [red] };
		expect(parseJob(body, 200).entries?.map(({ report }) => report)).toEqual([reportOf(BTC), red]);
		const twice = { id: 'j1', status: 'done', results: reports, data: { results: reports } };
		expect(parseJob(twice, 200).entries).toHaveLength(2);
		const sent = { id: 'j1', status: 'done', results: reports, items: [ETH, BTC] };
		expect(parseJob(sent, 200).entries).toHaveLength(2);
	});

	it.each(['errors', 'failed', 'failures', 'rejected', 'invalid', 'skipped', 'unprocessed'])(
		"has no report for those that it lists under '%s'",
		(name) => {
			const refused = { address: BTC, error: 'unsupported' };
			const body = { id: 'j1', status: 'done', results: [reportOf(ETH)], [name]: [refused, 'x1'] };
			expect(parseJob(body, 200).entries?.slice(1)).toEqual([
				{ address: BTC, report: undefined, value: refused },
				{ address: 'x1', report: undefined, value: 'x1' },
			]);
			expect(parseJob({ id: 'j1', status: 'done', [name]: 3 }, 200).entries).toBeUndefined();
		},
	);

	it('has no report in what says of itself that it failed', () => {
		const report = reportOf(ETH);
		for (const said of [
			{ status: 'Failed' },
			{ state: 'error' },
			{ error: 'late' },
			{ errors: ['x'] },
		]) {
			for (const value of [
				{ ...report, ...said },
				{ address: ETH, ...said, report },
				{ address: ETH, report: { ...report, ...said } },
			]) {
				expect(entriesIn([value])![0]!.report).toBeUndefined();
			}
		}
		const fine = { ...report, status: 'completed', error: null, errors: [] };
		expect(entriesIn([fine])![0]!.report).toBe(fine);
	});

	it('has no results in a summary', () => {
		for (const summary of [
			{ total: 3, failed: 0 },
			{ address_count: 1000, completed_at: '2026-11-20T10:00:00Z' },
			{ progress: { done: 3 }, billing: { units: 3 } },
		]) {
			expect(parseJob({ id: 'j1', status: 'done', results: summary }, 200).entries).toBeUndefined();
			expect(parseJob({ id: 'j1', status: 'done', data: summary }, 200).entries).toBeUndefined();
		}
	});

	it('tells of results that the service has and did not send, once it is complete', () => {
		const more = { total: 500, results: reports };
		const entries = parseJob({ id: 'j1', status: 'done', ...more }, 200).entries;
		expect(entries?.[2]).toMatchObject({ rest: true, value: { results: 2, total: 500 } });
		expect(parseJob({ id: 'j1', status: 'running', ...more }, 200).entries).toBeUndefined();
		const all = {
			id: 'j1',
			status: 'done',
			total: 2,
			next: null,
			has_more: false,
			results: reports,
		};
		expect(parseJob(all, 200).entries).toHaveLength(2);
	});

	it('without results has none, which is not the same as an empty list', () => {
		expect(parseJob({ id: 'j1', status: 'done' }, 200).entries).toBeUndefined();
		expect(parseJob({ id: 'j1', status: 'done', results: null }, 200).entries).toBeUndefined();
		expect(parseJob({ id: 'j1', status: 'done', results: [] }, 200).entries).toEqual([]);
		expect(parseJob({ id: 'j1', status: 'done', results: {} }, 200).entries).toEqual([]);
	});

	it.each<[string, unknown]>([
		['null', null],
		['a text', 'queued'],
		['a number', 7],
		['true', true],
		['an empty object', {}],
		['an object without ID', { status: 'queued' }],
		['an ID that is blank', { job_id: ' \t' }],
		['an ID of anything in an envelope nobody knows', { answer: { id: 'j1' } }],
		['a list', [{ job_id: 'j1' }]],
		['an inherited ID', Object.create({ job_id: 'j1' })],
	])('is not %s', async (_what, body) => {
		const error = (await failureOf(() => parseJob(body, 202))) as ScreeningError;
		expect(error).toBeInstanceOf(ScreeningError);
		expect(error).toMatchObject({ errorClass: 'invalid_response', httpCode: 202 });
		expect(error.message).toContain('a body that is not a bulk job');
		expect(error.known.body).toBe(JSON.stringify(body));
	});

	it.each([null, 'done', 7])('that was asked for is not %j either', async (body) => {
		const error = await failureOf(() => parseJob(body, 200, 'asked'));
		expect(error).toMatchObject({ errorClass: 'invalid_response', httpCode: 200 });
	});
});

describe('the results in a body', () => {
	it('may be the body itself', () => {
		expect(entriesIn(reports)?.map(({ report }) => report)).toEqual(reports);
	});

	it('are those of a list and of an object, each once', () => {
		const body = { results: forms['object keyed by address'], items: [reports[1]] };
		expect(entriesIn(body)?.map(({ report }) => report)).toEqual(reports);
	});

	it('may each be wrapped', () => {
		for (const envelope of ['report', 'data', 'result']) {
			const list = [{ address: ETH, [envelope]: reports[0] }, { [envelope]: reports[1] }];
			expect(entriesIn(list)).toEqual([
				{ address: ETH, report: reports[0], value: list[0] },
				{ address: BTC, report: reports[1], value: list[1] },
			]);
		}
	});

	it('keyed by address need not repeat it', () => {
		const { address, ...rest } = reportOf(ETH);
		const [entry] = entriesIn({ results: { [ETH]: rest } })!;
		expect(entry).toEqual({ address: ETH, report: reportOf(ETH), value: rest });
		expect(address).toBe(ETH);
	});

	it('keep every field of a report, known or not, as it came', () => {
		const report = reportOf(ETH, { vendor_note: { nested: [null] }, tx_count: '7', balance: 5 });
		expect(entriesIn([report])![0]!.report).toBe(report);
	});

	it.each<[string, object]>([
		['no risk', { risk: undefined }],
		['a score that is a text', { risk: { level: 'green', score: '0.1' } }],
		['no score', { risk: { level: 'green' } }],
		['no level', { risk: { score: 0.1 } }],
		['an empty level', { risk: { level: '', score: 0.1 } }],
		['no ID', { report_id: undefined }],
	])('hold no report if there is %s', (_what, change) => {
		const value = reportOf(ETH, change);
		for (const body of [[value], { results: { [ETH]: value } }]) {
			expect(entriesIn(body)).toMatchObject([{ address: ETH, report: undefined, value }]);
		}
	});

	it('hold no report for an address if the report is of another', () => {
		const value = { address: ETH, report: reportOf(BTC) };
		expect(entriesIn([value])).toEqual([{ address: ETH, report: undefined, value }]);
		expect(entriesIn({ results: { [ETH]: reportOf(BTC) } })![0]!.report).toBeUndefined();
	});

	it('hold a report whose address is only spelled in other letters, if its format has no case', () => {
		const report = reportOf(ETH.toLowerCase());
		expect(entriesIn({ results: { [ETH]: report } })![0]!.report).toBe(report);
		const base58 = reportOf(BTC.toLowerCase());
		expect(entriesIn({ results: { [BTC]: base58 } })![0]!.report).toBeUndefined();
	});

	it('may hold anything in place of a report', () => {
		const list = [null, undefined, 0, '', 'text', [], [[]], {}, { address: 7 }, { error: 'no' }];
		expect(entriesIn(list)).toEqual(
			list.map((value) => ({ address: undefined, report: undefined, value })),
		);
	});

	it('are not read from what is itself a job', () => {
		expect(entriesIn({ data: { job_id: 'j1', status: 'queued' } })).toBeUndefined();
		expect(entriesIn({ id: 'j1', status: 'queued' })).toBeUndefined();
	});
});

describe('a completion', () => {
	const completion = (body: unknown) => parseCompletion(Buffer.from(JSON.stringify(body)));

	it('tells of a job, of results, or of both', () => {
		expect(completion({ job_id: 'j1', status: 'completed' })).toMatchObject({
			job_id: 'j1',
			state: 'complete',
			entries: undefined,
		});
		expect(completion(reports)).toMatchObject({ job_id: undefined, state: 'complete' });
		expect(completion(reports)?.entries).toHaveLength(2);
		expect(completion({ event: 'done', data: { id: 'j1', results: reports } })).toMatchObject({
			job_id: 'j1',
			entries: [{ address: ETH }, { address: BTC }],
		});
	});

	it('comes in every spelling of a job', () => {
		for (const idField of idFields)
			for (const resultField of resultFields)
				for (const results of Object.values(forms))
					for (const envelope of [undefined, ...envelopes]) {
						const body = wrapped(envelope, {
							[idField]: 'j1',
							status: 'DONE',
							[resultField]: results,
						});
						expect(completion(body)).toMatchObject({ job_id: 'j1', state: 'complete', body });
						expect(completion(body)?.entries?.map(({ report }) => report)).toEqual(reports);
					}
	});

	it.each([
		'',
		'{',
		'null',
		'7',
		'"job"',
		'{}',
		'{"status":"done"}',
		'{"status":"queued"}',
		'{"results":null}',
	])('is not %j', (text) => expect(parseCompletion(Buffer.from(text))).toBeUndefined());
});

describe('an excerpt', () => {
	it('is the whole of what is short', () => {
		expect(excerpt({ a: [1, null] })).toBe('{"a":[1,null]}');
		expect(excerpt(undefined)).toBe('');
	});

	it('is cut, and says so, if it is long', () => {
		const text = excerpt('x'.repeat(5000));
		expect(text).toHaveLength(1001);
		expect(text).toMatch(/x…$/);
	});
});

it('is not complete by a state that is longer than any known one', () => {
	const status = `completed${' '.repeat(60)}with failures`;
	expect(parseJob({ job_id: 'j1', status }, 200).state).toBe('running');
});

describe('a job that is named in a less common way', () => {
	const idIn = (body: unknown) => parseCompletion(Buffer.from(JSON.stringify(body)))?.job_id;

	it.each([
		[{ task_id: 'j1' }],
		[{ screening_id: 'j1', id: 'evt_1' }],
		[{ bulk_screening_id: 'j1' }],
		[{ batch: { uuid: 'j1' } }],
		[{ job_url: 'https://service.example/v1/bulk/j1' }],
		[{ id: 'evt_1', links: { self: '/v1/bulk/j1/', next: '/v1/bulk/j1-2' } }],
		[{ id: 'evt_1', related_object: { id: 'j1', url: 'https://x.example/v1/bulk/j1?a=b' } }],
		[{ id: 'evt_1', source: '/v1/bulk/j%31' }],
		[{ self: { href: '/v1/bulk/j1' }, next: { href: '/v1/bulk/c2' } }],
		[[{ id: 'evt_1', eventType: 'bulk.completed', data: { job_id: 'j1' } }]],
	])('has its ID all the same: %j', (body) => expect(idIn(body)).toBe('j1'));

	it.each([
		[{ url: '/v1/bulk' }],
		[{ url: '/v1/bulk/j1/results' }],
		[{ url: '/bulk/j1' }],
		[{ url: 'look at /v1/bulk/j1' }],
		[{ callback: { url: 'https://x.example/v1/bulk/j1' } }],
		[{ next_url: 'https://x.example/v1/bulk/j1' }],
		[{ links: { self: '/v1/bulk/j1' }, job: { href: '/v1/bulk/j2' } }],
	])('has none: %j', (body) => expect(idIn(body)).toBeUndefined());

	it('is known by an ID of its own first', () => {
		expect(idIn({ job_id: 'j1', url: '/v1/bulk/j2', task_id: 'j3' })).toBe('j1');
		expect(idIn({ batch_id: 'j1', url: '/v1/bulk/j2' })).toBe('j1');
	});

	it('is one event in a list, and has its results', () => {
		const body = [
			{ eventType: 'bulk.completed', data: { job_id: 'j1', results: [reportOf(ETH)] } },
		];
		expect(parseCompletion(Buffer.from(JSON.stringify(body)))).toMatchObject({
			state: 'complete',
			entries: [{ address: ETH, report: { address: ETH } }],
			body,
		});
	});

	it('is several events in a list, and has the results of each', () => {
		const body = [
			{ job_id: 'j1', results: [reportOf(ETH)] },
			{ job_id: 'j2', results: [reportOf(BTC)] },
		];
		const completion = parseCompletion(Buffer.from(JSON.stringify(body)));
		expect(completion?.entries).toMatchObject([{ address: ETH }, { address: BTC }]);
	});

	it('has no results where it lists only what was sent', () => {
		const completion = (addresses: object[]) =>
			parseCompletion(Buffer.from(JSON.stringify({ job_id: 'j1', status: 'done', addresses })));
		expect(completion([{ address: ETH, chain: 'ETH' }])?.entries).toBeUndefined();
		expect(completion([{ address: ETH, report_id: 'rep_1' }])?.entries).toMatchObject([
			{ address: ETH, reportId: 'rep_1' },
		]);
		expect(completion([{ address: ETH, error: 'unknown' }])?.entries).toHaveLength(1);
	});
});
