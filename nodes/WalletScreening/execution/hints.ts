import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { categoriesOf, isGreen, parseReport, risksOf } from '../answers/report';
import type { Reason } from '../policy/reason';
import { reportValueNames } from '../policy/schema';
import { wrapAsScreeningError } from '../shared/errors';
import { isNumber } from '../shared/json';
import { formatCount, formatValue } from '../shared/text';
import { maxHints, showHint } from '../transport/n8n';
import { isFailure } from './outputItems';
import type { Outcome, Run } from './run';

/** Milliseconds: the hint names a wait that is longer. */
const worthMentioning = 10_000;

/** Shows what came of the run. A fault here costs no report: n8n's log has it. */
export function showHints(run: Run, outcomes: Outcome[], items: INodeExecutionData[]): void {
	const { context, leftOut } = run;
	try {
		const notes = [...run.notes];
		if (run.longestWait > worthMentioning) {
			const seconds = formatCount(Math.round(run.longestWait / 1000), 'second');
			notes.push(`the service made the node wait up to ${seconds} between two requests`);
		}
		if (leftOut > 0) notes.push(`${formatCount(leftOut, 'green report')} left out`);
		hintAtOutcome(context, items, notes);
		hintAtRepeats(run, outcomes);
		hintAtCategories(context, items);
	} catch (error) {
		context.logger.warn(`A hint could not be shown: ${wrapAsScreeningError(error).message}`);
	}
}

/**
 * The label and the colour of each outcome in a hint, from the worst on. A failed screening is worse than an allowed one. Without a
 * decision, only the level counts.
 */
const outcomeStyles = {
	block: { label: 'block', colour: 'danger' },
	failed: { label: 'not screened', colour: 'danger' },
	review: { label: 'review', colour: 'warning' },
	notGreen: { label: 'not green', colour: 'warning' },
	allow: { label: 'allow', colour: 'info' },
	green: { label: 'green', colour: 'info' },
} as const;

type OutcomeKind = keyof typeof outcomeStyles;
const outcomeKinds = Object.keys(outcomeStyles) as OutcomeKind[];

/** Undefined for an item that is neither a report nor a failure, such as a bulk job. */
function kindOf(json: IDataObject): OutcomeKind | undefined {
	if (isFailure(json)) return 'failed';
	const outcome = outcomeKinds.find((kind) => kind === json.outcome);
	if (outcome) return outcome;
	if (json.level === undefined) return undefined;
	return isGreen(json.level) && json.asked_chain === undefined ? 'green' : 'notGreen';
}

/** One outcome and why; without a decision the level and the highest risk category, such as "red, sanctions 0.893". */
function describe(json: IDataObject): string {
	if (isFailure(json)) return formatValue(`Not screened: ${json.error}`, maxDescriptionLength);
	if (json.outcome !== undefined) return formatValue(json.summary, maxDescriptionLength);
	const { report } = parseReport(json.report);
	const [highest] = report ? risksOf(report) : [];
	return [
		formatValue(json.level, 40),
		...(json.asked_chain === undefined ? [] : ['of another chain']),
		...(highest ? [`${formatValue(highest.key, 40)} ${formatValue(highest.value, 40)}`] : []),
	].join(', ');
}

const maxDescriptionLength = 400;

/** Shows the outcome, or the counts of the outcomes, and the notes in one hint above the output. The counts add up to the items. */
export function hintAtOutcome(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	notes: string[],
): void {
	const counts = countsOf(items);
	const present = outcomeKinds.filter((kind) => counts[kind] > 0);
	const [worst] = present;
	const summary =
		worst && items.length === 1
			? describe(items[0]!.json)
			: present.map((kind) => `${counts[kind]} ${outcomeStyles[kind].label}`).join(', ');
	const message = [summary, notes.join(', ')].filter(Boolean).join('. ');
	if (message !== '') showHint(context, message, worst ? outcomeStyles[worst].colour : 'info');
}

function countsOf(items: INodeExecutionData[]) {
	const all = items.map(({ json }) => kindOf(json));
	const counts = outcomeKinds.map((kind) => [kind, all.filter((one) => one === kind).length]);
	return Object.fromEntries(counts) as Record<OutcomeKind, number>;
}

/** Shows how many screenings the service may charge for more than once. */
function hintAtRepeats({ context, sentAgain }: Run, outcomes: Outcome[]): void {
	const failed = outcomes.filter(({ error }) => (error?.details.sent ?? 0) > 1);
	const count = sentAgain + failed.length;
	if (count === 0) return;
	const were = formatCount(count, 'screening was', 'screenings were');
	const why = 'because an answer was lost or the service failed';
	showHint(
		context,
		`${were} sent more than once, ${why}. The service may charge each time.`,
		'warning',
	);
}

/** Shows each category that a rule compares and no report of the run has. */
function hintAtCategories(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	const hints = categoryHints(items.map(({ json }) => json));
	for (const message of hints.slice(0, maxHints)) showHint(context, message, 'warning');
}

/**
 * A sentence for each category that a rule compares and no report of a run has. Simplified items have no reasons, and count for
 * none.
 */
export function categoryHints(items: IDataObject[]): string[] {
	const decided = items.filter(({ reasons }) => Array.isArray(reasons));
	const others = [...reportValueNames, 'chain'];
	const isCategory = (name: unknown): name is string =>
		typeof name === 'string' && !others.includes(name);
	const missed = decided
		.flatMap(({ reasons }) => reasons as object[] as Reason[])
		.flatMap(({ all, ...one }): Array<Pick<Reason, 'field' | 'actual'>> => all ?? [one])
		.flatMap(({ field, actual }) => (actual === null && isCategory(field) ? field : []));
	if (missed.length === 0) return [];
	const present = new Set(
		decided.flatMap((json) => {
			const { report } = parseReport(json.report);
			const found = Object.entries(report ? categoriesOf(report) : {});
			return found.flatMap(([name, value]) => (isNumber(value) && isCategory(name) ? name : []));
		}),
	);
	const absent = new Set(missed.filter((name) => !present.has(name)));
	const names = [...present].slice(0, maxCategoriesShown).map((name) => formatValue(name, 40));
	const advice = names.length === 0 ? '' : ` The reports have these: ${names.join(', ')}.`;
	return [...absent].map(
		(name) =>
			`No report has the category '${formatValue(name, 40)}', so the rules on it result in a review.${advice}`,
	);
}

/** A hint is one line. */
const maxCategoriesShown = 10;
