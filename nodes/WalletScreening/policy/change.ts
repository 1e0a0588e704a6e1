import { addressKey } from '../address/key';
import { chainKey } from '../address/chain';
import type { AnyReport } from '../answers/report';
import { fieldOf, filledText, isGiven, isNumber } from '../shared/json';
import { isSameJson } from '../shared/canonical';
import { categoriesOf, goodSign, type Reading } from './report';
import { isGreen, sameName } from './level';

/** What became of a report since an earlier one. */
export interface Change {
	kind: 'first' | 'same' | 'better' | 'worse' | 'unknown';
	/** Whatever differs or is unknown: `address`, `chain`, `level`, `score`, then the categories by name; null if it is missing. */
	fields: Array<{ field: string; before: unknown; after: unknown }>;
}

/** The kind is of the first of these that a value gives. If no value gives one, the reports are the same. */
const changeKinds = ['foreign', 'worse', 'unknown', 'better'] as const;
/** What one value says of the change: `foreign` makes all unknown, `noted` is listed and decides nothing. */
type Verdict = (typeof changeKinds)[number] | 'noted' | 'same';
/** Null stands for what is missing. */
type Judge = (before: unknown, after: unknown) => Verdict;

/** What changed since an earlier report. A score or a category counts if it differs by more than `scoreChange`, from 0 up. */
export function compare(current: AnyReport, earlier: Reading | undefined, scoreChange = 0): Change {
	if (!earlier) return { kind: 'first', fields: [] };
	if (!earlier.report) return { kind: 'unknown', fields: [] };
	const previous = earlier.report;

	const [before, after] = [categoriesOf(previous), categoriesOf(current)];
	const keys = Object.keys({ ...before, ...after }).sort();
	const byCategory = byNumber(scoreChange, true);
	const { risk: was } = previous;
	const { risk: is } = current;
	const findings = [
		finding('address', previous.address, current.address, byKey(addressKey)),
		finding('chain', previous.chain, current.chain, byKey(chainKey)),
		finding('level', was.level, is.level, byLevel),
		finding('score', was.score, is.score, byNumber(scoreChange, false)),
		...keys.map((key) => {
			const judge = key === goodSign ? asGoodSign : byCategory;
			return finding(key, fieldOf(before, key), fieldOf(after, key), judge);
		}),
	];
	const kind = changeKinds.find((one) => findings.some(({ verdict }) => verdict === one)) ?? 'same';
	const fields = findings
		.filter(({ verdict }) => verdict !== 'same')
		.map(({ verdict: _, ...field }) => field);
	return { kind: kind === 'foreign' ? 'unknown' : kind, fields };
}

function finding(field: string, before: unknown, after: unknown, judge: Judge) {
	const [one, other] = [before, after].map((value) => (isGiven(value) ? value : null));
	return { field, before: one, after: other, verdict: judge(one, other) };
}

/** What a report is about: with another key, or without one, it is about something else. */
function byKey(keyOf: (text: string) => string): Judge {
	return (before, after) =>
		keyOf(String(before ?? '')) === keyOf(String(after ?? '')) ? 'same' : 'foreign';
}

/** Which levels there are beside green, and which of them is worse, is not specified (section 2.2). */
const byLevel: Judge = (before, after) => {
	if (!filledText(after)) return 'unknown';
	if (sameName(before, after)) return 'same';
	if (!isGreen(after)) return 'worse';
	return filledText(before) ? 'better' : 'unknown';
};

/** What was not there before counts from 0. If it did not rise, a category is only noted, and of a score nothing is known. */
function byNumber(scoreChange: number, isCategory: boolean): Judge {
	return (before, after) => {
		if (isCategory && before === null && after === null) return 'same';
		const start = before ?? 0;
		if (!isNumber(start) || !isNumber(after)) return 'unknown';
		// 0.8 - 0.5 is a little more than 0.3 for a computer.
		const rise = Number((after - start).toPrecision(12));
		if (rise > scoreChange) return 'worse';
		if (before === null) return isCategory ? 'noted' : 'unknown';
		if (-rise > scoreChange) return 'better';
		return before === after ? 'same' : 'noted';
	};
}

const asGoodSign: Judge = (before, after) => (isSameJson(before, after) ? 'same' : 'noted');
