import { compareReports } from '../../../nodes/WalletScreening/policy/change';
import { parseReport } from '../../../nodes/WalletScreening/answers/report';
import { reportBody } from '../../support/unit/reports';

const report = (given: object = {}, categories: object = {}, rest: object = {}) =>
	reportBody({
		risk: {
			level: 'green',
			score: 0.2,
			...given,
			categories: { mixer: 0.1, sanctions: 0, clean_exchange: 1, ...categories },
		},
		...rest,
	});
const compare = (earlier: unknown, current: object, scoreChange = 0) =>
	compareReports(parseReport(earlier), current as never, scoreChange);
const kindOf = (before: object, after: object, scoreChange?: number) =>
	compare({ address: 'a', risk: before }, { address: 'a', risk: after }, scoreChange).kind;

const withList = { address: 'a', risk: { categories: [] } };
test('a change without an earlier value is the first, and after a value that is no report it is unknown', () => {
	expect(compareReports(undefined, report() as never, 0)).toEqual({ kind: 'first', fields: [] });
	for (const earlier of [[], 7, 'x', '{"address":"a"}', { risk: {} }, withList])
		expect(compare(earlier, report())).toEqual({ kind: 'unknown', fields: [] });
});

test('a report is the same as an object and as JSON text, in any letters and with any white space', () => {
	const later = { report_id: 'x', balance: '0 ETH', tx_count: 9, chain: ' eth ' };
	const address = report().address.toUpperCase();
	const now = report({ level: ' GREEN ' }, {}, { ...later, address });
	for (const earlier of [report(), JSON.stringify(report())]) {
		expect(compare(earlier, now)).toEqual({ kind: 'same', fields: [] });
	}
});

test('every difference is listed in order, also one that decides nothing', () => {
	const before = report({}, { odd: {}, scam: 0 });
	const after = report(
		{ level: 'amber', score: 0.4 },
		{ mixer: 0.05, clean_exchange: 2, darknet: 0.5, odd: {}, scam: null },
	);
	const { kind, fields } = compare(before, after, 0.1);
	expect(kind).toBe('worse');
	expect(fields.map((one) => [one.field, one.before, one.after])).toEqual([
		['level', 'green', 'amber'],
		['score', 0.2, 0.4],
		['clean_exchange', 1, 2],
		['darknet', null, 0.5],
		['mixer', 0.1, 0.05],
		['odd', {}, {}],
		['scam', 0, null],
	]);
});

test.each([
	['green', 'amber', 'worse', 'only green gives no cause for concern'],
	['red', 'amber', 'worse', 'nothing tells which of two levels beside green is worse'],
	['amber', 'AMBER ', 'same', 'case and white space do not count'],
	['amber', 'green', 'better', 'a level became green'],
	['green', ' ', 'unknown', 'the later level is missing'],
	[undefined, 'green', 'unknown', 'the earlier level is missing'],
	[undefined, 'red', 'worse', 'a level that is not green is worse than any'],
])('a level that goes from %j to %j is %s, because %s', (level, after, kind, _because) => {
	expect(kindOf({ level, score: 1 }, { level: after, score: 1 })).toBe(kind);
});

// Each row has two values, the smallest change, the kind for a score and for a category, and why.
test.each([
	[0.2, 0.200001, 0, 'worse', 'worse', 'it rose'],
	[0.2, 0.199999, 0, 'better', 'better', 'it fell'],
	[0.5, 0.8, 0.3, 'same', 'same', 'it rose by no more than the smallest change'],
	[0.8, 0.5, 0.3, 'same', 'same', 'it fell by no more than the smallest change, in decimals'],
	[undefined, 0.9, 0.5, 'worse', 'worse', 'a new value counts from 0'],
	[
		undefined,
		0.5,
		0.5,
		'unknown',
		'same',
		'a new category is listed, and of a score nothing is known',
	],
	[undefined, null, 0, 'unknown', 'same', 'a score has to be there, and a category need not be'],
	[0.9, undefined, 0, 'unknown', 'unknown', 'the later value is missing'],
	[0.9, '0.9', 0, 'unknown', 'unknown', 'the later value is a text'],
	['0.9', 0.9, 0, 'unknown', 'unknown', 'the earlier value is a text'],
])(
	'from %j to %j by over %d a score is %s and a category %s, because %s',
	(before, after, by, score, category, _because) => {
		const level = 'green';
		expect(kindOf({ level, score: before }, { level, score: after }, by)).toBe(score);
		for (const key of ['mixer', '__proto__', 'constructor', 'level']) {
			const risk = (value: unknown) => ({
				level,
				score: 0,
				categories: Object.fromEntries([[key, value]]) as object,
			});
			expect(kindOf(risk(before), risk(after), by)).toBe(category);
		}
	},
);

test.each([
	[1, 0],
	[undefined, 1],
	[1, 'x'],
])('a good sign that goes from %j to %j is listed and decides nothing', (before, after) => {
	const [was, is] = [before, after].map((clean_exchange) => report({}, { clean_exchange }));
	expect(compare(was, is!)).toEqual({
		kind: 'same',
		fields: [{ field: 'clean_exchange', before: before ?? null, after: after ?? null }],
	});
});

test.each([
	[{ address: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B' }, 'address'],
	[{ chain: 'BSC' }, 'chain'],
	[{ chain: undefined }, 'chain'],
])(
	'a report with %j is about something else, so that nothing is known of a change, however bad it is',
	(given, field) => {
		const red = report({ level: 'red', score: 1 }, {}, given);
		for (const change of [compare(report(), red), compare(red, report())]) {
			expect(change.kind).toBe('unknown');
			expect(change.fields[0]?.field).toBe(field);
		}
	},
);

test('worse comes before unknown, and unknown before better', () => {
	expect(compare(report(), report({ level: 'red', score: undefined })).kind).toBe('worse');
	expect(compare(report(), report({ score: 0.1 }, { mixer: undefined })).kind).toBe('unknown');
	expect(compare(report(), report({ score: 0.1 }, { mixer: 0.2 })).kind).toBe('worse');
});
