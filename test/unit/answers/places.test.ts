import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import { createReader } from '../../../nodes/WalletScreening/answers/reader';
import { match } from '../../../nodes/WalletScreening/answers/results';

const [A = '', B = '', C = ''] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`);
const categories = { sanctions: 0, darknet: 0, mixer: 0, scam: 0, stolen: 0, clean_exchange: 1 };
const report = (address: string, level = 'green', chain = 'ETH') => ({
	report_id: `of ${address} ${level}`,
	address,
	chain,
	risk: { level, score: 0.1, categories },
});

/** Of each address the ID of its report, or the error, for a complete job with this content. */
function outcomesOf(content: object, names = {}) {
	const body = { job_id: 'j', status: 'complete', ...content };
	const outcomes = match([A, B, C], createReader(names).job(body, 200, 'j', {}, [A, B, C]));
	return [...outcomes.values()];
}
const reportsOf = (...given: Parameters<typeof outcomesOf>) =>
	outcomesOf(...given).map((one) =>
		one instanceof ScreeningError ? one.errorClass : one.report_id,
	);
const [a, b, c] = [A, B, C].map((one) => `of ${one} green`);

describe('where the results of a job stand', () => {
	it.each([
		['a list', { list: [report(A), report(B), report(C)] }],
		['a map by address', { map: { [A]: report(A), [B]: report(B), [C]: report(C) } }],
		['a map by ID', { map: { r1: report(A), r2: { ...report(B) }, r3: report(C) } }],
		['parts', { parts: [{ items: [report(A)] }, { items: [report(B), report(C)] }] }],
		[
			'texts',
			{ list: [report(A), report(B), report(C)].map((one) => ({ body: JSON.stringify(one) })) },
		],
		['groups by chain', { ETH: [report(A), report(B)], TRX: [report(C, 'green', 'TRX')] }],
	])('%s', (_, content) => expect(reportsOf(content)).toEqual([a, b, c]));

	it('is a group of each level', () => {
		const groups = { green: [report(A)], amber: [], red: [report(B, 'red'), report(C, 'red')] };
		expect(reportsOf({ groups })).toEqual([a, `of ${B} red`, `of ${C} red`]);
	});

	it.each([
		[
			'the larger list, although it is the last',
			{ baseline: [report(C)], results: [report(A), report(B)] },
		],
		['not what stands under a failure', { results: [report(A), report(B)], failed: [report(C)] }],
		['not what was taught to be a failure', { results: [report(A), report(B)], late: [report(C)] }],
		['not what is still to do', { results: [report(A), report(B)], pending: [report(C)] }],
		['the list with most reports', { results: [report(A), report(B)], baseline: [report(C)] }],
		['not a single report beside it', { results: [report(A), report(B)], baseline: report(C) }],
		[
			'not an old report in an entry',
			{ results: [report(A), report(B), { address: C, last: report(C) }] },
		],
	])('is %s', (_, content) => {
		expect(reportsOf(content, { failures: ['late'] })).toEqual([a, b, 'invalid_response']);
	});

	it('is not a list in an entry that has a report, however long it is', () => {
		const counterparties = [report(C), report(C), report(C)];
		const results = [A, B].map((address) => ({ report: report(address), counterparties }));
		expect(reportsOf({ results })).toEqual([a, b, 'missing_result']);
	});

	it('is known under old names in an entry', () => {
		const results = [A, B, C].map((address) => ({
			now: report(address),
			previous: { ...report(address), chain: 'BSC' },
		}));
		expect(reportsOf({ results })).toEqual([a, b, c]);
	});

	it('is not an old report in a map of reports', () => {
		const map = { r1: report(A), r2: report(B), previous: report(C) };
		expect(reportsOf(map)).toEqual([a, b, 'invalid_response']);
	});

	it('is proposed for nothing that stands under a failure', () => {
		const [, , error] = outcomesOf({ results: [report(A), report(B)], failed: [report(C)] });
		expect((error as ScreeningError).add).toBeUndefined();
	});

	it('is proposed by at most ten names and its own, and by none for what has no name', () => {
		const places = Array.from({ length: 12 }, (_, index) => [`p${index}`, [report(A)]] as const);
		const [many] = outcomesOf(Object.fromEntries(places)) as [ScreeningError];
		expect(many.add!.reports!.length).toBeLessThanOrEqual(11);
		const results = [report(A), report(B)];
		const [, , third] = outcomesOf({ results, [C]: report(C) }) as [0, 0, ScreeningError];
		const [first, second] = outcomesOf({ [A]: report(A), z: [report(B)] }) as ScreeningError[];
		expect([first?.errorClass, second?.errorClass]).toEqual(Array(2).fill('invalid_response'));
		expect([first, second, third].flatMap((one) => one?.add ?? [])).toEqual([]);
	});

	it('lets a job run that only calls the request successful while a report stands elsewhere', () => {
		const body = {
			success: true,
			data: { results: [report(A), report(B)], baseline: [report(C)] },
		};
		expect(createReader().job(body, 200, 'j', {}, [A, B, C]).state).toBe('running');
		expect(createReader().job(body, 200, 'j', {}, [A, B]).state).toBe('complete');
	});

	it('is nowhere if two places hold as many reports, until it is taught', () => {
		const content = { clean: [report(A)], baseline: [report(B)], page: { items: [report(C)] } };
		const [error] = outcomesOf(content) as [ScreeningError];
		expect(reportsOf(content)).toEqual(Array(3).fill('invalid_response'));
		expect(error.add).toEqual({ reports: ['clean', 'baseline', 'items'] });
		expect(error.message).toContain('it stands under "clean"');
		expect(reportsOf(content, error.add)).toEqual([a, b, c]);
		expect(reportsOf(content, { reports: ['clean', 'page.items'] })).toEqual([
			a,
			'invalid_response',
			c,
		]);
	});

	it.each(['earlier', 'previous_reports', 'history', 'priorResults', 'Old', 'screeningHistory'])(
		'is never %s, which no error proposes',
		(name) => {
			const errors = outcomesOf({ results: [], [name]: [report(A), report(B), report(C)] });
			expect(errors.map((one) => (one as ScreeningError).errorClass)).toEqual(
				Array(3).fill('invalid_response'),
			);
			expect((errors[0] as ScreeningError).add).toBeUndefined();
		},
	);
});

describe('the report of a screening', () => {
	const read = (body: object) => createReader().report(body, 200, { address: A });
	const old = { ...report(A, 'red'), report_id: 'old' };

	it('is not an old one beside it', () => {
		expect(read({ report: report(A), history: [old] }).report_id).toBe(a);
		expect(() => read({ report: null, previous: old })).toThrow('no report');
	});

	it('is refused if an object around it says that the screening still runs', () => {
		const body = { status: 'pending', data: { report: report(A) } };
		expect(() => read(body)).toThrow(`no final report: 'status' is "pending"`);
	});

	it('is one, if no name says which of several is old', () => {
		expect(() => read({ report: report(A), baseline: old })).toThrow('several reports that differ');
		const pending = { ...report(A), status: 'pending' };
		expect(() => read({ report: report(A), other: pending })).toThrow('no final report');
	});
});
