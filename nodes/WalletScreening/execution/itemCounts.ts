import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { parseReport, risksOf } from '../answers/report';
import { isAllClear } from '../policy/allClear';
import { readOutcome } from '../policy/cells';
import { isErrorItem } from '../shared/failureItem';
import { hasValue } from '../shared/json';
import { capitalize, formatValue } from '../shared/text';
import { showHint } from '../transport/display';

/* The hint with the counts of the items, or with what the only item holds. */

/**
 * Shows one line above the output: how many items of each kind there are, or what the only item
 * holds; then the facts. No item is of two kinds.
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

/** The kind of a report or an error item; undefined for any other, such as a bulk job. */
function kindOf(json: IDataObject): ItemKind | undefined {
	if (isErrorItem(json)) return 'failed';
	const { outcome, level, asked_chain } = json;
	const decided = readOutcome(outcome);
	if (decided) return decided;
	if (level === undefined) return undefined;
	return isAllClear({ level, asked_chain, outcome }) ? 'green' : 'notGreen';
}

/**
 * Describes an item by its summary; without one by the outcome, if there is one, the level and the
 * highest risk category, e.g. "red, sanctions 0.893". An agent gets the fields that the user selected.
 */
function describeItem(json: IDataObject): string {
	if (isErrorItem(json)) return formatValue(`Failed: ${json.error}`, maxDescriptionLength);
	const outcome = readOutcome(json.outcome);
	if (outcome && hasValue(json.summary)) return formatValue(json.summary, maxDescriptionLength);
	const { report } = parseReport(json.report);
	const [highest] = report ? risksOf(report) : [];
	return [
		...(outcome ? [outcome] : []),
		...(outcome && json.sanctions === true ? ['sanctions hit'] : []),
		...(json.level === undefined ? [] : [formatValue(json.level, 40)]),
		...(hasValue(json.asked_chain) ? ['of another chain'] : []),
		...(highest ? [`${formatValue(highest.key, 40)} ${formatValue(highest.value, 40)}`] : []),
	].join(', ');
}

const maxDescriptionLength = 400;
