import { ScreeningError } from '../service/errors';
import { type Fields, fieldOf, isFields, isFilled } from '../service/json';
import type { AnyReport as Checked } from '../service/report';
import { isGiven, isNumber, objectIn, show } from './values';

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
	const reading = isOfFailure
		? { flaw: `the item says that something failed: ${show(item.error, 200)}` }
		: readReport(valueAt(item, path));
	if (reading.report) return reading.report;
	throw new ScreeningError(
		'invalid_input',
		`The field '${show(path, 100)}' contains no report: ${reading.flaw}`,
		'Give the report as the service sent it, or the name of the field that holds it.',
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

/** What a simplified item holds of a report beside its level, score, address and chain. Without a risk the category is null. */
export function simplifiedRest(report: ReportValues): Fields {
	const [highest] = risksOf(report).filter(([, value]) => isGiven(value) && value !== 0);
	const [highest_category, highest_score] = highest ?? [null, null];
	const { report_id, report_url } = report;
	return { highest_category, highest_score, report_id, report_url };
}
