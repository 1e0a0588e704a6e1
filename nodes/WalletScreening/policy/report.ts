import { ScreeningError } from '../shared/errors';
import {
	type Fields,
	fieldOf,
	isFields,
	isFilled,
	isGiven,
	isNumber,
	objectIn,
} from '../shared/json';
import type { AnyReport } from '../answers/report';
import { quotedName, show } from '../shared/text';

/** The values of a report, for texts. */
export type ReportValues = Omit<AnyReport, symbol>;

/** The field of an item that holds the report, unless the user names another. */
export const defaultReportField = 'report';

/** The one category that is in favour of an address (section 2.3). */
export const goodSign = 'clean_exchange';

/**
 * The value of the field with this very name, else of nested fields with dots between their names. A nested object may be the JSON
 * text of a data table.
 *
 * @example valueAt({ customer: '{"country":"KP"}' }, 'customer.country') // 'KP'
 */
export function valueAt(item: Fields, path: string): unknown {
	const whole = path.trim();
	const names = Object.hasOwn(item, whole) ? [whole] : whole.split('.');
	return names.reduce<unknown>((value, name) => {
		const fields = Array.isArray(value) ? (value as object as Fields) : objectIn(value);
		return fields && fieldOf(fields, name);
	}, item);
}

const maxNamesShown = 20;

/**
 * Names the fields that are there where a path finds none, for the description of an error. A CSV file may begin with a byte order
 * mark, which then is the invisible beginning of its first name.
 */
export function describeFields(item: Fields, path: string): string {
	let holder: { fields: Fields; name: string } = { fields: item, name: 'The item' };
	for (const name of path.trim().split('.')) {
		const fields = objectIn(fieldOf(holder.fields, name));
		if (!fields) break;
		holder = { fields, name: quotedName(name) };
	}
	const names = Object.keys(holder.fields).map(quotedName);
	if (names.length === 0) return `${holder.name} has no fields.`;
	const more = names.length - maxNamesShown;
	const shown = names.slice(0, maxNamesShown).join(', ') + (more > 0 ? ` and ${more} more` : '');
	const isUnseen = names.some((name) => name.includes('\\u{'));
	const advice = isUnseen
		? ' \\u{…} is the code of a sign that cannot be seen: rename that field, or save a CSV file without a byte order mark.'
		: '';
	return `${holder.name} has these fields: ${shown}.${advice}`;
}

/** A report, or why the value is not one. */
export type ReportReading = { report: AnyReport; flaw?: never } | { report?: never; flaw: string };

/** Reads the report (section 2.1) that an object or its JSON text is. The report stays as the service sent it. */
export function readReport(value: unknown): ReportReading {
	const fields = objectIn(value);
	if (!fields) return { flaw: 'there is no object' };
	if (!isFilled(fields.address)) return { flaw: "'address' is missing" };
	if (!isFields(fields.risk)) return { flaw: "'risk' is not an object" };
	if (!isFields(fields.risk.categories ?? {})) return { flaw: "'categories' is not an object" };
	return { report: fields as unknown as AnyReport };
}

/**
 * The report in a field of an item. An item of a failure holds a report only in its details: any other is from before.
 * @throws {ScreeningError} `invalid_input` for an item without a report there
 */
export function requireReport(item: Fields, path = defaultReportField): AnyReport {
	const isOfFailure = item.error && !path.trim().startsWith('details.');
	const value = valueAt(item, path);
	const reading = isOfFailure
		? { flaw: `the item contains an error: ${show(item.error, 200)}` }
		: readReport(value);
	if (reading.report) return reading.report;
	const advice = 'Give the report as the service sent it, or the name of the field that holds it.';
	const isMissing = value === undefined && !isOfFailure;
	throw new ScreeningError(
		'invalid_input',
		`The field ${quotedName(path)} contains no report: ${reading.flaw}`,
		isMissing ? `${describeFields(item, path)} ${advice}` : advice,
	);
}

/** The categories of a report by their keys (section 2.3). */
export const categoriesOf = ({ risk }: ReportValues): Fields =>
	isFields(risk.categories) ? risk.categories : {};

/** A category of a report. Its value is a fraction (section 2.3), if the report keeps to the specification. */
export interface CategoryValue {
	key: string;
	value: unknown;
}

/** The categories that are evidence against an address, the highest first. */
export const risksOf = (report: ReportValues): CategoryValue[] =>
	Object.entries(categoriesOf(report))
		.map(([key, value]) => ({ key, value }))
		.filter(({ key }) => key !== goodSign)
		.sort((one, other) => sortValue(other.value) - sortValue(one.value));

/** A value that is no number counts as the highest, so that nobody overlooks it. */
function sortValue(value: unknown): number {
	if (isNumber(value)) return value;
	return isGiven(value) ? Number.MAX_VALUE : -Number.MAX_VALUE;
}

/** What stands for the report in a simplified item. */
export interface ReportExtract {
	/** Null if no category is above 0. */
	highest_category: string | null;
	highest_score: unknown;
	report_id: unknown;
	report_url: unknown;
}

/** Extracts what a simplified item has of a report. */
export function extractReport(report: ReportValues): ReportExtract {
	const [highest] = risksOf(report);
	const isNone = highest === undefined || (isNumber(highest.value) && highest.value <= 0);
	return {
		highest_category: isNone ? null : highest.key,
		highest_score: highest ? highest.value : null,
		report_id: report.report_id,
		report_url: report.report_url,
	};
}
