import { createHash } from 'node:crypto';

import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { reportOn } from '../../sandbox/reports';
import { type Service, startService } from './engine/service';
import { SCREENING, screeningWorkflow } from './engine/workflows';

const SANCTIONED = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const CLEAN = '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe';

const rules = [{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' }];
const allowsScoresBelow = (value: number) => ({
	otherwise: 'allow',
	rules: [{ field: 'score', operator: 'gte', value, outcome: 'block' }],
});
/** Allows what is not green. */
const lenient = { rulesJson: JSON.stringify(allowsScoresBelow(2)) };

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

const jsonOf = (items: INodeExecutionData[] = []) => items.map(({ json }) => json);
const fieldOf = ([items]: INodeExecutionData[][], name: string) =>
	jsonOf(items).map((json) => json[name] as IDataObject);

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
		const decision = expect.any(Object) as object;
		expect(items).toEqual([
			input.map((json, item) => ({ json: { ...json, decision }, pairedItem: { item } })),
		]);
		const [blocked, allowed] = fieldOf(items, 'decision');
		expect(blocked).toMatchObject({ outcome: 'block' });
		expect(blocked!.summary).toMatch(/block.*sanctions/i);
		expect(allowed).toMatchObject({ outcome: 'allow', reasons: [] });
	});

	it('takes a policy from an expression, for each item its own', async () => {
		const { items } = await run(decide({ rulesJson: '={{ $json.policy }}' }), [
			{ ...report(SANCTIONED), policy: allowsScoresBelow(0) },
			{ ...report(SANCTIONED), policy: allowsScoresBelow(2) },
		]);
		expect(fieldOf(items, 'decision').map(({ outcome }) => outcome)).toEqual(['block', 'allow']);
	});

	it.each([
		['a rule with an unknown operator', '[{"field":"score","operator":">","value":1}]'],
		['no rule', '[]'],
		['no policy', ''],
	])('refuses %s', async (_what, rulesJson) => {
		const { error } = await run(decide({ rulesJson }), [report(CLEAN)]);
		expect(error?.context).toMatchObject({ errorClass: 'invalid_input' });
	});

	it.each<[string, INodeParameters]>([
		['decide', decide({ reportField: 'report' })],
		['compare', compare({ reportField: 'report', options: { onlyChanges: true } })],
		['verify', verify({ reportField: 'report' })],
	])('%s keeps what a failed item said, and leaves no verdict beside it', async (_, parameters) => {
		const earlier = { decision: { outcome: 'allow' }, alert: {}, change: {}, verification: {} };
		const failed = { error: 'The service is down', details: { errorClass: 'server' } };
		const input = [
			{ ...earlier, customer: 'C-1', error: null, details: null },
			// The older report beside a failure counts for nothing.
			{ ...failed, report: report(CLEAN) },
		];
		const expected = [
			{
				customer: 'C-1',
				error: expect.stringContaining('contains no report') as string,
				details: expect.objectContaining({ errorClass: 'invalid_input' }) as object,
			},
			{ ...failed, report: report(CLEAN) },
		];
		const regular = await run(parameters, input, 'continueRegularOutput');
		const errors = await run(parameters, input, 'continueErrorOutput');
		expect(jsonOf(regular.items[0])).toEqual(expected);
		expect(jsonOf(errors.items[1])).toEqual(expected);
	});

	it('finds another PDF than the one of the evidence, or none', async () => {
		const { items } = await service.run(
			{
				...{ resource: 'address', operation: 'screen', address: CLEAN },
				...{ includePdf: true, addEvidence: true },
			},
			{ input: [{}] },
		);
		service.reset();
		const [{ json, binary }] = items[0] as [(typeof items)[0][0]];
		const bytes = await service.engine.bytes(binary!.data!);
		expect(json.evidence).toMatchObject({
			pdf_sha256: createHash('sha256').update(bytes).digest('hex'),
			screened_at: expect.stringMatching(/Z$/) as string,
			policy: null,
		});
		const other = { ...binary!.data!, data: Buffer.from('%PDF-other').toString('base64') };
		const { items: checked } = await run(verify({ binaryPropertyName: 'data' }), [
			{ json, binary: binary! },
			{ json, binary: { data: other } },
			{ json },
		]);
		const valid = fieldOf(checked, 'verification').map((verification) => verification.valid);
		expect(valid).toEqual([true, false, false]);
	});

	it('makes alert and evidence of an item anew, so that they are those of this decision', async () => {
		const { items: allowed } = await run(
			decide({ ...lenient, addEvidence: true, options: { alertText: true } }),
			[report(SANCTIONED)],
		);
		const { json } = allowed[0]![0]!;
		expect(json).toMatchObject({
			alert: { title: expect.stringMatching(/^allow/i) as string },
			evidence: { decision: { outcome: 'allow' }, workflow_id: 'engine' },
		});
		const forms = [json, { ...json, evidence: JSON.stringify(json.evidence) }];
		const { items } = await run(decide(), [...forms, report(SANCTIONED)]);
		const [first, second, bare] = jsonOf(items[0]);
		for (const blocked of [first, second]) {
			expect(blocked).toMatchObject({
				alert: { title: expect.stringMatching(/^block/i) as string },
				evidence: { decision: { outcome: 'block' } },
			});
		}
		expect(bare).not.toHaveProperty('evidence');
		const valid = { valid: true, findings: [] };
		const { items: verified } = await run(verify(), [first!, second!]);
		expect(fieldOf(verified, 'verification')).toEqual([valid, valid]);
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
		const kinds = fieldOf(items, 'change').map(({ kind }) => kind);
		expect(kinds).toEqual(['first', 'same', 'worse', 'better']);
		const { items: changes } = await run(compare({ options: { onlyChanges: true } }), input);
		expect(changes[0]!.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 2, 3].map((item) => ({ item })),
		);
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
		const { error } = await run(compare({ scoreChange: -0.1 }), [rose]);
		expect(error?.message).toContain("'Smallest Change' is not a number from 0 up");
	});

	it.each<[string, INodeParameters]>([
		['Earlier Report Field', compare({ earlierField: '={{ $json.previous }}' })],
		['Earlier Report Field', compare({ earlierField: '={{ JSON.stringify($json.previous) }}' })],
		['Report Field', decide({ reportField: '={{ $json }}' })],
	])('takes in %s the name of a field, not its value: %j', async (label, parameters) => {
		const item = { ...report(SANCTIONED), previous: report(CLEAN) };
		const { error } = await run(parameters, [item]);
		expect(error?.message).toBe(`'${label}' takes the name of a field, not its value`);
		expect(error?.context).toMatchObject({ errorClass: 'invalid_input', parameter: label });
	});

	it('makes one message of reports, decisions and failures, and one that nothing came', async () => {
		const digest = { resource: 'alert', operation: 'createDigest', title: 'Nightly run' };
		const { items: decided } = await run(decide(), [report(CLEAN), report(SANCTIONED)]);
		const failed = { error: 'No answer', details: { errorClass: 'network', address: CLEAN } };
		const { items } = await run(digest, [...jsonOf(decided[0]), failed]);
		expect(items[0]).toHaveLength(1);
		const { json, pairedItem } = items[0]![0]!;
		expect(json).toMatchObject({ counts: { block: 1, allow: 1, failed: 1 }, total: 3 });
		expect(pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect((json.alert as { text: string }).text).toContain(SANCTIONED);
		expect((await run(digest, [{}])).items).toMatchObject([[{ json: { total: 0 } }]]);
	});
});
