import { chainKey } from '../address/chain';
import { addressKey } from '../address/key';
import {
	type AnyReport,
	categoriesOf,
	favourableCategory,
	isGreen,
	type ParsedReport,
} from '../answers/report';
import { isSameJson } from '../shared/canonical';
import { fieldOf, hasValue, isNumber, nonBlankText } from '../shared/json';
import { equalsIgnoringCase } from '../shared/text';

/**
 * What became of a report since an earlier one.
 *
 * @example { kind: 'worse', fields: [{ field: 'mixer', before: 0.1, after: 0.4 }] }
 */
export interface Change {
	kind: 'first' | 'same' | 'better' | 'worse' | 'unknown';
	/**
	 * What differs or is unknown: `address`, `chain`, `level`, `score`, then the categories by name;
	 * null if it is missing.
	 */
	fields: FieldChange[];
}

interface FieldChange {
	field: string;
	before: unknown;
	after: unknown;
}

/** The effects that decide, in this order: the first that any field has counts. */
const decisiveEffects = ['otherSubject', 'worse', 'unknown', 'better'] as const;

/**
 * The effect of one value on the kind of the whole change.
 *
 * - `otherSubject`: the two reports are about different addresses or chains, so the change is
 *   unknown.
 * - `worse`: the value makes the change worse.
 * - `unknown`: the two values cannot be compared, so the change is unknown.
 * - `better`: the value makes the change better.
 * - `neutral`: the value differs and is listed, but decides nothing.
 * - `same`: the value is the same.
 */
type Effect = (typeof decisiveEffects)[number] | 'neutral' | 'same';

interface FieldComparison extends FieldChange {
	effect: Effect;
}

/** Compares one value of two reports. Null stands for a value that is missing. */
type ValueComparison = (before: unknown, after: unknown) => Effect;

/**
 * Finds what changed since an earlier report. A score or a category counts if it differs by more
 * than `scoreChange`, from 0 up.
 */
export function compareReports(
	earlier: ParsedReport | undefined,
	current: AnyReport,
	scoreChange: number,
): Change {
	if (!earlier) return { kind: 'first', fields: [] };
	if (!earlier.report) return { kind: 'unknown', fields: [] };
	const compared = compareReportFields(earlier.report, current, scoreChange);
	const effects = compared.map(({ effect }) => effect);
	const decisive = decisiveEffects.find((effect) => effects.includes(effect)) ?? 'same';
	const fields = compared
		.filter(({ effect }) => effect !== 'same')
		.map(({ effect: _, ...change }) => change);
	return { kind: decisive === 'otherSubject' ? 'unknown' : decisive, fields };
}

function compareReportFields(
	earlier: AnyReport,
	current: AnyReport,
	scoreChange: number,
): FieldComparison[] {
	const earlierCategories = categoriesOf(earlier);
	const currentCategories = categoriesOf(current);
	const categoryKeys = Object.keys({ ...earlierCategories, ...currentCategories }).sort();
	return [
		compareField('address', earlier.address, current.address, compareSubjects(addressKey)),
		compareField('chain', earlier.chain, current.chain, compareSubjects(chainKey)),
		compareField('level', earlier.risk.level, current.risk.level, compareLevels),
		compareField('score', earlier.risk.score, current.risk.score, compareScores(scoreChange)),
		...categoryKeys.map((key) => {
			const before = fieldOf(earlierCategories, key);
			const after = fieldOf(currentCategories, key);
			const compare =
				key === favourableCategory ? compareFavourable : compareCategories(scoreChange);
			return compareField(key, before, after, compare);
		}),
	];
}

/** Compares the values of a field, which may be missing. */
function compareField(
	field: string,
	givenBefore: unknown,
	givenAfter: unknown,
	compare: ValueComparison,
): FieldComparison {
	const before = hasValue(givenBefore) ? givenBefore : null;
	const after = hasValue(givenAfter) ? givenAfter : null;
	return { field, before, after, effect: compare(before, after) };
}

/**
 * A different key means a different subject. So does a key that only one of the reports has.
 */
function compareSubjects(keyOf: (text: string) => string): ValueComparison {
	return (before, after) =>
		keyOf(String(before ?? '')) === keyOf(String(after ?? '')) ? 'same' : 'otherSubject';
}

/**
 * The specification leaves open which levels there are beside green, and which of them is worse
 * (section 2.2).
 */
const compareLevels: ValueComparison = (before, after) => {
	if (!nonBlankText(after)) return 'unknown';
	if (equalsIgnoringCase(before, after)) return 'same';
	if (!isGreen(after)) return 'worse';
	return nonBlankText(before) ? 'better' : 'unknown';
};

/**
 * A score that was not there before counts from 0. If it did not rise from there, the change is
 * unknown.
 */
function compareScores(scoreChange: number): ValueComparison {
	return (before, after) => {
		const effect = compareNumbers(before ?? 0, after, scoreChange);
		return before === null && effect !== 'worse' ? 'unknown' : effect;
	};
}

/**
 * A category that was not there before counts from 0. If it did not rise from there, it is only
 * listed.
 */
function compareCategories(scoreChange: number): ValueComparison {
	return (before, after) => {
		if (before === null && after === null) return 'same';
		const effect = compareNumbers(before ?? 0, after, scoreChange);
		const isNew = before === null;
		const mayDecide = effect === 'worse' || effect === 'unknown';
		return isNew && !mayDecide ? 'neutral' : effect;
	};
}

function compareNumbers(before: unknown, after: unknown, scoreChange: number): Effect {
	if (!isNumber(before) || !isNumber(after)) return 'unknown';
	// 0.8 - 0.5 is a little more than 0.3 for a computer.
	const rise = Number((after - before).toPrecision(12));
	if (rise > scoreChange) return 'worse';
	if (-rise > scoreChange) return 'better';
	return before === after ? 'same' : 'neutral';
}

const compareFavourable: ValueComparison = (before, after) =>
	isSameJson(before, after) ? 'same' : 'neutral';
