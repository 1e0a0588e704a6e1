import type { INodeParameters } from 'n8n-workflow';

import { reportOn } from '../../sandbox/reports';
import { CONTINUE } from './engine/items';
import { type Service, startService } from './engine/service';
import { CREDENTIAL } from './engine/workflows';

const GREEN = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
/** On the list of sanctioned addresses of the US Treasury. */
const SANCTIONED = '0x8589427373D6D84E98730D7795D8f6f8731FDA16';

const SCREEN: INodeParameters = {
	...{ resource: 'address', operation: 'screen', address: '={{ $json.address }}' },
};
const WAIT: INodeParameters = { resource: 'bulkJob', operation: 'screenAndWait' };
const amount = 5000;
const serviceNames = { results: ['verdicts'] };
const input = [GREEN, SANCTIONED].map((address) => ({ address, amount }));
const simple =
	'report_id address chain risk_level risk_score risk_categories balance tx_count report_url';

describe('decisions and alerts', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService({
			sandbox: { jobDurationMs: 0 },
			credentials: () => ({ [CREDENTIAL]: { serviceNames: JSON.stringify(serviceNames) } }),
		});
	});
	afterAll(async () => await service.close());
	beforeEach(() => service.reset());

	/** The operations that give reports, as nodes behind a screening that made them. */
	const operations: Array<[string, INodeParameters, INodeParameters?]> = [
		['address: screen', SCREEN],
		[
			...(['report: get', SCREEN] as const),
			{ resource: 'report', operation: 'get', reportId: '={{ $json.report_id }}' },
		],
		['bulkJob: screenAndWait', { ...WAIT, options: { pollInterval: 0.01 } }],
		[
			...(['bulkJob: get, reports', { resource: 'bulkJob', operation: 'submit' }] as const),
			{ resource: 'bulkJob', operation: 'get', output: 'reports', jobId: '={{ $json.job_id }}' },
		],
	];

	describe.each(operations)('%s', (_, first, second) => {
		const run = async (more: INodeParameters) => {
			const last = second ?? first;
			const options = { ...(last['options'] as object), ...(more['options'] as object) };
			const parameters = { ...last, ...more, options };
			if (!second) return (await service.run(parameters, { input })).items[0]!;
			const screened = await service.run(first, { input });
			const given = screened.items[0]!.map(({ json }) => ({ ...json, amount }));
			return (await service.run(parameters, { input: given })).items[0]!;
		};

		it('decides on the input item, says what for, and takes no decision of the service', async () => {
			const sent = { decision: { outcome: 'allow' }, evidence: {}, asked_chain: 'TRX' };
			service.sandbox.addFault({
				effect: {
					kind: 'rewrite',
					rewrite: (body) =>
						JSON.parse(JSON.stringify(body), (_name, value: { report_id?: string } | null) =>
							value?.report_id ? { ...value, ...sent } : value,
						) as object,
				},
			});
			const policy = {
				...{ name: 'Payouts', otherwise: 'allow' },
				rules: [{ field: { input: 'amount' }, operator: 'gte', value: amount, outcome: 'block' }],
				lists: [{ name: 'Watched', outcome: 'review', addresses: [GREEN.toLowerCase()] }],
			};
			const items = await run({
				...{ addDecision: true, rulesSource: 'json', rulesJson: JSON.stringify(policy) },
				...{ policyVersion: '7', addEvidence: true, reference: '=P-{{ $json.amount }}' },
			});
			const [ofAmount] = policy.rules;
			const reasons = [{ ...ofAmount, actual: amount }];
			const list = { list: 'Watched', outcome: 'review' };
			const expected = (address: string) => ({
				...{ address, service_decision: sent.decision, service_asked_chain: 'TRX' },
				decision: { outcome: 'block', reasons: address === GREEN ? [...reasons, list] : reasons },
				evidence: {
					...{ reference: 'P-5000', inputs: { amount }, service_names: serviceNames },
					policy: { name: 'Payouts', version: '7', lists: [{ name: 'Watched', length: 1 }] },
				},
			});
			const reports = items.map(({ json }) => json);
			expect(reports).toMatchObject([expected(GREEN), expected(SANCTIONED)]);
			const verify = { resource: 'decision', operation: 'verify' };
			const verified = await service.run(verify, { input: reports });
			const valid = { verification: { valid: true, findings: [] } };
			expect(verified.items[0]!.map(({ json }) => json)).toMatchObject([valid, valid]);
		});

		it('decides by the rule that the node starts with, and alerts beside a simple report', async () => {
			const items = await run({ addDecision: true, options: { simplify: true, alertText: true } });
			const [green, sanctioned] = items.map(({ json }) => json);
			expect(Object.keys(sanctioned!).join(' ')).toBe(`${simple} decision alert`);
			expect(green!['decision']).toMatchObject({ outcome: 'allow', reasons: [] });
			expect(sanctioned!['decision']).toEqual({
				outcome: 'review',
				reasons: [
					{
						field: 'level',
						operator: 'notEquals',
						value: 'green',
						outcome: 'review',
						actual: 'red',
					},
				],
				summary: 'Review: level is red (anything but green means review)',
			});
			const alert = sanctioned!['alert'] as { title: string };
			expect(Object.keys(alert)).toEqual(['title', 'text', 'html', 'slackBlocks']);
			expect(alert.title).toMatch(/review/i);
		});
	});

	it('adds nothing if nothing is asked for', async () => {
		const { items } = await service.run(WAIT, { input });
		expect(items[0]!.map(({ json }) => json)).toEqual(
			input.map(({ address }) => reportOn(address, undefined, service.sandbox.baseUrl)),
		);
	});

	it.each([
		['address: screen', SCREEN],
		['bulkJob: screenAndWait', WAIT],
	])('%s: takes rules item by item, and screens none for a rule that is wrong', async (_, node) => {
		const perItem = [0.001, 'much', 0.999].map((limit, index) => ({
			...{ address: index === 1 ? SANCTIONED : GREEN, limit },
		}));
		const rule = { field: 'score', operator: 'gte', value: '={{ $json.limit }}', outcome: 'block' };
		const parameters: INodeParameters = {
			...node,
			...{ addDecision: true, decisionRules: { rules: [rule] } },
			options: { pollInterval: 0.01 },
		};
		const stopped = await service.run(parameters, { input: perItem });
		expect(stopped.error?.message).toContain("Rule 1 compares 'score'");
		expect(stopped.error?.context).toMatchObject({ errorClass: 'invalid_input', itemIndex: 1 });
		expect(service.requested()).toEqual([]);

		const { items } = await service.run(parameters, { input: perItem, onError: CONTINUE });
		expect(items[0]!.map(({ json }) => json)).toMatchObject([
			{ address: GREEN, decision: { outcome: 'block' } },
			{ details: { errorClass: 'invalid_input', parameter: 'Decision Rules' } },
			{ address: GREEN, decision: { outcome: 'allow' } },
		]);
		const bodies = service.sandbox.requests.map(({ body }) => JSON.stringify(body)).join();
		expect(bodies).not.toContain(SANCTIONED);
	});
});
