import {
	addEvidence,
	decisionParameters,
	policyFields,
	readAddEvidence,
	readPolicy,
} from '../../n8n/decision';
import { options, reportField } from '../../n8n/fields';
import { pathIn, readOnce } from '../../n8n/parameters';
import { originOf } from '../../n8n/reportItem';
import { withoutRequests } from '../../n8n/run';
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
	fields: [reportField, ...policyFields(), addEvidence, options('alertText')],
	sendsNothing: true,
	async run(context) {
		const origin = originOf(context);
		const parametersIn = readOnce(context, ['reportField', ...decisionParameters], (read) => ({
			path: pathIn(read('reportField', ''), 'Report Field'),
			policy: readPolicy(read),
			addsEvidence: readAddEvidence(read),
		}));
		return await withoutRequests(
			context,
			'decision',
			async (read, { json: given }, { alertText }) => {
				const { path, policy, addsEvidence } = parametersIn(read);
				// What was verified was another decision.
				const { verification: _, ...json } = given;
				const { report, fields } = reportAt(json, path);
				const at = new Date();
				const decision = decideOn(report, policy, { at, chain: askedChainOf(json, path) });
				const decided = { decision, policy, at };
				return {
					...json,
					decision,
					// An earlier alert or earlier evidence would show another decision, or none.
					...((alertText || objectIn(json.alert)) && { alert: alertOf(report, decision) }),
					...((addsEvidence || objectIn(json.evidence)) && {
						evidence: evidenceOf({ fields, decided, ...origin }),
					}),
				};
			},
		);
	},
};
