import fc from 'fast-check';
import { decide } from '../../../nodes/WalletScreening/risk/decision';
import { policyOfJson } from '../../../nodes/WalletScreening/risk/policy';
import { seed } from '../../support/random';
import { readDecision } from '../../support/rulesReading';

const numRuns = 2_000;

const oneOf = (values: readonly unknown[]) => fc.constantFrom(...values);
/** A value that most often is one of `usual`, and else `odd`. */
const mostly = (usual: readonly unknown[], odd: readonly unknown[], weight = 30) =>
	fc.oneof({ weight, arbitrary: oneOf(usual) }, { weight: 1, arbitrary: oneOf(odd) });

const notTexts = [undefined, null, '', ' ', 5, true, {}, ['green']];
const notNumbers = [undefined, null, '', '0.5', 'high', NaN, Infinity, true, {}, [0.5]];

const hex = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const hexes = [hex, hex.toLowerCase(), hex.toUpperCase()];
const addresses = [
	// Exceptions and lists have to meet their address often enough.
	...[...hexes, ...hexes, ...hexes, ...hexes, ...hexes],
	'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
	'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
	'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
];
const chains = ['ETH', 'eth', ' Eth ', 'BTC', 'btc', 'TRON'];
const levels = ['green', 'Green', ' GREEN\t', 'amber', 'Amber', 'red', 'grün'];
const numbers = [0, 0.1, 0.3, 0.5, 0.5, 1, 1.7, -0.1, 0.5000000000001, 0.1 + 0.2, 1e-20];
const shares = numbers.filter((number) => number >= 0);
const knownCategories = ['sanctions', 'darknet', 'mixer', 'scam', 'stolen', 'clean_exchange'];
const otherCategories = ['gambling', 'Casino', 'score', 'toString', '__proto__', 'length', '0'];

/** Most of the `names`, some twice, with a value each. */
const members = (names: string[], usual: unknown[], odd: unknown[]) =>
	fc
		.array(fc.tuple(fc.constantFrom(...names), mostly(usual, odd, 20)), { minLength: 12 })
		.map((entries) => Object.fromEntries(entries));

const report = fc.record({
	address: fc.constantFrom(...addresses),
	chain: mostly([...chains, ...chains, undefined], notTexts, 9),
	tx_count: mostly([0, 1, 3, 250], notNumbers),
	risk: fc.record({
		level: mostly(levels, notTexts),
		score: mostly(numbers, notNumbers),
		categories: fc.oneof(
			{
				weight: 12,
				arbitrary: members([...knownCategories, ...otherCategories], shares, notNumbers),
			},
			{ weight: 1, arbitrary: oneOf([undefined, null, 'none', 0.5, ['mixer']]) },
		),
	}),
});
const input = members(['amount', 'country', 'Amount'], [0.3, 250, 'KP', ' kp', 'US'], notTexts);

const operator = oneOf(['gte', 'lte', 'equals', 'notEquals']);
const equality = oneOf(['equals', 'notEquals']);
const value = oneOf([...numbers, '0.5', '1e-1', '.3', '-0.1', '+1']);
const condition = fc.oneof<Array<fc.Arbitrary<object>>>(
	fc.record({ field: fc.constant('level'), operator: equality, value: oneOf(levels) }),
	fc.record({ field: oneOf(['score', 'tx_count', ...knownCategories]), operator, value }),
	fc.record({
		...{ field: fc.constant('other'), categoryKey: oneOf([...otherCategories, 'mixer']) },
		...{ operator, value },
	}),
	fc.record({ field: fc.constant({ input: 'amount' }), operator, value: oneOf([0, 0.3, 100]) }),
	fc.record({
		field: fc.constant({ input: ' country ' }),
		...{ operator: equality, value: oneOf(['KP', 'us ']) },
	}),
);
const outcome = oneOf(['review', 'block']);
const rule = fc
	.record({
		conditions: fc.oneof(
			{ weight: 4, arbitrary: fc.tuple(condition) as fc.Arbitrary<object[]> },
			{ weight: 1, arbitrary: fc.array(condition, { minLength: 1, maxLength: 3 }) },
		),
		rest: fc.record({ outcome, mayBeWaived: oneOf([true, true, false, null, 'true']) }),
	})
	.map(({ conditions, rest }) => ({
		...(conditions.length === 1 ? conditions[0] : { all: conditions }),
		...rest,
	}));
const exception = fc.record({
	...{ address: oneOf(addresses), chain: oneOf([...chains, null]) },
	until: oneOf(['2026-12-31', '2026-12-31', '2026-12-30', '2027-01-01', '2028-02-29']),
	...{ reason: fc.constant('Ticket 4711'), approvedBy: oneOf(['Compliance lead', 'MLRO']) },
});
const list = fc.record({
	...{ outcome, addresses: fc.array(oneOf(addresses), { maxLength: 4 }) },
	as_of: oneOf(['2026-12-31', '2026-12-01', '2027-01-02']),
	max_age_days: oneOf([1, 30, 0.5, null]),
});
const rules = fc.array(rule, { minLength: 1, maxLength: 4 });
const policy = fc.oneof<Array<fc.Arbitrary<object>>>(
	rules,
	fc.record({
		...{ rules, exceptions: fc.array(exception, { maxLength: 4 }) },
		otherwise: oneOf([null, 'allow', 'allow', 'review']),
		lists: fc
			.array(list, { maxLength: 2 })
			.map((lists) => lists.map((one, at) => ({ ...one, name: ` List ${at}` }))),
	}),
);

const trial = fc.record({
	...{ report, input, policy, isText: fc.boolean() },
	at: fc
		.constantFrom(
			...['2026-12-31T00:00:00.000Z', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
			...['2026-12-01T08:00:00.000Z', '2028-02-29T23:59:59.999Z'],
		)
		.map((time) => new Date(time)),
	askedChain: mostly([''], chains, 6) as fc.Arbitrary<string>,
});

test('a second reading of the rules decides the same', () => {
	const seen = new Map<string, number>();
	const count = (what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1);

	fc.assert(
		fc.property(trial, ({ isText, ...each }) => {
			const given = isText ? JSON.stringify(each.policy) : each.policy;
			const { at, askedChain: chain, input: beside } = each;
			const found = decide(each.report as never, policyOfJson(given), { at, chain, input: beside });
			const { outcome: decided } = found;
			const reasons = found.reasons.map(({ problem, ...reason }) => ({
				...reason,
				...(problem !== undefined && { problem: true }),
			}));
			const plain = Array.isArray(each.policy) ? { rules: each.policy as unknown[] } : each.policy;
			expect({ outcome: decided, reasons }).toEqual(readDecision(plain, each));
			count(decided);
			for (const reason of reasons) {
				for (const name of Object.keys(reason)) count(name);
				if (typeof reason.field === 'object') count('input');
			}
		}),
		{ numRuns, seed },
	);
	// Of everything there was enough to find a difference.
	const reasons = ['waived_by', 'all', 'list', 'otherwise', 'problem', 'input'];
	for (const what of [...reasons, 'allow', 'review', 'block']) {
		expect([what, (seen.get(what) ?? 0) > numRuns / 100]).toEqual([what, true]);
	}
});
