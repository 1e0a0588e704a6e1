import { addressKey } from '../address/key';
import { isSameJson, toStoredForm } from '../shared/canonical';
import { hasValue, isNumber, tryParseJson } from '../shared/json';
import { equalsIgnoringCase } from '../shared/text';
import { type Outcome, outcomes } from './summary';

/* How a sheet or a data table spells the values of an item in its cells. */

/**
 * The outcome that the field `outcome` of an item names; undefined for any other value.
 *
 * @example 'Block ' gives 'block', and 'blocked' gives undefined
 */
export const readOutcome = (found: unknown): Outcome | undefined =>
	outcomes.find((outcome) => equalsIgnoringCase(found, outcome));

/** Whether the field `sanctions` of an item marks a sanctions hit. */
export const isSanctionsMark = (mark: unknown): boolean => isSameFlag(mark, true);

/**
 * Whether a field holds this flag, also as a cell has it: a sheet has texts, and some databases have
 * 1 and 0.
 */
export const isSameFlag = (found: unknown, flag: boolean): boolean =>
	found === flag ||
	found === Number(flag) ||
	equalsIgnoringCase(found, String(flag)) ||
	equalsIgnoringCase(found, String(Number(flag)));

/**
 * Whether a field has a value, also as a cell of a sheet or a data table has it. An address may be
 * spelled otherwise.
 */
export function isSameCell(name: string, found: unknown, expected: unknown): boolean {
	if (!hasValue(found) || !hasValue(expected)) return hasValue(found) === hasValue(expected);
	if (typeof expected === 'object') {
		const value = typeof found === 'string' ? tryParseJson(found) : toStoredForm(found);
		return isSameJson(value, toStoredForm(expected));
	}
	if (typeof found !== 'string' && typeof found !== 'number') return false;
	return isSameNumber(found, expected) || isSameText(name, found, expected);
}

/** Whether two cells are one number. A sheet makes the number 1 of the text 1.0. */
function isSameNumber(found: string | number, expected: unknown): boolean {
	const isOneNumber = isNumber(found) || isNumber(expected);
	return isOneNumber && Number(found) === Number(expected);
}

/** Whether two cells are one text. An expected number is never compared as a text. */
function isSameText(name: string, found: string | number, expected: unknown): boolean {
	if (isNumber(expected)) return false;
	const one = cellText(found);
	const other = cellText(expected);
	return one === other || (name === 'address' && addressKey(one) === addressKey(other));
}

/**
 * The text of a cell. A log writes an apostrophe before what a spreadsheet would take for a
 * formula.
 */
const cellText = (cell: unknown) =>
	String(cell)
		.replace(/^\s*'(?=[=+@\s-])/, '')
		.trim();
