import { decisionSettingsReader } from '../../n8n/decision';
import { decidingFields } from '../../n8n/decisionFields';
import { reportField, reportPathIn } from '../../n8n/fields';
import { options } from '../../n8n/options';
import { readOnce } from '../../n8n/parameters';
import { decidedAnew } from '../../n8n/items';
import { reportJson } from '../../n8n/reportItem';
import { eachItemInHand } from '../../n8n/eachItem';
import { addressKey } from '../../address/key';
import { reportIn } from '../../risk/report';
import { filledText } from '../../risk/values';
import type { Operation } from '../../n8n/run';

export const decideOperation: Operation = {
	name: 'Decide',
	value: 'decide',
	action: 'Make decision on report',
	description: 'Check reports that you already have against your rules, without a request',
	fields: [reportField, ...decidingFields, options('alertText', 'markExecution')],
	sendsNothing: true,
	async run(run) {
		const { context, options } = run;
		const { alertText } = options;
		const readDeciding = decisionSettingsReader(context, () => true);
		const pathOf = readOnce(context, ['reportField'], reportPathIn);
		return await eachItemInHand(run, async (read, { json }, itemIndex) => {
			const deciding = readDeciding(read, itemIndex);
			const report = reportIn(json, pathOf(read));
			const [address, chain] = [filledText(json.address), filledText(json.asked_chain)];
			const isOfReport = address && addressKey(address) === addressKey(report.address);
			const subject = { report, chain, ...(isOfReport && { address }) };
			const reference = deciding.reference ?? filledText(json.reference);
			const decided = { ...deciding, reference, input: json };
			return decidedAnew(json, reportJson(context, subject, decided, { alertText }));
		});
	},
};
