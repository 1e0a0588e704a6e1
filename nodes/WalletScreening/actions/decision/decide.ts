import { addressKey } from '../../address/key';
import { createDecisionReader } from '../../description/decision';
import { policyFields } from '../../description/decisionFields';
import { createOptionsField } from '../../description/options';
import { createSharedReader } from '../../description/parameters';
import { readReportPath, reportField, requireReport } from '../../description/reportField';
import { withNewDecision } from '../../execution/outputItems';
import { createReportJson } from '../../execution/reportItem';
import type { Operation } from '../../execution/runOperation';
import { filledText } from '../../shared/json';

export const decideOperation: Operation = {
	name: 'Decide',
	value: 'decide',
	action: 'Make decision on report',
	description: 'Make a decision by your rules on a report that you already have, without a request',
	fields: [reportField, ...policyFields, createOptionsField('alertText')],
	sendsNothing: true,
	async execute(run) {
		const { context, options } = run;
		const { alertText } = options;
		const readDecision = createDecisionReader(context, () => true);
		const pathOf = createSharedReader(context, ['reportField'], readReportPath);
		return await run.mapInputItems((read, { json }, itemIndex) => {
			const settings = readDecision(read, itemIndex);
			const report = requireReport(json, pathOf(read));
			const [address, chain] = [filledText(json.address), filledText(json.asked_chain)];
			const isOfReport = address && addressKey(address) === addressKey(report.address);
			const subject = { report, chain, ...(isOfReport && { address }) };
			const reference = settings.reference ?? filledText(json.reference);
			const decision = { ...settings, reference, input: json };
			return withNewDecision(json, createReportJson(context, subject, decision, { alertText }));
		});
	},
};
