import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isGreen, show } from '../risk/values';
import { isFailure } from './nodeError';
import { customDataOf, withoutTags } from './quirks';

/** From the worst on. A failed screening is worse than an allowed one; without a decision, only the level counts. */
const words = {
	block: 'block',
	failed: 'not screened',
	review: 'review',
	allow: 'allow',
	notGreen: 'not green',
	green: 'green',
};

type Kind = keyof typeof words;
const kinds = Object.keys(words) as Kind[];

/** What this node says in an item of a report, or of a failure. */
interface Json {
	error?: unknown;
	details?: { errorClass?: unknown };
	outcome?: unknown;
	summary?: unknown;
	level?: unknown;
	report?: { risk?: { categories?: object } };
	/** The report is of another chain. */
	asked_chain?: unknown;
}

/** Undefined for an item that is neither a report nor a failure, such as a bulk job. */
function kindOf(json: Json): Kind | undefined {
	if (isFailure(json)) return 'failed';
	const outcome = kinds.find((kind) => kind === json.outcome);
	if (outcome) return outcome;
	if (json.level === undefined) return undefined;
	return isGreen(json.level) && json.asked_chain === undefined ? 'green' : 'notGreen';
}

/** One outcome and why; without a decision the level and the highest risk category, e.g. "red · sanctions 0.893". */
function describe(json: Json, kind: Kind): string {
	if (kind === 'failed') return show(`Not screened: ${String(json.error)}`, longest);
	if (json.outcome !== undefined) return show(json.summary, longest);
	const { clean_exchange: _, ...risks } = (json.report?.risk?.categories ?? {}) as IDataObject;
	const [worst] = Object.entries(risks)
		.filter((entry): entry is [string, number] => typeof entry[1] === 'number')
		.sort(([, one], [, other]) => other - one);
	return [
		show(json.level, 40),
		...(json.asked_chain === undefined ? [] : ['of another chain']),
		...(worst ? [`${worst[0].slice(0, 40)} ${worst[1]}`] : []),
	].join(' · ');
}

const longest = 400;

/** What a hint says beside the counts. */
export interface Notes {
	texts: string[];
	/** Whether something of it should not be overlooked. */
	areOdd: boolean;
}

/** Shows above the output, in one hint, what came of the node. Its counts add up to the items. */
export function hintAtOutcome(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	notes: Notes = { texts: [], areOdd: false },
): void {
	const counts = countsOf(items);
	const present = kinds.filter((kind) => counts[kind] > 0);
	const [worst] = present;
	const isOne = worst !== undefined && items.length === 1;
	const counted = isOne
		? describe(items[0]!.json, worst)
		: present.map((kind) => `${counts[kind]} ${words[kind]}`).join(', ');
	const message = [counted, notes.texts.join(', ')].filter(Boolean).join('. ');
	if (message === '') return;
	const isBad = counts.block + counts.failed > 0;
	const isCalm = present.every((kind) => kind === 'allow' || kind === 'green') && !notes.areOdd;
	const type = isBad ? 'danger' : isCalm ? 'info' : 'warning';
	context.addExecutionHints({ message: withoutTags(message), location: 'outputPane', type });
}

function countsOf(items: INodeExecutionData[]) {
	const all = items.map(({ json }) => kindOf(json));
	const counts = kinds.map((kind) => [kind, all.filter((one) => one === kind).length]);
	return Object.fromEntries(counts) as Record<Kind, number>;
}

/**
 * Stores with the execution what came of its screenings, so that it can be found in n8n's list of executions: the worst outcome
 * and how many of each kind, of all runs of all nodes that mark it; never an address. A node that stops has one failure more.
 */
export function markExecution(context: IExecuteFunctions, items: INodeExecutionData[] | 'stopped') {
	const customData = customDataOf(context);
	const counts = countsOf(items === 'stopped' ? [] : items);
	if (items === 'stopped') counts.failed++;
	const { block, review, failed, allow, notGreen, green } = counts;
	const earlier = customData.get('screening_outcome');
	const worst = (['block', 'review', 'failed', 'allow'] as const).find(
		(kind) => counts[kind] > 0 || kind === earlier,
	);
	const sum = (key: string, count: number) => String(Number(customData.get(key) ?? 0) + count);
	customData.setAll({
		...(worst !== undefined && { screening_outcome: worst }),
		screening_reports: sum('screening_reports', block + review + allow + notGreen + green),
		screening_block: sum('screening_block', block),
		screening_review: sum('screening_review', review),
		screening_failed: sum('screening_failed', failed),
	});
}
