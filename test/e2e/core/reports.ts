import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import { type Credential, itemsOf, type N8n, type Saved } from '../../../tools/host/instance';
import { projectFolder } from '../../../tools/host/paths';
import type { Sandbox } from '../../../sandbox/server';
import { addressNumber } from '../../support/addresses';
import { type PlainNode, screening, start, workflowOf } from '../../support/workflows';

export interface Parts {
	n8n: N8n;
	sandbox: Sandbox;
	credential: Saved<Credential>;
}

type Report = Readonly<Record<string, any>>;

/** The worked example of docs/evidence.md, whose digests an auditor computes by Python and `openssl`. */
const page = readFileSync(join(projectFolder, 'docs/evidence.md'), 'utf8');
const example = JSON.parse(/^```json\n([^`]+)^```$/m.exec(page)![1]!) as Report;
const { decision: _, evidence: exampleEvidence, ...report } = example;
const { name, version, rules, sha256: policyDigest } = exampleEvidence.policy;
const policy = { rulesSource: 'json', rulesJson: JSON.stringify({ name, version, rules }) };

/** The report with this share of sanctions, and otherwise as it is. */
const withSanctions = (sanctions: number): Report => ({
	...report,
	risk: { ...report.risk, categories: { ...report.risk.categories, sanctions } },
});

/** SHA-256 of canonical JSON, for values whose names are ASCII. */
function digestOf(value: unknown): string {
	const canonical = JSON.stringify(value, (_name, part: unknown) =>
		typeof part === 'object' && part !== null && !Array.isArray(part)
			? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
			: part,
	);
	return createHash('sha256').update(canonical).digest('hex');
}

/** What a node does with reports that are already here, without a credential. */
const without = (
	called: string,
	resource: string,
	operation: string,
	others: INode['parameters'] = {},
): PlainNode => ({
	name: called,
	type: 'n8n-nodes-wallet-screening.walletScreening',
	parameters: { resource, operation, options: {}, ...others },
	onError: 'continueRegularOutput',
});

/** Operations on reports that are already here, and evidence. */
export function reportTests(partsOf: () => Parts): void {
	const run = async (input: Report[], ...nodes: PlainNode[]) => {
		const { n8n } = partsOf();
		const workflow = await n8n.saveWorkflow({
			...workflowOf('Reports in hand', start, ...nodes),
			pinData: { [start.name]: input.map((json) => ({ json: json as IDataObject })) },
		});
		const execution = await n8n.runWorkflow(workflow);
		expect(execution.status).toBe('success');
		return (node: string) => itemsOf(execution, node).map(({ json }) => json as Report);
	};

	test('decides, compares, verifies and makes a digest without a credential or a request', async () => {
		const input = [
			{ ...report, previous: report },
			{ ...withSanctions(0.9), previous: report },
			{ customer: 'has no report' },
		];
		const outputOf = await run(
			input,
			without('Decide', 'decision', 'decide', { ...policy, addEvidence: true }),
			without('Compare', 'report', 'compare'),
			without('Verify', 'decision', 'verify'),
			without('Digest', 'alert', 'createDigest', { title: 'Tonight' }),
		);

		const [allowed, blocked, failed] = outputOf('Verify');
		expect(allowed).toMatchObject({
			...report,
			decision: { outcome: 'allow', reasons: [] },
			change: { kind: 'same', fields: [] },
			verification: { valid: true, findings: [] },
		});
		expect(blocked).toMatchObject({
			decision: {
				outcome: 'block',
				reasons: [{ field: 'sanctions', value: 0.5, actual: 0.9, outcome: 'block' }],
			},
			change: { kind: 'worse', fields: [{ field: 'sanctions', before: 0, after: 0.9 }] },
			verification: { valid: true, findings: [] },
		});
		expect(failed).toMatchObject({
			customer: 'has no report',
			error: expect.stringMatching(/\S/),
			details: { errorClass: 'invalid_input' },
		});
		expect(failed).not.toHaveProperty('decision');
		expect(outputOf('Digest')).toMatchObject([
			{
				total: 3,
				counts: { block: 1, review: 0, allow: 1, undecided: 0, worse: 1, better: 0, failed: 1 },
				alert: { text: expect.stringContaining(String(report.address)) },
			},
		]);
		expect(partsOf().sandbox.requests).toEqual([]);
	});

	test('makes evidence of a paired screening, with the digests that an auditor computes', async () => {
		const { n8n, sandbox, credential } = partsOf();
		sandbox.addFault({
			effect: {
				kind: 'rewrite',
				rewrite: (body: Report) => (body.address === report.address ? report : body),
			},
		});
		const workflow = await n8n.saveWorkflow({
			...workflowOf(
				'Evidence',
				start,
				screening(credential, {
					resource: 'address',
					operation: 'screen',
					address: '={{ $json.address }}',
					addDecision: true,
					...policy,
					addEvidence: true,
					options: {},
				}),
				without('Verify', 'decision', 'verify'),
			),
			pinData: {
				[start.name]: [{ address: addressNumber(1) }, { address: report.address }].map((json) => ({
					json,
				})),
			},
		});
		const execution = await n8n.runWorkflow(workflow);
		const items = itemsOf(execution, 'Wallet Screening');
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		const { evidence, decision, ...screened } = items[1]!.json as Report;
		expect(screened).toEqual(report);
		const { sha256, ...rest } = evidence;
		expect(rest).toMatchObject({
			report_sha256: exampleEvidence.report_sha256,
			report_fields: exampleEvidence.report_fields,
			policy: { ...exampleEvidence.policy, sha256: policyDigest },
			decision,
			workflow_id: workflow.id,
			execution_id: execution.id,
		});
		expect(sha256).toBe(digestOf(rest));
		expect(itemsOf(execution, 'Verify').map(({ json }) => json.verification)).toEqual([
			{ valid: true, findings: [] },
			{ valid: true, findings: [] },
		]);
	});

	test('verifies evidence that was made elsewhere, and finds what was changed since', async () => {
		const { address: _address, ...rest } = example;
		const outputOf = await run(
			[
				example,
				{ ...example, tx_count: 43 },
				{ ...example, decision: { ...example.decision, outcome: 'block' } },
				{ ...rest, address: 'another' },
			],
			without('Verify', 'decision', 'verify'),
		);
		expect(outputOf('Verify').map(({ verification }) => verification.valid)).toEqual([
			...[true, false, false, false],
		]);
	});
}
