import fc from 'fast-check';
import { compare } from '../../../nodes/WalletScreening/risk/change';
import { decide } from '../../../nodes/WalletScreening/risk/decision';
import { type Policy, policyOfJson } from '../../../nodes/WalletScreening/risk/policy';
import { asReport } from '../../../nodes/WalletScreening/risk/report';
import { seed } from '../../support/random';
import { readChange, readDecision, readPolicy, valuesOf } from '../../support/rulesReading';

const numRuns = 10_000;

/** A value that most often is one of `usual`, and else `odd`. */
function mostly<T>(usual: readonly T[], odd: readonly unknown[], weight = 6) {
	return fc.oneof(
		{ weight, arbitrary: fc.constantFrom<unknown>(...usual) },
		{ weight: 1, arbitrary: fc.constantFrom(...odd) },
	);
}

const absent = undefined;
const notTexts = [absent, null, '', ' ', 5, true, {}, ['green']];
const notNumbers = [absent, null, '', ' ', '0.5', '0,5', 'high', NaN, Infinity, true, {}, [0.5]];

const hex = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const bech32 = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const cardano = 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8';
const cosmos = 'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu';
const base58 = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const hexes = [hex, hex.toLowerCase(), hex.toUpperCase()];
const addresses = [
	// Exceptions have to meet their address often enough.
	...hexes,
	...hexes,
	...hexes,
	bech32,
	bech32.toUpperCase(),
	cardano,
	cardano.toUpperCase(),
	cosmos,
	cosmos.toUpperCase(),
	base58,
	base58.toLowerCase(),
	bitcoin,
	bitcoin.toUpperCase(),
];
const chains = ['ETH', 'eth', ' Eth ', 'BTC', 'btc', 'TRON'];
const levels = ['green', 'Green', ' GREEN\t', 'amber', 'Amber', 'red', 'grün'];
const numbers = [0, 0, 0.1, 0.3, 0.5, 0.5, 0.8, 1, 1.7, -0.1, 0.5000000000001, 0.1 + 0.2, 1e-20];
const knownCategories = ['sanctions', 'darknet', 'mixer', 'scam', 'stolen', 'clean_exchange'];
const otherCategories = ['gambling', 'Sanctions', 'score', 'toString', '__proto__', 'length', '0'];

const categories = fc.oneof(
	{
		weight: 12,
		arbitrary: fc
			.uniqueArray(
				fc.tuple(
					fc.constantFrom(...knownCategories, ...otherCategories),
					mostly(numbers, notNumbers),
				),
				{ selector: ([name]) => name, maxLength: 6 },
			)
			.map((entries) => Object.fromEntries(entries) as unknown),
	},
	{ weight: 1, arbitrary: fc.constantFrom(absent, null, '', 'none', 0.5, ['mixer'], [0.5]) },
);

const parts = fc.record({
	address: mostly(addresses, notTexts, 20),
	chain: mostly([...chains, ...chains, absent], notTexts, 9),
	level: mostly(levels, notTexts, 9),
	score: mostly(numbers, notNumbers, 9),
	categories,
});
type Parts = { [Name in keyof typeof shape]: unknown };
const shape = { address: 0, chain: 0, level: 0, score: 0, categories: 0 };

const forms = ['whole', 'whole', 'riskText', 'simplified', 'simplified', 'categoriesText', 'text'];
const form = fc.constantFrom(
	...forms,
	'simplifiedText',
	'noRisk',
	'twins',
	'both',
	'torn',
	'oddRisk',
);

/** The report as a service, a data table or an earlier run gives it. */
function reportOf({ address, chain, level, score, categories: risks }: Parts, as: string): unknown {
	const risk = { level, score, categories: risks };
	const base = { report_id: 'rep_1', address, chain, tx_count: 3 };
	const simplified = { ...base, risk_level: level, risk_score: score, risk_categories: risks };
	if (as === 'riskText') return { ...base, risk: JSON.stringify(risk) };
	if (as === 'simplified') return simplified;
	if (as === 'categoriesText') return { ...simplified, risk_categories: JSON.stringify(risks) };
	if (as === 'text') return JSON.stringify({ ...base, risk });
	if (as === 'simplifiedText') return JSON.stringify(simplified);
	if (as === 'noRisk') return base;
	if (as === 'twins') return `{"address":"0x1",${JSON.stringify({ ...base, risk }).slice(1)}`;
	if (as === 'both') return { ...simplified, risk: JSON.stringify(risk) };
	if (as === 'torn') return { ...base, risk, risk_categories: { sanctions: 0.9 } };
	if (as === 'oddRisk') return { ...simplified, risk: level };
	return { ...base, risk };
}

const rule = fc
	.record({
		field: mostly(
			['level', 'level', 'score', 'other', 'other', ...knownCategories],
			['Level', 'gambling', '', absent, 3],
			60,
		),
		operator: mostly(['gte', 'lte', 'equals', 'notEquals'], ['>=', 'Equals', absent], 120),
		number: mostly(
			[...numbers, '0.5', '1e-1', '.3', '-0.1', '+1'],
			['0,5', '50 %', '0x10', '', ' ', null, NaN, '1e400', true, [0.5], 'Infinity'],
			120,
		),
		text: mostly(levels, ['', ' ', 5, null, absent, ['green']], 120),
		outcome: mostly(['review', 'block'], ['allow', 'Block', absent], 120),
		categoryKey: mostly([...otherCategories, 'gambling', 'mixer'], ['', ' ', absent, null, 5], 60),
		mayBeWaived: mostly([true, true, false, absent], ['true', 1, null], 120),
		extra: mostly([{}], [{ mayBeWaved: true }, { severity: 1 }], 200),
	})
	.map(({ field, operator, number, text, categoryKey, extra, ...rest }) => ({
		field,
		// Most rules are valid, so that there is something to decide.
		operator: field === 'level' && operator === 'gte' ? 'notEquals' : operator,
		value: field === 'level' ? text : number,
		...(field === 'other' ? { categoryKey } : {}),
		...rest,
		...(extra as object),
	}));

const days = ['2026-12-31', '2026-12-31', '2026-12-30', '2027-01-01', '2028-02-29', '2020-01-01'];
const noDays = [
	'2026-02-30',
	'2027-02-29',
	'31.12.2026',
	'2026-12-31T00:00:00Z',
	'2026-1-1',
	'',
	20261231,
];
const exception = fc.record({
	address: mostly(addresses, ['', ' ', 7, null], 150),
	chain: mostly([...chains, absent, absent, '', ' '], [5, {}], 150),
	until: mostly(days, [...noDays, absent, null], 100),
	reason: mostly(['Ticket 4711', 'Exchange deposit'], ['', ' ', 5, absent], 150),
	approvedBy: mostly(['Compliance lead', 'MLRO'], ['', ' ', absent], 150),
});

const policy = fc.oneof(
	{
		weight: 40,
		arbitrary: fc.record({
			name: mostly(['Payouts', absent], [5, null], 100),
			version: mostly([1, '2', absent], [{}, true], 100),
			rules: fc.array(rule, { minLength: 1, maxLength: 5 }),
			exceptions: fc.array(exception, { maxLength: 4 }),
		}) as fc.Arbitrary<unknown>,
	},
	{ weight: 10, arbitrary: fc.array(rule, { maxLength: 4 }) },
	{ weight: 1, arbitrary: fc.constantFrom<unknown>(null, 5, {}, { rules: {} }, { rules: [] }) },
);

const times = [
	'2026-12-31T00:00:00.000Z',
	'2026-12-31T23:59:59.999Z',
	'2027-01-01T00:00:00.000Z',
	'2026-12-01T08:00:00.000Z',
	'2028-02-29T23:59:59.999Z',
];

const trial = fc.record({
	current: parts,
	other: parts,
	replaced: fc.record({
		address: fc.nat(9).map((n) => n === 0),
		chain: fc.nat(9).map((n) => n === 0),
		level: fc.nat(2).map((n) => n === 0),
		score: fc.nat(2).map((n) => n === 0),
		categories: fc.nat(2).map((n) => n === 0),
	}),
	currentForm: form,
	earlierForm: form,
	noReport: mostly([absent], [null, '', ' ', 'no report', 5, [], {}, true, 'first'], 8),
	policy,
	asText: fc.boolean(),
	twin: mostly(
		['{"'],
		['{"outcome":"review","', '{"rules":[],"', '{"field":"level","'],
		15,
	) as fc.Arbitrary<string>,
	at: fc.constantFrom(...times).map((time) => new Date(time)),
	askedChain: fc.constantFrom('', '', '', ...chains),
	scoreChange: fc.constantFrom(0, 0, 0.05, 0.2, 0.3, 1),
});
type Trial = typeof trial extends fc.Arbitrary<infer Value> ? Value : never;

function earlierOf({ current, other, replaced, earlierForm, noReport }: Trial): unknown {
	if (noReport !== absent) return noReport === 'first' ? undefined : noReport;
	const names = Object.keys(shape) as Array<keyof Parts>;
	const entries = names.map((name) => [name, (replaced[name] ? other : current)[name]]);
	return reportOf(Object.fromEntries(entries) as Parts, earlierForm);
}

/** The policy as the node reads it; undefined if it refuses it. */
function accepted(json: unknown): Policy | undefined {
	try {
		return policyOfJson(json);
	} catch {
		return undefined;
	}
}

describe('a second reading of the documents', () => {
	it('decides and compares the same', () => {
		const seen = new Map<string, number>();
		const count = (what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1);

		const check = (each: Trial) => {
			const raw = reportOf(each.current, each.currentForm);
			const report = asReport(raw);
			const values = valuesOf(raw);
			expect({ isReport: report !== undefined }).toEqual({ isReport: values !== undefined });

			const written = JSON.stringify(each.policy) as string;
			const json: unknown = each.asText ? written.replace('{"', each.twin) : each.policy;
			const product = accepted(json);
			const read = readPolicy(json);
			expect({ isPolicy: product !== undefined }).toEqual({ isPolicy: read !== undefined });
			if (!report || !values) return count('no report');

			const change = compare(report, earlierOf(each), each.scoreChange);
			const readKind = readChange(values, earlierOf(each), each.scoreChange);
			expect({ kind: change.kind, fields: change.fields.map(({ field }) => field) }).toEqual(
				readKind,
			);
			count(change.kind);

			if (!product || !read) return count('refused');
			const { outcome, reasons } = decide(report, product, {
				at: each.at,
				chain: each.askedChain,
			});
			expect({
				outcome,
				reasons: reasons.map(({ waived_by, problem, ...reason }) => ({
					...reason,
					problem: problem !== undefined,
					...(waived_by ? { waivedBy: waived_by } : {}),
				})),
			}).toEqual(readDecision(values, read, each.at, each.askedChain));
			count(outcome);
			if (reasons.some(({ waived_by }) => waived_by)) count('waived');
		};

		fc.assert(fc.property(trial, check), { numRuns, seed });
		// Of everything there was enough to find a difference.
		const kinds = ['first', 'same', 'better', 'worse', 'unknown', 'no report'];
		for (const what of [...kinds, 'refused', 'allow', 'review', 'block', 'waived']) {
			expect([what, (seen.get(what) ?? 0) > numRuns / 100]).toEqual([what, true]);
		}
	});
});
