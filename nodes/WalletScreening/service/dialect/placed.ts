import { type Fields, isFields } from '../json';
import { isLikeAddress } from './values';
import type { Field, Vocabulary } from './vocabulary';

/** A field of a body, and whether it is of the job itself, of a share of it, of its results, or beside that. */
export interface Placed extends Field {
	of: 'job' | 'part' | 'results' | 'about';
	/** Whether its object wraps another one that may be the job. */
	isOuter: boolean;
}

/** Whether a value says a level (section 2.2), as only a report does. */
export const saysLevel = (value: unknown): value is Fields =>
	isFields(value) && isFields(value.risk) && value.risk.level !== undefined;

/** Whether a value is of one result, and not of a job. */
export const isOfResult = (value: unknown): value is Fields =>
	saysLevel(value) || (isFields(value) && isLikeAddress(value.address));

/** The fields of a body and of what lies in its known places, the outer before the inner. */
export function placedIn(v: Vocabulary, body: Fields, of: Placed['of'] = 'job', depth = 5) {
	const fields = v.fieldsOf(body);
	const inner = fields.flatMap(({ value, about, wrappers, results, parts }): Placed[] => {
		if (depth === 0 || of === 'about') return [];
		if (parts && Array.isArray(value)) {
			return value.filter(isFields).flatMap((part) => placedIn(v, part, 'part', depth - 1));
		}
		const into = about ? 'about' : wrappers ? of : results ? 'results' : undefined;
		const isPlace = into && isFields(value) && !isOfResult(value);
		return isPlace ? placedIn(v, value, into, depth - 1) : [];
	});
	const isOuter = inner.some((one) => one.of === 'job');
	return [...fields.map((field) => ({ ...field, of, isOuter })), ...inner];
}
