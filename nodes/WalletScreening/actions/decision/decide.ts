import { addressKey } from '../../address/key';
import { createDecisionReader } from '../../description/decision';
import { policyFields } from '../../description/decisionFields';
import { field } from '../../description/fields';
import { createOptionsField } from '../../description/options';
import { createSharedReader, type ParameterReader } from '../../description/parameters';
import { readReportPath, reportField, requireReport } from '../../description/inputReport';
import { replaceDecision } from '../../execution/outputItems';
import { createReportJson } from '../../execution/reportItem';
import type { Operation } from '../../execution/runOperation';
import { invalidInput } from '../../shared/errors';
import { filledText } from '../../shared/json';

const screenedAtLabel = 'Screened At';

const screenedAtField = field(screenedAtLabel, 'screenedAt', {
	placeholder: 'e.g. 2026-11-26T09:12:00Z',
	description:
		'When the service made the report, if you use a report again. The evidence records this time, and the summary shows how old the report is.',
});

const decideOptions = createOptionsField('alertText');

export const decideOperation: Operation = {
	name: 'Decide',
	value: 'decide',
	action: 'Make decision on report',
	description: 'Make a decision by your rules on a report that you already have, without a request',
	fields: [
		reportField,
		...policyFields,
		{ ...decideOptions, options: [...decideOptions.options, screenedAtField] },
	],
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
			const screenedAt = readScreenedAt(read);
			const subject = { report, chain, screenedAt, ...(isOfReport && { address }) };
			const reference = settings.reference ?? filledText(json.reference);
			const decision = { ...settings, reference, input: json, earlierReportAt: screenedAt };
			return replaceDecision(json, createReportJson(context, subject, decision, { alertText }));
		});
	},
};

/**
 * When the report was made that is used again; undefined if the user does not say.
 * @throws {ScreeningError} `invalid_input`
 */
function readScreenedAt(read: ParameterReader): Date | undefined {
	const given = read('options.screenedAt', '');
	if ((given ?? '') === '') return undefined;
	const time = new Date(typeof given === 'string' ? given : NaN);
	if (Number.isFinite(time.getTime()) && time.getTime() <= Date.now()) return time;
	throw invalidInput(
		screenedAtLabel,
		`'${screenedAtLabel}' is not a time in the past`,
		'Give a time such as 2026-11-26T09:12:00Z, or remove the option.',
	);
}
