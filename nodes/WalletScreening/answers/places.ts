import { type ScreeningError, tooLargeError } from '../shared/errors';
import { type Fields, isFields } from '../shared/json';
import type { Contract } from './contract';
import { type Field, readFields, statesProgress } from './fields';
import {
	addressOf,
	findOwnAddress,
	looksLikeAddress,
	mayBeAddressBesideOthers,
} from './namedAddress';
import { isReportLike } from './report';
import { effectsOf } from './statements';
import { normalizeName } from './vocabulary';

/**
 * What a place is in the one around it:
 *
 * - `answer`: the outermost, with none around it
 * - `field`: the object or the list that a field holds
 * - `element`: an element of a list, or the value under an address
 * - `possibleJob`: the only element of a list, which names no address. It may be the job. It is not
 *   an `element`, so it counts as a result only through a report in it.
 */
type PlaceKind = 'answer' | 'field' | 'element' | 'possibleJob';

/**
 * A place in an answer: an object, a list, or an element of a list or of a map by address.
 *
 * @example The answer
 *
 *     { "data": {
 *         "jobId": "j",
 *         "results": [{ "address": "A", "risk": { … } }, { "address": "B", "error": "no source" }],
 *         "failed": { "0xab…": "no source" }
 *     } }
 *
 * has these places:
 *
 *     path              kind
 *                       answer
 *     .data             field
 *     .data.results     field      the list
 *     .data.results.*   element    the report of A, in which no places are looked for
 *     .data.results.*   element    the object of B
 *     .data.failed      field      the map by address
 *     .data.failed.*    element    "no source", with `name` "0xab…" and `notFinalUnder` "failed"
 */
export interface Place {
	value: unknown;
	kind: PlaceKind;
	/** The name of its field, its address in a map, or its number in a list. */
	name: string;
	/**
	 * The normalized names that lead to it, with `*` for an element and `+` for a possible job. The
	 * elements of one list have the same path.
	 */
	path: string;
	parent?: Place | undefined;
	/** How many places it lies in. */
	depth: number;
	/** Whether it is an element or lies in one, so that it cannot be about the job. */
	isInElement: boolean;
	/** The name around it under which nothing is a final report, e.g. `failed` or `pending`. */
	notFinalUnder?: string | undefined;
	/** Whether it lies under a name of the past, e.g. `history`. */
	isPast: boolean;
	/** The fields of an object, and those of the risk of a report, as `risk.status`. */
	fields: Field[];
}

/** Whether a place is an element of a list or of a map by address, and cannot be the job. */
export const isElement = ({ kind }: Place): boolean => kind === 'element';

/** Whether a place is the only element of a list, which may be the job. */
export const isPossibleJob = ({ kind }: Place): boolean => kind === 'possibleJob';

/** Whether a place is in a list or in a map by address, also as the only element of a list. */
export const isInList = (place: Place): boolean => isElement(place) || isPossibleJob(place);

/** Whether the name of a place is an address, as that of an element in a map by address is. */
export const isUnderAddress = (place: Place): boolean =>
	isElement(place) && isFields(place.parent?.value);

/** Whether a place is an object outside of all results and of the past: it may be about the job. */
export const isOuterObject = ({ value, isInElement, isPast }: Place): boolean =>
	isFields(value) && !isReportLike(value) && !isInElement && !isPast;

/** Whether a field of a place states how far along something is, as `"status": "queued"` does. */
export const holdsProgress = ({ fields }: Place): boolean => fields.some(statesProgress);

/** Returns the place, then each place that contains it, the nearest first. */
export function selfAndAncestors(place?: Place): Place[] {
	const places: Place[] = [];
	for (let one = place; one; one = one.parent) places.push(one);
	return places;
}

/** What lies deeper is not read, so that nesting cannot keep n8n busy. */
const maxDepth = 24;
/** 250 for each address of a full job. Of a report, only its own fields count. */
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
	addPlace(reading, undefined, { kind: 'answer', name: '', value: answer });
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
	const kind = mayBeJobInList(reading, parent, list) ? 'possibleJob' : 'element';
	for (let index = 0; index < list.length; index++) {
		const value = list[index];
		if (mayBeResult(value)) addPlace(reading, parent, { kind, name: String(index), value });
	}
}

/**
 * Adds what the fields of an object hold: elements under addresses, objects and lists. What is about
 * the account of the customer is left out, so that its numbers count no results.
 */
function addPlacesOfFields(reading: Reading, parent: Place, fields: Fields): void {
	const isMap = Object.keys(fields).some(looksLikeAddress);
	for (const name in fields) {
		if (reading.contract.meaningOf(name, parent.path) === 'account') continue;
		const value = fields[name];
		if (looksLikeAddress(name) || (isMap && isOtherElement(reading, parent, name, value)))
			addPlace(reading, parent, { kind: 'element', name, value });
		else if (typeof value === 'object' && value !== null)
			addPlace(reading, parent, { kind: 'field', name, value });
	}
}

/**
 * Whether a field of a map by address is another element, under an address that does not look like
 * one. It holds a report or a failure. What may be about the other elements, as `total: 5` and
 * `{ provisional: true }`, is no element.
 */
function isOtherElement({ contract }: Reading, map: Place, name: string, value: unknown): boolean {
	if (!mayBeAddressBesideOthers(name) || contract.meaningOf(name, map.path)) return false;
	if (isReportLike(value)) return true;
	if (!isFields(value)) return map.notFinalUnder !== undefined && typeof value === 'string';
	const fields = readFields(contract, value, `${map.path}.*`);
	// A state under a name such as `failed` is that of the element. Elsewhere it may be that of the
	// job.
	const mayHoldState = map.notFinalUnder !== undefined;
	return fields.every(
		(field) => isAboutElement(field) || (mayHoldState && field.meaning === 'state'),
	);
}

/** Whether a field of an element can be about this element only: a text, a report or a failure. */
function isAboutElement(field: Field): boolean {
	const { meaning, value } = field;
	if (isReportLike(value)) return true;
	if (meaning === undefined) return typeof value !== 'object' || value === null;
	const isOfFailure = ['error', 'errorCode', 'code', 'success'].includes(meaning);
	return isOfFailure && !effectsOf(field).isGap;
}

/**
 * Whether a list has one element, which may be the job: it is an object that names no address as
 * its own. Beside the ID of a job, only `address` names one: a wallet may be that of the customer.
 * Under a name such as `failed`, it stands for a source or an address that is missing.
 */
function mayBeJobInList({ contract }: Reading, list: Place, elements: unknown[]): boolean {
	if (elements.length !== 1 || list.isInElement || list.notFinalUnder !== undefined) return false;
	const [only] = elements;
	if (!isFields(only) || addressOf(only) !== undefined) return false;
	const [jobIdPath] = contract.jobIdPaths;
	const hasJobId = Object.keys(only).some((name) => `.${normalizeName(name)}` === jobIdPath);
	return hasJobId || findOwnAddress(only) === undefined;
}

/**
 * Whether an element of a list may be a result, or stand for one. Numbers and switches are the data
 * of a chart.
 */
const mayBeResult = (element: unknown): boolean =>
	typeof element === 'object' || typeof element === 'string';

/** Adds a place, with its fields and with what it has of the place around it. */
function addPlace(
	reading: Reading,
	parent: Place | undefined,
	{ kind, name, value }: Pick<Place, 'kind' | 'name' | 'value'>,
): void {
	const { contract, places } = reading;
	reading.partsLeft -= 1 + (isFields(value) ? Object.keys(value).length : 0);
	if (reading.partsLeft < 0) throw tooManyPartsError();
	const path = parent ? `${parent.path}.${stepOf(kind, name)}` : '';
	// An address and a number in a list are names without a meaning.
	const hasMeaning = parent !== undefined && kind === 'field';
	const isNotFinal = hasMeaning && contract.isNotFinal(name, parent.path);
	const isPast = hasMeaning && contract.meaningOf(name, parent.path) === 'past';
	places.push({
		value,
		kind,
		name,
		path,
		parent,
		depth: parent ? parent.depth + 1 : 0,
		isInElement: kind === 'element' || parent?.isInElement === true,
		notFinalUnder: parent?.notFinalUnder ?? (isNotFinal ? name : undefined),
		isPast: isPast || parent?.isPast === true,
		fields: readPlaceFields(contract, value, path),
	});
}

/** The last step of the path of a place. */
function stepOf(kind: PlaceKind, name: string): string {
	if (kind === 'element') return '*';
	return kind === 'possibleJob' ? '+' : normalizeName(name);
}

/**
 * Reads the fields of a place. A word in a risk that no list has is a verdict on the wallet, and
 * not a state.
 */
function readPlaceFields(contract: Contract, value: unknown, path: string): Field[] {
	const fields = isFields(value) ? readFields(contract, value, path) : [];
	if (!isReportLike(value)) return fields;
	const fieldsOfRisk = readFields(contract, value.risk, `${path}.risk`)
		.filter((field) => field.meaning && !effectsOf(field).isUnknown)
		.map((field) => ({ ...field, name: `risk.${field.name}` }));
	return [...fields, ...fieldsOfRisk];
}
