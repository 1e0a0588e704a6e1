import fc from 'fast-check';
import { decide } from '../../../nodes/WalletScreening/risk/decision';
import { policyOfJson } from '../../../nodes/WalletScreening/risk/policy';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const other = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B';
const noon = new Date('2026-11-21T12:00:00.000Z');

const rule = { field: 'score', operator: 'gte', value: 0.5, outcome: 'block' };
const waivable = { ...rule, mayBeWaived: true };
const exception = (given: object = {}) => ({
	...{ address, until: '2026-11-21', reason: 'Known customer', approvedBy: 'MLRO' },
	...given,
});
const report = (given: object = {}) => ({
	...{ report_id: 'r', address, chain: 'ETH', risk: { level: 'red', score: 0.9 } },
	...given,
});
const outcome = (
	exceptions: object[],
	given: object = {},
	at = noon,
	rules: object[] = [waivable],
) => decide(report(given), policyOfJson({ rules, exceptions }), { at }).outcome;

test('an exception waives a rule that may be waived, and says who approved it', () => {
	const policy = policyOfJson({ rules: [waivable], exceptions: [exception()] });
	expect(decide(report(), policy, { at: noon })).toEqual({
		outcome: 'allow',
		reasons: [
			{
				...{ field: 'score', operator: 'gte', value: 0.5, actual: 0.9, outcome: 'block' },
				waived_by: { until: '2026-11-21', reason: 'Known customer', approved_by: 'MLRO' },
			},
		],
		summary:
			'Allow: waived until 2026-11-21 by MLRO (Known customer): score is 0.9 (0.5 or more means block)',
	});
});

test('an exception waives no other rule', () => {
	expect(outcome([exception()], {}, noon, [rule])).toBe('block');
	expect(outcome([exception()], {}, noon, [rule, waivable])).toBe('block');
	const review = { field: 'level', operator: 'notEquals', value: 'green', outcome: 'review' };
	expect(outcome([exception()], {}, noon, [waivable, review])).toBe('review');
});

test.each([
	['2026-11-20T23:59:59.999Z', '2026-11-21', 'allow'],
	['2026-11-21T00:00:00.000Z', '2026-11-21', 'allow'],
	['2026-11-21T23:59:59.999Z', '2026-11-21', 'allow'],
	['2026-11-22T00:00:00.000Z', '2026-11-21', 'block'],
	['2024-02-29T23:59:59.999Z', '2024-02-29', 'allow'],
	['2024-03-01T00:00:00.000Z', '2024-02-29', 'block'],
	['no time', '2026-11-21', 'block'],
])('at %s, an exception until %s: %s', (at, until, expected) => {
	expect(outcome([exception({ until })], {}, new Date(at))).toBe(expected);
});

test.each([
	[address.toLowerCase(), address, 'allow'],
	[address.toUpperCase(), address, 'allow'],
	[address, other, 'block'],
	[address, `${address} `, 'block'],
	[address, undefined, 'block'],
	[address, [address], 'block'],
	[
		'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ',
		'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
		'allow',
	],
	['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'allow'],
	['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '1a1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'block'],
])('an exception for %s on a report of %s: %s', (excepted, reported, expected) => {
	expect(outcome([exception({ address: excepted })], { address: reported })).toBe(expected);
});

test.each([
	['', 'ETH', 'allow'],
	['', undefined, 'allow'],
	[undefined, 'ETH', 'allow'],
	['eth', ' ETH ', 'allow'],
	['ETH', 'BSC', 'block'],
	['ETH', undefined, 'block'],
	['ETH', '', 'block'],
	['ETH', 7, 'block'],
])('an exception on the chain %j for a report of %j: %s', (excepted, chain, expected) => {
	expect(outcome([exception({ chain: excepted })], { chain })).toBe(expected);
});

test('of several exceptions the first that holds is named', () => {
	const exceptions = [
		exception({ reason: 'over', until: '2026-11-20' }),
		exception({ reason: 'elsewhere', chain: 'BSC' }),
		exception({ reason: 'of another', address: other }),
		exception({ reason: 'holds' }),
		exception({ reason: 'holds too', address: address.toLowerCase(), chain: 'ETH' }),
	];
	const policy = policyOfJson({ rules: [waivable], exceptions });
	expect(decide(report(), policy, { at: noon }).reasons[0]?.waived_by?.reason).toBe('holds');
});

test('what could not be checked is never waived', () => {
	const exceptions = [exception()];
	expect(outcome(exceptions, { risk: { level: 'green' } })).toBe('review');
	expect(outcome(exceptions, { risk: { level: 'green', score: '0.9' } })).toBe('review');
	const level = { field: 'level', operator: 'equals', value: 'red', outcome: 'block' };
	for (const given of ['', ' ', 7, null, undefined]) {
		const rules = [{ ...level, mayBeWaived: true }];
		expect(outcome(exceptions, { risk: { level: given } }, noon, rules)).toBe('review');
	}
	const policy = policyOfJson({ rules: [waivable], exceptions });
	const decided = decide(report(), policy, { at: noon, chain: 'TRX' });
	expect(decided.outcome).toBe('review');
	expect(decided.reasons.map(({ waived_by }) => waived_by !== undefined)).toEqual([false, true]);
});

describe('whatever the policy and the report', () => {
	const addresses = [address, address.toLowerCase(), other, 'TNVTdTSPRnXkDiagy7enti1KL75NU5AxC9'];
	const chains = ['ETH', 'eth', 'BSC', ''];
	const days = ['2026-11-20', '2026-11-21', '2026-11-22'];
	const anyRule = fc.record({
		field: fc.constantFrom('score', 'mixer', 'sanctions'),
		operator: fc.constantFrom('gte', 'lte', 'equals', 'notEquals'),
		value: fc.constantFrom(0, 0.3, 0.7),
		outcome: fc.constantFrom('review', 'block'),
		mayBeWaived: fc.boolean(),
	});
	const anyException = fc
		.record({
			address: fc.constantFrom(...addresses),
			chain: fc.constantFrom(...chains),
			until: fc.constantFrom(...days),
		})
		.map((given) => exception(given));
	const value = fc.constantFrom(0, 0.3, 0.5, 0.7, 1, null, 'x', undefined);
	const anyReport = fc.record({
		address: fc.constantFrom(...addresses),
		chain: fc.constantFrom(...chains, undefined),
		risk: fc.record({
			level: fc.constant('green'),
			score: value,
			categories: fc.record({ mixer: value, sanctions: value }),
		}),
	});
	const time = fc
		.integer({ min: Date.UTC(2026, 10, 19), max: Date.UTC(2026, 10, 24) })
		.map((at) => new Date(at));
	const gravity = { allow: 0, review: 1, block: 2 };
	const always = (
		check: (
			rules: Array<{ mayBeWaived: boolean }>,
			exceptions: Array<ReturnType<typeof exception> & { chain?: string }>,
			given: { address: string; chain: string | undefined; risk: object },
			at: Date,
		) => void,
	) =>
		fc.assert(
			fc.property(
				fc.array(anyRule, { minLength: 1, maxLength: 5 }),
				fc.array(anyException, { maxLength: 5 }),
				anyReport,
				time,
				check,
			),
			{ numRuns: 1_000 },
		);
	const decided = (rules: object[], exceptions: object[], given: object, at: Date) =>
		decide(report(given), policyOfJson({ rules, exceptions }), { at });

	it('exceptions change no decision of rules that may not be waived', () => {
		always((rules, exceptions, given, at) => {
			const strict = rules.filter(({ mayBeWaived }) => !mayBeWaived);
			if (strict.length === 0) return;
			const { outcome: least } = decided(strict, [], given, at);
			const { outcome: found } = decided(rules, exceptions, given, at);
			expect(gravity[found]).toBeGreaterThanOrEqual(gravity[least]);
		});
	});

	it('exceptions that are over, or for another address or chain, change nothing', () => {
		always((rules, exceptions, given, at) => {
			const today = at.toISOString().slice(0, 10);
			const isSame = (one: string, two: string) => one.toLowerCase() === two.toLowerCase();
			const useless = exceptions.filter(
				({ address: whose, chain = '', until }) =>
					until < today ||
					!isSame(whose, given.address) ||
					(chain !== '' && !isSame(chain, given.chain ?? '')),
			);
			expect(decided(rules, useless, given, at)).toEqual(decided(rules, [], given, at));
		});
	});

	it('an exception that holds waives every rule that applies and may be waived', () => {
		always((rules, exceptions, given, at) => {
			const holds = exception({ address: given.address, until: '2026-12-01' });
			const { reasons } = decided(rules, [...exceptions, holds], given, at);
			const plain = decided(rules, [], given, at).reasons;
			expect(reasons.map(({ waived_by, ...reason }) => reason)).toEqual(plain);
			const strict = rules.filter(({ mayBeWaived }) => !mayBeWaived);
			const kept = reasons.filter(({ waived_by }) => !waived_by);
			const problems = plain.filter(({ problem }) => problem).length;
			const fired = strict.length === 0 ? [] : decided(strict, [], given, at).reasons;
			expect(kept).toHaveLength(problems + fired.filter(({ problem }) => !problem).length);
		});
	});

	it('the worst outcome of the reasons that count wins', () => {
		always((rules, exceptions, given, at) => {
			const { outcome: found, reasons, summary } = decided(rules, exceptions, given, at);
			const counted = reasons
				.filter(({ waived_by }) => !waived_by)
				.map((one) => gravity[one.outcome]);
			expect(gravity[found]).toBe(Math.max(0, ...counted));
			expect(summary.toLowerCase()).toMatch(new RegExp(`^${found}: .{1,400}$`));
		});
	});
});
