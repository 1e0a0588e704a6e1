import fc from 'fast-check';
import { classicAddressToXAddress } from 'ripple-address-codec';
import { decide as decideBy } from '../../../nodes/WalletScreening/policy/decision';
import { readPolicy } from '../../../nodes/WalletScreening/policy/policy';
import type { Report } from '../../../nodes/WalletScreening/answers/report';
import { ethereum as address } from '../../support/data/knownAddresses';
import { seed } from '../../support/data/random';

/*
 * `pages.test.ts` holds the examples of the page on decision rules; here are the edges of each
 * rule.
 */

const at = new Date('2026-11-21T12:00:00.000Z');
const report = (risk: object = {}, rest: object = {}) => ({
	report_id: 'r',
	address,
	chain: 'ETH',
	tx_count: 7,
	risk: { level: 'green', score: 0.1, categories: {}, ...risk },
	...rest,
});
const rule = (field: unknown, operator: string, value: unknown, outcome = 'block', rest = {}) => ({
	field,
	operator,
	value,
	outcome,
	...rest,
});
const notGreen = rule('level', 'notEquals', 'green', 'review');
const decide = (given: object, policy: unknown, circumstances = {}) =>
	decideBy(given as Report, readPolicy(policy), { at, ...circumstances });
const outcomeOf = (...given: Parameters<typeof decide>) => decide(...given).outcome;

// Each row has a condition, values for which it holds, values for which it does not, and what it is
// an example of.
test.each<[string, unknown, unknown, unknown[], unknown[], string]>([
	['gte', 'score', 0.5, [0.5, 1], [0.4999999999999, -1, 0], 'the limit belongs to it'],
	['lte', 'score', 0.5, [0.5, -1, 0], [0.5000000000001, 1], 'the limit belongs to it'],
	['equals', 'score', 0.3, [0.3], [0.1 + 0.2, 0], 'numbers are compared to the last digit'],
	['notEquals', 'score', 0.3, [0.1 + 0.2], [0.3], 'numbers are compared to the last digit'],
	['equals', 'level', 'Red ', ['red', ' RED\t'], ['reddish', 'green'], 'case does not count'],
	['notEquals', 'level', 'red', ['green', 'réd'], ['Red'], 'accents count'],
	['gte', 'tx_count', 3, [3], [2], 'the number of transactions is no part of the risk'],
	['lte', 'sanctions', 0, [0], [0.1], 'a category may have to be 0'],
	['gte', 'clean_exchange', 1.5, [1.7], [1], 'the good sign is a category, too'],
	['equals', { input: 'customer.country' }, 'KP', ['kp', 'KP'], ['US'], 'an item holds texts'],
	['gte', { input: 'customer.country' }, 5, [5, 7.5], [4], 'an item holds numbers'],
])(
	'%s on %j against %j holds for %j and not for %j: %s',
	(operator, field, value, firing, others) => {
		const policy = { otherwise: 'allow', rules: [rule(field, operator, value)] };
		const holding = (actual: unknown): [object, object] => {
			if (typeof field === 'object')
				return [report(), { input: { customer: { country: actual } } }];
			const categories = { [String(field)]: actual };
			const inRisk = field === 'level' || field === 'score';
			return [report(inRisk ? categories : { categories }, { tx_count: actual }), {}];
		};
		for (const actual of firing) {
			const [given, circumstances] = holding(actual);
			const { outcome, reasons } = decide(given, policy, circumstances);
			expect({ actual, outcome }).toEqual({ actual, outcome: 'block' });
			expect(reasons).toEqual([
				{
					field,
					operator,
					value: typeof value === 'string' ? value.trim() : value,
					actual,
					outcome,
				},
			]);
		}
		for (const actual of others) {
			const [given, circumstances] = holding(actual);
			expect(decide(given, policy, circumstances)).toMatchObject({ outcome: 'allow', reasons: [] });
		}
	},
);

test.each(['\u200b', '\u00ad', '\u2060', '\ufeff', '\u00a0\t'])(
	'what copy and paste leave around a text changes no decision, neither in the policy nor in the item: %j',
	(left) => {
		const around = (text: string) => left + text + left;
		for (const [operator, country, outcome] of [
			['equals', 'KP', 'block'],
			['equals', 'US', 'allow'],
			['notEquals', 'KP', 'allow'],
			['notEquals', 'US', 'block'],
			['equals', '', 'review'],
			['notEquals', '', 'review'],
		] as const) {
			const decided = ['KP', around('KP')].flatMap((value) =>
				[country, around(country)].map((given) =>
					decide(report(), [rule({ input: 'country' }, operator, value)], {
						input: { country: given },
					}),
				),
			);
			expect(decided[0]!.outcome).toBe(outcome);
			for (const one of decided) expect(one).toEqual(decided[0]);
		}
	},
);

test('a category of any name is looked up in the categories, and nowhere else', () => {
	for (const categoryKey of ['score', 'level', 'toString', '__proto__', 'gambling']) {
		const policy = [rule('other', 'gte', 0.5, 'block', { categoryKey })];
		const { reasons } = decide(report({ score: 0.9 }), policy);
		expect(reasons).toMatchObject([{ field: categoryKey, actual: null, outcome: 'review' }]);
		const categories = Object.fromEntries([[categoryKey, 0.5]]);
		expect(outcomeOf(report({ categories }), policy)).toBe('block');
	}
});

test('a rule with several conditions fires if all of them hold, and asks for a review if one cannot be checked', () => {
	const all = [
		{ field: 'score', operator: 'gte', value: 0.5 },
		{ field: { input: 'amount' }, operator: 'gte', value: 1000 },
	];
	const by = (score: unknown, amount: unknown) =>
		decide(report({ score }), { rules: [{ all, outcome: 'block' }] }, { input: { amount } });
	const compared = (score: unknown, amount: unknown) => [
		{ ...all[0], actual: score },
		{ ...all[1], actual: amount },
	];
	expect(by(0.5, 1000).reasons).toEqual([{ all: compared(0.5, 1000), outcome: 'block' }]);
	expect([by(0.4, 1000).outcome, by(0.5, 999).outcome]).toEqual(['allow', 'allow']);
	const problem = "'amount' of the input item is not a number";
	expect(by(0.4, '1000').reasons).toEqual([
		{ all: compared(0.4, null), outcome: 'review', problem },
	]);
	const single = { all: [all[0]], outcome: 'block' };
	expect(decide(report({ score: 1 }), [single]).reasons).toEqual([
		{ ...all[0], actual: 1, outcome: 'block' },
	]);
});

describe('a report that nothing stops', () => {
	const harmless = [rule('score', 'gte', 2)];

	it('is allowed if its level is green, and goes to review if it is any other text, or none', () => {
		expect(outcomeOf(report({ level: ' GREEN\t' }), harmless)).toBe('allow');
		const because = { ...notGreen, otherwise: true };
		const problem = expect.stringContaining("'level'") as string;
		for (const level of ['greenish', 'not green', 'gr\u200been', 'ɢreen', 'g', undefined, 7, ' ']) {
			const isText = typeof level === 'string' && level !== ' ';
			const reason = isText ? { actual: level } : { actual: null, problem };
			const found = { outcome: 'review', reasons: [{ ...because, ...reason }] };
			expect(decide(report({ level }), harmless)).toMatchObject(found);
		}
	});

	it.each([
		['allowGreen', 'review', 'allow', 'level is red (only green is allowed)'],
		['allow', 'allow', 'allow', 'no rule applies'],
		['review', 'review', 'review', 'no rule stops it, which means review'],
	])('goes by otherwise %s to %s if red and to %s if green: %s', (otherwise, red, green, why) => {
		const policy = { otherwise, rules: harmless };
		const found = decide(report({ level: 'red' }), policy);
		expect(found.outcome).toBe(red);
		expect(found.summary.toLowerCase()).toBe(`${red}: ${why}`);
		expect(outcomeOf(report(), policy)).toBe(green);
		expect(decide(report({ score: 2 }), policy).reasons).toHaveLength(1);
	});
});

test.each([
	[rule('score', 'gte', 0.5), { score: null }, "the report has no 'score'"],
	[rule('score', 'gte', 0.5), { score: '0.9' }, "'score' of the report is not a number"],
	[rule('sanctions', 'gte', 0.5), { categories: {} }, "the report has no 'sanctions'"],
	[rule({ input: 'amount' }, 'gte', 0.5), {}, "the input item has no 'amount'"],
	[rule({ input: 'odd' }, 'gte', 0.5), {}, "'odd' of the input item is not a number"],
	[rule({ input: 'even' }, 'equals', 'KP'), {}, "'even' of the input item is not a text"],
])('a rule that cannot be checked asks for a review: %j on %j', (unchecked, risk, problem) => {
	const policy = { otherwise: 'allow', rules: [unchecked] };
	expect(decide(report(risk), policy, { input: { odd: '5', even: 6 } })).toEqual({
		outcome: 'review',
		reasons: [{ ...unchecked, outcome: 'review', actual: null, problem }],
		summary: `Review: ${problem}: review`,
	});
});

describe('a list', () => {
	const other = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
	const by = (rest: object, given: object = report(), time: string | number = +at) => {
		const list = { name: 'Partners', outcome: 'block', addresses: [other], ...rest };
		return decide(given, { lists: [list] }, { at: new Date(time) });
	};

	it('fires for an address on it, in any spelling, also if it is old', () => {
		const hit = [{ list: 'Partners', outcome: 'block' }];
		for (const addresses of [
			[other, address],
			[address.toLowerCase()],
			[`did:pkh:eip155:1:${address}`],
		])
			expect(by({ addresses }).reasons).toEqual(hit);
		const old = { addresses: [address], as_of: '2020-01-01', max_age_days: 1 };
		expect(by(old)).toMatchObject({ outcome: 'block', reasons: hit });
		expect(by({}).outcome).toBe('allow');
	});

	const limit = { as_of: '2026-11-14', max_age_days: 7 };
	const future = "the list 'Partners' has a date in the future";
	const noAge = "the age of the list 'Partners' is unknown";
	const tooOld = (days: string) => `the list 'Partners' is older than ${days}`;
	const oneDay = { ...limit, max_age_days: 1 };
	it.each<[object, string | number, string, string]>([
		[{ addresses: [] }, +at, "the list 'Partners' is empty", 'an empty list knows nothing'],
		[limit, '2026-11-21T00:00:00.000Z', '', 'it is as old as it may be'],
		[limit, '2026-11-21T00:00:00.001Z', tooOld('7 days'), 'it is a millisecond too old'],
		[oneDay, '2026-11-16T00:00:00Z', tooOld('1 day'), 'the word for one day is singular'],
		[{ as_of: '2020-01-01' }, +at, '', 'without a limit it does not grow old'],
		[{ as_of: '2026-11-22T12:00:00Z' }, +at, '', 'the day may have begun elsewhere'],
		[{ as_of: '2026-11-22T12:00:00.001Z' }, +at, future, 'no day has begun so early'],
		[limit, NaN, noAge, 'the decision has no time to compare it with'],
	])('with %j at %s has the problem "%s", because %s', (rest, time, problem, _because) => {
		const reasons = problem ? [{ list: 'Partners', outcome: 'review', problem }] : [];
		expect(by(rest, report(), time).reasons).toEqual(reasons);
	});
});

test.each([
	['BSC', 'is of the chain BSC'],
	[undefined, 'names no chain'],
])('a report of the chain %j asks for a review if another was asked for', (chain, words) => {
	const { reasons } = decide(report({}, { chain }), [notGreen], { askedChain: 'TRX' });
	const problem = `the report ${words}, and TRX was asked for`;
	expect(reasons).toEqual([
		{ ...rule('chain', 'equals', 'TRX', 'review'), actual: chain ?? null, problem },
	]);
});

describe('an exception', () => {
	const legacy = '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu';
	const cashAddr = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
	const waived_by = { until: '2026-11-21', reason: 'Known customer', approved_by: 'MLRO' };
	const { until, reason, approved_by: approvedBy } = waived_by;
	const exception = (rest: object = {}) => ({ address, until, reason, approvedBy, ...rest });
	const waivable = rule('score', 'gte', 0.5, 'block', { mayBeWaived: true });
	const by = (exceptions: object[], given: object = report({ score: 0.9 }), circumstances = {}) =>
		decide(given, { rules: [waivable], exceptions }, circumstances);

	it('waives rules that may be waived, for its address, up to the end of its day', () => {
		const why = 'score is 0.9 (0.5 or more means block)';
		expect(by([exception()])).toEqual({
			outcome: 'allow',
			reasons: [{ ...rule('score', 'gte', 0.5), actual: 0.9, waived_by }],
			summary: `Allow: waived until 2026-11-21 by MLRO (Known customer): ${why}`,
		});
		const spelled = exception({ address: address.toLowerCase(), chain: ' eth' });
		expect(by([spelled]).outcome).toBe('allow');
		const end = (time: string) => by([exception()], undefined, { at: new Date(time) }).outcome;
		expect(end('2026-11-21T23:59:59.999Z')).toBe('allow');
		expect(end('2026-11-22T00:00:00.000Z')).toBe('block');
		const over = exception({ until: '2026-11-20' });
		expect(by([over, exception({ approvedBy: 'Second' })]).reasons).toMatchObject([
			{ waived_by: { approved_by: 'Second' } },
		]);
		const strict = { rules: [rule('score', 'gte', 0.5)], exceptions: [exception()] };
		expect(outcomeOf(report({ score: 0.9 }), strict)).toBe('block');
	});

	it.each<[string, object, object, string]>([
		['at no time', {}, { at: new Date(NaN) }, 'block'],
		['of another address', { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }, {}, 'block'],
		['that could not be checked', { risk: { level: 'green', score: '0.9' } }, {}, 'review'],
		['of another chain than asked for', {}, { askedChain: 'TRX' }, 'review'],
		['on another chain than its own', { chain: 'BTC' }, {}, 'block'],
		['of a report without a chain', { chain: undefined }, {}, 'block'],
	])('waives nothing %s', (_what, rest, circumstances, outcome) => {
		const given = report({ score: 0.9 }, rest);
		expect(by([exception({ chain: 'ETH' })], given, circumstances).outcome).toBe(outcome);
	});

	const exchange = 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59';
	const customer = (tag: number) => classicAddressToXAddress(exchange, tag, false);
	const xrp = { chain: 'XRP' };

	it.each<[because: string, exception: object, report: object, outcome: string]>([
		[
			'a tag is one customer',
			{ address: customer(7), ...xrp },
			{ address: exchange, ...xrp },
			'block',
		],
		['it is another customer', { address: customer(7) }, { address: customer(8) }, 'block'],
		['it is the same customer', { address: customer(7) }, { address: customer(7) }, 'allow'],
		['no tag is the whole account', { address: exchange }, { address: customer(7) }, 'allow'],
		['CashAddr is only of Bitcoin Cash', { address: cashAddr }, { address: legacy }, 'block'],
		['each has one spelling', { address: cashAddr }, { address: cashAddr }, 'allow'],
		['the legacy form names no chain', { address: legacy }, { address: cashAddr }, 'allow'],
		[
			'its chain is that of the report',
			{ address: cashAddr, chain: 'BCH' },
			{ address: legacy, chain: 'BCH' },
			'allow',
		],
	])('%s: one for %j and a report on %j give %s', (_because, given, rest, outcome) => {
		expect(by([exception(given)], report({ score: 0.9 }, rest)).outcome).toBe(outcome);
	});

	describe('for a report that is not green', () => {
		const red = report({ level: 'red', score: 0.9 });
		const onLevel = { ...notGreen, mayBeWaived: true };
		const by = (rules: object[], rest = {}) =>
			decide(red, { rules, exceptions: [exception()], ...rest });

		it('stands against Allow If Green if it waives a rule on the level', () => {
			const reason = { ...notGreen, actual: 'red', waived_by };
			for (const beside of [[], [rule('score', 'gte', 1)]])
				expect(by([onLevel, ...beside])).toMatchObject({ outcome: 'allow', reasons: [reason] });
			const all = [notGreen, rule('score', 'gte', 0.5)].map(({ outcome: _, ...one }) => one);
			expect(by([{ all, outcome: 'review', mayBeWaived: true }]).outcome).toBe('allow');
		});

		it.each<[string, object[], object]>([
			['review', [waivable], {}],
			['review', [{ ...waivable, field: 'other', categoryKey: 'level' }], {}],
			['review', [{ ...onLevel, operator: 'equals' }, waivable], {}],
			['block', [onLevel, rule('score', 'gte', 0.5)], {}],
			['review', [onLevel], { otherwise: 'review' }],
		])('does not otherwise: %s by the rules %j %j', (outcome, rules, rest) => {
			const level = { level: 'red', score: 0.9, categories: { level: 0.9 } };
			const policy = { rules, exceptions: [exception()], ...rest };
			expect(outcomeOf(report(level), policy)).toBe(outcome);
		});
	});
});

describe('a sanctions hit', () => {
	const onSanctions = rule('sanctions', 'notEquals', 0);
	const listed = (rest: object = {}) => ({
		name: 'Treasury',
		outcome: 'block',
		sanctions: true,
		addresses: [address.toLowerCase()],
		...rest,
	});
	const having = (sanctions: unknown, rest: object = {}) =>
		report({ categories: { sanctions }, ...rest });
	const all = (...conditions: object[]) => ({ all: conditions, outcome: 'review' });
	const condition = ({ outcome: _, ...one }: { outcome: unknown }) => one;
	const amount = { field: { input: 'amount' }, operator: 'gte', value: 1000 };
	const due = having(0.893);

	it.each<[string, object, unknown, string | undefined, string]>([
		[
			'block',
			due,
			[onSanctions],
			'sanctions is 0.893 (any value other than 0 means block)',
			'a rule on the category fires',
		],
		[
			'review',
			due,
			[rule('sanctions', 'gte', 0.5, 'review')],
			'sanctions is 0.893 (0.5 or more means review)',
			'it is one whatever the outcome',
		],
		[
			'block',
			due,
			[rule('other', 'gte', 0.5, 'block', { categoryKey: 'Sanctions' }), onSanctions],
			'sanctions is 0.893 (any value other than 0 means block)',
			'the other category is missing',
		],
		[
			'review',
			due,
			[all(condition(onSanctions), condition(rule('score', 'gte', 0)))],
			'sanctions is 0.893 and score is 0.1 (any value other than 0 and 0 or more means review)',
			'a rule of several conditions fires',
		],
		[
			'review',
			due,
			[all(condition(onSanctions), amount)],
			"the input item has no 'amount': review",
			'a missing amount is not known to be none',
		],
		[
			'block',
			report(),
			{ lists: [listed()] },
			"the address is on the sanctions list 'Treasury', which means block",
			'the address is on the list',
		],
		['allow', having(0), [onSanctions], undefined, 'nothing is no hit'],
		[
			'block',
			having(0),
			[rule('sanctions', 'gte', 0)],
			undefined,
			'a rule may fire at 0, which is no hit',
		],
		[
			'review',
			having(0.02),
			[all(condition(rule('score', 'gte', 0)), condition(rule('sanctions', 'lte', 0.1)))],
			undefined,
			'an upper limit finds no sanctions',
		],
		['review', report(), [onSanctions], undefined, 'not knowing is a review'],
		['review', having('0.9'), [onSanctions], undefined, 'a text is no score'],
		[
			'allow',
			having(0.2),
			[rule('sanctions', 'gte', 0.5)],
			undefined,
			'it is below the threshold of the team',
		],
		[
			'block',
			due,
			[rule('score', 'gte', 0)],
			"no rule is on the category 'sanctions', which is not 0: review",
			'no rule is on sanctions',
		],
		['allow', having(0), [notGreen], undefined, 'nothing is no hit without a rule, too'],
		['allow', having(null), [notGreen], undefined, 'no rule needs the value'],
		['review', having('0.9'), [notGreen], undefined, 'a text is no score without a rule, too'],
		[
			'review',
			report(),
			{ lists: [listed({ addresses: [] })] },
			undefined,
			'an empty list knows nothing',
		],
		[
			'block',
			report(),
			{ lists: [listed({ sanctions: false })] },
			undefined,
			'the list is no sanctions list',
		],
	])('%s for %j by %j: %s, because %s', (outcome, given, policy, first, _because) => {
		const decision = decide(given, policy);
		expect(decision.outcome).toBe(outcome);
		expect(decision.sanctions).toBe(first === undefined ? undefined : true);
		if (first !== undefined)
			expect(decision.summary.split('; ')[0]).toBe(
				`${outcome[0]!.toUpperCase()}${outcome.slice(1)}: ${first}`,
			);
	});

	it.each<[outcome: string, sanctions: unknown, isHit: true | undefined, because: string]>([
		['block', 0.893, true, 'the report of the item has the category, too'],
		['allow', 0, undefined, 'nothing is no hit'],
		['review', null, undefined, 'not knowing is a review'],
	])(
		'is %s for %j in the report of the input item: %s, because %s',
		(outcome, ...[value, isHit]) => {
			const given = having(value);
			const rules = [rule({ input: 'report.risk.categories.sanctions' }, 'notEquals', 0)];
			const decision = decide(given, rules, { input: { report: given } });
			expect([decision.outcome, decision.sanctions]).toEqual([outcome, isHit]);
		},
	);

	it('comes first in the summary, before what could not be judged', () => {
		const rules = [notGreen, rule('mixer', 'gte', 0.5), onSanctions];
		expect(decide(having(0.9, { level: 'red' }), rules).summary).toBe(
			"Block: sanctions is 0.9 (any value other than 0 means block); the report has no 'mixer': review; level is red (any value other than green means review)",
		);
	});

	it('is waived by no exception, even if that waives the level', () => {
		const exceptions = [{ address, until: '2027-01-31', reason: 'r', approvedBy: 'a' }];
		const rules = [{ ...notGreen, mayBeWaived: true }, onSanctions];
		expect(decide(having(0.9, { level: 'red' }), { rules, exceptions })).toMatchObject({
			outcome: 'block',
			sanctions: true,
		});
		expect(outcomeOf(report(), { lists: [listed()], exceptions })).toBe('block');
	});
});

describe('a category whose name says that it is about sanctions', () => {
	const onSanctions = rule('sanctions', 'notEquals', 0);
	const ofac = { field: 'other', categoryKey: 'ofac_sanctions' };
	const onOfac = { ...rule('other', 'gte', 0.5), ...ofac };
	const onScore = { field: 'score', operator: 'gte', value: 0 };
	it.each<[string, object, unknown, string]>([
		['review', { Sanctions: 0.9 }, [onSanctions], 'a rule on sanctions does not look at it'],
		['review', { ofac_sanctions: 0.9 }, [onSanctions], 'a word may stand before'],
		['review', { 'Sanctioned Entity': 0.001 }, [onSanctions], 'any value but 0 counts'],
		['review', { 's-a-n-c-t-i-o-n-s': 1 }, [onSanctions], 'only letters count'],
		['review', { [`${'x'.repeat(200)}_sanctions`]: 1 }, [onSanctions], 'no name is too long'],
		['review', { ofac_sanctions: '0.9' }, [onSanctions], 'a text cannot be checked'],
		['review', { ofac_sanctions: 0.9 }, [rule('mixer', 'gte', 9)], 'no rule is on any of them'],
		['review', { sanctions: 1 }, [notGreen], 'the name of the service itself is one of them'],
		['review', { sanctions: 1 }, [onOfac], 'a rule on another one does not look at it'],
		[
			'review',
			{ ofac_sanctions: 0.9 },
			{ otherwise: 'allow', rules: [onSanctions] },
			'it is known',
		],
		['review', { ofac_sanctions: 0, eu_sanctions: 1 }, [onSanctions, onOfac], 'each needs a rule'],
		['allow', { ofac_sanctions: 0 }, [onSanctions], 'nothing was found'],
		['allow', { ofac_sanctions: null }, [onSanctions], 'it has no value'],
		['allow', { ofac_sanctions: 0.2 }, [onSanctions, onOfac], 'the rule on it decides'],
		['block', { ofac_sanctions: 0.5 }, [onSanctions, onOfac], 'the rule on it decides'],
		[
			'allow',
			{ ofac_sanctions: 0.2 },
			[{ all: [{ ...ofac, operator: 'gte', value: 0.5 }, onScore], outcome: 'review' }],
			'a condition of a rule is on it',
		],
		['allow', { sanction: 0, transactions: 0.9 }, [onSanctions], 'transactions are no sanctions'],
		['block', { ofac_sanctions: 0.9 }, [onSanctions, rule('score', 'gte', 0)], 'a rule blocks'],
	])('is %s for %j by %j, because %s', (outcome, categories, policy, _because) => {
		const given = report({ categories: { sanctions: 0, mixer: 0, ...categories } });
		expect(outcomeOf(given, policy)).toBe(outcome);
	});

	it('has a reason with its name and its value, and is no sanctions hit', () => {
		const given = report({ categories: { sanctions: 0, 'Sanctioned entity': 0.9 } });
		expect(decide(given, [onSanctions])).toEqual({
			outcome: 'review',
			reasons: [
				{
					field: 'Sanctioned entity',
					operator: 'notEquals',
					value: 0,
					actual: 0.9,
					outcome: 'review',
					problem: "no rule is on the category 'Sanctioned entity', which is not 0",
				},
			],
			summary: "Review: no rule is on the category 'Sanctioned entity', which is not 0: review",
		});
	});

	it('is waived by no exception', () => {
		const exceptions = [{ address, until: '2027-01-31', reason: 'r', approvedBy: 'a' }];
		const rules = [{ ...notGreen, mayBeWaived: true }];
		for (const key of ['ofac_sanctions', 'sanctions']) {
			const given = report({ level: 'red', categories: { [key]: 0.9 } });
			expect(outcomeOf(given, { rules, exceptions })).toBe('review');
		}
	});
});

describe('the summary', () => {
	it.each<[string, string, string]>([
		['2026-11-21T11:59:30.000Z', '2026-11-21 11:59', '0 minutes'],
		['2026-11-21T11:00:01.000Z', '2026-11-21 11:00', '59 minutes'],
		['2026-11-21T11:00:00.000Z', '2026-11-21 11:00', '1 hour'],
		['2026-11-19T12:00:00.001Z', '2026-11-19 12:00', '47 hours'],
		['2026-11-19T12:00:00.000Z', '2026-11-19 12:00', '2 days'],
		['2026-11-13T12:00:01.000Z', '2026-11-13 12:00', '7 days'],
	])('ends with the age of a report of %s that is used again', (madeAt, written, age) => {
		const now = { at: new Date('2026-11-21T12:00:00.000Z'), earlierReportAt: new Date(madeAt) };
		const end = `. Report used again: ${written} (UTC), ${age} old`;
		const summaryOf = (level: string) =>
			decide(report({ level }), { rules: [notGreen] }, now).summary;
		expect(summaryOf('green')).toBe(`Allow: no rule applies${end}`);
		expect(summaryOf('x'.repeat(500)).endsWith(end)).toBe(true);
		expect(summaryOf('x'.repeat(500)).length).toBeLessThanOrEqual(400);
	});

	it('begins with what could not be judged, then the worst, ends with what is waived, and counts those beyond the third', () => {
		const given = report({ level: 'red', score: 0.9, categories: { mixer: 0.4, scam: 0.2 } });
		const three = [notGreen, rule('scam', 'lte', 0.3), rule('mixer', 'equals', 0.4)];
		const start = 'Block: scam is 0.2 (0.3 or less means block); mixer is 0.4 (0.4 means block); ';
		const summary = `${start}level is red (any value other than green means review)`;
		expect(decide(given, three).summary).toBe(summary);
		const four = [...three, rule('score', 'gte', 0.8, 'review')];
		expect(decide(given, four).summary).toBe(`${summary}; and 1 more`);

		const waivable = rule('tx_count', 'gte', 1, 'block', { mayBeWaived: true });
		const misspelt = rule('other', 'gte', 0.5, 'block', { categoryKey: 'sanction' });
		const exceptions = [{ address, until: '2026-12-31', reason: 'r', approvedBy: 'a' }];
		const rules = [waivable, notGreen, misspelt];
		expect(decide(report({ level: 'red' }), { rules, exceptions }).summary).toMatch(
			/^Review: the report has no 'sanction': review; level is red .*; waived .*: tx count is 7 /,
		);
	});

	it('does not take a category with the name of the level for the level', () => {
		const byCategory = rule('other', 'gte', 0.5, 'block', { categoryKey: 'level' });
		const given = report({ categories: { level: 0.7 } });
		expect(decide(given, [byCategory]).summary).toBe(
			"Block: the category 'level' is 0.7 (0.5 or more means block)",
		);
		for (const [categories, problem] of [
			[{}, "the report has no category 'level'"],
			[{ level: 'high' }, "category 'level' of the report is not a number"],
		] as const)
			expect(decide(report({ categories }), [byCategory]).summary).toBe(
				`Review: ${problem}: review`,
			);
	});

	it.each<[operator: string, actual: number, value: number, words: string]>([
		[
			'notEquals',
			0.4999999999,
			0.5,
			'mixer is 0.4999999999 (any value other than 0.5 means block)',
		],
		['notEquals', 0.1 + 0.2, 0.3, 'mixer is 0.30000000000000004 (any value other than 0.3'],
		['gte', 0.1 + 0.2, 0.2, 'mixer is 0.3 (0.2 or more means block)'],
		['gte', 0.1 + 0.2, 0.1 + 0.2, 'mixer is 0.3 (0.3 or more means block)'],
	])('rounds two numbers unless that would make them alike: %s %d and %d', (...row) => {
		const [operator, mixer, value, words] = row;
		const { summary } = decide(report({ categories: { mixer } }), [rule('mixer', operator, value)]);
		expect(summary).toContain(`Block: ${words}`);
	});

	it('cuts two long texts, also if that makes them alike', () => {
		const { summary } = decide(report({ level: 'x'.repeat(100) }), [
			rule('level', 'notEquals', 'x'.repeat(101)),
		]);
		const shown = `${'x'.repeat(63)}…`;
		expect(summary).toBe(`Block: level is ${shown} (any value other than ${shown} means block)`);
	});

	it('is one line without markup, however hostile the report', () => {
		const hostile = '<!channel>\n\u202e'.repeat(1_000);
		const rules = ['a', 'b', 'c'].map((value) => rule('level', 'notEquals', value.repeat(500)));
		const { summary } = decide(report({ level: hostile }), rules);
		expect(summary).toMatch(/^Block: level is ‹!channel›/);
		expect(summary).not.toMatch(/[<>\n\u202e]/);
		expect(summary.length).toBeLessThanOrEqual(400);
	});
});

test('no rule makes a decision milder but the only one on sanctions, whatever else the policy says, and no missing value does', () => {
	const share = fc.constantFrom(0, 0.3, 0.5, 1, undefined);
	const anyRule = fc.record({
		field: fc.constantFrom('score', 'sanctions', 'mixer', 'tx_count'),
		operator: fc.constantFrom('gte', 'lte', 'equals', 'notEquals'),
		value: fc.constantFrom(0, 0.3, 0.5),
		outcome: fc.constantFrom('review', 'block'),
	});
	const policy = fc.record({
		rules: fc.array(anyRule, { minLength: 2, maxLength: 4 }),
		otherwise: fc.constantFrom('allow', 'allowGreen', 'review'),
	});
	const level = fc.constantFrom('green', 'red');
	const risk = fc.record({ level, score: share });
	const categories = fc.record({ sanctions: share, mixer: share });
	const property = fc.property(policy, risk, categories, share, (by, its, known, tx_count) => {
		const strictnessOf = (rules: object[], having: object) => {
			const given = report({ ...its, categories: having }, { tx_count });
			return ['allow', 'review', 'block'].indexOf(outcomeOf(given, { ...by, rules }));
		};
		const others = by.rules.slice(1);
		const isOn = (name: string, rules: typeof by.rules) =>
			rules.some(({ field }) => field === name);
		// The only rule on sanctions takes the place of the review that asks for one.
		const isOnlyOnSanctions = isOn('sanctions', by.rules) && !isOn('sanctions', others);
		const leastStrictness = isOnlyOnSanctions ? 0 : strictnessOf(others, known);
		expect(strictnessOf(by.rules, known)).toBeGreaterThanOrEqual(leastStrictness);
		const isLost = isOn('sanctions', by.rules) || isOn('mixer', by.rules);
		if (isLost) expect(strictnessOf(by.rules, {})).toBeGreaterThanOrEqual(1);
	});
	fc.assert(property, { numRuns: 500, seed });
});
