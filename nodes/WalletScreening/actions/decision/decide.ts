import type { IDataObject } from 'n8n-workflow';
import { addressKey } from '../../address/key';
import type { AnyReport } from '../../answers/report';
import { policyFields } from '../../description/policySettings';
import { referenceOf } from '../../description/evidenceSettings';
import { field } from '../../description/fields';
import { readReportPath, reportField, requireReport } from '../../description/inputReport';
import { createOptionsField } from '../../description/options';
import { createSharedReader, type ParameterReader } from '../../description/parameters';
import { fieldsOfDecision, fieldsOnlyInSimplified } from '../../description/reportFields';
import { createSettingsReader } from '../../description/reportSettings';
import { errorItemFields, replaceDecision, withoutFields } from '../../execution/itemFields';
import { createReportJson, type ReceivedReport } from '../../execution/reportItem';
import type { Operation } from '../../execution/operation';
import { readTime } from '../../policy/policySchema';
import { invalidInput } from '../../shared/errors';
import { isErrorItem } from '../../shared/failureItem';
import { topNameOn, valueAt } from '../../shared/fieldPath';
import { hasValue, nonBlankText } from '../../shared/json';

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
		const form = { alertText: options.alertText };
		const readSettings = createSettingsReader(run, () => true);
		const readPath = createSharedReader(context, ['reportField'], readReportPath);
		return await run.mapInputItems((read, { json }, itemIndex) => {
			const given = readSettings(read, itemIndex);
			const settings = { ...given, reference: given.reference ?? referenceOf(json) };
			const path = readPath(read);
			const report = requireReport(json, path);
			const screenedAt = readScreenedAt(read);
			const received = { ...subjectOf(json, report), report, screenedAt, isUsedAgain: true };
			const decided = createReportJson(context, received, settings, form);
			return replaceDecision(withReportDecidedOn(json, path, report), decided.json);
		});
	},
};

/**
 * Removes an earlier failure from an item, and the simplified fields of another report. The report
 * at `path` goes under `report` if that field is filled, or if its own place is removed: a simplified
 * item has its report only in its evidence, which the new decision replaces.
 */
function withReportDecidedOn(item: IDataObject, path: string, report: AnyReport): IDataObject {
	// An ID may be a number, and a table may hold it as a text.
	const isOfAnother =
		hasValue(item.report_id) && String(item.report_id) !== String(report.report_id);
	const dropped = [
		...(isErrorItem(item) ? errorItemFields : []),
		...(isOfAnother ? fieldsOnlyInSimplified : []),
	];
	const kept = withoutFields(item, dropped);
	const isPlaceRemoved = [...dropped, ...fieldsOfDecision].includes(topNameOn(item, path));
	const needsReportField = item.report !== undefined || isPlaceRemoved;
	return { ...kept, ...(needsReportField && { report: valueAt(item, path) as IDataObject }) };
}

/**
 * What an item says of the request for its report: the address, if the report is about the same,
 * and the chain that was asked for.
 */
function subjectOf(
	item: IDataObject,
	report: AnyReport,
): Pick<ReceivedReport, 'address' | 'chain'> {
	const address = nonBlankText(item.address);
	const chain = nonBlankText(item.asked_chain);
	const isSame = address !== undefined && addressKey(address) === addressKey(report.address);
	return { chain, ...(isSame && { address }) };
}

/**
 * Reads when the report was made that is used again; undefined if the user does not say.
 * @throws {ScreeningError} `invalid_input`
 */
function readScreenedAt(read: ParameterReader): Date | undefined {
	const given = read('options.screenedAt', '');
	if ((given ?? '') === '') return undefined;
	const time = readTime(given);
	if (!time || time.getTime() > Date.now()) {
		throw invalidInput(
			screenedAtLabel,
			`'${screenedAtLabel}' is not a time in the past with its zone`,
			'Give a time such as 2026-11-26T09:12:00Z, or remove the option.',
		);
	}
	return time;
}
