import { type Fields, isFields } from '../shared/json';
import type { Contract } from './contract';
import { type Field, readFieldAroundResults, readFields } from './fields';
import { findOwnAddress } from './namedAddress';
import { maxDepth, type Place, selfAndAncestors } from './places';
import { isReportLike } from './report';
import { notificationWords, otherSubjectWords, verdictName } from './standardNames';
import { effectsOf } from './statements';
import { normalizeName, splitWords } from './vocabulary';

/*
 * Which fields contradict a report. Where a field stands decides how sure it has to be:
 *
 *     in the report, or in an object around it     each statement counts that is not a final report,
 *                                                  unless its name may be about something else
 *     in an object inside the report, or beside    only a statement counts that can be about nothing
 *     it in its element                            else: a lack, an error, a word that is always bad
 *
 * Of this element, `report` and the element itself are of the first kind, `sources` and `meta` of the
 * second:
 *
 *     {
 *       "report": { "address": "A", "risk": { … }, "sources": [{ "status": "failed" }] },
 *       "meta": { "provisional": true }
 *     }
 */

/** Whether a field contradicts the report around which it stands; `isInside` if it is in the report. */
export function isContradiction(contract: Contract, field: Field, isInside: boolean): boolean {
	const { contradicts } = effectsOf(field);
	if (contradicts === 'inside') return isInside;
	return contradicts === 'anywhere' && !mayBeAboutSomethingElse(contract, field);
}

/**
 * Whether a field may be about something other than the report: the wallet or a delivery. A verdict
 * counts only with a bad word, and `rejected: true` may be a verdict, too.
 */
function mayBeAboutSomethingElse(contract: Contract, { name, value, meaning }: Field): boolean {
	switch (meaning) {
		case 'verdict':
			return !contract.isBadWord(value);
		case 'failed':
			return verdictName.test(name);
		case 'event':
			return true;
		default:
			return false;
	}
}

/** Whether a field contradicts a report inside which, or beside which, its object stands. */
export function isSureContradiction(contract: Contract, field: Field): boolean {
	const { name, value, meaning, statement } = readFieldAroundResults(contract, field);
	switch (statement) {
		case 'partly':
		case 'doubtsReports':
			return meaning !== 'event';
		case 'running':
		case 'failed':
			// From an object, only bad words are read.
			return typeof value === 'object' || contract.isBadWord(value);
		case 'incomplete':
		case 'notDone':
		case 'error':
			// `code: 404` may be that of a country, and `not_found: true` is good news of a source.
			if (meaning === 'code' || meaning === 'event') return false;
			if (meaning === 'verdict') return contract.isBadWord(value);
			return meaning !== 'failed' || contract.isBadWord(name);
		default:
			return false;
	}
}

/** By a place around a report, the first field in the objects beside the report that contradicts it. */
export type Asides = ReadonlyMap<Place, Field>;

/**
 * Finds the fields that contradict the reports beside which their objects stand. An object that
 * names an address is about that one.
 */
export function findAsides(contract: Contract, places: Place[], reports: Place[]): Asides {
	const aroundReports = new Set(reports.flatMap(selfAndAncestors));
	const asides = new Map<Place, Field>();
	for (const place of places) {
		if (place.isPast || aroundReports.has(place)) continue;
		const field = place.fields.find((one) => isSureContradiction(contract, one));
		if (!field) continue;
		const outwards = selfAndAncestors(place);
		const around = outwards.find((one) => aroundReports.has(one));
		if (!around || asides.has(around)) continue;
		const beside = outwards.slice(0, outwards.indexOf(around));
		if (beside.some(({ kind, name, value }) => kind === 'entry' || isOfOther(name, value)))
			continue;
		const names = beside.map(({ name }) => name).reverse();
		asides.set(around, { ...field, name: [...names, field.name].join('.') });
	}
	return asides;
}

/** Lists the fields beside a report that contradict it. `around` are places around it. */
export const fieldsBeside = (asides: Asides, around: Place[]): Field[] =>
	around.flatMap((place) => asides.get(place) ?? []);

/** Finds the first field in the objects inside a report that contradicts it. */
export function findContradictionInside(contract: Contract, report: Place): Field | undefined {
	const inside = listObjectsInside(contract, { name: '', path: report.path, value: report.value });
	for (const { name, path, value } of inside) {
		const fields = isFields(value) ? readFields(contract, value, path) : [];
		const field = fields.find((one) => isSureContradiction(contract, one));
		if (field) return { ...field, name: `${name}.${field.name}` };
	}
	return undefined;
}

/** An object or a list inside a report, e.g. `sources.0` at the path `.results.*.sources.*`. */
interface InnerObject {
	name: string;
	path: string;
	value: unknown;
}

/** Lists the objects and lists inside another one that can be about the same as that one. */
function listObjectsInside(contract: Contract, outer: InnerObject, depth = 0): InnerObject[] {
	if (typeof outer.value !== 'object' || outer.value === null || depth >= maxDepth) return [];
	return Object.entries(outer.value as Fields).flatMap(([key, value]) => {
		if (typeof value !== 'object' || value === null) return [];
		const meaning = contract.meaningOf(key, outer.path);
		if (meaning === 'past' || meaning === 'account') return [];
		if (isReportLike(value) || isOfOther(key, value)) return [];
		const name = outer.name === '' ? key : `${outer.name}.${key}`;
		const path = `${outer.path}.${Array.isArray(outer.value) ? '*' : normalizeName(key)}`;
		const inner = { name, path, value };
		return [inner, ...listObjectsInside(contract, inner, depth + 1)];
	});
}

/** Whether a value under a name has states and errors of its own, or names the address that it is about. */
const isOfOther = (name: string, value: unknown): boolean =>
	splitWords(name).some((word) => otherSubjects.includes(word)) ||
	findOwnAddress(value) !== undefined;

const otherSubjects = [...notificationWords, ...otherSubjectWords];

/**
 * Whether a place states surely that the address which it names has no final report: by its fields,
 * or as a word under the address.
 * @example `{ "address": "B", "status": "failed" }`, and "timeout" in `{ "0xab…": "timeout" }`
 */
export const statesSureFailure = (contract: Contract, { value, fields }: Place): boolean =>
	typeof value === 'string'
		? contract.isBadWord(value)
		: fields.some((field) => isSureContradiction(contract, field));
