import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { categoriesOf, parseReport, risksOf } from '../answers/report';
import { isAllClear } from '../policy/allClear';
import type { Comparison } from '../policy/condition';
import type { Reason } from '../policy/reason';
import { reportValueNames } from '../policy/conditionSchema';
import { wrapAsScreeningError } from '../shared/errors';
import { isGiven, isNumber } from '../shared/json';
import { capitalize, formatCount, formatValue } from '../shared/text';
import { showHint } from '../transport/display';
import { isErrorItem } from './itemFields';
import type { Run, SettledItem } from './run';
import { createWarner } from './warnings';

/** Shows what came of the run. A fault here costs no report: n8n's log has it. */
export function showHints(run: Run, settled: SettledItem[], items: INodeExecutionData[]): void {
	const { context, account } = run;
	try {
		showCounts(context, items, account.describe());
		showRepeatedScreenings(run, settled);
		showMissingCategories(context, items);
	} catch (error) {
		context.logger.warn(`A hint could not be shown: ${wrapAsScreeningError(error).message}`);
	}
}

/**
 * Shows one line above the output: how many items of each kind there are, or what the only item
 * says; then the facts. No item is of two kinds.
 */
export function showCounts(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	facts: string[],
): void {
	const counts = countKinds(items);
	const present = itemKinds.filter((kind) => counts[kind] > 0);
	const [worst] = present;
	const summary =
		worst && items.length === 1
			? describeItem(items[0]!.json)
			: present.map((kind) => `${counts[kind]} ${kindStyles[kind].label}`).join(', ');
	const message = [summary, capitalize(facts.join(', '))].filter(Boolean).join('. ');
	if (message !== '') showHint(context, message, worst ? kindStyles[worst].colour : 'info');
}

/** Counts the items of each kind. */
function countKinds(items: INodeExecutionData[]): Record<ItemKind, number> {
	const counts = { block: 0, failed: 0, review: 0, notGreen: 0, allow: 0, green: 0 };
	for (const { json } of items) {
		const kind = kindOf(json);
		if (kind) counts[kind]++;
	}
	return counts;
}

/**
 * The kinds of items, the worst first, with their label and colour in a hint. With a decision, the
 * outcome is the kind of an item. Without one, the item is green or not, by its level and chain.
 */
const kindStyles = {
	block: { label: 'block', colour: 'danger' },
	failed: { label: 'not screened', colour: 'danger' },
	review: { label: 'review', colour: 'warning' },
	notGreen: { label: 'not green', colour: 'warning' },
	allow: { label: 'allow', colour: 'info' },
	green: { label: 'green', colour: 'info' },
} as const;

type ItemKind = keyof typeof kindStyles;
const itemKinds = Object.keys(kindStyles) as ItemKind[];

/** The kind of a report or an error item; undefined for any other, such as a bulk job. */
function kindOf(json: IDataObject): ItemKind | undefined {
	if (isErrorItem(json)) return 'failed';
	const kindOfOutcome = itemKinds.find((kind) => kind === json.outcome);
	if (kindOfOutcome) return kindOfOutcome;
	const { level, asked_chain } = json;
	if (level === undefined) return undefined;
	return isAllClear({ level, asked_chain }) ? 'green' : 'notGreen';
}

/**
 * Describes an item by its outcome and why; without a decision by the level and the highest risk
 * category, e.g. "red, sanctions 0.893".
 */
function describeItem(json: IDataObject): string {
	if (isErrorItem(json)) return formatValue(`Not screened: ${json.error}`, maxDescriptionLength);
	if (json.outcome !== undefined) return formatValue(json.summary, maxDescriptionLength);
	const { report } = parseReport(json.report);
	const [highest] = report ? risksOf(report) : [];
	return [
		formatValue(json.level, 40),
		...(isGiven(json.asked_chain) ? ['of another chain'] : []),
		...(highest ? [`${formatValue(highest.key, 40)} ${formatValue(highest.value, 40)}`] : []),
	].join(', ');
}

const maxDescriptionLength = 400;

/** Shows how many screenings the service may charge for more than once. */
function showRepeatedScreenings({ context, account }: Run, settled: SettledItem[]): void {
	const failed = settled.filter(({ error }) => (error?.details.sent ?? 0) > 1);
	const count = account.repeatedScreeningCount + failed.length;
	if (count === 0) return;
	const screenings = formatCount(count, 'screening was', 'screenings were');
	const why = 'because an answer was lost or the service failed';
	showHint(
		context,
		`${screenings} sent more than once, ${why}. The service may charge each time.`,
		'warning',
	);
}

/** Shows each category that a rule compares and no report of the run has. */
function showMissingCategories(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	const warn = createWarner(context);
	for (const message of describeMissingCategories(items.map(({ json }) => json))) warn(message);
}

/** How many categories a hint names at most, because it is one line. */
const maxCategoriesShown = 10;

/**
 * An item whose report was decided on, with the reasons. A simplified item has no reasons, so it is
 * none of these.
 */
interface DecidedItem {
	reasons: Reason[];
	report: unknown;
}

/** Makes a sentence for each category that a rule compares and no report of a run has. */
export function describeMissingCategories(items: IDataObject[]): string[] {
	const decided = items.flatMap(({ reasons, report }): DecidedItem[] =>
		Array.isArray(reasons) ? [{ reasons: reasons as object[] as Reason[], report }] : [],
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
				`No report has the category '${formatValue(name, 40)}', so the rules on it result in a review.${advice}`,
		);
}

/** The categories that a reason compares, and that the report of the reason lacks. */
function categoriesWithoutValue(reason: Reason): string[] {
	const comparisons: Array<Partial<Comparison>> = reason.all ?? [reason];
	return comparisons.flatMap(({ field, actual }) =>
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
