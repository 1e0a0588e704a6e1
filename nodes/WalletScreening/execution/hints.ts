import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { categoriesOf, parseReport, risksOf } from '../answers/report';
import { isClearVerdict } from '../policy/allClear';
import { comparisonsOf, type Reason } from '../policy/reason';
import { reportValueNames } from '../policy/conditionSchema';
import { wrapAsScreeningError } from '../shared/errors';
import { hasValue, isJsonObject, isNumber } from '../shared/json';
import { capitalize, formatCount, formatValue } from '../shared/text';
import { showHint } from '../transport/display';
import { isErrorItem } from './itemFields';
import type { Run, SettledItem } from './run';
import { createWarner } from './warnings';

/**
 * Shows what came of the run. `items` are those that leave for `settled`. A fault here loses no
 * report and is only logged.
 */
export function showHints(
	run: Run,
	settled: SettledItem[],
	items: INodeExecutionData[],
	givesVerdict: boolean,
): void {
	const { context, account } = run;
	try {
		// Only what the node itself set. A leaving item may hold an input field of the same name.
		const ownJson = settled.map(({ value }, index): IDataObject => {
			if (!value) return items[index]!.json;
			return givesVerdict ? value.json : {};
		});
		showCounts(context, ownJson, account.describe());
		showRepeatedScreenings(run, settled);
		showMissingCategories(context, ownJson);
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
	items: IDataObject[],
	facts: string[],
): void {
	const counts = countKinds(items);
	const present = itemKinds.filter((kind) => counts[kind] > 0);
	const [worst] = present;
	const summary =
		worst && items.length === 1
			? describeItem(items[0]!)
			: present.map((kind) => `${counts[kind]} ${kindStyles[kind].label}`).join(', ');
	const message = [summary, capitalize(facts.join(', '))].filter(Boolean).join('. ');
	if (message !== '') showHint(context, message, worst ? kindStyles[worst].colour : 'info');
}

/** Counts the items of each kind. */
function countKinds(items: IDataObject[]): Record<ItemKind, number> {
	const counts = { block: 0, failed: 0, review: 0, notGreen: 0, allow: 0, green: 0 };
	for (const item of items) {
		const kind = kindOf(item);
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
	failed: { label: 'failed', colour: 'danger' },
	review: { label: 'review', colour: 'warning' },
	notGreen: { label: 'not green', colour: 'warning' },
	allow: { label: 'allow', colour: 'info' },
	green: { label: 'green', colour: 'info' },
} as const;

type ItemKind = keyof typeof kindStyles;
const itemKinds = Object.keys(kindStyles) as ItemKind[];
const outcomes = ['block', 'review', 'allow'] as const satisfies ItemKind[];

/** The kind of a report or an error item; undefined for any other, such as a bulk job. */
function kindOf(json: IDataObject): ItemKind | undefined {
	if (isErrorItem(json)) return 'failed';
	const { outcome, level, asked_chain } = json;
	const decided = outcomes.find((one) => one === outcome);
	if (decided) return decided;
	if (level === undefined) return undefined;
	return isClearVerdict({ level, asked_chain }) ? 'green' : 'notGreen';
}

/**
 * Describes an item by its outcome and why; without a decision by the level and the highest risk
 * category, e.g. "red, sanctions 0.893".
 */
function describeItem(json: IDataObject): string {
	if (isErrorItem(json)) return formatValue(`Failed: ${json.error}`, maxDescriptionLength);
	const isDecided = outcomes.some((outcome) => outcome === json.outcome);
	if (isDecided) return formatValue(json.summary, maxDescriptionLength);
	const { report } = parseReport(json.report);
	const [highest] = report ? risksOf(report) : [];
	return [
		formatValue(json.level, 40),
		...(hasValue(json.asked_chain) ? ['of another chain'] : []),
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

/** Shows each category that a rule compares and no report in the output has. */
function showMissingCategories(context: IExecuteFunctions, items: IDataObject[]): void {
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
