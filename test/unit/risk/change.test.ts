import fc from 'fast-check';
import { compare } from '../../../nodes/WalletScreening/risk/change';
import { simplify } from '../../../nodes/WalletScreening/risk/simplify';
import { reportBody } from '../support/answers';

const risk = (given: object = {}, categories: object = {}) => ({
	level: 'green',
	score: 0.2,
	categories: { mixer: 0.1, sanctions: 0, clean_exchange: 1, ...categories },
	...given,
});
const report = (given: object = {}, categories: object = {}, rest: object = {}) =>
	reportBody({ risk: risk(given, categories), ...rest });

/** The kind of the change from one risk to another. */
const kind = (before: object, after: object, scoreChange?: number) =>
	compare({ address: 'a', risk: after }, { address: 'a', risk: before }, scoreChange).kind;

test.each([undefined, null, '', ' \n'])(
	'without an earlier report (%j) it is the first',
	(none) => {
		expect(compare(report(), none)).toEqual({ kind: 'first', fields: [] });
	},
);

test.each([{}, [], 7, true, 'x', '{}', 'null', '{"address":"a"}', { error: 'x', ...report() }])(
	'an earlier value that is no report (%j) makes the change unknown',
	(earlier) => expect(compare(report(), earlier)).toEqual({ kind: 'unknown', fields: [] }),
);

test('whole, simplified and as text of JSON, a report is the same', () => {
	const again = [report(), simplify(report()), JSON.stringify(report())];
	for (const earlier of again) {
		expect(compare(report(), earlier)).toEqual({ kind: 'same', fields: [] });
	}
	const row = { ...simplify(report()), risk_categories: JSON.stringify(risk().categories) };
	expect(compare(report(), row)).toEqual({ kind: 'same', fields: [] });
});

test('letters, white space, balance, transactions and IDs are no change', () => {
	const later = { report_id: 'x', balance: '0 ETH', tx_count: 9, chain: ' eth ' };
	const address = report().address.toUpperCase();
	const now = report({ level: ' GREEN ' }, {}, { ...later, address });
	expect(compare(now, report())).toEqual({ kind: 'same', fields: [] });
});

test('every difference is listed, in order', () => {
	const before = report({ score: 0.2 }, { mixer: 0.1, clean_exchange: 1 });
	const after = report(
		{ level: 'amber', score: 0.4 },
		{ mixer: 0.05, clean_exchange: 2, darknet: 0.5 },
	);
	expect(compare(after, before)).toEqual({
		kind: 'worse',
		fields: [
			{ field: 'level', before: 'green', after: 'amber' },
			{ field: 'score', before: 0.2, after: 0.4 },
			{ field: 'clean_exchange', before: 1, after: 2 },
			{ field: 'darknet', before: null, after: 0.5 },
			{ field: 'mixer', before: 0.1, after: 0.05 },
		],
	});
});

describe('a level', () => {
	test.each([
		['green', 'amber', 'worse'],
		['amber', 'red', 'worse'],
		['red', 'amber', 'worse'],
		['amber', 'AMBER ', 'same'],
		['amber', 'green', 'better'],
		['green', 'Green', 'same'],
		['green', undefined, 'unknown'],
		['green', ' ', 'unknown'],
		['green', 7, 'unknown'],
		[undefined, undefined, 'unknown'],
		[undefined, 'green', 'unknown'],
		[7, 'green', 'unknown'],
		[undefined, 'red', 'worse'],
	])('from %j to %j: %s', (before, after, expected) => {
		expect(kind({ level: before, score: 1 }, { level: after, score: 1 })).toBe(expected);
	});
});

describe('a score', () => {
	test.each([
		[0.2, 0.2, 0, 'same'],
		[0.2, 0.200001, 0, 'worse'],
		[0.2, 0.199999, 0, 'better'],
		[0.2, 0.3, 0.1, 'same'],
		[0.5, 0.8, 0.3, 'same'],
		[0.8, 0.5, 0.3, 'same'],
		[0.5, 0.81, 0.3, 'worse'],
		[0.81, 0.5, 0.3, 'better'],
		[-1, 1, 1, 'worse'],
		[40, 90, 49, 'worse'],
		[0, 0.9, 1, 'same'],
		[undefined, 0.9, 0.5, 'worse'],
		[undefined, 0.4, 0.5, 'unknown'],
		[undefined, 0, 0, 'unknown'],
		[undefined, undefined, 0, 'unknown'],
		[0.9, undefined, 0, 'unknown'],
		[0.9, null, 0, 'unknown'],
		[0.9, '0.9', 0, 'unknown'],
		['0.9', 0.9, 0, 'unknown'],
		[0.9, NaN, 0, 'unknown'],
		[NaN, 0.9, 0, 'unknown'],
		[0.9, Infinity, 0, 'unknown'],
	])('from %j to %j with a change of %d: %s', (before, after, scoreChange, expected) => {
		const one = { level: 'green', score: before };
		expect(kind(one, { level: 'green', score: after }, scoreChange)).toBe(expected);
	});
});

describe('a category', () => {
	test.each([
		[0.2, 0.3, 0, 'worse'],
		[0.3, 0.2, 0, 'better'],
		[0.2, 0.3, 0.1, 'same'],
		[undefined, 0.9, 0.5, 'worse'],
		[undefined, 0.5, 0.5, 'same'],
		[undefined, 0, 0, 'same'],
		[undefined, -1, 0, 'same'],
		[null, 0.9, 0.5, 'worse'],
		[0, undefined, 0, 'unknown'],
		[0.2, null, 0, 'unknown'],
		[0.2, '', 0, 'unknown'],
		[0.2, 'high', 0, 'unknown'],
		['high', 'high', 0, 'unknown'],
		[{}, 0.2, 0, 'unknown'],
		[null, undefined, 0, 'same'],
	])('from %j to %j with a change of %d: %s', (before, after, scoreChange, expected) => {
		const green = { level: 'green', score: 0 };
		const [one, other] = [before, after].map((mixer) => ({ ...green, categories: { mixer } }));
		expect(kind(one ?? {}, other ?? {}, scoreChange)).toBe(expected);
	});

	it.each([
		[1, 0],
		[0, 9],
		[1, undefined],
		[undefined, 1],
		[1, 'x'],
	])('clean_exchange from %j to %j is listed and decides nothing', (before, after) => {
		const change = compare(
			report({}, { clean_exchange: after }),
			report({}, { clean_exchange: before }),
		);
		expect(change).toEqual({
			kind: 'same',
			fields: [{ field: 'clean_exchange', before: before ?? null, after: after ?? null }],
		});
	});

	it('is unknown if the categories are no object', () => {
		const green = { level: 'green', score: 0 };
		for (const odd of ['none', [], 7, ['mixer']]) {
			expect(kind(green, { ...green, categories: odd })).toBe('unknown');
			expect(kind({ ...green, categories: odd }, green)).toBe('unknown');
			expect(kind({ ...green, categories: odd }, { ...green, categories: odd })).toBe('unknown');
		}
		expect(kind(green, green)).toBe('same');
		expect(kind({ ...green, categories: null }, { ...green, categories: {} })).toBe('same');
	});

	it('of another name is one like the others', () => {
		for (const name of ['__proto__', 'constructor', 'level']) {
			const categories = JSON.parse(`{"${name}":0.5}`) as object;
			const after = { level: 'green', score: 0, categories };
			expect(kind({ level: 'green', score: 0 }, after)).toBe('worse');
			expect(kind(after, { level: 'green', score: 0 })).toBe('unknown');
		}
	});
});

test.each([
	[{ address: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B' }, 'address'],
	[{ chain: 'BSC' }, 'chain'],
	[{ chain: undefined }, 'chain'],
	[{ chain: 7 }, 'chain'],
])('a report with %j is of something else, however bad it is', (given, field) => {
	const red = report({ level: 'red', score: 1 }, {}, given);
	const change = compare(red, report());
	expect(change.kind).toBe('unknown');
	expect(change.fields[0]?.field).toBe(field);
	expect(compare(report(), red).kind).toBe('unknown');
});

test('worse comes before unknown, and unknown before better', () => {
	const worseAndUnknown = report({ level: 'red', score: undefined });
	expect(compare(worseAndUnknown, report()).kind).toBe('worse');
	const betterAndUnknown = report({ score: 0.1 }, { mixer: undefined });
	expect(compare(betterAndUnknown, report()).kind).toBe('unknown');
	const betterAndWorse = report({ score: 0.1 }, { mixer: 0.2 });
	expect(compare(betterAndWorse, report()).kind).toBe('worse');
});

test('the comparison is never "same" with a value that is not known', () => {
	const value = fc.oneof(
		fc.constantFrom(0, 0.1, 0.5, 1),
		fc.constantFrom(undefined, null, '', 'x', NaN, {}),
	);
	const level = fc.constantFrom('green', 'Green', 'amber', 'red', undefined, '', 7);
	const anyRisk = fc.record({
		level,
		score: value,
		categories: fc.oneof(
			fc.record({ mixer: value, sanctions: value }),
			fc.constantFrom(undefined, 'x', []),
		),
	});
	const isNumber = (given: unknown) => typeof given === 'number' && Number.isFinite(given);
	const isLevel = (given: unknown) => typeof given === 'string' && given !== '';
	fc.assert(
		fc.property(anyRisk, anyRisk, (before, after) => {
			const { kind: found, fields } = compare(
				{ address: 'a', risk: after },
				{ address: 'a', risk: before },
			);
			if (found !== 'same') return;
			expect(fields.filter(({ before: one, after: two }) => one !== two && one !== null)).toEqual(
				[],
			);
			expect([before.level, after.level].every(isLevel)).toBe(true);
			expect(String(before.level).toLowerCase()).toBe(String(after.level).toLowerCase());
			expect([before.score, after.score].every(isNumber)).toBe(true);
			expect(before.score).toBe(after.score);
			for (const key of ['mixer', 'sanctions']) {
				const [one, two] = [before, after].map(
					({ categories }) => (categories as Record<string, unknown> | undefined)?.[key],
				);
				const isNone = (given: unknown) => given === undefined || given === null || given === '';
				expect([isNone(one) || isNumber(one), isNone(two) || isNumber(two)]).toEqual([true, true]);
				expect(isNone(one) ? (two ?? 0) || 0 : two).toBe(isNone(one) ? 0 : one);
			}
		}),
		{ numRuns: 5_000 },
	);
});
