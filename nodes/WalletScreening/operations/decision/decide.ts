import { decidingReader } from '../../n8n/decision';
import { decidingFields } from '../../n8n/decisionFields';
import { reportField } from '../../n8n/fields';
import { options } from '../../n8n/options';
import { pathIn, readOnce } from '../../n8n/parameters';
import { originOf, verdictsOn } from '../../n8n/reportItem';
import { withoutRequests } from '../../n8n/eachItem';
import { askedChainOf, reportAt } from '../../risk/report';
import { objectIn } from '../../risk/values';
import type { Operation } from '../operation';

export const decide: Operation = {
	name: 'Decide',
	value: 'decide',
	action: 'Decide on report',
	description: 'Check reports that you already have against your rules, without a request',
	fields: [reportField, ...decidingFields, options('alertText', 'markExecution')],
	sendsNothing: true,
	async run(context) {
		const origin = originOf(context);
		const readDeciding = decidingReader(context, () => true);
		const pathOf = readOnce(context, ['reportField'], (read) =>
			pathIn(read('reportField', ''), 'Report Field'),
		);
		return await withoutRequests(
			context,
			async (read, { json: given }, { alertText }, itemIndex) => {
				const path = pathOf(read);
				const decided = readDeciding(read, itemIndex);
				// What was verified was another decision.
				const { verification: _, ...json } = given;
				const { report, fields } = reportAt(json, path);
				const chain = askedChainOf(json, path);
				// An earlier alert or earlier evidence would show another decision, or none.
				const wantsAlert = alertText || objectIn(json.alert) !== undefined;
				const wantsEvidence = decided.addEvidence || objectIn(json.evidence) !== undefined;
				const deciding = { ...decided, input: json, addEvidence: wantsEvidence };
				return { ...json, ...verdictsOn({ report, fields, chain }, deciding, wantsAlert, origin) };
			},
		);
	},
};
