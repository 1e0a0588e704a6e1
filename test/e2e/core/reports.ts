import type { IDataObject, INode } from 'n8n-workflow';
import { type Credential, itemsOf, type N8n, type Saved } from '../../../tools/host/instance';
import { reportOn } from '../../../sandbox/reports';
import type { Sandbox } from '../../../sandbox/server';
import { addressesOf, addressNumber } from '../../support/addresses';
import { type PlainNode, screenEach, screening, start, workflowOf } from '../../support/workflows';

export interface Parts {
	n8n: N8n;
	sandbox: Sandbox;
	credential: Saved<Credential>;
}

const report = reportOn(addressNumber(1), 'ETH', 'https://service.example.com');
const rule = { field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' };
const policy = { rulesSource: 'json', rulesJson: JSON.stringify({ rules: [rule] }) };

/** The report with this share of sanctions, and otherwise as it is. */
const withSanctions = (sanctions: number) => ({
	...report,
	risk: { ...report.risk, categories: { ...report.risk.categories, sanctions } },
});

/** What a node does with reports that are already here, without a credential. */
const without = (name: string, parameters: INode['parameters']): PlainNode => ({
	name,
	type: 'n8n-nodes-wallet-screening.walletScreening',
	parameters: { options: {}, ...parameters },
	onError: 'continueRegularOutput',
});
const verify = without('Verify', { resource: 'decision', operation: 'verify' });

/** Operations on reports that are already here, and evidence. */
export function reportTests(partsOf: () => Parts): void {
	const run = async (input: object[], ...nodes: PlainNode[]) => {
		const { n8n } = partsOf();
		const workflow = await n8n.saveWorkflow({
			...workflowOf('Reports in hand', start, ...nodes),
			pinData: { [start.name]: input.map((json) => ({ json: json as IDataObject })) },
		});
		const execution = await n8n.runWorkflow(workflow);
		expect(execution.status).toBe('success');
		return { workflow, execution, outputOf: (node: string) => itemsOf(execution, node) };
	};

	test('decides, compares, verifies and makes a digest without a credential or a request', async () => {
		const [clean, bad] = [withSanctions(0), withSanctions(0.9)];
		const { outputOf } = await run(
			[
				{ report: clean, previous: clean },
				{ report: bad, previous: clean },
				{ customer: 'has no report' },
			],
			without('Decide', {
				resource: 'decision',
				operation: 'decide',
				...policy,
				addEvidence: true,
			}),
			without('Compare', { resource: 'report', operation: 'compare' }),
			verify,
			without('Digest', { resource: 'alert', operation: 'createDigest', title: 'Tonight' }),
		);
		const verification = { valid: true, findings: [] };
		const [allowed, blocked, failed] = outputOf('Verify').map(({ json }) => json);
		expect(allowed).toMatchObject({
			outcome: 'allow',
			level: clean.risk.level,
			report: clean,
			change: { kind: 'same', fields: [] },
			verification,
		});
		expect(blocked).toMatchObject({
			outcome: 'block',
			reasons: [{ ...rule, actual: 0.9 }],
			change: { kind: 'worse', fields: [{ field: 'sanctions', before: 0, after: 0.9 }] },
			verification,
		});
		const details = { errorClass: 'invalid_input' };
		expect(failed).toMatchObject({ customer: 'has no report', error: expect.any(String), details });
		expect(failed).not.toHaveProperty('outcome');
		const counts = { block: 1, review: 0, allow: 1, undecided: 0, worse: 1, better: 0, failed: 1 };
		expect(outputOf('Digest')).toMatchObject([{ json: { total: 3, counts } }]);
		expect(partsOf().sandbox.requests).toEqual([]);
	});

	test('makes evidence of a paired screening that names its run, and holds', async () => {
		const screen = screening(partsOf().credential, {
			...screenEach,
			addDecision: true,
			...policy,
			addEvidence: true,
			options: {},
		});
		const input = addressesOf(2).map((address) => ({ address }));
		const { workflow, execution, outputOf } = await run(input, screen, verify);
		const items = outputOf('Wallet Screening');
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		const ids = { workflow_id: workflow.id, execution_id: execution.id };
		const ofRun = { json: { evidence: ids, verification: { valid: true, findings: [] } } };
		expect(outputOf('Verify')).toMatchObject([ofRun, ofRun]);
	});
}
