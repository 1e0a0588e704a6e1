import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { categoriesOf, parseReport } from '../answers/report';
import { reportValueNames } from '../policy/conditionSchema';
import { comparisonsOf, type Reason } from '../policy/reason';
import { hasValue, isJsonObject, isNumber } from '../shared/json';
import { formatValue } from '../shared/text';
import { createWarner } from './warnings';

/* The warning about a rule that no report can fulfil: the name of its category may be mistyped. */

/** Shows each category that a rule compares and no report in the output has. */
export function showMissingCategories(context: IExecuteFunctions, items: IDataObject[]): void {
	const warn = createWarner(context);
	for (const message of describeMissingCategories(items)) warn(message);
}

/** How many categories a hint names at most, because it is one line. */
const maxCategoriesShown = 10;

/** A report that was decided on, with the reasons. */
interface DecidedReport {
	reasons: Reason[];
	report: unknown;
}

/**
 * Makes a sentence for each category that a rule compares and no report in the output has. An item
 * without its report, or without reasons, does not show which categories were missing.
 */
export function describeMissingCategories(items: IDataObject[]): string[] {
	const decided = items.flatMap(({ reasons, report }): DecidedReport[] =>
		Array.isArray(reasons) && hasValue(report)
			? [{ reasons: reasons.filter(isJsonObject) as object[] as Reason[], report }]
			: [],
	);
	const compared = new Set(
		decided.flatMap(({ reasons }) => reasons.flatMap(categoriesWithoutValue)),
	);
	if (compared.size === 0) return [];
	const present = new Set(decided.flatMap(({ report }) => categoriesWithValue(report)));
	const names = [...present].slice(0, maxCategoriesShown).map((name) => formatValue(name, 40));
	const advice = names.length === 0 ? '' : ` The reports have these: ${names.join(', ')}.`;
	return [...compared]
		.filter((name) => !present.has(name))
		.map(
			(name) =>
				`No report in the output has the category '${formatValue(name, 40)}', so the rules on it result in a review.${advice}`,
		);
}

/** The categories that a reason compares, and that the report of the reason lacks. */
function categoriesWithoutValue(reason: Reason): string[] {
	return comparisonsOf(reason).flatMap(({ field, actual }) =>
		actual === null && isCategory(field) ? [field] : [],
	);
}

/** The categories that a report has with a number. */
function categoriesWithValue(value: unknown): string[] {
	const { report } = parseReport(value);
	const all = Object.entries(report ? categoriesOf(report) : {});
	return all.flatMap(([name, number]) => (isNumber(number) && isCategory(name) ? [name] : []));
}

/**
 * Whether what a rule compares is a category, and neither another value of the report nor a field
 * of the input item.
 */
const isCategory = (field: unknown): field is string =>
	typeof field === 'string' && ![...reportValueNames, 'chain'].includes(field);
