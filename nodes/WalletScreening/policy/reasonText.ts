import { isNumber } from '../shared/json';
import { formatKey, formatValue } from '../shared/text';
import { type Comparison, operatorMeanings } from './condition';
import {
	type CombinedRuleReason,
	comparisonsOf,
	isSanctionsHit,
	isSanctionsList,
	type ListReason,
	type NotGreenReason,
	type NothingAllowedReason,
	problemOf,
	type Reason,
	type RuleReason,
	sanctionsComparisonOf,
	type Waiver,
	waiverOf,
} from './reason';

/* The reasons of a decision in words, on one line each. No text here is escaped for any place yet. */

/**
 * Describes the first sanctions hit, e.g. "sanctions 0.893"; undefined if there is none.
 */
export function describeSanctionsHit(reasons: readonly Reason[]): string | undefined {
	const hit = reasons.find(isSanctionsHit);
	if (!hit) return undefined;
	return isSanctionsList(hit)
		? `on the sanctions list '${formatValue(hit.list, 40)}'`
		: `sanctions ${formatValue(sanctionsComparisonOf(hit)?.actual, 24)}`;
}

/**
 * Describes a reason.
 *
 * @example "mixer is 0.3 (0.2 or more means review)"
 */
export function describeReason(reason: Reason): string {
	const problem = problemOf(reason);
	if (problem !== undefined) return `${formatValue(problem, 160)}: ${reason.outcome}`;
	if ('list' in reason) return describeList(reason);
	if ('otherwise' in reason) return describeOtherwise(reason);
	const rule = describeRule(reason);
	const waiver = waiverOf(reason);
	return waiver ? `${describeWaiver(waiver)}: ${rule}` : rule;
}

function describeList({ list, sanctions, outcome }: ListReason): string {
	const kind = sanctions ? 'sanctions list' : 'list';
	return `the address is on the ${kind} '${formatValue(list, 64)}', which means ${outcome}`;
}

function describeOtherwise(reason: NotGreenReason | NothingAllowedReason): string {
	return 'actual' in reason
		? `level is ${formatValue(reason.actual, 64)} (only green is allowed)`
		: `no rule stops it, which means ${reason.outcome}`;
}

/** @example "waived until 2026-12-31 by MLRO (hot wallet)" */
function describeWaiver({ until, reason, approved_by }: Waiver): string {
	const approver = formatValue(approved_by, 64);
	return `waived until ${formatValue(until, 16)} by ${approver} (${formatValue(reason, 96)})`;
}

function describeRule(reason: RuleReason | CombinedRuleReason): string {
	const facts: string[] = [];
	const limits: string[] = [];
	for (const comparison of comparisonsOf(reason)) {
		const { actual, value } = formatCompared(comparison);
		facts.push(`${nameOfField(comparison)} is ${actual}`);
		limits.push(operatorMeanings[comparison.operator].describe(value));
	}
	return `${facts.join(' and ')} (${limits.join(' and ')} means ${reason.outcome})`;
}

/**
 * Writes the two values that were compared. Two numbers that differ are never written alike.
 *
 * @example { actual: 0.4999999999, value: 0.5 } is not "0.5" and "0.5"
 */
function formatCompared({ actual, value }: Comparison): { actual: string; value: string } {
	const shown = { actual: formatValue(actual, 64), value: formatValue(value, 64) };
	const isMisleading = isNumber(actual) && actual !== value && shown.actual === shown.value;
	return isMisleading ? { actual: String(actual), value: String(value) } : shown;
}

/**
 * Names what a comparison looks at. A level is compared with a text, so a number means a category
 * called level.
 */
function nameOfField({ field, value }: Comparison): string {
	const key = typeof field === 'string' ? (formatKey(field) ?? field) : field.input;
	const name = formatValue(key, 64);
	return field === 'level' && isNumber(value) ? `the category '${name}'` : name;
}
