import { policyReader, recordReader } from '../../n8n/decision';
import { decidingFields } from '../../n8n/decisionFields';
import { options, reportField } from '../../n8n/fields';
import { pathIn, readOnce } from '../../n8n/parameters';
import { originOf } from '../../n8n/reportItem';
import { withoutRequests } from '../../n8n/eachItem';
import { alertOf } from '../../risk/alert';
import { decide as decideOn } from '../../risk/decision';
import { evidenceOf } from '../../risk/evidence';
import { objectIn } from '../../risk/json';
import { askedChainOf, reportAt } from '../../risk/report';
import type { Operation } from '../operation';

export const decide: Operation = {
	option: {
		name: 'Decide',
		value: 'decide',
		action: 'Decide on report',
		description: 'Check reports that you already have against your rules, without a request',
	},
	fields: [reportField, ...decidingFields, options('alertText', 'markExecution')],
	sendsNothing: true,
	async run(context) {
		const origin = originOf(context);
		const [policyIn, recordIn] = [policyReader(context), recordReader(context)];
		const pathOf = readOnce(context, ['reportField'], (read) =>
			pathIn(read('reportField', ''), 'Report Field'),
		);
		return await withoutRequests(context, async (read, { json: given }, { alertText }) => {
			const path = pathOf(read);
			const policy = policyIn(read);
			const { addEvidence, reference } = recordIn(read);
			// What was verified was another decision.
			const { verification: _, ...json } = given;
			const { report, fields } = reportAt(json, path);
			const at = new Date();
			const chain = askedChainOf(json, path);
			const decision = decideOn(report, policy, { at, chain, input: json });
			const decided = { decision, policy, at, input: json };
			return {
				...json,
				decision,
				// An earlier alert or earlier evidence would show another decision, or none.
				...((alertText || objectIn(json.alert)) && {
					alert: alertOf(report, {
						decision,
						reference,
						at,
						policy: policy.record,
						askedChain: chain,
					}),
				}),
				...((addEvidence || objectIn(json.evidence)) && {
					evidence: evidenceOf({ fields, reference, decided, ...origin }),
				}),
			};
		});
	},
};
