import { createHash } from 'node:crypto';

import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { reportOn } from '../../sandbox/reports';
import { type Service, startService } from './engine/service';
import { SCREENING, screeningWorkflow } from './engine/workflows';

const SANCTIONED = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const CLEAN = '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe';

const rules = [
	{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' },
	{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review', mayBeWaived: true },
];

/** Allows what is not green. */
const lenient = {
	rulesJson: JSON.stringify({
		otherwise: 'allow',
		rules: [{ field: 'score', operator: 'gte', value: 2, outcome: 'block' }],
	}),
};

const decide = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'decision',
	operation: 'decide',
	rulesSource: 'json',
	rulesJson: JSON.stringify({ name: 'Payouts', version: 3, rules }),
	...more,
});
const verify = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'decision',
	operation: 'verify',
	...more,
});
const compare = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'report',
	operation: 'compare',
	...more,
});
const digest = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'alert',
	operation: 'createDigest',
	title: 'Nightly run',
	...more,
});

const fieldOf = (items: INodeExecutionData[][], name: string) =>
	items[0]!.map(({ json }) => json[name] as IDataObject);

describe('operations on reports that are already here', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService();
	});
	afterAll(async () => await service.close());
	afterEach(() => service.reset());

	const report = (address: string, changes: IDataObject = {}): IDataObject => ({
		...(reportOn(address, undefined, service.sandbox.baseUrl) as unknown as IDataObject),
		...changes,
	});

	/** Without a credential. */
	async function run(
		parameters: INodeParameters,
		input: Array<IDataObject | INodeExecutionData>,
		onError?: INode['onError'],
	) {
		const workflow = screeningWorkflow(parameters, onError && { onError });
		delete workflow.nodes.find(({ name }) => name === SCREENING)!.credentials;
		const result = await service.runWorkflow(workflow, { input });
		expect(service.requested()).toEqual([]);
		return result;
	}

	it('decides, keeps the item, and says why in one line', async () => {
		const input = [SANCTIONED, CLEAN].map((address) => ({ customer: 'C-1', ...report(address) }));
		const { items, error } = await run(decide(), input);
		expect(error).toBeUndefined();
		expect(items[0]!.map(({ json }) => json)).toEqual(
			input.map((item) => ({ ...item, decision: expect.any(Object) as object })),
		);
		expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		const [blocked, allowed] = fieldOf(items, 'decision');
		expect(blocked).toMatchObject({ outcome: 'block' });
		expect(blocked!.summary).toMatch(/block.*sanctions/i);
		expect(allowed).toMatchObject({ outcome: 'allow', reasons: [] });
	});

	it('takes a simplified report, a report in a field, and one that is JSON text', async () => {
		const whole = report(SANCTIONED);
		const risk = whole.risk as IDataObject;
		const simplified = {
			address: SANCTIONED,
			risk_level: risk.level,
			risk_score: risk.score,
			risk_categories: risk.categories,
		};
		const { items: direct } = await run(decide(), [simplified]);
		const { items: nested } = await run(decide({ reportField: 'row.report' }), [
			{ row: { report: whole } },
			{ row: { report: JSON.stringify(whole) } },
		]);
		expect(
			[...direct[0]!, ...nested[0]!].map(({ json }) => (json.decision as IDataObject).outcome),
		).toEqual(['block', 'block', 'block']);
	});

	it('reviews a report of another chain than the one that was asked for', async () => {
		const { items } = await run(decide(), [{ ...report(CLEAN), asked_chain: 'BSC' }]);
		expect(fieldOf(items, 'decision')[0]).toMatchObject({
			outcome: 'review',
			reasons: [{ field: 'chain', value: 'BSC', actual: 'ETH' }],
		});
	});

	it('waives a rule that may be waived, until the end of the last day of an exception', async () => {
		const yellow = report(CLEAN, {
			risk: { level: 'yellow', score: 0.4, categories: { sanctions: 0 } },
		});
		const exception = (until: string) => ({
			exceptions: {
				entries: [
					{ address: CLEAN.toLowerCase(), chain: '', until, reason: 'Known', approvedBy: 'J. Doe' },
				],
			},
		});
		const day = (days: number) =>
			new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
		const otherwise = { otherwise: 'allow' };
		const { items: waived } = await run(decide({ ...exception(day(1)), ...otherwise }), [yellow]);
		const { items: over } = await run(decide({ ...exception(day(-1)), ...otherwise }), [yellow]);
		const { items: stricter } = await run(decide(exception(day(1))), [yellow]);
		expect(fieldOf(waived, 'decision')[0]).toMatchObject({
			outcome: 'allow',
			reasons: [{ waived_by: { until: day(1), reason: 'Known', approved_by: 'J. Doe' } }],
		});
		for (const items of [over, stricter]) {
			expect(fieldOf(items, 'decision')[0]).toMatchObject({ outcome: 'review' });
		}
	});

	it.each<[string, INodeParameters]>([
		[
			'an exception without a reason',
			{ exceptions: { entries: [{ address: CLEAN, until: '2099-01-01', approvedBy: 'J' }] } },
		],
		[
			'a rule with an unknown operator',
			{ rulesJson: '[{"field":"score","operator":">","value":1,"outcome":"block"}]' },
		],
		['no rule', { rulesJson: '[]' }],
		['broken JSON', { rulesJson: '[{' }],
		['no policy', { rulesJson: '' }],
	])('refuses %s', async (_what, more) => {
		const { error } = await run(decide(more), [report(CLEAN)]);
		expect(error?.context).toMatchObject({ errorClass: 'invalid_input' });
	});

	it('takes a policy from an expression, for each item its own', async () => {
		const policy = (value: number) => ({
			...{
				otherwise: 'allow',
				rules: [{ field: 'score', operator: 'gte', value, outcome: 'block' }],
			},
		});
		const { items } = await run(decide({ rulesJson: '={{ $json.policy }}' }), [
			{ ...report(SANCTIONED), policy: policy(0) },
			{ ...report(SANCTIONED), policy: policy(2) },
		]);
		expect(fieldOf(items, 'decision').map(({ outcome }) => outcome)).toEqual(['block', 'allow']);
	});

	it('gives an item without a report as an error item that keeps what it said', async () => {
		const failed = { error: 'The service is unavailable', details: { errorClass: 'server' } };
		const { items } = await run(
			decide(),
			[{ customer: 'C-1' }, failed, report(CLEAN)],
			'continueRegularOutput',
		);
		expect(items[0]!.map(({ json }) => json)).toEqual([
			{
				customer: 'C-1',
				error: expect.stringContaining('contains no report') as string,
				details: expect.objectContaining({ errorClass: 'invalid_input' }) as object,
			},
			failed,
			expect.objectContaining({ decision: expect.any(Object) as object }),
		]);
	});

	it('does not decide on the older report beside a failure', async () => {
		const failed = {
			error: 'The service is unavailable',
			details: { errorClass: 'server' },
			report: report(CLEAN),
		};
		const named = { reportField: 'report' };
		const results = await Promise.all([
			run(decide(named), [failed], 'continueRegularOutput'),
			run(compare({ ...named, options: { onlyChanges: true } }), [failed], 'continueRegularOutput'),
		]);
		for (const { items } of results) expect(items[0]!.map(({ json }) => json)).toEqual([failed]);
	});

	it.each<[string, INodeParameters]>([
		['decide', decide()],
		['compare', compare()],
		['verify', verify()],
	])('%s leaves no verdict of an earlier run beside an error', async (_, parameters) => {
		const earlier = { decision: { outcome: 'allow' }, alert: {}, change: {}, verification: {} };
		const input = [{ ...earlier, customer: 'C-1', error: null, details: null }];
		const error = expect.stringContaining('contains no report') as string;
		const details = expect.objectContaining({ errorClass: 'invalid_input' }) as object;
		const regular = await run(parameters, input, 'continueRegularOutput');
		const errors = await run(parameters, input, 'continueErrorOutput');
		for (const items of [regular.items[0]!, errors.items[1]!]) {
			expect(items.map(({ json }) => json)).toEqual([{ customer: 'C-1', error, details }]);
		}
	});

	it('makes evidence that holds, and finds any change of report, decision or PDF', async () => {
		const { items: decided } = await run(decide({ addEvidence: true }), [report(SANCTIONED)]);
		const [item] = decided[0]!.map(({ json }) => json);
		const evidence = item!.evidence as IDataObject;
		expect(evidence).toMatchObject({
			version: 1,
			report_id: report(SANCTIONED).report_id,
			policy: { name: 'Payouts', version: 3 },
			decision: { outcome: 'block' },
			workflow_id: 'engine',
		});

		const check = async (changed: IDataObject) =>
			fieldOf((await run(verify(), [changed])).items, 'verification')[0];
		expect(await check(item!)).toEqual({ valid: true, findings: [] });
		for (const changed of [
			{ ...item, tx_count: 1 },
			{ ...item, decision: { ...(item!.decision as object), outcome: 'allow' } },
			{ ...item, evidence: { ...evidence, decided_at: '2020-01-01T00:00:00.000Z' } },
		]) {
			expect(await check(changed)).toMatchObject({ valid: false });
		}
	});

	it('finds another PDF than the one of the evidence', async () => {
		const { items } = await service.run(
			{
				resource: 'address',
				operation: 'screen',
				address: CLEAN,
				includePdf: true,
				addEvidence: true,
			},
			{ input: [{}] },
		);
		service.reset();
		const [screened] = items[0]!;
		const bytes = await service.engine.bytes(screened!.binary!.data!);
		expect(screened!.json.evidence).toMatchObject({
			pdf_sha256: createHash('sha256').update(bytes).digest('hex'),
			screened_at: expect.stringMatching(/Z$/) as string,
			policy: null,
		});
		const other = {
			...screened!.binary!.data!,
			data: Buffer.from('%PDF-other').toString('base64'),
		};
		const { items: checked } = await run(verify({ binaryPropertyName: 'data' }), [
			{ json: screened!.json, binary: screened!.binary! },
			{ json: screened!.json, binary: { data: other } },
			{ json: screened!.json },
		]);
		expect(fieldOf(checked, 'verification').map(({ valid }) => valid)).toEqual([
			true,
			false,
			false,
		]);
	});

	it('compares with the earlier report, and leaves out what is the same if asked to', async () => {
		const was = report(CLEAN);
		const rose = { ...was, risk: { ...(was.risk as object), level: 'red', score: 0.9 } };
		const input = [
			{ ...was },
			{ ...was, previous: was },
			{ ...rose, previous: JSON.stringify(was) },
			{ ...was, previous: rose },
		];
		const { items } = await run(compare(), input);
		expect(fieldOf(items, 'change').map(({ kind }) => kind)).toEqual([
			'first',
			'same',
			'worse',
			'better',
		]);
		const { items: changes } = await run(compare({ options: { onlyChanges: true } }), input);
		expect(changes[0]!.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 2 },
			{ item: 3 },
		]);
	});

	it('compares with a field of any name, or with nothing, and takes Smallest Change as text', async () => {
		const was = report(CLEAN);
		const risk = was.risk as { score: number };
		const rose = { ...was, risk: { ...risk, score: risk.score + 0.1 }, before: { last: was } };
		const kindOf = async (more: INodeParameters) =>
			fieldOf((await run(compare(more), [rose])).items, 'change').map(({ kind }) => kind);
		expect(await kindOf({ earlierField: 'before.last' })).toEqual(['worse']);
		expect(await kindOf({ earlierField: 'before.last', scoreChange: '0.2' })).toEqual(['same']);
		expect(await kindOf({ earlierField: ' ' })).toEqual(['first']);
	});

	it.each([-0.1, 'a little', null])('compares nothing by a change of %j', async (scoreChange) => {
		const { error } = await run(compare({ scoreChange } as INodeParameters), [report(CLEAN)]);
		expect(error?.message).toContain("'Smallest Change' is not a number from 0 up");
	});

	it.each<[string, INodeParameters]>([
		['Earlier Report Field', compare({ earlierField: '={{ $json.previous }}' })],
		['Earlier Report Field', compare({ earlierField: '={{ $json.nothing }}' })],
		['Earlier Report Field', compare({ earlierField: '={{ JSON.stringify($json.previous) }}' })],
		['Earlier Report Field', compare({ earlierField: '= {{ $json.previous }}' })],
		['Report Field', compare({ reportField: '={{ $json }}' })],
		['Report Field', decide({ reportField: '={{ $json }}' })],
		['Report Field', verify({ reportField: '={{ [$json] }}' })],
	])('takes in %s the name of a field, not its value: %j', async (label, parameters) => {
		const item = { ...report(SANCTIONED), previous: report(CLEAN) };
		const { error } = await run(parameters, [item]);
		expect(error?.message).toBe(`'${label}' takes the name of a field, not its value`);
		expect(error?.context).toMatchObject({ errorClass: 'invalid_input', parameter: label });
	});

	it('makes the alert of an item anew, so that it tells of this decision', async () => {
		const { items: allowed } = await run(
			decide({
				...lenient,
				options: { alertText: true },
			}),
			[report(SANCTIONED)],
		);
		const { items } = await run(decide(), [allowed[0]![0]!.json]);
		const titles = [allowed, items].map(
			([all]) => (all![0]!.json.alert as { title: string }).title,
		);
		expect(titles[0]).toMatch(/^allow/i);
		expect(titles[1]).toMatch(/^block/i);
	});

	it('makes the evidence of an item anew, so that it is that of this decision', async () => {
		const { items: allowed } = await run(decide({ ...lenient, addEvidence: true }), [
			report(SANCTIONED),
		]);
		const { json } = allowed[0]![0]!;
		const forms = [json, { ...json, evidence: JSON.stringify(json.evidence) }];
		const { items } = await run(decide(), [...forms, report(SANCTIONED)]);
		const [first, second, third] = items[0]!.map(({ json: blocked }) => blocked);
		expect(json).toMatchObject({ evidence: { decision: { outcome: 'allow' } } });
		expect(first).toMatchObject({ evidence: { decision: { outcome: 'block' } } });
		expect(second).toMatchObject({ evidence: { decision: { outcome: 'block' } } });
		expect(third).not.toHaveProperty('evidence');
		const { items: verified } = await run(verify(), [first!, second!]);
		expect(fieldOf(verified, 'verification')).toEqual([
			{ valid: true, findings: [] },
			{ valid: true, findings: [] },
		]);
	});

	it('makes one message of reports, decisions and failures', async () => {
		const { items: decided } = await run(decide(), [report(CLEAN), report(SANCTIONED)]);
		const { items } = await run(digest(), [
			...decided[0]!.map(({ json }) => json),
			{ error: 'No answer', details: { errorClass: 'network', address: CLEAN } },
		]);
		expect(items[0]).toHaveLength(1);
		const { json, pairedItem } = items[0]![0]!;
		expect(json).toMatchObject({ counts: { block: 1, allow: 1, failed: 1 }, total: 3 });
		expect(pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		const { text } = json.alert as { text: string };
		expect(text.indexOf(SANCTIONED)).toBeGreaterThan(-1);
	});

	it('says that nothing came', async () => {
		const { items } = await run(digest(), [{}]);
		expect(items[0]![0]!.json).toMatchObject({ total: 0 });
	});
});
