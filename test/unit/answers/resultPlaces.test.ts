import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { resultsByAddress } from '../../support/unit/jobResults';
import { reportBody } from '../../support/unit/reports';

const [A = '', B = '', C = ''] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`);
const report = (address: string) => reportBody({ address, report_id: `of ${address}` });
const red = (address: string) =>
	reportBody({ address, report_id: `other of ${address}`, chain: 'BSC', risk: { level: 'red' } });
const reports = (...addresses: string[]) => addresses.map(report);

/** The report or the error of each address, for a complete job with this content. */
function outcomesOf(content: object, names = {}): ScreeningError[] {
	const body = { job_id: 'j', status: 'complete', ...content };
	const job = new Reader(names).readJob({ body, status: 200 }, 'j');
	return [...resultsByAddress([A, B, C], job).values()] as ScreeningError[];
}
const readAll = (...given: Parameters<typeof outcomesOf>) =>
	outcomesOf(...given).map((one) => (one instanceof ScreeningError ? one.errorClass : 'report'));
const [ok, missing, refused] = ['report', 'missing_result', 'invalid_response'];

describe('the results of a job', () => {
	it.each([
		['a list holds them', [ok, ok, ok], { list: reports(A, B, C) }],
		[
			'a map by address is a list',
			[ok, ok, ok],
			{ map: { [A]: report(A), [B]: report(B), [C]: report(C) } },
		],
		[
			'entries may wrap them',
			[ok, ok, ok],
			{ list: reports(A, B, C).map((one) => ({ result: one })) },
		],
		[
			'parts of a list are one',
			[ok, ok, ok],
			{ parts: [{ of: reports(A) }, { of: reports(B, C) }] },
		],
		[
			'a part of a list may count its entries',
			[ok, ok, missing],
			{ parts: [{ failed: 1, processed: 0, of: reports(A, B) }] },
		],
		[
			'an entry counts nothing',
			[refused, ok, missing],
			{
				list: [
					{ pending: 1, report: report(A) },
					{ pending: 0, report: report(B) },
				],
			},
		],
		[
			'an entry may have an object for its state',
			[ok, refused, missing],
			{
				list: [
					{ status: { code: 'ok' }, report: report(A) },
					{ status: { code: 'failed' }, report: report(B) },
				],
			},
		],
		[
			'most reports stand there',
			[ok, ok, missing],
			{ baseline: reports(C), results: reports(A, B) },
		],
		[
			'of two places with as many neither counts',
			[missing, missing, missing],
			{ a: reports(A), b: reports(B) },
		],
		[
			'a report elsewhere may contradict one of them',
			[refused, ok, missing],
			{ by_chain: { eth: reports(A, B), bsc: [red(A)] } },
		],
		[
			'a report in an entry may contradict that of the entry',
			[refused, ok, missing],
			{
				list: [
					{ report: report(A), other_chains: [red(A)] },
					{ report: report(B), other_chains: [] },
				],
			},
		],
		[
			'a report in an entry says nothing of another entry',
			[ok, ok, missing],
			{
				list: [
					{ report: report(A), counterparties: [red(B)] },
					{ report: report(B), counterparties: [] },
				],
			},
		],
		[
			'a report in an entry of another address is of a counterparty',
			[refused, refused, missing],
			{
				list: [
					{ address: A, message: 'no data', counterparties: reports(B) },
					{ address: B, message: 'no data' },
				],
			},
		],
		[
			'so it is in a map by address',
			[refused, missing, missing],
			{ map: { [A]: { message: 'no data', counterparty: report(B) } } },
		],
		[
			'an object with numbers as keys is a list, as PHP writes one with gaps',
			[ok, refused, missing],
			{ results: { 0: report(A), 2: { address: B, error: 'no source' } } },
		],
		[
			'so is one with UUIDs as keys',
			[ok, refused, missing],
			{
				results: {
					'0d9f6f2e-8c1b-4a53-9d6e-2f0c7b1a4e11': report(A),
					'7a1c55b0-3e2f-4d77-8f0a-91d2c3b4e5f6': { address: B, error: 'no source' },
				},
			},
		],
		[
			'so is one with ULIDs as keys',
			[ok, refused, missing],
			{
				results: {
					'01ARZ3NDEKTSV4RRFFQ69G5FAV': report(A),
					'01BX5ZZKBKACTAV9WEVGEMMVRZ': { wallet: B, error: 'no source' },
				},
			},
		],
		[
			'the same report elsewhere repeats one of them',
			[ok, ok, ok],
			{ results: reports(A, B, C), green: reports(B) },
		],
		[
			'a part of a report elsewhere is a summary',
			[ok, ok, ok],
			{ results: reports(A, B, C), worst: { address: B, risk: { level: 'red' } } },
		],
		['what failed is no report', [ok, ok, refused], { results: reports(A, B), failed: reports(C) }],
		[
			'what still runs is no report',
			[ok, refused, refused],
			{ results: reports(A), pending: reports(B, C) },
		],
		[
			'what is not final is no report, also where most reports are',
			[refused, ok, refused],
			{ results: reports(B), provisional: reports(A, C) },
		],
		['what is stale is no report', [refused, missing, missing], { stale_results: reports(A) }],
		[
			'what is of the past is no report',
			[ok, missing, missing],
			{ results: reports(A), history: reports(A, B, C) },
		],
		[
			'what an entry holds beside its report is of others',
			[ok, ok, missing],
			{ results: reports(A, B).map((one) => ({ one, counterparties: reports(C, C, C) })) },
		],
		[
			'an entry may have its address only',
			[ok, refused, missing],
			{ results: [report(A), { address: B, risk: null }] },
		],
		[
			'a list of errors may hold nothing',
			[ok, ok, ok],
			{ results: reports(A, B, C), errors: [null, {}], failed: { [A]: null, [B]: [] } },
		],
		[
			'an address may stand anywhere in an error',
			[ok, refused, missing],
			{
				results: reports(A),
				errors: [{ Value: '149w62rY42aZBox8fGcmqNsXUzSStKeq8C' }, { Value: B }],
			},
		],
	])('are found: %s', (_because, expected, content) => expect(readAll(content)).toEqual(expected));

	it.each<[because: string, expected: Array<string | undefined>, body: unknown]>([
		[
			'its result may be the only one, too',
			[refused, missing, missing],
			{ jobs: [{ id: 'j', status: 'done', results: [{ report: report(A), error: 503 }] }] },
		],
		[
			'0 is a switch in such a result',
			[refused, missing, missing],
			[{ id: 'j', status: 'done', results: [{ report: report(A), done: 0 }] }],
		],
		[
			'such a result may lie beside the job',
			[refused, missing, missing],
			{ data: [{ id: 'j', status: 'done' }], included: [{ report: report(A), failed: 1 }] },
		],
		[
			'such a result may repeat the ID',
			[refused, missing, missing],
			{ id: 'j', status: 'done', results: [{ id: 'j', report: report(A), error: 503 }] },
		],
		[
			'a job with one report may hold it itself',
			[ok, missing, missing],
			[{ id: 'j', status: 'done', failed: 1, report: report(A) }],
		],
		[
			'a part of the job may be the only element of a list',
			[refused, missing, missing],
			[{ id: 'j', status: 'done', results: reports(A), sums: [{ skipped_sources: 2 }] }],
		],
		[
			'a part that holds all results counts them',
			[ok, ok, missing],
			[{ id: 'j', status: 'done', parts: [{ failed: 1, results: reports(A, B) }] }],
		],
	])(
		'are found if the job or its result is the only element of a list: %s',
		(_because, expected, body) => {
			const job = new Reader().readJob({ body, status: 200 }, 'j');
			const outcomes = [...resultsByAddress([A, B, C], job).values()];
			expect(
				outcomes.map((one) => (one instanceof ScreeningError ? one.errorClass : 'report')),
			).toEqual(expected);
		},
	);

	it.each(['previous_reports', 'priorResults', 'earlier', 'Old', 'screeningHistory'])(
		'are not those under %s, which no error proposes',
		(name) => {
			const [error] = outcomesOf({ results: [], [name]: reports(A, B, C) });
			expect(error).toMatchObject({ errorClass: 'missing_result' });
			expect(error?.proposedNames).toBeUndefined();
		},
	);

	it('are proposed, and known once they are taught', () => {
		const content = { clean: reports(A), page: { items: reports(B) }, more: reports(C) };
		const [error] = outcomesOf(content);
		expect(error?.proposedNames).toEqual({ reports: ['clean', 'more', 'items'] });
		expect(readAll(content, error?.proposedNames)).toEqual([ok, ok, ok]);
		expect(readAll(content, { reports: ['clean', 'page.items'] })).toEqual([ok, ok, missing]);
	});

	it('are those of the places that are taught, which no other report contradicts', () => {
		const content = { results: reports(A, B, C), flagged: [red(A)] };
		const [error] = outcomesOf(content);
		expect(error?.message).toContain(`contradictory results for ${A}`);
		expect(error?.details.entry).toEqual([report(A), red(A)]);
		expect(readAll(content, { reports: ['results'] })).toEqual([ok, ok, ok]);
	});

	it('are not proposed by the place of an element in a list, which has no name', () => {
		const body = [report(A), { data: report(B) }];
		expect(new Reader().readJob({ body, status: 200 }, 'j').proposedNames).toEqual({
			reports: ['data'],
		});
	});

	it('are final under a taught word of the end', () => {
		expect(readAll({ baked: reports(A, B, C) }, { complete: ['baked'] })).toEqual([ok, ok, ok]);
	});

	it('are refused under a taught word of failure', () => {
		const content = { results: reports(A, B), late: reports(C) };
		expect(readAll(content, { failed: ['late'] })).toEqual([ok, ok, refused]);
	});

	it.each([
		['a taught word of failure is the name of a list', 'outcome', { failed: ['outcome'] }],
		['a taught word of a job that runs is one, too', 'submitted', { running: ['Submitted'] }],
	])(
		'are refused under a name that also has another meaning, because %s',
		(_because, name, names) => {
			expect(readAll({ [name]: reports(A, B, C) })).toEqual([ok, ok, ok]);
			expect(readAll({ [name]: reports(A, B, C) }, names)).toEqual([refused, refused, refused]);
		},
	);

	it.each([
		['a result that is partial lacks a source', { partial: true }, { complete: ['partial'] }],
		['a text under the name is an error', { fault: 'no source' }, { complete: ['fault'] }],
		[
			'a text under a word of failure is an error, too',
			{ fault: 'no source' },
			{ failed: ['fault'] },
		],
	])('are refused by a field whose name is a taught word, because %s', (_because, field, names) => {
		const [first] = reports(A);
		expect(readAll({ results: [{ ...first, ...field }] }, names)[0]).toBe(refused);
	});

	it.each([2, 12])('are proposed by the name of the map if they are under %d keys', (length) => {
		const addresses = Array.from({ length }, (_, index) => `${A}${index}`);
		const map = Object.fromEntries(addresses.map((one, index) => [`k${index}`, report(one)]));
		const body = { job_id: 'j', status: 'complete', found: map };
		const readMap = (names?: object) => new Reader(names).readJob({ body, status: 200 }, 'j');
		const { proposedNames } = readMap();
		expect(proposedNames).toEqual({ reports: ['found'] });
		const outcomes = [...resultsByAddress(addresses, readMap(proposedNames)).values()];
		expect(outcomes).toEqual(addresses.map(report));
	});

	it('are proposed by at most ten names', () => {
		const many = Array.from({ length: 12 }, (_, index) => [`p${index}`, reports(A)] as const);
		expect(outcomesOf(Object.fromEntries(many))[0]?.proposedNames?.['reports']).toHaveLength(10);
	});
});
