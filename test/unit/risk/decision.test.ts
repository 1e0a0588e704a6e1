import { decide as decideBy, sentence } from '../../../nodes/WalletScreening/risk/decision';
import { policyOfJson } from '../../../nodes/WalletScreening/risk/policy';
import type { Report } from '../../../nodes/WalletScreening/service/report';

/* `independentReading.test.ts` holds rules, lists and exceptions against a second reading, `pages.test.ts` what is said of them; here are their edges. */

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const at = new Date('2026-11-21T12:00:00.000Z');
const report = (risk: object = {}, rest: object = {}) => ({
	...{ report_id: 'r', address, chain: 'ETH', tx_count: 7 },
	risk: { level: 'green', score: 0.1, categories: {}, ...risk },
	...rest,
});
const rule = (field: unknown, operator: string, value: unknown, outcome = 'block', rest = {}) => ({
	...{ field, operator, value, outcome, ...rest },
});
const notGreen = rule('level', 'notEquals', 'green', 'review');
const decide = (given: object, policy: unknown, circumstances = {}) =>
	decideBy(given as Report, policyOfJson(policy), { at, ...circumstances });
const outcomeOf = (...given: Parameters<typeof decide>) => decide(...given).outcome;

describe('what nothing stops', () => {
	const harmless = [rule('score', 'gte', 2)];

	it('is allowed if its level is green, and goes to review if it is any other text, or none', () => {
		expect(outcomeOf(report({ level: ' GREEN\t' }), harmless)).toBe('allow');
		const because = { ...notGreen, otherwise: true };
		const problem = expect.stringContaining("'level'") as string;
		for (const [level, why] of [
			...['greenish', 'not green', 'gr\u200been', 'ɢreen', 'g'].map((text) => [
				text,
				{ actual: text },
			]),
			...[undefined, ' ', 7, ['green']].map((odd) => [odd, { actual: null, problem }]),
		] as Array<[unknown, object]>)
			expect(decide(report({ level }), harmless)).toMatchObject({
				...{ outcome: 'review', reasons: [{ ...because, ...why }] },
			});
	});

	it.each([
		['allowGreen', 'review', 'allow', 'level is red (only green is allowed)'],
		['allow', 'allow', 'allow', 'no rule applies'],
		['review', 'review', 'review', 'no rule stops it, which means review'],
	])('with otherwise %s: %s if red, %s if green, because %s', (otherwise, red, green, why) => {
		const policy = { otherwise, rules: harmless };
		const found = decide(report({ level: 'red' }), policy);
		expect(found.outcome).toBe(red);
		expect(found.summary.toLowerCase()).toBe(`${red}: ${why}`);
		expect(outcomeOf(report(), policy)).toBe(green);
		expect(outcomeOf(report({ score: 2 }), policy)).toBe('block');
	});
});

test.each([
	['score', { score: null }, "The report has no 'score'"],
	['score', { score: '0.9' }, "'score' of the report is not a number"],
	['sanctions', { categories: 'none' }, "The report has no 'sanctions'"],
	[{ input: 'amount' }, {}, "The input item has no 'amount'"],
	[{ input: 'odd' }, {}, "'odd' of the input item is not a number"],
])('a rule on %j that cannot be checked (%j) asks for a review', (field, risk, problem) => {
	const policy = { otherwise: 'allow', rules: [rule(field, 'gte', 0.5)] };
	expect(decide(report(risk), policy, { input: { odd: '5' } })).toEqual({
		outcome: 'review',
		reasons: [{ ...rule(field, 'gte', 0.5, 'review'), actual: null, problem }],
		summary: `Review: ${problem}, which means review`,
	});
});

describe('a list', () => {
	const other = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
	const by = (rest: object, given: object = report(), time: string | number = +at) => {
		const list = { name: 'Partners', outcome: 'block', addresses: [other], ...rest };
		return decide(given, { lists: [list] }, { at: new Date(time) });
	};

	const limit = { as_of: '2026-11-14', max_age_days: 7 };
	const future = "The list 'Partners' is of a time to come";
	it.each<[object, string | number, string]>([
		[{ addresses: [] }, +at, "The list 'Partners' is empty"],
		[limit, '2026-11-21T00:00:00.000Z', ''],
		[limit, '2026-11-21T00:00:00.001Z', "The list 'Partners' is older than 7 days"],
		[{ as_of: '2026-11-22T12:00:00Z' }, +at, ''],
		[{ as_of: '2026-11-22T12:00:00.001Z' }, +at, future],
		[limit, NaN, future],
	])('%j at %s: %s', (rest, time, problem) => {
		const reasons = problem ? [{ list: 'Partners', outcome: 'review', problem }] : [];
		expect(by(rest, report(), time).reasons).toEqual(reasons);
	});

	it('asks for a review if nobody knows whose report it is', () => {
		const [reason] = by({}, report({}, { address: 7 })).reasons;
		expect(reason).toMatchObject({ outcome: 'review', problem: "The report has no 'address'" });
	});
});

test.each([
	['BSC', 'of the chain BSC'],
	[undefined, 'of no named chain'],
])('a report of the chain %j asks for a review if another was asked for', (chain, words) => {
	const { reasons } = decide(report({}, { chain }), [notGreen], { chain: 'TRX' });
	const problem = `The report is ${words}, and TRX was asked for`;
	expect(reasons).toEqual([
		{ ...rule('chain', 'equals', 'TRX', 'review'), actual: chain ?? null, problem },
	]);
});

describe('an exception', () => {
	const waivable = rule('score', 'gte', 0.5, 'block', { mayBeWaived: true });
	const exception = (rest: object = {}) => ({
		...{ address, until: '2026-11-21', reason: 'Known customer', approvedBy: 'MLRO' },
		...rest,
	});
	const by = (exceptions: object[], given: object = report({ score: 0.9 }), circumstances = {}) =>
		decide(given, { rules: [waivable], exceptions }, circumstances);

	it('allows nothing that is not green, unless the policy does', () => {
		const policy = { rules: [{ ...notGreen, mayBeWaived: true }], exceptions: [exception()] };
		const red = report({ level: 'red' });
		const reasons = [{ waived_by: {} }, { otherwise: true }];
		expect(decide(red, policy)).toMatchObject({ outcome: 'review', reasons });
		expect(outcomeOf(red, { ...policy, otherwise: 'allow' })).toBe('allow');
	});

	it.each<[string, object, object, string]>([
		['at no time', {}, { at: new Date(NaN) }, 'block'],
		['of a report without an address', { address: [address] }, {}, 'block'],
		['that could not be checked', { risk: { score: '0.9' } }, {}, 'review'],
		['of another chain', {}, { chain: 'TRX' }, 'review'],
	])('waives nothing %s', (_what, rest, circumstances, outcome) => {
		const given = report({ score: 0.9 }, rest);
		expect(by([exception()], given, circumstances).outcome).toBe(outcome);
	});
});

describe('the summary', () => {
	it('says the reasons, the worst first, and counts those beyond the third', () => {
		const given = report({ level: 'red', score: 0.9, categories: { mixer: 0.4, scam: 0.2 } });
		const three = [notGreen, rule('scam', 'lte', 0.3), rule('mixer', 'equals', 0.4)];
		const start = 'Block: scam is 0.2 (0.3 or less means block); mixer is 0.4 (0.4 means block); ';
		const said = `${start}level is red (anything but green means review)`;
		expect(decide(given, three).summary).toBe(said);
		const four = [...three, rule('score', 'gte', 0.8, 'review')];
		expect(decide(given, four).summary).toBe(`${said}; and 1 more`);
	});

	it.each([
		['peer_2_peer', 'peer 2 peer'],
		['Mixed_Case', 'Mixed_Case'],
		['two__in_a_row', 'two__in_a_row'],
	])('writes the key %s in words as %s', (field, words) => {
		const reason = { field, operator: 'gte', value: 0.5, actual: 0.5, outcome: 'block' } as const;
		expect(sentence(reason)).toBe(`${words} is 0.5 (0.5 or more means block)`);
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
