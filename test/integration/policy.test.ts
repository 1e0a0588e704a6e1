/** Operations on reports that are already here: they need no credential, and send nothing. */
import { createHash } from 'node:crypto';

import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { ethereum, sanctionedMixer } from '../support/data/knownAddresses';
import { useService } from '../support/engine/sandboxService';
import { CONTINUE, ERROR_OUTPUT, SCREEN, VERIFY } from '../support/engine/workflows';

const service = useService();
const item = (address: string): any => service.itemOf(address);

const run = async (
	parameters: INodeParameters,
	input: Array<IDataObject | INodeExecutionData>,
	onError?: INode['onError'],
) => {
	const result = await service.run(parameters, { input, onError, credential: null });
	expect(service.requestLines()).toEqual([]);
	return result;
};

const blocking = {
	name: 'Payouts',
	version: 3,
	rules: [{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' }],
};
const DECIDE: INodeParameters = {
	resource: 'decision',
	operation: 'decide',
	rulesSource: 'json',
	rulesJson: JSON.stringify(blocking),
};
const COMPARE: INodeParameters = { resource: 'report', operation: 'compare' };
const ofNone = ['score', 'sanctions'].map((field) => ({
	field,
	operator: 'gte',
	value: 2,
	outcome: 'block',
}));
const allowing = { otherwise: 'allow', rules: ofNone };

it.each<[string, INodeParameters]>([
	['decide', DECIDE],
	['compare', { ...COMPARE, options: { onlyChanges: true } }],
	['verify', VERIFY],
])('%s keeps what a failed item said, and leaves no verdict beside it', async (_, operation) => {
	const parameters = operation;
	const earlier = { outcome: 'allow', level: 'green', alert: {}, change: {}, verification: {} };
	// The older report beside a failure counts for nothing.
	const { report } = item(ethereum);
	const failed = { error: 'Down', details: { errorClass: 'server' }, report };
	const input = [{ ...earlier, customer: 'C-1', error: null, details: null }, failed];
	const details = expect.objectContaining({ errorClass: 'invalid_input' }) as object;
	const error = expect.stringContaining('contains no report') as string;
	const expected = [{ error, details, customer: 'C-1' }, failed];
	expect((await run(parameters, input, CONTINUE)).json).toEqual(expected);
	const { items } = await run(parameters, input, ERROR_OUTPUT);
	expect(items[1]!.map(({ json }) => json)).toEqual(expected);
});

it('finds another PDF than the one of the evidence, or none', async () => {
	const screened = await service.run(
		{ ...SCREEN, includePdf: true, options: { addEvidence: true } },
		{ input: [{ address: ethereum }] },
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
	expect(checked.items[0]!.map((one) => one.binary)).toEqual(input.map((one) => one.binary));
});

it('decides anew, and takes away what an earlier decision left', async () => {
	const wanted = { decisionOptions: { addEvidence: true }, options: { alertText: true } };
	// The policy comes from an expression, for each item its own.
	const lenient = { ...DECIDE, ...wanted, rulesJson: '={{ $json.mine }}' };
	const input = [allowing, blocking].map((mine) => ({ ...item(sanctionedMixer), mine }));
	const [allowed, other] = (await run(lenient, input)).json;
	expect(other.outcome).toBe('block');
	expect(allowed).toMatchObject({
		outcome: 'allow',
		mine: allowing,
		level: 'red',
		alert: { title: expect.stringMatching(/^allow/i) as string },
		evidence: { decision: { outcome: 'allow' }, workflow_id: 'engine' },
	});
	const verified = (await run(VERIFY, [allowed])).json[0];
	expect(verified.verification).toEqual({ valid: true, findings: [] });

	// A data table keeps texts; a row spells its address as it was entered.
	const row = {
		...verified,
		level: 'green',
		asked_chain: 'TRX',
		reference: 'P-17',
		address: sanctionedMixer.toLowerCase(),
		report: JSON.stringify(verified.report),
	};
	const [again] = (await run({ ...DECIDE, decisionOptions: { addEvidence: true } }, [row])).json;
	expect(Object.keys(again).join(' ')).toBe(
		'outcome sanctions summary level score address chain asked_chain reference report reasons evidence mine',
	);
	const { address, asked_chain, reference, report } = row;
	const kept = { address, asked_chain, reference, report };
	expect(again).toMatchObject({ outcome: 'block', level: 'red', ...kept });
	expect(again.evidence).toMatchObject({ reference: 'P-17', asked_chain: 'TRX' });
	expect((await run(VERIFY, [again])).json[0].verification).toEqual({ valid: true, findings: [] });
});

it('says how old a report is that is used again, in the summary and in the evidence', async () => {
	const madeAt = new Date(Date.now() - 5.5 * 3_600_000).toISOString();
	const decide = { ...DECIDE, decisionOptions: { addEvidence: true } };
	const options = { screenedAt: '={{ $json.made_at }}' };
	const input = [
		{ ...item(sanctionedMixer), made_at: madeAt },
		{ ...item(sanctionedMixer), made_at: '' },
	];
	const [again, withoutTime] = (await run({ ...decide, options }, input)).json;
	expect(again.summary).toMatch(/^Block: .*\. Report used again: .* \(UTC\), 5 hours old$/);
	expect(again.evidence).toMatchObject({ screened_at: madeAt });
	expect(withoutTime.summary).not.toContain('used again');
	expect(withoutTime.evidence).not.toHaveProperty('screened_at');
	expect((await run(VERIFY, [again])).json[0].verification).toEqual({ valid: true, findings: [] });
	const shorter = { ...again, summary: withoutTime.summary };
	expect((await run(VERIFY, [shorter])).json[0].verification.valid).toBe(false);
	// The last three have the zone of the machine, a form that V8 takes for a day, and no such zone.
	const future = new Date(Date.now() + 60_000).toISOString();
	for (const screenedAt of [
		'soon',
		future,
		'2026-01-05T10:00:00',
		'12/11/2025',
		'2026-01-05T10:00:00+24:00',
	]) {
		const { error } = await run({ ...decide, options: { screenedAt } }, input);
		expect(error?.message).toBe("'Screened At' is not a time in the past with its zone");
	}
});

it('compares with the report in a field of any name, or none, by Smallest Change, and leaves out what is the same', async () => {
	const kindsOf = async (input: IDataObject[], more: INodeParameters) =>
		(await run({ ...COMPARE, ...more }, input)).json.map(({ change }) => change.kind);
	const report: any = service.reportOf(ethereum);
	const risen = { ...report, risk: { ...report.risk, score: report.risk.score + 0.1 } };
	const input = [
		{ report, previous: report },
		{ report: JSON.stringify(risen), previous: JSON.stringify(report) },
		{ report },
	];
	const options = { onlyChanges: true };
	expect(await kindsOf(input, { options })).toEqual(['worse', 'first']);
	const nested = [{ report: risen, before: { last: report } }];
	const earlierField = 'before.last';
	expect(await kindsOf(nested, { earlierField })).toEqual(['worse']);
	expect(await kindsOf(nested, { earlierField, scoreChange: '0.2' })).toEqual(['same']);
	expect(await kindsOf(nested, { earlierField: 'before.first' })).toEqual(['first']);
	const { error } = await run({ ...COMPARE, scoreChange: -0.1 }, nested);
	expect(error?.message).toContain("'Smallest Change' is not a number from 0 up");
});

it('refuses an empty Earlier Report Field, which would make every report the first', async () => {
	const report = service.reportOf(ethereum);
	const { error } = await run({ ...COMPARE, earlierField: ' ' }, [{ report, previous: report }]);
	expect(error?.message).toBe("'Earlier Report Field' is empty");
});

it.each<[string, INodeParameters]>([
	['Earlier Report Field', { ...COMPARE, earlierField: '={{ $json.previous }}' }],
	['Earlier Report Field', { ...COMPARE, earlierField: '={{ JSON.stringify($json.previous) }}' }],
	['Report Field', { ...DECIDE, reportField: '={{ $json }}' }],
])('takes in %s the name of a field, not its value', async (label, parameters) => {
	const { error } = await run(parameters, [{ ...item(sanctionedMixer), previous: {} }]);
	expect(error?.message).toBe(`'${label}' takes the name of a field, not its value`);
	expect(error?.context).toMatchObject({ errorClass: 'invalid_input', parameter: label });
});

it('puts the report that it decided on beside the decision, and not another one of the item', async () => {
	const [old, current] = [service.reportOf(ethereum), service.reportOf(sanctionedMixer)];
	const decide = { ...DECIDE, reportField: 'current', decisionOptions: { addEvidence: true } };
	const [decided] = (await run(decide, [{ report: old, current }])).json;
	expect(decided).toMatchObject({ outcome: 'block', report: current, current });
	expect((await run(VERIFY, [decided!])).json).toMatchObject([{ verification: { valid: true } }]);
	const [alone] = (await run(decide, [{ current }])).json;
	expect(alone).not.toHaveProperty('report');
});

it('makes one message of reports, decisions and failures, and one that nothing came', async () => {
	const digest = { resource: 'alert', operation: 'createDigest', title: 'Nightly run' };
	const decided = (await run(DECIDE, [item(ethereum), item(sanctionedMixer)])).json;
	const failed = { error: 'No answer', address: ethereum, details: { errorClass: 'network' } };
	const { items } = await run(digest, [...decided, failed]);
	const text = expect.stringContaining(sanctionedMixer) as string;
	expect(items[0]).toEqual([
		{
			json: expect.objectContaining({
				counts: expect.objectContaining({ block: 1, allow: 1, failed: 1 }),
				total: 3,
				alert: expect.objectContaining({ text }) as object,
			}) as object,
			pairedItem: [0, 1, 2].map((item) => ({ item })),
		},
	]);
	expect((await run(digest, [{}])).json).toMatchObject([{ total: 0 }]);
});
