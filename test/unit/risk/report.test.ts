import {
	asReport,
	askedChainOf,
	reportAt,
	simplify,
	valueAt,
} from '../../../nodes/WalletScreening/risk/report';
import { errorOf, reportBody } from '../support/answers';

const whole = reportBody();
const short = simplify(whole);
const at = `results.${whole.address}`;

const refusal = async (item: object, path = '') =>
	await errorOf(() => reportAt(item as Record<string, unknown>, path));

describe('a report in an item', () => {
	it.each([
		['the item itself', { ...whole }, ''],
		['a field', { report: whole }, 'report'],
		['a nested field', { customer: { last: { report: whole } } }, ' customer.last.report '],
		['a field with a dot in its name', { 'a.b': whole, a: { b: 7 } }, 'a.b'],
		['an entry of a list', { reports: [7, whole] }, 'reports.1'],
		['a text of JSON', { report: ` ${JSON.stringify(whole)}` }, 'report'],
		['a field in a text of JSON', { stored: JSON.stringify({ report: whole }) }, 'stored.report'],
	])('is found as %s', (_, item, path) => {
		expect(reportAt(item, path)).toEqual({ report: whole, fields: whole });
	});

	it.each([
		['a job that runs', { status: 'running', results: [whole] }, 'results.0', "'status'"],
		['a job in a field', { job: { done: false, results: [whole] } }, 'job.results.0', "'done'"],
		[
			'a job around a list',
			{ status: 'running', data: { results: [whole] } },
			'data.results.0',
			'st',
		],
		['a job by address', { done: false, results: { [whole.address]: whole } }, at, "'done'"],
		['an answer', { body: { status: 'processing', report: whole } }, 'body.report', "'status'"],
		['a report that is pending', { report: { ...whole, status: 'pending' } }, 'report', "'status'"],
	])('is refused in %s', async (_, item, path, field) => {
		expect((await refusal(item, path)).message).toContain(field);
	});

	it.each([
		['a complete job', { status: 'completed', results: [whole] }, 'results.0'],
		['a customer who is pending', { customer: { status: 'pending', r: whole } }, 'customer.r'],
		['a payment that is pending', { status: 'pending', report: whole }, 'report'],
		['an item that is pending', { ...whole, status: 'pending' }, ''],
		['what has a state of its own', { report: { ...whole, status: 'Filed' } }, 'report'],
	])('is taken from %s', (_, item, path) => {
		expect(reportAt(item, path).report).toMatchObject(whole);
	});

	it('is whole for a reader of a simplified one', () => {
		const { report, fields } = reportAt({ ...short }, '');
		expect(report).toMatchObject({ address: whole.address, chain: 'ETH', risk: whole.risk });
		expect(fields).toEqual(short);
	});

	it('counts with all its fields; the item itself without those that this node adds', () => {
		const added = { decision: {}, change: {}, alert: {}, evidence: {}, verification: {} };
		const others = { customer: 7, previous: whole };
		const item = { ...whole, ...others, ...added, asked_chain: 'BSC' };
		expect(reportAt(item, '').fields).toEqual({ ...whole, ...others });
		expect(askedChainOf({ asked_chain: 'BSC', r: whole }, 'r')).toBe('BSC');
		expect(reportAt({ r: { ...whole, ...added } }, 'r').fields).toEqual({ ...whole, ...added });
	});

	it('may lack what a decision can do without, or have it as text of JSON', () => {
		expect(asReport({ address: 'a', risk: {} })?.risk).toEqual({});
		expect(asReport({ ...short, risk_level: undefined })?.risk.score).toBe(0.02);
		expect(asReport({ address: 'a', risk: '{"level":"red"}' })?.risk.level).toBe('red');
	});

	it.each([
		[{ ...whole, address: 7 }, "'address' is missing"],
		[{ ...whole, risk: [] }, "'risk' is not an object"],
		[{ ...short, risk: null }, "'risk' is not an object"],
		[{ ...short, risk: '{"level":' }, "'risk' is not an object"],
		[{ address: 'a' }, "neither 'risk' nor"],
		[{ ...short, error: 'x', details: {} }, 'failed: x'],
		[{ ...short, risk_level: 'red', riskLevel: 'green' }, 'two things'],
		[{ ...whole, risk_score: 0.9 }, 'say two things'],
		[{ ...whole, risk: { ...whole.risk, status: 'pending' } }, "'status'"],
		[{ ...whole, risk: { ...whole.risk, flagged: true } }, "'flagged' is true"],
		[{ ...short, risk_categories: { mixer: -1 } }, "'risk.categories.mixer'"],
		[{ ...short, risk_categories: { mixer: 0, incomplete: true } }, "'incomplete'"],
		[{ ...whole, risk_categories: '{}' }, 'say two things'],
	])('is refused in %j', async (item, why) => {
		const { message, errorClass, known } = await refusal(item);
		expect(errorClass).toBe('invalid_input');
		expect(message).toMatch(/^The item contains no report: /);
		expect(message).toContain(why);
		const { address } = item as { address?: unknown };
		expect(known).toEqual(typeof address === 'string' ? { address } : {});
	});

	it.each(['missing', 'toString', 'risk.level.length', 'list'])(
		'is refused at %s by name',
		async (path) => {
			const { message } = await refusal({ ...whole, list: [] }, path);
			expect(message).toContain(`The field '${path}' contains no report: `);
		},
	);

	const late = { error: 'late', report: whole, details: { report: whole } };
	it.each<[object, string]>([
		[late, 'report'],
		[{ ...late, detailsOf: whole }, 'detailsOf'],
		[{ a: { body: late } }, 'a.body.report'],
		[{ body: JSON.stringify(late) }, 'body.report'],
	])('%#: does not count beside an error of what it lies in', async (item, path) => {
		const { message } = await refusal(item, path);
		expect(message).toMatch(/^The item contains no report: .* failed: late/);
	});

	it.each<[object, string]>([
		// What failed has a report only in its details.
		[late, 'details.report'],
		[{ ...late, error: null }, 'report'],
		[{ body: { ...late, error: '' } }, 'body.report'],
		[{ other: late, report: whole }, 'report'],
		[{ report: { ...whole, error: false } }, 'report'],
	])('%#: counts if nothing around it failed', (item, path) => {
		expect(reportAt(item as Record<string, unknown>, path).fields).toMatchObject(whole);
	});
});

test('a value is that of own fields only', () => {
	expect(valueAt({ a: { b: [1, 2] } }, 'a.b.1')).toBe(2);
	for (const path of ['constructor', 'a.constructor', 'a.length', 'a.b.length2', 'a..b']) {
		expect(valueAt({ a: { b: 1 } }, path)).toBeUndefined();
	}
});
