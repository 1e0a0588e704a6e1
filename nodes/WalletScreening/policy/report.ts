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
import type { AnyReport as Checked } from '../answers/report';
import { quotedName, show } from '../shared/text';

/** The values of a report, for texts. */
export type ReportValues = Omit<Checked, symbol>;

/** The field of an item that holds the report, unless the user names another. */
export const defaultReportField = 'report';

/** The category that speaks for an address and not against it (section 2.3). */
export const goodSign = 'clean_exchange';

/** The value of the field of this very name, else of nested ones with dots between them, also in the JSON text of a data table. */
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
 * The names of the fields that are there where a path finds none, for the description of an error. A CSV file may begin with a
 * byte order mark, which then is the invisible beginning of its first name.
 */
export function fieldsInstead(item: Fields, path: string): string {
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
export type Reading = { report: Checked; flaw?: never } | { report?: never; flaw: string };

/** The report (section 2.1) that an object or its JSON text is, as the service sent it. */
export function readReport(value: unknown): Reading {
	const fields = objectIn(value);
	if (!fields) return { flaw: 'there is no object' };
	if (!isFilled(fields.address)) return { flaw: "'address' is missing" };
	if (!isFields(fields.risk)) return { flaw: "'risk' is not an object" };
	if (!isFields(fields.risk.categories ?? {})) return { flaw: "'categories' is not an object" };
	return { report: fields as unknown as Checked };
}

/** The report in a field of an item. One of a failure holds none, except in its details: the rest is older. Throws `invalid_input`. */
export function reportIn(item: Fields, path = defaultReportField): Checked {
	const isOfFailure = item.error && !path.trim().startsWith('details.');
	const value = valueAt(item, path);
	const reading = isOfFailure
		? { flaw: `the item says that something failed: ${show(item.error, 200)}` }
		: readReport(value);
	if (reading.report) return reading.report;
	const advice = 'Give the report as the service sent it, or the name of the field that holds it.';
	const isMissing = value === undefined && !isOfFailure;
	throw new ScreeningError(
		'invalid_input',
		`The field ${quotedName(path)} contains no report: ${reading.flaw}`,
		isMissing ? `${fieldsInstead(item, path)} ${advice}` : advice,
	);
}

/** The categories of a report by their keys (section 2.3). */
export const categoriesOf = ({ risk }: ReportValues): Fields =>
	isFields(risk.categories) ? risk.categories : {};

/** The categories that speak against an address, the highest first. */
export const risksOf = (report: ReportValues) =>
	Object.entries(categoriesOf(report))
		.filter(([key]) => key !== goodSign)
		.sort(([, one], [, other]) => weight(other) - weight(one));

/** A value that is no number counts as the highest, so that nobody overlooks it. */
function weight(value: unknown): number {
	if (isNumber(value)) return value;
	return isGiven(value) ? Number.MAX_VALUE : -Number.MAX_VALUE;
}

/** What stands for the report in a simplified item. The category is null if none is above 0. */
export function extractOf(report: ReportValues): {
	highest_category: string | null;
	highest_score: unknown;
	report_id: unknown;
	report_url: unknown;
} {
	const [[category, score] = [null, null]] = risksOf(report);
	const isNone = isNumber(score) && score <= 0;
	return {
		highest_category: isNone ? null : category,
		highest_score: score,
		report_id: report.report_id,
		report_url: report.report_url,
	};
}
