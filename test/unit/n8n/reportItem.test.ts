import { reportJson, reportOutcome } from '../../../nodes/WalletScreening/n8n/reportItem';
import { type Policy, policyOfJson } from '../../../nodes/WalletScreening/risk/policy';
import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import type { Report } from '../../../nodes/WalletScreening/service/report';
import { reportBody } from '../support/answers';

const report = (changes: object = {}) => reportBody({ ...changes }) as unknown as Report;
const risk = (level: string) => ({ risk: { ...reportBody().risk, level } });
const policy = policyOfJson([{ field: 'sanctions', operator: 'gte', value: 0, outcome: 'block' }]);
const origin = {
	...{ package: 'package@1', workflowId: 'w1', executionId: 'e1' },
	serviceNames: undefined,
};
const nothing = { policy: undefined, addEvidence: false };
const jsonOf = (one: Report, form = {}, chain?: string) =>
	reportJson({ report: one, chain }, nothing, form, origin);

describe('a report of another chain than the one that was asked for', () => {
	test.each([
		['ETH', 'BTC'],
		[undefined, 'BTC'],
		[1, 'ETH'],
	])('says so, simplified or not: %j instead of %s', (chain, asked) => {
		for (const simplify of [false, true])
			expect(jsonOf(report({ chain }), { simplify }, asked)).toMatchObject({ asked_chain: asked });
	});

	test('has an alert that is no all-clear', () => {
		const { alert } = jsonOf(report(), { alertText: true }, 'BTC');
		expect(alert).toMatchObject({
			title: expect.stringMatching(/^Attention: /) as string,
			text: expect.stringContaining('Chain asked for: BTC') as string,
		});
	});

	test.each([
		['eth', 'ETH'],
		['ETH', undefined],
	])('is not one if %j was reported and %j asked for', (chain, asked) =>
		expect(jsonOf(report({ chain }), {}, asked)).toEqual(report({ chain })),
	);
});

describe('a report that is left out because it gives no cause for concern', () => {
	const outcome = (changes: object, given?: Policy) =>
		reportOutcome(
			{ report: report(changes) },
			{ policy: given, addEvidence: false },
			{ onlyNotGreen: true },
			origin,
		);

	test.each(['green', 'GREEN'])('has the level %s', (level) =>
		expect(outcome(risk(level))).toBeUndefined(),
	);

	test.each(['red', 'greenish'])('has not the level %s', (level) =>
		expect(outcome(risk(level))).toMatchObject({ json: risk(level) }),
	);

	test('is not stopped by a rule', () =>
		expect(outcome({}, policy)).toMatchObject({ json: { decision: { outcome: 'block' } } }));

	test('stays without the option', () =>
		expect(reportOutcome({ report: report() }, nothing, {}, origin)).toEqual({ json: report() }));
});

test('a fault in making an item of a report is an error that names the report', () => {
	const odd = report();
	Object.defineProperty(odd, 'chain', {
		get: () => {
			throw new TypeError('odd');
		},
	});
	const outcome = reportOutcome(
		{ report: odd },
		{ policy, addEvidence: false },
		{ alertText: true, simplify: true },
		origin,
	);
	expect(outcome).toBeInstanceOf(ScreeningError);
	expect(outcome).toMatchObject({
		errorClass: 'invalid_response',
		message: expect.stringContaining('odd') as string,
		known: { report_id: 'rep_1', address: report().address },
	});
});
