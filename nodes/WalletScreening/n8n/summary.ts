import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isGreen, show } from '../risk/values';
import { isFailure } from './nodeError';
import { customDataOf, withoutTags } from './quirks';

/** From the worst on. A failed screening is worse than an allowed one; without a decision, only the level counts. */
const words = {
	block: 'block',
	review: 'review',
	failed: 'not screened',
	allow: 'allow',
	notGreen: 'not green',
	green: 'green',
};

type Kind = keyof typeof words;
const kinds = Object.keys(words) as Kind[];

/** A report, whole or simplified, and what this node added; or a failure. */
interface Json {
	error?: unknown;
	details?: { errorClass?: unknown };
	decision?: { outcome?: unknown };
	risk?: { level?: unknown; score?: unknown; categories?: unknown };
	risk_level?: unknown;
	risk_categories?: unknown;
	/** The report is of another chain. */
	asked_chain?: unknown;
}

const levelOf = ({ risk, risk_level }: Json) => risk?.level ?? risk_level;

/** Undefined for an item that is neither a report nor a failure, such as a bulk job. */
function kindOf(json: Json): Kind | undefined {
	if (isFailure(json)) return 'failed';
	const outcome = kinds.find((kind) => kind === json.decision?.outcome);
	if (outcome) return outcome;
	const level = levelOf(json);
	if (level === undefined) return undefined;
	return isGreen(level) && json.asked_chain === undefined ? 'green' : 'notGreen';
}

const longest = 40;

/** Level, outcome and the highest risk category of one report, e.g. "red · block · sanctions 0.893". */
function describe(json: Json, kind: Kind): string {
	const { clean_exchange: _, ...risks } = Object(
		json.risk?.categories ?? json.risk_categories,
	) as IDataObject;
	const [worst] = Object.entries(risks)
		.filter((entry): entry is [string, number] => typeof entry[1] === 'number')
		.sort(([, one], [, other]) => other - one);
	const parts = [
		show(levelOf(json), longest),
		...(json.asked_chain === undefined ? [] : ['of another chain']),
		...(json.decision ? [words[kind]] : []),
		...(worst ? [`${worst[0].slice(0, longest)} ${worst[1]}`] : []),
	];
	return withoutTags(parts.join(' · '));
}

/** Shows above the output, in one line, what came of the node. */
export function hintAtOutcome(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	const counts = countsOf(items);
	const present = kinds.filter((kind) => counts[kind] > 0);
	const [worst] = present;
	// A node without a report says by its errors what came.
	if (worst === undefined || present.every((kind) => kind === 'failed')) return;
	const message =
		items.length === 1
			? describe(items[0]!.json, worst)
			: present.map((kind) => `${counts[kind]} ${words[kind]}`).join(', ');
	const isCalm = present.every((kind) => kind === 'allow' || kind === 'green');
	context.addExecutionHints({ message, location: 'outputPane', type: isCalm ? 'info' : 'warning' });
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
