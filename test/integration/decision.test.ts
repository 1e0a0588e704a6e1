import type { INodeParameters } from 'n8n-workflow';

import { reportOn } from '../../sandbox/reports';
import { type Service, startService } from './engine/service';

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
const input = [GREEN, SANCTIONED].map((address) => ({ address }));

describe('decisions and alerts', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService({ sandbox: { jobDurationMs: 0 } });
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
			return await service.run(last(second), { input: screened.items[0]!.map(({ json }) => json) });
		};

		it('adds nothing if nothing is asked for', async () => {
			const { items } = await run({});
			expect(items[0]!.map(({ json }) => json)).toEqual([reportOf(GREEN), reportOf(SANCTIONED)]);
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
