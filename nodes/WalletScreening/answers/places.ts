import { type ScreeningError, tooLargeError } from '../shared/errors';
import { type Fields, isFields } from '../shared/json';
import type { Contract } from './contract';
import { type Field, readFields, statesProgress } from './fields';
import { addressOf, looksLikeAddress } from './namedAddress';
import { isReportLike } from './report';
import { normalizeName } from './vocabulary';

/**
 * A place in an answer: the answer itself, an object or a list in it, or an element of a list or of
 * a map by address.
 *
 * @example The answer
 *
 *     { "data": {
 *         "jobId": "j",
 *         "results": [{ "address": "A", "risk": { … } }, { "address": "B", "error": "no source" }],
 *         "failed": { "0xab…": "no source" }
 *     } }
 *
 * has these places, with these paths:
 *
 *                       the answer itself
 *     .data             the object in it
 *     .data.results     the list
 *     .data.results.*   the report of A, in which no places are looked for
 *     .data.results.*   the object of B
 *     .data.failed      the map by address
 *     .data.failed.*    "no source", with `name` "0xab…" and `notFinalUnder` "failed"
 */
export interface Place {
	value: unknown;
	/** The name of its field, or its key in a list. */
	name: string;
	/**
	 * The names that lead to it. `*` is an element, `+` the only one of a list, which may be the job.
	 */
	path: string;
	parent?: Place | undefined;
	/** How many places it lies in. */
	depth: number;
	/** The name around it under which nothing is a final report, e.g. `failed` or `pending`. */
	notFinalUnder?: string | undefined;
	/** Whether it lies under a name of the past, e.g. `history`. */
	isPast: boolean;
	/** The fields of an object, and those of the risk of a report, as `risk.status`. */
	fields: Field[];
}

/** Whether a place is an element of a list or of a map by address, and cannot be the job. */
export const isElement = ({ path }: Place): boolean => path.endsWith('*');

/** Whether a place is in such an element, or is one. */
export const isInElement = ({ path }: Place): boolean => path.includes('*');

/** Whether a place is in the only element of a list, which may be the job, or is that element. */
export const isInLoneElement = ({ path }: Place): boolean => path.includes('+');

/** Whether a field of a place states how far something is, as `"status": "queued"` does. */
export const holdsProgress = ({ fields }: Place): boolean => fields.some(statesProgress);

/** Returns the place, then each place that contains it, the nearest first. */
export function selfAndAncestors(place?: Place): Place[] {
	const places: Place[] = [];
	for (let one = place; one; one = one.parent) places.push(one);
	return places;
}

/** What lies deeper is not read, so that nesting cannot keep n8n busy. */
const maxDepth = 24;
/** 250 for each address of a full job. What is inside of a report does not count. */
export const maxParts = 250_000;

/** Makes the error of an answer of more than `maxParts`. */
function tooManyPartsError(): ScreeningError {
	const limit = `${maxParts.toLocaleString('en-US')} objects, lists and fields`;
	return tooLargeError(limit, `up to ${limit} of an answer`);
}

/** The places of an answer as they are read. */
interface Reading {
	contract: Contract;
	places: Place[];
	/**
	 * How many places and fields may follow, so that a large answer cannot use up the memory of n8n.
	 */
	partsLeft: number;
}

/**
 * Reads all places of an answer, each before those in it.
 * @throws {ScreeningError} `invalid_response` for an answer of more than `maxParts` places and
 * fields
 */
export function readPlaces(contract: Contract, answer: unknown): Place[] {
	const reading: Reading = { contract, places: [], partsLeft: maxParts };
	addPlace(reading, { name: '', value: answer, path: '', isPast: false });
	// The loop also reaches the places that it adds.
	for (const place of reading.places) addPlacesIn(reading, place);
	return reading.places;
}

/** Adds the objects and lists in a place, and the elements of a list or of a map by address. */
function addPlacesIn(reading: Reading, parent: Place): void {
	const { value, depth } = parent;
	if (isReportLike(value) || depth >= maxDepth) return;
	if (Array.isArray(value)) addElements(reading, parent, value);
	else if (isFields(value)) addPlacesOfFields(reading, parent, value);
}

/** Adds the elements of a list that may be results, or the job. */
function addElements(reading: Reading, parent: Place, list: unknown[]): void {
	const { notFinalUnder, isPast } = parent;
	const path = `${parent.path}.${isJobInList(parent, list) ? '+' : '*'}`;
	for (let index = 0; index < list.length; index++) {
		const value = list[index];
		const name = String(index);
		if (mayBeResult(value)) addPlace(reading, { name, value, path, parent, notFinalUnder, isPast });
	}
}

/** Adds what the fields of an object hold: elements under addresses, objects and lists. */
function addPlacesOfFields(reading: Reading, parent: Place, fields: Fields): void {
	const { notFinalUnder, isPast } = parent;
	for (const name in fields) {
		const value = fields[name];
		if (looksLikeAddress(name)) {
			const path = `${parent.path}.*`;
			addPlace(reading, { name, value, path, parent, notFinalUnder, isPast });
		} else if (typeof value === 'object' && value !== null) {
			addPlaceOfField(reading, parent, name, value);
		}
	}
}

/** The only element of a list may be the job, unless it names an address. */
function isJobInList(place: Place, list: unknown[]): boolean {
	if (list.length !== 1 || isInElement(place)) return false;
	const [only] = list;
	return isFields(only) && addressOf(only) === undefined;
}

/**
 * Whether an element of a list may be a result, or stand for one. Numbers and switches are the data
 * of a chart.
 */
const mayBeResult = (element: unknown): boolean =>
	typeof element === 'object' || typeof element === 'string';

/** Adds the place of an object or a list in a field, by whose name no report in it may be final. */
function addPlaceOfField(reading: Reading, parent: Place, name: string, value: object): void {
	const { contract } = reading;
	const isNotFinal = contract.isNotFinal(name, parent.path);
	addPlace(reading, {
		name,
		value,
		path: `${parent.path}.${normalizeName(name)}`,
		parent,
		notFinalUnder: parent.notFinalUnder ?? (isNotFinal ? name : undefined),
		isPast: parent.isPast || contract.meaningOf(name, parent.path) === 'past',
	});
}

/** Reads the fields of a place, and adds it. */
function addPlace(reading: Reading, place: Omit<Place, 'depth' | 'fields'>): void {
	const { name, value, path, parent, notFinalUnder, isPast } = place;
	reading.partsLeft -= 1 + (isFields(value) ? Object.keys(value).length : 0);
	if (reading.partsLeft < 0) throw tooManyPartsError();
	const depth = parent ? parent.depth + 1 : 0;
	const fields = readPlaceFields(reading.contract, value, path);
	reading.places.push({ value, name, path, parent, depth, notFinalUnder, isPast, fields });
}

/**
 * Reads the fields of a place. A word in a risk that no list has is a verdict on the wallet, and
 * not a state.
 */
function readPlaceFields(contract: Contract, value: unknown, path: string): Field[] {
	const fields = isFields(value) ? readFields(contract, value, path) : [];
	if (!isReportLike(value)) return fields;
	const fieldsOfRisk = readFields(contract, value.risk, `${path}.risk`)
		.filter(
			({ meaning, statement }) => meaning && statement !== 'unknown' && statement !== 'number',
		)
		.map((field) => ({ ...field, name: `risk.${field.name}` }));
	return [...fields, ...fieldsOfRisk];
}
