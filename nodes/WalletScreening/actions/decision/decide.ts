import type { IDataObject } from 'n8n-workflow';
import { isOfKnownFormat } from '../../address/checkAddress';
import { addressKey } from '../../address/key';
import type { AnyReport } from '../../answers/report';
import { policyFields } from '../../description/policySettings';
import { referenceOf } from '../../description/evidenceSettings';
import { readReportPath, reportField, requireReport } from '../../description/inputReport';
import { createOptionsField } from '../../description/options';
import { createSharedReader } from '../../description/parameters';
import { fieldsOfDecision, fieldsOnlyInSimplified } from '../../description/reportFields';
import { createDecidingReader } from '../../description/reportSettings';
import { readScreenedAt } from '../../description/screenedAt';
import { errorItemFields, replaceDecision, withoutFields } from '../../execution/itemFields';
import { createReportJson, type ReceivedReport } from '../../execution/reportItem';
import type { Operation } from '../../execution/operation';
import { invalidInput, type ScreeningError } from '../../shared/errors';
import { isErrorItem } from '../../shared/failureItem';
import { topNameOn, valueAt } from '../../shared/fieldPath';
import { hasValue, nonBlankText } from '../../shared/json';
import { formatValue, trimInvisible } from '../../shared/text';

export const decideOperation: Operation = {
	name: 'Decide',
	value: 'decide',
	action: 'Make decision on report',
	description: 'Make a decision by your rules on a report that you already have, without a request',
	fields: [reportField, ...policyFields, createOptionsField('alertText', 'screenedAt')],
	sendsNothing: true,
	async execute(run) {
		const { context } = run;
		const form = { alertText: run.options.alertText };
		const readSettings = createDecidingReader(run);
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
 *
 * @example
 *
 *     item                                  path                becomes
 *     { report: R, id: 7 }                  report              { report: R, id: 7 }
 *     { current: R, id: 7 }                 current             { current: R, id: 7 }
 *     { report: Q, current: R }             current             { report: R, current: R }
 *     { evidence: { report: R } }           evidence.report     { evidence: …, report: R }
 *     { error, details: { report: R } }     details.report      { report: R }
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
 * What an item holds of the request for its report: the address in its spelling, and the chain that
 * was asked for. An address of no known format is left out: it may be that of a house.
 * @throws {ScreeningError} `invalid_input` for the address of another account than the report is
 * about, because the decision would be taken for one on that account
 */
function subjectOf(
	item: IDataObject,
	report: AnyReport,
): Pick<ReceivedReport, 'address' | 'chain'> {
	const address = nonBlankText(item.address);
	const chain = nonBlankText(item.asked_chain);
	if (address === undefined) return { chain };
	if (addressKey(address) === addressKey(report.address)) return { chain, address };
	if (isOfKnownFormat(trimInvisible(address))) throw otherAddressError(address, report.address);
	return { chain };
}

function otherAddressError(address: string, addressOfReport: string): ScreeningError {
	const [ofItem, ofReport] = [address, addressOfReport].map((one) => formatValue(one, 120));
	return invalidInput(
		reportField.displayName,
		'The report is about another address than the item',
		`The report is about ${ofReport}, and the field 'address' of the item contains ${ofItem}. Check which report belongs to the item. If that field is about another matter, rename it before this node.`,
	);
}
