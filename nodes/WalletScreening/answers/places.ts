import { type ScreeningError, tooLargeError } from '../shared/errors';
import { isJsonObject, isObjectOrList, type JsonObject } from '../shared/json';
import type { Contract, Meaning } from './contract';
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
 * - `element`: an element of a list
 * - `mapEntry`: the value under an address, in a map by address
 * - `onlyElement`: the only element of a list, which names no address. It may be the job, so it
 *   counts as a result only through a report in it.
 */
type PlaceKind = 'answer' | 'field' | 'element' | 'mapEntry' | 'onlyElement';

/**
 * A place in an answer: an object, a list, an element of a list or an entry of a map by address.
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
 *     .data.failed.*    mapEntry   "no source", with `name` "0xab…" and `notFinalUnder` "failed"
 */
export interface Place {
	value: unknown;
	kind: PlaceKind;
	/** The name of its field, its address in a map, or its number in a list. */
	name: string;
	/**
	 * The normalized names that lead to it, with `*` for an element and `+` for an only element. The
	 * elements of one list have the same path.
	 */
	path: string;
	parent?: Place | undefined;
	/** How many places it lies in. */
	depth: number;
	/** Whether it is an element or lies in one, so that it cannot be about the job. */
	isWithinElement: boolean;
	/** The name around it under which nothing is a final report, e.g. `failed` or `pending`. */
	notFinalUnder?: string | undefined;
	/** The meaning of its name; undefined if it lies in a list or in a map by address. */
	meaning: Meaning | undefined;
	/** Whether it lies under a name of the past, e.g. `history`. */
	isPast: boolean;
	/** Whether it is a report that is not of the past, or lies around one. */
	isAroundReport: boolean;
	/** The places directly in it, but for those of a report. */
	inner: Place[];
	/** The fields of an object, and those of the risk of a report, as `risk.status`. */
	fields: Field[];
}

/**
 * Whether a place is an element of a list or an entry of a map by address, and cannot be the job.
 */
export const isElement = ({ kind }: Place): boolean => kind === 'element' || kind === 'mapEntry';

/**
 * Whether a place is in a list or in a map by address. The only element of a list counts, too.
 */
export const isInList = (place: Place): boolean => isElement(place) || place.kind === 'onlyElement';

/**
 * Whether a place is an object that may be about the job: one outside of elements, of reports and
 * of the past.
 */
export const isOuterObject = ({ value, isWithinElement, isPast }: Place): boolean =>
	isJsonObject(value) && !isReportLike(value) && !isWithinElement && !isPast;

/** Whether a field of a place states how far along something is, as `"status": "queued"` does. */
export const holdsProgress = ({ fields }: Place): boolean => fields.some(statesProgress);

/** Returns the place, then each place that contains it, the nearest first. */
export function selfAndAncestors(place?: Place): Place[] {
	const places: Place[] = [];
	for (let one = place; one; one = one.parent) places.push(one);
	return places;
}

/** Returns the places, and each place that contains one of them. */
export const withAncestors = (places: Place[]): ReadonlySet<Place> =>
	new Set(places.flatMap(selfAndAncestors));

/** Whether a place is one of these, or lies in one of them. */
export const isWithin = (place: Place | undefined, places: ReadonlySet<Place>): boolean =>
	selfAndAncestors(place).some((one) => places.has(one));

/** What lies deeper is not read, so that nesting cannot keep n8n busy. */
const maxDepth = 24;
/** 250 for each address of a full job. Of a report, only its own fields count. */
export const maxPlacesAndFields = 250_000;

/** Makes the error of an answer of more than `maxPlacesAndFields`. */
function tooManyPlacesError(): ScreeningError {
	const limit = `${maxPlacesAndFields.toLocaleString('en-US')} objects, lists and fields`;
	return tooLargeError(limit, `up to ${limit} of an answer`);
}

/**
 * Reads all places of an answer, each before those in it.
 * @throws {ScreeningError} `invalid_response` for an answer of more than `maxPlacesAndFields`
 * places and fields, before it uses up the memory of n8n
 */
export function readPlaces(contract: Contract, answer: unknown): Place[] {
	const outermost = createPlace(contract, undefined, { kind: 'answer', name: '', value: answer });
	const places = [outermost];
	let countLeft = maxPlacesAndFields - countPlaceAndFields(outermost);
	// The loop also reaches the places that it adds.
	for (const place of places) {
		if (isReportLike(place.value)) {
			if (!place.isPast) markAround(place);
			continue;
		}
		for (const inner of placesIn(contract, place)) {
			countLeft -= countPlaceAndFields(inner);
			if (countLeft < 0) throw tooManyPlacesError();
			place.inner.push(inner);
			places.push(inner);
		}
	}
	return places;
}

/** Counts a place and its fields. */
const countPlaceAndFields = ({ value }: Place): number =>
	1 + (isJsonObject(value) ? Object.keys(value).length : 0);

function markAround(report: Place): void {
	for (const place of selfAndAncestors(report)) place.isAroundReport = true;
}

/** Reads the objects and lists in a place, and the elements of a list or of a map by address. */
export function* placesIn(contract: Contract, parent: Place): Generator<Place> {
	const { value, depth } = parent;
	if (depth >= maxDepth) return;
	if (Array.isArray(value)) yield* elementsIn(contract, parent, value);
	else if (!isJsonObject(value)) return;
	else if (isListByKeys(value)) yield* elementsIn(contract, parent, Object.values(value));
	else yield* placesOfFields(contract, parent, value);
}

/** Whether an object stands for a list: its keys are numbers, as PHP writes it, or other IDs. */
const isListByKeys = (fields: JsonObject): boolean =>
	Object.keys(fields).every((name) => keyOfElement.test(name));

/** A number, a UUID (RFC 9562) or a ULID. None of them is an address. */
const keyOfElement =
	/^(?:\d+|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[0-7][\dA-HJKMNP-TV-Z]{25})$/;

/** Reads the elements of a list that may be results, or the job. */
function* elementsIn(contract: Contract, parent: Place, list: unknown[]): Generator<Place> {
	const kind = mayBeJobInList(contract, parent, list) ? 'onlyElement' : 'element';
	for (let index = 0; index < list.length; index++) {
		const value = list[index];
		if (mayBeResult(value))
			yield createPlace(contract, parent, { kind, name: String(index), value });
	}
}

/**
 * Reads what the fields of an object hold: entries under addresses, objects and lists. What is
 * about the account of the customer is left out, so that its numbers count no results.
 */
function* placesOfFields(contract: Contract, parent: Place, fields: JsonObject): Generator<Place> {
	const isAddress = (name: string) => looksLikeAddress(name) && !holdsJobId(contract, fields[name]);
	const isAccount = (name: string) => contract.meaningOf(name, parent.path) === 'account';
	const isMap = Object.keys(fields).some(isAddress);
	for (const name in fields) {
		const value = fields[name];
		if (isAddress(name) || (isMap && isOtherEntry(contract, parent, name, value)))
			yield createPlace(contract, parent, { kind: 'mapEntry', name, value });
		else if (isObjectOrList(value) && !isAccount(name))
			yield createPlace(contract, parent, { kind: 'field', name, value });
	}
}

/**
 * Whether an object holds the ID of a job, under the most specific name, e.g. `job_id`. No result
 * does so under its address.
 */
const holdsJobId = ({ jobIdPaths: [path] }: Contract, value: unknown): boolean =>
	isJsonObject(value) && Object.keys(value).some((name) => `.${normalizeName(name)}` === path);

/**
 * Whether a field of a map by address is another entry, under an address that does not look like
 * one. It holds a report or a failure. What may be about the other entries, as `total: 5` and
 * `{ provisional: true }`, is no entry.
 */
function isOtherEntry(contract: Contract, map: Place, name: string, value: unknown): boolean {
	if (!mayBeAddressBesideOthers(name) || contract.meaningOf(name, map.path)) return false;
	if (isReportLike(value)) return true;
	if (!isJsonObject(value)) return map.notFinalUnder !== undefined && typeof value === 'string';
	const fields = readFields(contract, value, `${map.path}.*`);
	// Under a name such as `failed`, a state is that of the entry. Elsewhere it may be of the job.
	const mayHoldState = map.notFinalUnder !== undefined;
	return fields.every(
		(field) => isAboutEntry(field) || (mayHoldState && field.meaning === 'state'),
	);
}

/** Whether a field of an entry can be about this entry only: a text, a report or a failure. */
function isAboutEntry(field: Field): boolean {
	const { meaning, value, statements } = field;
	if (isReportLike(value)) return true;
	if (meaning === undefined) return !isObjectOrList(value);
	const isOfFailure = ['error', 'errorCode', 'code', 'success'].includes(meaning);
	return isOfFailure && !effectsOf(statements.job).isLack;
}

/**
 * Whether a list has one element, which may be the job: it is an object that names no address as
 * its own. Beside the ID of a job, only `address` names one: a wallet may be that of the customer.
 * Under a name such as `failed`, it stands for a source or an address that is missing.
 */
function mayBeJobInList(contract: Contract, list: Place, elements: unknown[]): boolean {
	if (elements.length !== 1 || list.isWithinElement || list.notFinalUnder !== undefined)
		return false;
	const [only] = elements;
	if (!isJsonObject(only) || addressOf(only) !== undefined) return false;
	return holdsJobId(contract, only) || findOwnAddress(only) === undefined;
}

/**
 * Whether an element of a list may be a result, or stand for one. Numbers and switches are the data
 * of a chart.
 */
const mayBeResult = (element: unknown): boolean =>
	typeof element === 'object' || typeof element === 'string';

/** Creates a place, with its fields and with what it has of the place around it. */
function createPlace(
	contract: Contract,
	parent: Place | undefined,
	{ kind, name, value }: Pick<Place, 'kind' | 'name' | 'value'>,
): Place {
	const path = parent ? `${parent.path}.${stepOf(kind, name)}` : '';
	// An address and a number in a list are names without a meaning.
	const isNamed = parent !== undefined && kind === 'field';
	const meaning = isNamed ? contract.meaningOf(name, parent.path) : undefined;
	const isNotFinal = isNamed && contract.isNotFinal(name, parent.path);
	return {
		value,
		kind,
		name,
		path,
		parent,
		depth: parent ? parent.depth + 1 : 0,
		isWithinElement: kind === 'element' || kind === 'mapEntry' || parent?.isWithinElement === true,
		notFinalUnder: parent?.notFinalUnder ?? (isNotFinal ? name : undefined),
		meaning,
		isPast: meaning === 'past' || parent?.isPast === true,
		isAroundReport: false,
		inner: [],
		fields: readPlaceFields(contract, value, path),
	};
}

/** The last step of the path of a place. */
function stepOf(kind: PlaceKind, name: string): string {
	if (kind === 'element' || kind === 'mapEntry') return '*';
	return kind === 'onlyElement' ? '+' : normalizeName(name);
}

/**
 * Reads the fields of a place. A word in a risk that no list has is a verdict on the wallet, and
 * not a state.
 */
function readPlaceFields(contract: Contract, value: unknown, path: string): Field[] {
	const fields = isJsonObject(value) ? readFields(contract, value, path) : [];
	if (!isReportLike(value)) return fields;
	const fieldsOfRisk = readFields(contract, value.risk, `${path}.risk`)
		.filter(({ meaning, statements }) => meaning && !effectsOf(statements.job).isUnknown)
		.map((field) => ({ ...field, name: `risk.${field.name}` }));
	return [...fields, ...fieldsOfRisk];
}
