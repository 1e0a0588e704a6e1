import fc from 'fast-check';
import { decide as decideBy } from '../../../nodes/WalletScreening/risk/decision';
import { categories, policyOfJson } from '../../../nodes/WalletScreening/risk/policy';
import type { Report } from '../../../nodes/WalletScreening/service/report';

const reportWith = (risk: Record<string, unknown>): Report => ({
	report_id: 'r',
	address: 'a',
	risk: { level: 'green', score: 0.1, ...risk },
});
type Outcome = 'review' | 'block';
type Operator = 'gte' | 'lte' | 'equals' | 'notEquals';
const level = (operator: Operator, value: string, outcome: Outcome) => ({
	...{ field: 'level', operator, value, outcome },
});
const category = (key: string, operator: Operator, value: number, outcome: Outcome) => ({
	...(categories.includes(key) ? { field: key } : { field: 'other', categoryKey: key }),
	...{ operator, value, outcome },
});
const score = (operator: Operator, value: number, outcome: Outcome) => ({
	...{ field: 'score', operator, value, outcome },
});
const at = new Date('2026-11-21T12:00:00.000Z');
const decide = (report: Report, rules: object[], chain?: string) => {
	const { outcome, reasons } = decideBy(report, policyOfJson(rules), {
		at,
		...(chain !== undefined && { chain }),
	});
	return { outcome, reasons };
};
const notGreen = level('notEquals', 'green', 'review');

test('a report that no rule applies to is allowed, without a reason', () => {
	expect(decide(reportWith({}), [notGreen])).toEqual({ outcome: 'allow', reasons: [] });
});

test('a rule that applies gives its outcome, and says what it saw', () => {
	expect(decide(reportWith({ level: 'red' }), [notGreen])).toEqual({
		outcome: 'review',
		reasons: [
			{
				field: 'level',
				operator: 'notEquals',
				value: 'green',
				actual: 'red',
				outcome: 'review',
			},
		],
	});
});

test.each(['green', 'GREEN', 'Green', ' green '])('the level %j is green', (written) => {
	expect(decide(reportWith({ level: written }), [notGreen]).outcome).toBe('allow');
	expect(decide(reportWith({}), [level('notEquals', written, 'review')]).outcome).toBe('allow');
});

test.each(['amber', 'unknown', 'greenish', 'not green', 'grün'])(
	'a level that nobody knows, like %j, is not green',
	(unknown) => {
		expect(decide(reportWith({ level: unknown }), [notGreen]).outcome).toBe('review');
	},
);

test.each([
	['red', 'block'],
	[' RED ', 'block'],
	['green', 'allow'],
	['reddish', 'allow'],
])('a rule for the level red makes of %j: %s', (written, outcome) => {
	const rules = [level('equals', 'red', 'block')];
	expect(decide(reportWith({ level: written }), rules).outcome).toBe(outcome);
});

test('the worst outcome wins, in whatever order the rules stand, and every reason is given', () => {
	const report = reportWith({ level: 'red', score: 0.9, categories: { sanctions: 1 } });
	const rules = [notGreen, category('sanctions', 'gte', 0.5, 'block'), score('gte', 0.8, 'review')];
	for (const order of [rules, [...rules].reverse()]) {
		const { outcome, reasons } = decide(report, order);
		expect(outcome).toBe('block');
		expect(reasons.map(({ field }) => field)).toEqual(order.map(({ field }) => field));
	}
});

test.each([
	['gte', 0.5, 0.5, true],
	['gte', 0.5, 0.49, false],
	['gte', 0.5, 7, true],
	['lte', 0.5, 0.5, true],
	['lte', 0.5, 0.51, false],
	['lte', 0.5, -1, true],
	['equals', 0.5, 0.5, true],
	['equals', 0.5, 0.51, false],
	['notEquals', 0.5, 0.5, false],
	['notEquals', 0.5, 0.51, true],
	['gte', 0, 0, true],
	['equals', 0, -0, true],
] as const)('%s %d of %d: %s', (operator, value, actual, fires) => {
	const outcome = fires ? 'block' : 'allow';
	expect(decide(reportWith({ score: actual }), [score(operator, value, 'block')]).outcome).toBe(
		outcome,
	);
	const report = reportWith({ categories: { mixer: actual } });
	expect(decide(report, [category('mixer', operator, value, 'block')]).outcome).toBe(outcome);
});

describe('fails closed', () => {
	const rule = category('sanctions', 'gte', 0.5, 'block');

	test.each([
		['no categories', {}, "The report has no 'sanctions'"],
		['categories that are null', { categories: null }, "The report has no 'sanctions'"],
		['categories that are a text', { categories: 'none' }, "The report has no 'sanctions'"],
		['no such category', { categories: { mixer: 1 } }, "The report has no 'sanctions'"],
		[
			'a score that is a text',
			{ categories: { sanctions: '0.9' } },
			"'sanctions' of the report is not a number",
		],
		['null', { categories: { sanctions: null } }, "'sanctions' of the report is not a number"],
		['NaN', { categories: { sanctions: NaN } }, "'sanctions' of the report is not a number"],
		['a boolean', { categories: { sanctions: true } }, "'sanctions' of the report is not a number"],
	])('with %s a rule about a category asks for a review', (_, risk, problem) => {
		expect(decide(reportWith(risk), [rule])).toEqual({
			outcome: 'review',
			reasons: [
				{
					field: 'sanctions',
					operator: 'gte',
					value: 0.5,
					actual: null,
					outcome: 'review',
					problem,
				},
			],
		});
	});

	test.each(['constructor', 'toString', '__proto__'])(
		'a category named %s is not found if the report does not have it',
		(key) => {
			const report = reportWith({ categories: {} });
			expect(decide(report, [category(key, 'lte', 1, 'review')]).reasons[0]?.actual).toBeNull();
		},
	);

	test('a blank level counts as missing', () => {
		const rules = [level('equals', 'red', 'block')];
		expect(decide(reportWith({ level: ' ' }), rules)).toMatchObject({
			outcome: 'review',
			reasons: [{ actual: null, problem: "The report has no 'level'" }],
		});
	});

	test('whatever the report holds, it is allowed only if every rule could be checked and none applied', () => {
		const anyRule = fc.oneof(
			fc.constant(notGreen),
			fc
				.record({
					key: fc.constantFrom('sanctions', 'mixer', 'toString'),
					operator: fc.constantFrom('gte' as const, 'lte' as const),
					value: fc.double({ noNaN: true, noDefaultInfinity: true }),
					outcome: fc.constantFrom('review' as const, 'block' as const),
				})
				.map(({ key, operator, value, outcome }) => category(key, operator, value, outcome)),
		);
		const risk = fc.record({
			level: fc.constantFrom('green', 'Green', 'red', '', 'x'),
			categories: fc.oneof(
				fc.anything(),
				fc.dictionary(fc.constantFrom('sanctions', 'mixer'), fc.oneof(fc.double(), fc.anything())),
			),
		});
		fc.assert(
			fc.property(risk, fc.array(anyRule, { minLength: 1 }), (given, rules) => {
				const { outcome, reasons } = decide(reportWith(given), rules);
				const all = given.categories as Record<string, unknown> | null | undefined;
				const clear = rules.every((rule) => {
					const { value } = rule;
					if (typeof value === 'string') return given.level.toLowerCase() === 'green';
					const key = 'categoryKey' in rule ? rule.categoryKey : rule.field;
					const own = Object.getOwnPropertyDescriptor(Object(all), key)?.value as unknown;
					if (typeof all !== 'object' || !Number.isFinite(own)) return false;
					return rule.operator === 'gte' ? (own as number) < value : (own as number) > value;
				});
				expect(outcome === 'allow').toBe(clear);
				expect(reasons.length === 0).toBe(clear);
			}),
			{ numRuns: 2000 },
		);
	});
});

describe('the chain that was asked for', () => {
	const report = { ...reportWith({}), chain: 'ETH' };

	it('is that of the report in any case of letters, or none', () => {
		const chain = report.chain.toLowerCase();
		for (const asked of [chain, ` ${chain.toUpperCase()} `, '', '  ', undefined])
			expect(decide(report, [notGreen], asked)).toEqual({ outcome: 'allow', reasons: [] });
	});

	it('is a reason to review if the report is of another one, or does not say', () => {
		for (const actual of ['BSC', undefined, 7]) {
			const { outcome, reasons } = decide({ ...report, chain: actual }, [notGreen], 'TRX');
			expect(outcome).toBe('review');
			expect(reasons).toEqual([
				{
					field: 'chain',
					operator: 'equals',
					value: 'TRX',
					actual: actual === 'BSC' ? 'BSC' : null,
					outcome: 'review',
					problem: expect.stringContaining('TRX was asked for') as string,
				},
			]);
		}
	});

	it('does not make a block less', () => {
		const red = reportWith({ level: 'red' });
		const { outcome, reasons } = decide(red, [level('equals', 'red', 'block')], 'TRX');
		expect(outcome).toBe('block');
		expect(reasons).toHaveLength(2);
	});
});

describe('the summary', () => {
	const summary = (report: Report, rules: object[]) =>
		decideBy(report, policyOfJson(rules), { at }).summary;

	it('says the reasons, the worst first, and counts those beyond the third', () => {
		const report = reportWith({ level: 'red', score: 0.9, categories: { mixer: 0.4, scam: 0.2 } });
		const rules = [
			notGreen,
			score('gte', 0.8, 'review'),
			category('scam', 'lte', 0.3, 'block'),
			category('mixer', 'equals', 0.4, 'block'),
		];
		expect(summary(report, rules)).toBe(
			'Block: scam is 0.2 (0.3 or less means block); mixer is 0.4 (0.4 means block); ' +
				'level is red (anything but green means review); and 1 more',
		);
		expect(summary(report, rules.slice(1))).toBe(
			'Block: scam is 0.2 (0.3 or less means block); mixer is 0.4 (0.4 means block); ' +
				'score is 0.9 (0.8 or more means review)',
		);
	});

	it.each([
		['clean_exchange', 'clean exchange'],
		['peer_2_peer', 'peer 2 peer'],
		['Mixed_Case', 'Mixed_Case'],
		['_edge', '_edge'],
		['two__in_a_row', 'two__in_a_row'],
	])('writes the key %s in words as %s', (key, words) => {
		const report = reportWith({ categories: { [key]: 0.5 } });
		expect(summary(report, [category(key, 'gte', 0.5, 'block')])).toBe(
			`Block: ${words} is 0.5 (0.5 or more means block)`,
		);
	});

	it('is one line without markup, however hostile the report', () => {
		const hostile = '<!channel>\n\u202e'.repeat(1_000);
		const rules = ['a', 'b', 'c'].map((value) => level('notEquals', value.repeat(500), 'block'));
		const line = summary(reportWith({ level: hostile }), rules);
		expect(line).toMatch(/^Block: level is ‹!channel›/);
		expect(line).not.toMatch(/[<>\n\u202e]/);
		expect(line.length).toBeLessThanOrEqual(400);
	});
});

test.each([
	[undefined, "The report has no 'level'"],
	['', "The report has no 'level'"],
	[' ', "The report has no 'level'"],
	[null, "'level' of the report is not a text"],
	[7, "'level' of the report is not a text"],
])('of the level %j it says: %s', (given, problem) => {
	const report = { address: 'a', risk: { level: given } };
	expect(decideBy(report, policyOfJson([notGreen]), { at }).reasons).toEqual([
		{ ...notGreen, actual: null, problem },
	]);
});

test.each([
	['BSC', 'The report is of the chain BSC, and TRX was asked for'],
	[undefined, 'The report is of no named chain, and TRX was asked for'],
])('of the chain %j it says: %s', (chain, problem) => {
	const { reasons } = decide({ ...reportWith({}), chain }, [notGreen], 'TRX');
	expect(reasons[0]?.problem).toBe(problem);
});
