import { type AnyReport, parseReport } from '../answers/report';
import { ScreeningError } from '../shared/errors';
import { isFailureItem } from '../shared/failureItem';
import { describeFields, valueAt } from '../shared/fieldPath';
import { hasValue, type JsonObject, objectIn } from '../shared/json';
import { formatValue, quoteName } from '../shared/text';
import { requireFieldPath, requireText } from '../shared/userInput';
import { field } from './fields';
import type { ParameterReader } from './parameters';

/* The report that an input item holds, for the operations that send no request. */

/** The field of an item that holds the report, unless the user names another. */
const defaultReportField = 'report';

export const reportField = field('Report Field', 'reportField', {
	default: defaultReportField,
	placeholder: 'e.g. report',
	description:
		'Name of the field of the input item that holds the report as the service sent it, with dots for nested fields. It may hold the report as JSON text, as a data table does.',
});

/**
 * Reads the name in Report Field.
 * @throws {ScreeningError} `invalid_input`
 */
export function readReportPath(read: ParameterReader<'reportField'>): string {
	const label = reportField.displayName;
	const path = requireFieldPath(read('reportField', defaultReportField), label);
	const advice = 'Enter the name of the field that holds the report, e.g. report.';
	return requireText(path, label, advice);
}

/**
 * Reads the report in a field of an item. An item of a failure holds its report only in its details:
 * a report elsewhere in it is from an earlier step.
 * @throws {ScreeningError} `invalid_input` for an item without a report there
 */
export function requireReport(item: JsonObject, path: string): AnyReport {
	const isInDetails = path.trim().startsWith('details.');
	if (isFailureItem(item) && !isInDetails) throw noReportError(path, describeFailure(item.error));
	const value = valueAt(item, path);
	const fieldsNote = value === undefined ? `${describeFields(item, path)} ` : '';
	return requireParsed(value, path, fieldsNote);
}

/**
 * Parses a value as a report. The error shows `fieldsNote`, which names the fields that the item has,
 * before its advice.
 * @throws {ScreeningError} `invalid_input` for a value that is no report
 */
function requireParsed(value: unknown, path: string, fieldsNote = ''): AnyReport {
	const { report, flaw } = parseReport(value);
	if (report) return report;
	throw noReportError(path, flaw, fieldsNote);
}

const describeFailure = (error: unknown): string =>
	`the item contains an error: ${formatValue(error, 200)}`;

function noReportError(path: string, flaw: string, fieldsNote = ''): ScreeningError {
	const advice = 'Give the report as the service sent it, or the name of the field that holds it.';
	return new ScreeningError(
		'invalid_input',
		`The field ${quoteName(path)} contains no report: ${flaw}`,
		fieldsNote + advice,
	);
}

/**
 * Reads the report of an item that has evidence. The item of a simplified report has the whole
 * report only in its evidence.
 * @throws {ScreeningError} `invalid_input` for an item without a report
 */
export function requireWholeReport(item: JsonObject, path: string): AnyReport {
	const reportInEvidence = objectIn(objectIn(item.evidence)?.report);
	if (hasValue(valueAt(item, path)) || !reportInEvidence) return requireReport(item, path);
	const pathInEvidence = 'evidence.report';
	if (isFailureItem(item)) throw noReportError(pathInEvidence, describeFailure(item.error));
	return requireParsed(reportInEvidence, pathInEvidence);
}
