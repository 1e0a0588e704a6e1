import type { INodeParameters } from 'n8n-workflow';

import { ethereum, sanctionedMixer } from '../support/data/knownAddresses';
import { useService } from '../support/engine/sandboxService';
import {
	CREDENTIAL,
	GET_JOB,
	GET_REPORT,
	SCREEN,
	SUBMIT,
	VERIFY,
	SCREEN_AND_WAIT,
} from '../support/engine/workflows';

const amount = 5000;
const serviceNames = { failed: ['notScored'] };
const input = [ethereum, sanctionedMixer].map((address) => ({ address, amount }));

const service = useService({
	credentials: () => ({ [CREDENTIAL]: { serviceNames: JSON.stringify(serviceNames) } }),
});

/** The operations that give reports, some behind the one that makes what they ask for. */
const operations: Array<[string, INodeParameters, INodeParameters?]> = [
	['address: screen', SCREEN],
	['report: get', GET_REPORT, SCREEN],
	['bulkJob: screenAndWait', SCREEN_AND_WAIT],
	['bulkJob: get, reports', { ...GET_JOB, output: 'reports' }, SUBMIT],
];

describe.each(operations)('%s', (_, operation, before) => {
	it('decides on the input item, says what for, and keeps apart what the service says', async () => {
		const sent = { outcome: 'allow', evidence: {}, asked_chain: 'TRX' };
		const reviver = (_name: string, value: { report_id?: string } | null) =>
			value?.report_id ? { ...value, ...sent } : value;
		const rewrite = (body: object) => JSON.parse(JSON.stringify(body), reviver) as object;
		service.sandbox.addFault({ effect: { kind: 'rewrite', rewrite } });
		const rule = { field: { input: 'amount' }, operator: 'gte', value: amount, outcome: 'block' };
		const list = { name: 'Watched', outcome: 'review', addresses: [ethereum.toLowerCase()] };
		const policy = { name: 'Payouts', otherwise: 'allow', rules: [rule], lists: [list] };
		const parameters = {
			...operation,
			addDecision: true,
			rulesSource: 'json',
			rulesJson: JSON.stringify(policy),
			decisionOptions: {
				policyVersion: '7',
				addEvidence: true,
				reference: '=P-{{ $json.amount }}',
			},
		};
		const made = before && (await service.run(before, { input })).json;
		const given = made?.map((json) => ({ ...json, amount })) ?? input;
		const reports = (await service.run(parameters, { input: given })).json;
		const ofRule = { ...rule, actual: amount };
		const expected = (address: string, ...reasons: object[]) => ({
			outcome: 'block',
			address,
			reference: 'P-5000',
			report: sent,
			reasons,
			evidence: {
				reference: 'P-5000',
				inputs: { amount },
				service_names: serviceNames,
				policy: { name: 'Payouts', version: '7', lists: [{ name: 'Watched', length: 1 }] },
			},
		});
		expect(reports).toMatchObject([
			expected(ethereum, ofRule, { list: 'Watched', outcome: 'review' }),
			expected(sanctionedMixer, ofRule, { field: 'sanctions', outcome: 'review' }),
		]);
		const verified = await service.run(VERIFY, { input: reports });
		const valid = { verification: { valid: true, findings: [] } };
		expect(verified.json).toMatchObject([valid, valid]);
	});
});
