import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Reason } from '../risk/decision';
import { conditionsOf, endOf, nameOf, type Policy } from '../risk/policy';
import { categories, type Condition, ofReport } from '../risk/policy/schema';
import { isNumber, shortAddress, show } from '../risk/values';
import { withoutTags } from './quirks';

/** What makes no sense in a policy and is still possible: a sentence for each. */
export function policyHints({ rules, exceptions }: Policy, now: Date): string[] {
	const all = [...exceptions.values()].flat();
	const isIdle = all.length > 0 && !rules.some(({ mayBeWaived }) => mayBeWaived);
	const ended = all.filter((exception) => now.getTime() >= endOf(exception));
	return [
		...rules.flatMap((rule, index) =>
			conditionsOf(rule)
				.filter(isOutOfReach)
				.map((condition) => unreachable(condition, index + 1)),
		),
		...(isIdle ? ["The exceptions do nothing: no rule has 'May Be Waived' on."] : []),
		...ended.map(
			({ address, until }) =>
				`The exception for ${show(shortAddress(address), 40)} ended on ${until}. Renew or remove it.`,
		),
	];
}

/** Section 2.3: every category is a fraction, except `clean_exchange`. */
const fractions = ['score', ...categories.filter((key) => key !== 'clean_exchange')];

/** Whether no value so far makes the condition true. */
function isOutOfReach(condition: Condition): boolean {
	const { operator, value } = condition;
	const name = nameOf(condition);
	if (typeof value === 'string' || !fractions.some((key) => key === name)) return false;
	const isAbove = value > 1 && (operator === 'gte' || operator === 'equals');
	const isBelow = value < 0 && (operator === 'lte' || operator === 'equals');
	return isAbove || isBelow;
}

function unreachable(condition: Condition, number: number): string {
	const why =
		condition.field === 'score'
			? 'The vendor documents no range of the score. The categories are fractions from 0 to 1, so the score may be one too: look at a report of yours.'
			: 'The vendor documents this category as a fraction from 0 to 1. For 50 %, enter 0.5.';
	const what = `'${String(nameOf(condition))}' with ${condition.value}`;
	return `Rule ${number} compares ${what}, and may never apply. ${why}`;
}

/** What an item says of a report; a simplified one holds the categories itself. */
interface Judged {
	reasons?: Reason[];
	report?: { risk?: { categories?: object } };
}

/** Nobody reads more hints. */
export const mostHints = 5;

/** Shows a hint at each category that a rule compares and no report of the run has. */
export function hintAtCategories(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	const hints = categoryHints(items.map(({ json }) => json)).slice(0, mostHints);
	for (const message of hints.map(withoutTags)) {
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	}
}

/** A sentence for each category that a rule compares and no report of a run has. */
export function categoryHints(items: IDataObject[]): string[] {
	const judged = items.filter(({ reasons }) => Array.isArray(reasons));
	const present = new Set(
		judged.flatMap((json) => {
			const { report } = json as Judged;
			const found = Object.entries(report ? (report.risk?.categories ?? {}) : json);
			return found.filter(([, value]) => isNumber(value)).map(([name]) => name);
		}),
	);
	const compared = judged
		.flatMap((json) => (json as Judged).reasons!)
		.flatMap(({ all, ...one }): Array<Pick<Reason, 'field' | 'actual'>> => all ?? [one])
		.filter(({ actual }) => actual === null)
		.flatMap(({ field }) => (typeof field === 'string' ? field : []));
	const others = [...ofReport, 'chain'];
	const absent = new Set(compared.filter((name) => !present.has(name) && !others.includes(name)));
	return [...absent].map((name) => {
		const near = [...present].filter((one) => !others.includes(one));
		const [nearest] = near.sort((one, other) => distance(name, one) - distance(name, other));
		const advice = nearest === undefined ? '' : ` The nearest name is '${show(nearest, 40)}'.`;
		return `No report has the category '${show(name, 40)}', so the rules on it ask for a review.${advice}`;
	});
}

/** How many letters have to change to make one name of the other: Levenshtein's distance. */
function distance(one: string, other: string): number {
	const letters = [...other.slice(0, 64)];
	let row = [0, ...letters.keys()].map((_, index) => index);
	for (const letter of one.slice(0, 64)) {
		const next = [row[0]! + 1];
		for (const [at, its] of letters.entries()) {
			const changed = row[at]! + (its === letter ? 0 : 1);
			next.push(Math.min(changed, row[at + 1]! + 1, next[at]! + 1));
		}
		row = next;
	}
	return row.at(-1)!;
}
