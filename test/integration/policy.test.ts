/** Operations on reports that are already here: they need no credential, and send nothing. */
import { createHash } from 'node:crypto';

import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { useService } from './engine/service';
import { CONTINUE, ERROR_OUTPUT, GREEN, SANCTIONED, SCREEN, VERIFY } from './engine/workflows';

const service = useService();
const report = (address: string): any => service.reportOf(address);

const run = async (
	parameters: INodeParameters,
	input: Array<IDataObject | INodeExecutionData>,
	onError?: INode['onError'],
) => {
	const result = await service.run(parameters, { input, onError, credential: null });
	expect(service.requested()).toEqual([]);
	return result;
};

const blocking = {
	...{ name: 'Payouts', version: 3 },
	rules: [{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' }],
};
const DECIDE: INodeParameters = {
	...{ resource: 'decision', operation: 'decide' },
	...{ rulesSource: 'json', rulesJson: JSON.stringify(blocking) },
};
const COMPARE: INodeParameters = { resource: 'report', operation: 'compare' };
const ofNone = [{ field: 'score', operator: 'gte', value: 2, outcome: 'block' }];
const allowing = { otherwise: 'allow', rules: ofNone };

it.each<[string, INodeParameters]>([
	['decide', DECIDE],
	['compare', { ...COMPARE, options: { onlyChanges: true } }],
	['verify', VERIFY],
])('%s keeps what a failed item said, and leaves no verdict beside it', async (_, operation) => {
	const parameters = { ...operation, reportField: 'report' };
	const earlier = { decision: { outcome: 'allow' }, alert: {}, change: {}, verification: {} };
	// The older report beside a failure counts for nothing.
	const failed = { error: 'Down', details: { errorClass: 'server' }, report: report(GREEN) };
	const input = [{ ...earlier, customer: 'C-1', error: null, details: null }, failed];
	const details = expect.objectContaining({ errorClass: 'invalid_input' }) as object;
	const error = expect.stringContaining('contains no report') as string;
	const expected = [{ customer: 'C-1', error, details }, failed];
	expect((await run(parameters, input, CONTINUE)).json).toEqual(expected);
	const { items } = await run(parameters, input, ERROR_OUTPUT);
	expect(items[1]!.map(({ json }) => json)).toEqual(expected);
});

it('finds another PDF than the one of the evidence, or none', async () => {
	const screened = await service.run(
		{ ...SCREEN, includePdf: true, addEvidence: true },
		{ input: [{ address: GREEN }] },
	);
	service.reset();
	const { json, binary } = screened.items[0]![0]!;
	const bytes = await service.engine.bytes(binary!.data!);
	expect(json.evidence).toMatchObject({
		pdf_sha256: createHash('sha256').update(bytes).digest('hex'),
		screened_at: expect.stringMatching(/Z$/) as string,
		policy: null,
	});
	const other = { ...binary!.data!, data: Buffer.from('%PDF-other').toString('base64') };
	const input = [{ json, binary: binary! }, { json, binary: { data: other } }, { json }];
	const checked = await run({ ...VERIFY, binaryPropertyName: 'data' }, input);
	expect(checked.json.map(({ verification }) => verification.valid)).toEqual([true, false, false]);
});

it('makes alert and evidence of an item anew, so that they are those of this decision', async () => {
	const wanted = { addEvidence: true, options: { alertText: true } };
	// The policy comes from an expression, for each item its own.
	const lenient = { ...DECIDE, ...wanted, rulesJson: '={{ $json.policy }}' };
	const input = [allowing, blocking].map((policy) => ({ ...report(SANCTIONED), policy }));
	const [allowed, other] = (await run(lenient, input)).json;
	expect(other.decision.outcome).toBe('block');
	expect(allowed).toMatchObject({
		alert: { title: expect.stringMatching(/^allow/i) as string },
		evidence: { decision: { outcome: 'allow' }, workflow_id: 'engine' },
	});
	const [alert, evidence] = [allowed.alert, allowed.evidence].map((one) => JSON.stringify(one));
	const asText = { ...allowed, alert, evidence, verification: { valid: true } };
	const [first, second, bare] = (await run(DECIDE, [allowed, asText, report(SANCTIONED)])).json;
	const blocked = {
		alert: { title: expect.stringMatching(/^block/i) as string },
		evidence: { decision: { outcome: 'block' } },
	};
	expect([first, second]).toMatchObject([blocked, blocked]);
	expect(second).not.toHaveProperty('verification');
	expect(bare).not.toHaveProperty('evidence');
	const verified = (await run(VERIFY, [first, second])).json;
	const valid = { valid: true, findings: [] };
	expect(verified.map(({ verification }) => verification)).toEqual([valid, valid]);
});

describe('compare', () => {
	const kindsOf = async (input: IDataObject[], more: INodeParameters = {}) =>
		(await run({ ...COMPARE, ...more }, input)).json.map(({ change }) => change.kind);
	/** The same report with another score. */
	const risen = (was: any, by: number) => ({
		...{ ...was, risk: { ...was.risk, score: was.risk.score + by } },
	});

	it('tells what changed since the earlier report, and leaves out what is the same if asked to', async () => {
		const was = report(GREEN);
		const rose = risen(was, 0.1);
		const input = [
			{ ...was },
			{ ...was, previous: was },
			{ ...rose, previous: JSON.stringify(was) },
			{ ...was, previous: { ...rose, risk: { ...rose.risk, level: 'red' } } },
		];
		expect(await kindsOf(input)).toEqual(['first', 'same', 'worse', 'better']);
		const { items } = await run({ ...COMPARE, options: { onlyChanges: true } }, input);
		const left = [0, 2, 3].map((item) => ({ item }));
		expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual(left);
	});

	it('takes a field of any name, or none, and Smallest Change as text', async () => {
		const was = report(GREEN);
		const input = [{ ...risen(was, 0.1), before: { last: was } }];
		const earlierField = 'before.last';
		expect(await kindsOf(input, { earlierField })).toEqual(['worse']);
		expect(await kindsOf(input, { earlierField, scoreChange: '0.2' })).toEqual(['same']);
		expect(await kindsOf(input, { earlierField: ' ' })).toEqual(['first']);
		const { error } = await run({ ...COMPARE, scoreChange: -0.1 }, input);
		expect(error?.message).toContain("'Smallest Change' is not a number from 0 up");
	});
});

it.each<[string, INodeParameters]>([
	['Earlier Report Field', { ...COMPARE, earlierField: '={{ $json.previous }}' }],
	['Earlier Report Field', { ...COMPARE, earlierField: '={{ JSON.stringify($json.previous) }}' }],
	['Report Field', { ...DECIDE, reportField: '={{ $json }}' }],
])('takes in %s the name of a field, not its value', async (label, parameters) => {
	const { error } = await run(parameters, [{ ...report(SANCTIONED), previous: report(GREEN) }]);
	expect(error?.message).toBe(`'${label}' takes the name of a field, not its value`);
	expect(error?.context).toMatchObject({ errorClass: 'invalid_input', parameter: label });
});

it('makes one message of reports, decisions and failures, and one that nothing came', async () => {
	const digest = { resource: 'alert', operation: 'createDigest', title: 'Nightly run' };
	const decided = (await run(DECIDE, [report(GREEN), report(SANCTIONED)])).json;
	const failed = { error: 'No answer', details: { errorClass: 'network', address: GREEN } };
	const { items } = await run(digest, [...decided, failed]);
	const text = expect.stringContaining(SANCTIONED) as string;
	expect(items[0]).toEqual([
		{
			json: expect.objectContaining({
				...{ counts: expect.objectContaining({ block: 1, allow: 1, failed: 1 }), total: 3 },
				alert: expect.objectContaining({ text }) as object,
			}) as object,
			pairedItem: [0, 1, 2].map((item) => ({ item })),
		},
	]);
	expect((await run(digest, [{}])).json).toMatchObject([{ total: 0 }]);
});
