import type { AnyReport } from '../answers/report';
import { reasonsInSummary } from '../policy/summary';
import { isFailureItem } from '../shared/failureItem';
import { hasValue, isJsonObject, isNumber, type JsonObject, objectIn } from '../shared/json';
import { formatKey, formatValue } from '../shared/text';
import { countLabels } from './digestCounts';
import { type DigestEntry, isVerified, toneOf } from './digestEntry';
import type { DigestGroup } from './digestSubjects';
import type { ItemRow, ValueRow } from './message';
import {
	contextRows,
	createLinkRow,
	createRow,
	firstTextsAndCount,
	formatAddress,
	formatInSentence,
} from './rows';
import { addressOf, isFailed, knownOfFailure } from './standing';

/** Makes the row of a group: its worst entry, with what is said about it. */
export function groupRow({ worst, count }: DigestGroup): ItemRow {
	const { item, number, report } = worst;
	const address = report?.address ?? addressOf(item);
	const { reference, asked_chain: askedChain } = item;
	return {
		kind: 'item',
		label: hasValue(address) ? formatAddress(address) : `Item ${number}`,
		value: report ? riskText(report) : '',
		tone: toneOf(worst),
		rows: [
			...contextRows({ reference, askedChain }),
			...(count > 1 ? [createRow('Results', `${count}, this is the worst`)] : []),
			...(isFailureItem(item) ? [createRow('Error', item.error, 240)] : []),
			...whyRows(worst),
			...(isVerified(item) ? [] : [createRow('Verification', 'failed', 16)]),
			...changeRows(objectIn(item.change) ?? {}),
			...(report && hasValue(report.report_url) ? [createLinkRow(report.report_url)] : []),
		],
	};
}

/** @example "ETH · red · score 0.98" */
function riskText({ chain, risk }: AnyReport): string {
	const parts = hasValue(chain) ? [formatInSentence(chain)] : [];
	return [...parts, formatInSentence(risk.level), `score ${formatInSentence(risk.score)}`].join(
		' · ',
	);
}

/**
 * The reasons of a decision without its outcome, which the heading has. After a failure, the heading
 * has no outcome, so the whole decision is shown, if there was one.
 */
function whyRows({ item, decidedPart, standing }: DigestEntry): ValueRow[] {
	if (isFailed(standing)) {
		if (!isFailureItem(item)) return [createRow('Error', 'The item contains no report', 240)];
		const { summary } = knownOfFailure(item);
		return hasValue(summary) ? [createRow('Decision', summary, 240)] : [];
	}
	const reasons =
		typeof decidedPart.summary === 'string' ? reasonsInSummary(decidedPart.summary) : '';
	return reasons === '' ? [] : [createRow('Why', reasons, 240)];
}

/** What changed since an earlier report, e.g. "Worse than before: mixer 0.1 → 0.4". */
function changeRows({ kind, fields }: JsonObject): ValueRow[] {
	if (kind !== 'worse' && kind !== 'better' && kind !== 'unknown') return [];
	const changes = Array.isArray(fields) ? fields.filter(isJsonObject) : [];
	const texts = firstTextsAndCount(changes, 4, ({ field, before, after }) => {
		const name = formatValue(formatKey(field) ?? field, 40);
		return `${name} ${formatStep(before, after)}`;
	});
	const value = texts.join('; ') || 'the earlier value is not a report';
	return [createRow(kind === 'unknown' ? 'Change unknown' : countLabels[kind], value, 300)];
}

/** Writes two values that differ. Numbers that would look the same have all of their decimals. */
function formatStep(before: unknown, after: unknown): string {
	const texts = [before, after].map((value) => formatInSentence(value, 40));
	const needsDecimals = isNumber(before) && isNumber(after) && texts[0] === texts[1];
	return (needsDecimals ? [before, after] : texts).join(' → ');
}
