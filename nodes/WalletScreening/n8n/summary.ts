import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isGreen } from '../risk/level';
import { isFailure } from './nodeError';
import { customDataOf, withoutTags } from './quirks';

const kinds = ['block', 'review', 'failed', 'allow', 'notGreen', 'green'] as const;

/** From the worst on. A failed screening is worse than an allowed one; without a decision, only the level counts. */
type Kind = (typeof kinds)[number];

const words: Record<Kind, string> = {
	block: 'block',
	review: 'review',
	allow: 'allow',
	notGreen: 'not green',
	green: 'green',
	failed: 'not screened',
};

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
		String(levelOf(json)),
		...(json.asked_chain === undefined ? [] : ['of another chain']),
		...(json.decision ? [words[kind]] : []),
		...(worst ? [`${worst[0].slice(0, longest)} ${worst[1]}`] : []),
	];
	return withoutTags(parts.map((part) => part.slice(0, 2 * longest)).join(' · '));
}

/** Shows above the output, in one line, what came of the node. */
export function hintAtOutcome(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	const counts = countsOf(items);
	const [only] = items;
	const kind = only && kindOf(only.json);
	const message =
		items.length === 1 && kind !== undefined && kind !== 'failed'
			? describe(only!.json, kind)
			: kinds.flatMap((one) => (counts[one] > 0 ? `${counts[one]} ${words[one]}` : [])).join(', ');
	// A node without a report says by its errors what came.
	if (kinds.every((one) => counts[one] === 0 || one === 'failed')) return;
	const isCalm = kinds.every((one) => counts[one] === 0 || one === 'allow' || one === 'green');
	context.addExecutionHints({ message, location: 'outputPane', type: isCalm ? 'info' : 'warning' });
}

function countsOf(items: INodeExecutionData[]): Record<Kind, number> {
	const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
	for (const { json } of items) {
		const kind = kindOf(json);
		if (kind) counts[kind]++;
	}
	return counts;
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
	const sum = (key: string, count: number) => Number(customData.get(key) ?? 0) + count;
	const outcomes = [customData.get('screening_outcome'), ...kinds.filter((one) => counts[one] > 0)];
	const worst = kinds.find((kind) => isOutcome(kind) && outcomes.includes(kind));
	customData.setAll({
		...(worst !== undefined && { screening_outcome: worst }),
		screening_reports: String(sum('screening_reports', block + review + allow + notGreen + green)),
		screening_block: String(sum('screening_block', block)),
		screening_review: String(sum('screening_review', review)),
		screening_failed: String(sum('screening_failed', failed)),
	});
}

const isOutcome = (kind: Kind) => kind !== 'notGreen' && kind !== 'green';
