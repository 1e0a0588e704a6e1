import fc from 'fast-check';
import { decide } from '../../../nodes/WalletScreening/risk/decision';
import { type Policy, policyOfJson } from '../../../nodes/WalletScreening/risk/policy';
import { asReport } from '../../../nodes/WalletScreening/risk/report';
import { simplify } from '../../../nodes/WalletScreening/risk/simplify';
import { seed } from '../../support/random';
import { readDecision, readPolicy } from '../../support/rulesReading';

const numRuns = 2_000;

/** A value that most often is one of `usual`, and else `odd`. */
function mostly(usual: readonly unknown[], odd: readonly unknown[], weight = 300) {
	return fc.oneof(
		{ weight, arbitrary: fc.constantFrom(...usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...odd) },
	);
}
const listOf = (one: fc.Arbitrary<unknown>, maxLength: number) => fc.array(one, { maxLength });

const absent = undefined;
const notTexts = [absent, null, '', ' ', 5, true, {}, ['green']];
const notNumbers = [absent, null, '', ' ', '0.5', '0,5', 'high', NaN, Infinity, true, {}, [0.5]];

const hex = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const hexes = [hex, hex.toLowerCase(), hex.toUpperCase()];
const addresses = [
	// Exceptions and lists have to meet their address often enough.
	...[...hexes, ...hexes, ...hexes, ...hexes, ...hexes],
	...[
		'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
		'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu',
		'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
	].flatMap((address) => [address, address.toUpperCase()]),
];
const chains = ['ETH', 'eth', ' Eth ', 'BTC', 'btc', 'TRON'];
const levels = ['green', 'Green', ' GREEN\t', 'amber', 'Amber', 'red', 'grün'];
const numbers = [0, 0, 0.1, 0.3, 0.5, 0.5, 0.8, 1, 1.7, -0.1, 0.5000000000001, 0.1 + 0.2, 1e-20];
const knownCategories = ['sanctions', 'darknet', 'mixer', 'scam', 'stolen', 'clean_exchange'];
const otherCategories = ['gambling', 'Casino', 'score', 'toString', '__proto__', 'length', '0'];

/** All `names` with usual values; then some of them, or others, with any. */
const members = (names: string[], usual: unknown[], others: string[], odd: unknown[]) =>
	fc
		.tuple(
			fc.array(fc.constantFrom(...usual), { minLength: names.length, maxLength: names.length }),
			listOf(fc.tuple(fc.constantFrom(...names, ...others), mostly(usual, odd, 2)), 3),
		)
		.map(([values, more]) => {
			const entries = names.map((name, at) => [name, values[at]] as const);
			return Object.fromEntries([...entries, ...(more as typeof entries)]);
		});

const report = fc.record({
	address: fc.constantFrom(...addresses),
	chain: mostly([...chains, ...chains, absent], notTexts, 9),
	tx_count: mostly([0, 1, 3, 250], notNumbers, 30),
	risk: fc.record({
		level: mostly(levels, notTexts, 30),
		score: mostly(numbers, notNumbers, 30),
		categories: fc.oneof(
			{
				weight: 12,
				arbitrary: members(
					knownCategories,
					numbers,
					otherCategories,
					notNumbers,
				) as fc.Arbitrary<unknown>,
			},
			{ weight: 1, arbitrary: fc.constantFrom(absent, null, '', 'none', 0.5, ['mixer'], [0.5]) },
		),
	}),
});
const input = members(
	['amount', 'country'],
	[0.3, 250, 'KP', ' kp', 'US', 'US'],
	['Amount'],
	notTexts,
);

const number = mostly(
	[...numbers, '0.5', '1e-1', '.3', '-0.1', '+1'],
	['0,5', '50 %', '0x10', '', ' ', null, NaN, '1e400', true, [0.5], 'Infinity'],
);
const operator = mostly(['gte', 'lte', 'equals', 'notEquals'], ['>=', 'Equals', absent]);
const equality = mostly(['equals', 'notEquals'], ['gte']);
const condition = fc.oneof(
	fc.record({
		field: fc.constant('level'),
		...{ operator: equality, value: mostly(levels, ['', ' ', 5, null, absent, ['green']]) },
	}),
	fc.record({
		field: mostly(
			['score', 'tx_count', ...knownCategories],
			['Level', 'gambling', '', absent, 3, {}, { input: '' }, { input: 'amount', of: 1 }],
		),
		...{ operator, value: number },
	}),
	fc.record({
		field: fc.constant('other'),
		categoryKey: mostly([...otherCategories, 'mixer'], ['', ' ', absent, null, 5]),
		...{ operator, value: number },
	}),
	fc.record({
		field: fc.constant({ input: 'amount' }),
		...{ operator, value: mostly([0, 0.3, 100], ['100', null, NaN]) },
	}),
	fc.record({
		field: fc.constant({ input: ' country ' }),
		...{ operator: equality, value: mostly(['KP', 'us '], [' ', {}]) },
	}),
) as fc.Arbitrary<object>;
const rule = fc
	.record({
		conditions: fc.oneof(
			{ weight: 4, arbitrary: fc.tuple(condition) as fc.Arbitrary<object[]> },
			{ weight: 1, arbitrary: fc.array(condition, { maxLength: 3 }) },
		),
		rest: fc.record({
			outcome: mostly(['review', 'block'], ['allow', 'Block', absent]),
			mayBeWaived: mostly([true, true, false, absent], ['true', 1, null]),
		}),
		extra: mostly([{}], [{ mayBeWaved: true }, { severity: 1 }, { field: 'score' }]),
	})
	.map(({ conditions, rest, extra }) => ({
		...(conditions.length === 1 ? conditions[0] : { all: conditions }),
		...{ ...rest, ...(extra as object) },
	}));

const exception = fc.record({
	address: mostly(addresses, ['', ' ', 7, null]),
	chain: mostly([...chains, absent, null], ['', '\u200b', 5, {}], 100),
	until: mostly(
		['2026-12-31', '2026-12-31', '2026-12-30', '2027-01-01', '2028-02-29', '2020-01-01'],
		['2026-02-30', '2027-02-29', '31.12.2026', '2026-12-31T00:00:00Z', '2026-1-1', 20261231, null],
	),
	reason: mostly(['Ticket 4711', 'Exchange deposit'], ['', ' ', 5, absent]),
	approvedBy: mostly(['Compliance lead', 'MLRO'], ['', ' ', absent]),
});
const list = fc.record({
	name: mostly(['Partners', 'Lawsuits', 'Own', ' Fourth '], ['', ' ', 5, absent]),
	outcome: mostly(['review', 'block'], ['allow', absent]),
	addresses: fc.oneof(
		{ weight: 60, arbitrary: listOf(fc.constantFrom(...addresses), 4) },
		{ weight: 1, arbitrary: fc.constantFrom<unknown[]>([''], [5], [null]) },
	),
	as_of: mostly(['2026-12-31', '2026-12-01', '2027-01-02'], [absent, '31.12.2026', 5], 90),
	max_age_days: mostly([1, 30, 0.5, absent, absent], [0, -1, '30']),
});
const policy = fc.oneof(
	{
		weight: 40,
		arbitrary: fc.record({
			name: mostly(['Payouts', absent], [5, null]),
			version: mostly([1, '2', absent], [{}, true]),
			otherwise: mostly([absent, 'allow', 'allow', 'review'], [null, 'Allow', 'block', true]),
			rules: listOf(rule, 4),
			exceptions: listOf(exception, 4),
			lists: fc.oneof(fc.constant(absent), fc.constant(absent), listOf(list, 2)),
		}) as fc.Arbitrary<unknown>,
	},
	{ weight: 10, arbitrary: listOf(rule, 4) },
	{ weight: 1, arbitrary: fc.constantFrom<unknown>(null, 5, {}, { rules: {} }, { lists: 'x' }) },
);

const trial = fc.record({
	...{ report, input, policy, isSimplified: fc.boolean(), isText: fc.boolean() },
	at: fc
		.constantFrom(
			...['2026-12-31T00:00:00.000Z', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
			...['2026-12-01T08:00:00.000Z', '2028-02-29T23:59:59.999Z'],
		)
		.map((time) => new Date(time)),
	askedChain: mostly([''], chains, 6) as fc.Arbitrary<string>,
});

/** The policy as the node reads it; undefined if it refuses it. */
function accepted(json: unknown): Policy | undefined {
	try {
		return policyOfJson(json);
	} catch {
		return undefined;
	}
}

test('a second reading of the rules decides the same', () => {
	const seen = new Map<string, number>();
	const count = (what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1);

	fc.assert(
		fc.property(trial, ({ isSimplified, isText, ...each }) => {
			// What JSON does not have, such as NaN, n8n can still hand from node to node.
			const given = isText ? (JSON.parse(JSON.stringify(each.policy)) as unknown) : each.policy;
			const product = accepted(isText ? JSON.stringify(each.policy) : each.policy);
			const read = readPolicy(given);
			expect({ isPolicy: product !== undefined }).toEqual({ isPolicy: read !== undefined });
			if (!product || !read) return count('refused');

			const held = asReport(each.report)!;
			const { at, askedChain: chain } = each;
			const found = decide(isSimplified ? asReport(simplify(held))! : held, product, {
				...{ at, chain, input: each.input },
			});
			const reasons = found.reasons.map(({ problem, ...reason }) => ({
				...reason,
				...(problem !== undefined && { problem: true }),
			}));
			const { outcome } = found;
			expect({ outcome, reasons }).toEqual(readDecision(read, each));
			count(outcome);
			for (const reason of reasons) {
				for (const name of Object.keys(reason)) count(name);
				if (typeof reason.field === 'object') count('input');
			}
			if (outcome === 'allow' && read.otherwise === 'allow') count('allowed, as the user wants');
		}),
		{ numRuns, seed },
	);
	// Of everything there was enough to find a difference.
	const reasons = ['waived_by', 'all', 'list', 'otherwise', 'problem', 'input'];
	const outcomes = ['refused', 'allow', 'review', 'block', 'allowed, as the user wants'];
	for (const what of [...reasons, ...outcomes]) {
		expect([what, (seen.get(what) ?? 0) > numRuns / 100]).toEqual([what, true]);
	}
});
