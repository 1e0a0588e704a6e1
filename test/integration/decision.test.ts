import type { INodeParameters } from 'n8n-workflow';

import { reportOn } from '../../sandbox/reports';
import { type Service, startService } from './engine/service';
import { CREDENTIAL } from './engine/workflows';

const GREEN = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
/** On the list of sanctioned addresses of the US Treasury. */
const SANCTIONED = '0x8589427373D6D84E98730D7795D8f6f8731FDA16';

const NOT_GREEN = { field: 'level', operator: 'notEquals', value: 'green', outcome: 'review' };
const ALERT = ['title', 'text', 'html', 'slackBlocks'];

const rules = (...list: object[]) =>
	({ addDecision: true, decisionRules: { rules: list } }) as INodeParameters;
const SCREEN: INodeParameters = {
	...{ resource: 'address', operation: 'screen', address: '={{ $json.address }}' },
};
const amount = 5000;
const serviceNames = { results: ['verdicts'] };
const input = [GREEN, SANCTIONED].map((address) => ({ address, amount }));

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

	const reportOf = (address: string) => reportOn(address, undefined, service.sandbox.baseUrl);
	const allow = { outcome: 'allow', reasons: [], summary: 'Allow: no rule applies' };
	const review = {
		outcome: 'review',
		reasons: [{ ...NOT_GREEN, actual: 'red' }],
		summary: 'Review: level is red (anything but green means review)',
	};

	/** The operations that give reports, as nodes behind a screening that made them. */
	const operations: Array<[string, INodeParameters[]]> = [
		['address: screen', [SCREEN]],
		[
			'report: get',
			[SCREEN, { resource: 'report', operation: 'get', reportId: '={{ $json.report_id }}' }],
		],
		[
			'bulkJob: screenAndWait',
			[{ resource: 'bulkJob', operation: 'screenAndWait', options: { pollInterval: 0.01 } }],
		],
		[
			'bulkJob: get, reports',
			[
				{ resource: 'bulkJob', operation: 'submit' },
				{ resource: 'bulkJob', operation: 'get', output: 'reports', jobId: '={{ $json.job_id }}' },
			],
		],
	];

	describe.each(operations)('%s', (_, nodes) => {
		const run = async (more: INodeParameters) => {
			const [first, second] = nodes as [INodeParameters, INodeParameters?];
			const last = (parameters: INodeParameters): INodeParameters => ({
				...parameters,
				...more,
				options: { ...(parameters['options'] as object), ...(more['options'] as object) },
			});
			if (!second) return await service.run(last(first), { input });
			const screened = await service.run(first, { input });
			return await service.run(last(second), {
				input: screened.items[0]!.map(({ json }) => ({ ...json, amount })),
			});
		};

		it('adds nothing if nothing is asked for', async () => {
			const { items } = await run({});
			expect(items[0]!.map(({ json }) => json)).toEqual([reportOf(GREEN), reportOf(SANCTIONED)]);
		});

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
			const { items } = await run({
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
			const reports = items[0]!.map(({ json }) => json);
			expect(reports).toMatchObject([expected(GREEN), expected(SANCTIONED)]);
			const verify = { resource: 'decision', operation: 'verify' };
			const verified = await service.run(verify, { input: reports });
			const valid = { verification: { valid: true, findings: [] } };
			expect(verified.items[0]!.map(({ json }) => json)).toMatchObject([valid, valid]);
		});

		it('decides by the rule that the node starts with', async () => {
			const { items } = await run({ addDecision: true });
			expect(items[0]!.map(({ json }) => json)).toEqual([
				{ ...reportOf(GREEN), decision: allow },
				{ ...reportOf(SANCTIONED), decision: review },
			]);
		});

		it('adds the alert beside a simple report, with the decision in it', async () => {
			const { items } = await run({
				...rules({ field: 'sanctions', operator: 'gte', value: '0.5', outcome: 'block' }),
				options: { simplify: true, alertText: true },
			});
			const [green, sanctioned] = items[0]!.map(({ json }) => json);
			expect(Object.keys(sanctioned!)).toEqual(
				'report_id address chain risk_level risk_score risk_categories balance tx_count report_url decision alert'.split(
					' ',
				),
			);
			expect(green!['decision']).toEqual(allow);
			expect(sanctioned!['decision']).toMatchObject({ outcome: 'block' });
			expect(Object.keys(sanctioned!['alert'] as object)).toEqual(ALERT);
			expect((sanctioned!['alert'] as { title: string }).title).toMatch(/block/i);
		});
	});

	it('stops before any request at a rule that cannot be right, and names it', async () => {
		const wrong = { field: 'score', operator: 'gte', value: 'high', outcome: 'block' };
		const { error } = await service.run({ ...SCREEN, ...rules(NOT_GREEN, wrong) }, { input });
		expect(error?.message).toContain("Rule 2 compares 'score'");
		expect(error).toMatchObject({ context: { errorClass: 'invalid_input', itemIndex: 0 } });
		expect(service.requested()).toEqual([]);
	});

	it.each([
		['address: screen', SCREEN],
		['bulkJob: screenAndWait', { resource: 'bulkJob', operation: 'screenAndWait' }],
	])('%s: takes rules item by item, and screens none for a rule that is wrong', async (_, node) => {
		const perItem = [0.001, 'much', 0.999].map((limit, index) => ({
			...{ address: index === 1 ? SANCTIONED : GREEN, limit },
		}));
		const parameters: INodeParameters = {
			...node,
			...rules({ field: 'score', operator: 'gte', value: '={{ $json.limit }}', outcome: 'block' }),
			options: { pollInterval: 0.01 },
		};
		const stopped = await service.run(parameters, { input: perItem });
		expect(stopped.error).toMatchObject({ context: { errorClass: 'invalid_input', itemIndex: 1 } });
		expect(service.requested()).toEqual([]);

		const { items } = await service.run(parameters, {
			...{ input: perItem, onError: 'continueRegularOutput' },
		});
		expect(items[0]!.map(({ json }) => json)).toMatchObject([
			{ address: GREEN, decision: { outcome: 'block' } },
			{ details: { errorClass: 'invalid_input', parameter: 'Decision Rules' } },
			{ address: GREEN, decision: { outcome: 'allow' } },
		]);
		const bodies = service.sandbox.requests.map(({ body }) => JSON.stringify(body)).join();
		expect(bodies).not.toContain(SANCTIONED);
	});

	it('does not decide on a job: it holds no report', async () => {
		const { items } = await service.run(
			{ resource: 'bulkJob', operation: 'submit', ...rules(NOT_GREEN) },
			{ input },
		);
		expect(items[0]![0]!.json).not.toHaveProperty('decision');
	});
});
