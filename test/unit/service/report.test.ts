import { parseJson } from '../../../nodes/WalletScreening/service/json';
import { errorOf, reportBody } from '../support/answers';

// The host brings zod 3 or zod 4; the part of its API that both share has to do.
describe.each(['zod', 'zod4'])('with %s', (version) => {
	let reader: typeof import('../../../nodes/WalletScreening/service/report');

	beforeAll(() => {
		jest.resetModules();
		jest.doMock('zod', () => jest.requireActual<object>(version));
		reader = require('../../../nodes/WalletScreening/service/report') as typeof reader;
	});
	afterAll(() => jest.dontMock('zod'));

	const parse = (body: unknown) => reader.parseReport(body, 200);
	const refusal = async (body: unknown) => {
		try {
			parse(body);
		} catch (error) {
			return error as { errorClass: string; message: string; httpCode: number };
		}
		throw new Error('It was expected to throw');
	};
	const withRisk = (risk: object) => reportBody({ risk: { ...reportBody().risk, ...risk } });

	test('a report is taken as it came', () => expect(parse(reportBody())).toEqual(reportBody()));

	test.each(['report', 'data', 'result'])('a report in the envelope %j is taken out', (key) =>
		expect(parse({ ok: true, [key]: reportBody() })).toEqual(reportBody()),
	);

	test('a bare report counts before one that it holds', () => {
		const outer = reportBody({ report: reportBody({ report_id: 'inner' }) });
		expect(parse(outer)).toEqual(outer);
	});

	test('unknown fields are kept, on every level', () => {
		const body = reportBody({
			custom: { deep: [1, { a: null }] },
			risk: { ...reportBody().risk, model: 'v2', categories: { sanctions: 0, new_one: 0.3 } },
		});
		expect(parse(structuredClone(body))).toEqual(body);
	});

	test('a report needs no more than what a decision rests on', () => {
		const least = { report_id: 'r', address: 'a', risk: { level: 'green', score: 0 } };
		expect(parse(least)).toEqual(least);
		// A paid report is not thrown away for a field that is not needed.
		const odd = { ...least, balance: null, tx_count: 'many', report_url: 5, chain: [] };
		expect(parse(odd)).toEqual(odd);
	});

	test.each([0, -0, 1, 0.5, -1, 100, 1e-300, Number.MAX_VALUE])('a score of %p is taken', (score) =>
		expect(parse(withRisk({ score })).risk.score).toBe(score),
	);

	test.each([
		undefined,
		null,
		'0.5',
		'',
		'NaN',
		NaN,
		Infinity,
		-Infinity,
		true,
		[],
		[0.5],
		{},
		{ value: 0.5 },
		10n,
	])('a score of %p is not', async (score) =>
		expect(await refusal(withRisk({ score }))).toMatchObject({
			errorClass: 'invalid_response',
			httpCode: 200,
			message: expect.stringContaining('risk.score') as string,
		}),
	);

	test.each([undefined, null, '', 0, true, ['green'], {}])('a level of %p is not', async (level) =>
		expect(await refusal(withRisk({ level }))).toMatchObject({
			errorClass: 'invalid_response',
			message: expect.stringContaining('risk.level') as string,
		}),
	);

	test.each(['report_id', 'address', 'risk'])('%s has to be there', async (field) => {
		for (const value of [undefined, null, '', 5, []]) {
			expect(await refusal(reportBody({ [field]: value }))).toMatchObject({
				errorClass: 'invalid_response',
				message: expect.stringContaining(`'${field}`) as string,
			});
		}
	});

	test.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['a text', 'report'],
		['a number', 5],
		['a boolean', true],
		['a list', [reportBody()]],
		['an empty object', {}],
		['an empty envelope', { data: null }],
		['a list in an envelope', { data: [reportBody()] }],
		['four envelopes', { data: { data: { data: { report: reportBody() } } } }],
		['an unknown envelope', { answer: reportBody() }],
		['an answer about an address that is not a report', { address: 'a', error: 'unknown' }],
	])('%s is not a report', async (_what, body) =>
		expect((await refusal(body)).errorClass).toBe('invalid_response'),
	);

	test('names of the language itself do not stand for fields, and change no prototype', async () => {
		const text = `{"__proto__": ${JSON.stringify(reportBody())}}`;
		expect((await refusal(JSON.parse(text))).errorClass).toBe('invalid_response');
		const inherited = Object.create(reportBody()) as object;
		expect(Object.keys(inherited)).toEqual([]);

		const hostile = JSON.stringify(reportBody()).replace(
			/^\{/,
			'{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "toString": 1,',
		);
		const report = parse(JSON.parse(hostile)) as unknown as Record<string, unknown>;
		expect(Object.getPrototypeOf(report)).toBe(Object.prototype);
		expect(report.polluted).toBeUndefined();
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		expect(report).toMatchObject(reportBody());
	});

	test('a body is parsed as JSON', () => {
		const read = (text: string) => parseJson(Buffer.from(text), 200);
		expect(read('{"a":[1,"é"]}')).toEqual({ a: [1, 'é'] });
		expect(read(' null\n')).toBeNull();
	});

	test.each(['', ' ', '<html>', '{', '{"a":NaN}', "{'a':1}", '{"a":1,}', '{} {}', '\u0000'])(
		'a body %j is not JSON',
		async (text) => {
			const error = await errorLike(() => parseJson(Buffer.from(text), 203));
			expect(error).toMatchObject({ errorClass: 'invalid_response', httpCode: 203 });
		},
	);
});

/** As `errorOf`, for an error whose class comes from another copy of the module. */
async function errorLike(work: () => unknown): Promise<unknown> {
	try {
		await work();
	} catch (error) {
		return error;
	}
	return await errorOf(work);
}

describe('a report that nobody made', () => {
	const { parseReport } = jest.requireActual<
		typeof import('../../../nodes/WalletScreening/service/report')
	>('../../../nodes/WalletScreening/service/report');
	const withRisk = (more: object) => reportBody({ risk: { ...reportBody().risk, ...more } });

	test.each<[string, unknown]>([
		['beside a pending request', { meta: { status: 'pending' }, data: reportBody() }],
		['beside the code of a failure', { meta: { code: 500 }, data: reportBody() }],
		['beside a failure', { header: { success: false }, body: reportBody() }],
		['skipped', reportBody({ result: 'skipped' })],
		['not supported', reportBody({ outcome: 'not_supported' })],
		['a placeholder', reportBody({ type: 'placeholder' })],
		['without the sanctions', reportBody({ failed_checks: ['sanctions'] })],
		['without a source', reportBody({ unavailable_sources: ['list'] })],
		['not computed', reportBody({ computed: false })],
		['degraded', reportBody({ degraded: true })],
		['of incomplete data', reportBody({ data_quality: 'incomplete' })],
		['whose risk is unavailable', withRisk({ status: 'unavailable' })],
		['whose risk lacks data', withRisk({ status: 'insufficient_data' })],
		['whose risk is not calculated', withRisk({ calculated: false })],
		['whose risk waits for a category', withRisk({ pending: ['sanctions'] })],
	])('is refused: %s', async (_what, body) => {
		expect(await errorOf(async () => parseReport(body, 200))).toMatchObject({
			errorClass: 'invalid_response',
		});
	});

	test.each<[string, Record<string, unknown>]>([
		['assessed', { status: 'assessed' }],
		['generated', { status: 'generated' }],
		['all checks done', { failed_checks: [], missing_data: null, computed: true }],
		['an unknown kind of wallet', { type: 'unknown', kind: 'wallet', result: 'clear' }],
	])('is not meant by %s', (_what, more) =>
		expect(parseReport(reportBody(more), 200)).toEqual(reportBody(more)),
	);

	test('names its ID, under which it can be fetched when it is made', async () => {
		const body = { data: { report_id: 'r-7', status: 'queued' } };
		const { known } = await errorOf(async () => parseReport(body, 202));
		expect(known).toMatchObject({ report_id: 'r-7', body: JSON.stringify(body) });
	});
});
