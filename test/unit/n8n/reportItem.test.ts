import { reportJson, reportOutcome } from '../../../nodes/WalletScreening/n8n/reportItem';
import type { Rule } from '../../../nodes/WalletScreening/risk/decision';
import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import type { Report } from '../../../nodes/WalletScreening/service/shapes';
import { reportBody } from '../support/answers';

const report = (changes: object = {}) => reportBody({ ...changes }) as unknown as Report;
const risk = (level: string) => ({ risk: { ...reportBody().risk, level } });
const rules: Rule[] = [
	{ field: 'sanctions', of: 'category', operator: 'gte', value: 0, outcome: 'block' },
];

describe('a report of another chain than the one that was asked for', () => {
	test.each([
		['ETH', 'BTC'],
		[undefined, 'BTC'],
		[1, 'ETH'],
		['', 'ETH'],
	])('says so: %j instead of %s', (chain, asked) =>
		expect(reportJson(report({ chain }), {}, undefined, asked)).toMatchObject({
			asked_chain: asked,
		}),
	);

	test('says so in the simplified form too', () =>
		expect(reportJson(report(), { simplify: true }, undefined, 'BTC')).toMatchObject({
			chain: 'ETH',
			asked_chain: 'BTC',
		}));

	test.each([
		['ETH', 'eth'],
		['eth', 'ETH'],
		[' ETH ', 'ETH'],
		['ETH', undefined],
	])('is not one where %j was reported and %j asked for', (chain, asked) =>
		expect(reportJson(report({ chain }), {}, undefined, asked)).toEqual(report({ chain })),
	);
});

describe('a report that is left out because it gives no cause for concern', () => {
	const outcome = (changes: object, given?: Rule[]) =>
		reportOutcome(report(changes), { onlyNotGreen: true }, given);

	test.each(['green', 'GREEN'])('has the level %s', (level) =>
		expect(outcome(risk(level))).toBeUndefined(),
	);

	test.each(['red', 'yellow', 'greenish', 'unknown'])('has not the level %s', (level) =>
		expect(outcome(risk(level))).toMatchObject({ json: risk(level) }),
	);

	test('is not stopped by a rule', () =>
		expect(outcome({}, rules)).toMatchObject({ json: { decision: { outcome: 'block' } } }));

	test('stays without the option', () =>
		expect(reportOutcome(report(), {}, undefined)).toEqual({ json: report() }));
});

test('items of one report share no object', () => {
	const one = report();
	const first = reportOutcome(one, {}, undefined);
	const second = reportOutcome(one, {}, undefined, true) as { json: Report };
	expect(second).toEqual(first);
	expect(second.json.risk).not.toBe(one.risk);
});

test('a fault in making an item of a report is an error that names the report', () => {
	const odd = report();
	Object.defineProperty(odd, 'chain', {
		get: () => {
			throw new TypeError('odd');
		},
	});
	const outcome = reportOutcome(odd, { alertText: true, simplify: true }, rules);
	expect(outcome).toBeInstanceOf(ScreeningError);
	expect(outcome).toMatchObject({
		errorClass: 'invalid_response',
		message: expect.stringContaining('odd') as string,
		known: { report_id: 'rep_1', address: report().address },
	});
});
