import { checkAddress } from '../address/check';
import { type Fields, isFields, isFilled } from '../shared/json';
import { excerptJson } from '../shared/text';
import { type Contract, type Meaning, normalizeName, type StateWord } from './contract';
import { isReportLike } from './report';

/*
 * From a field to the state of a job, in the example of `"completedAt": null` in the object of the job:
 *
 *     contract.meaningOf("completedAt")    meaning `complete`: without the words for a time, the name is a word of completion
 *     kindOf(null)                         kind `empty`
 *     statements.complete.empty            statement `noEnd`
 *     stateRules in job.ts, the fourth     state `running`, unless an earlier rule applies
 *
 * `complete` is a meaning of a name, a word of a state, a statement and a state of a job. `"status": "done"` passes through all of
 * them: its name has the meaning `state`, its value is the word `complete`, which is the statement, and the fifth rule makes it the
 * state.
 */

/** A place in an answer: the answer itself, an object or a list in it, or an element of a list or of a map by address. */
export interface Place {
	value: unknown;
	/** The name of its field, or its key in a list. */
	name: string;
	/** The names that lead to it: `.data.results.*`. `*` is an element, `+` the only one of a list, which may be the job. */
	path: string;
	parent?: Place;
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

/** What lies deeper is not read, so that nesting cannot keep n8n busy. */
const maxDepth = 24;

/** Returns the place, then each place that contains it, the nearest first. */
export function selfAndAncestors(place?: Place): Place[] {
	const places: Place[] = [];
	for (let one = place; one; one = one.parent) places.push(one);
	return places;
}

/** Reads all places of an answer, each before what lies in it. The inside of a report is not looked at. */
export function readPlaces(contract: Contract, answer: unknown): Place[] {
	const fields = readPlaceFields(contract, answer, '');
	const places: Place[] = [{ value: answer, name: '', path: '', depth: 0, isPast: false, fields }];
	for (const place of places) addPlacesIn(contract, place, places);
	return places;
}

/** Adds to `places` the objects and lists in a place, and all elements of a list or of a map by address. */
function addPlacesIn(contract: Contract, parent: Place, places: Place[]): void {
	const { value: outer, depth } = parent;
	if (typeof outer !== 'object' || outer === null || isReportLike(outer) || depth >= maxDepth)
		return;
	if (Array.isArray(outer)) {
		const path = `${parent.path}.${isJobInList(parent, outer) ? '+' : '*'}`;
		for (let index = 0; index < outer.length; index++) {
			places.push(createInnerPlace(contract, parent, String(index), outer[index], path));
		}
		return;
	}
	for (const name in outer) {
		const value = (outer as Fields)[name];
		if (looksLikeAddress(name)) {
			places.push(createInnerPlace(contract, parent, name, value, `${parent.path}.*`));
		} else if (typeof value === 'object' && value !== null) {
			places.push(createFieldPlace(contract, parent, name, value));
		}
	}
}

/** The only element of a list may be the job, unless it names an address. */
function isJobInList(place: Place, list: unknown[]): boolean {
	if (list.length !== 1 || isInElement(place)) return false;
	const [only] = list;
	return isFields(only) && addressOf(only) === undefined;
}

/** Creates a place in another one, which is of the past or not final if that one is. */
function createInnerPlace(
	contract: Contract,
	parent: Place,
	name: string,
	value: unknown,
	path: string,
): Place {
	const { notFinalUnder, isPast } = parent;
	const fields = readPlaceFields(contract, value, path);
	return { value, name, path, parent, depth: parent.depth + 1, notFinalUnder, isPast, fields };
}

/** Creates the place of an object or a list in a field, whose name may mean that nothing in it is a final report. */
function createFieldPlace(contract: Contract, parent: Place, name: string, value: object): Place {
	const path = `${parent.path}.${normalizeName(name)}`;
	const isNotFinal = contract.isNotFinal(name, parent.path);
	const isPast = contract.meaningOf(name, parent.path) === 'past';
	return {
		...createInnerPlace(contract, parent, name, value, path),
		notFinalUnder: parent.notFinalUnder ?? (isNotFinal ? name : undefined),
		isPast: parent.isPast || isPast,
	};
}

/** Reads the fields of a place. A word in a risk that no list has is a verdict on the wallet, and not a state. */
function readPlaceFields(contract: Contract, value: unknown, path: string): Field[] {
	const fields = isFields(value) ? readFields(contract, value, path) : [];
	if (!isReportLike(value)) return fields;
	const fieldsOfRisk = readFields(contract, value.risk, `${path}.risk`)
		.filter(({ statement }) => statement && statement !== 'unknown' && statement !== 'number')
		.map((field) => ({ ...field, name: `risk.${field.name}` }));
	return [...fields, ...fieldsOfRisk];
}

/**
 * The statement of a field about how far a job or a result is: a word of a state, or one of these.
 *
 * - `error`: it failed, as in `error: "no source"`, `success: false`, `cancelled: true`
 * - `ended`: it is over, as in `done: true`, `completedAt: "2026-11-26"`
 * - `notDone`: it runs, as in `done: false`, `running: true`
 * - `noEnd`: it is not over yet, as in `completedAt: null`
 * - `incomplete`: addresses or sources are missing, as in `partial: true`, `errors: [{ address: … }]`
 */
export type Statement = StateWord | 'error' | 'ended' | 'notDone' | 'noEnd' | 'incomplete';

/** A field of an answer, the meaning of its name, and what name and value state of how far something is. */
export interface Field {
	name: string;
	value: unknown;
	meaning: Meaning | undefined;
	statement: Statement | undefined;
}

/** The kinds of values that matter. A number from 400 to 599 may be a status of HTTP (RFC 9110), which problem details hold. */
type ValueKind =
	'on' | 'off' | 'httpError' | 'number' | 'time' | 'text' | 'object' | 'list' | 'empty';

const emptyTexts = ['', 'none', 'null', 'n/a', 'ok', 'success'];
/** A larger number is no count, but a time in seconds since 1970. */
export const maxCount = 1e9;

/** The kind of a value, also of a switch or a number that is written as a text. */
export function kindOf(value: unknown): ValueKind {
	if (typeof value === 'object' && value !== null) return kindOfObject(value);
	const text = String(value ?? '')
		.slice(0, 60)
		.trim()
		.toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true' ? 'on' : 'off';
	// The years 0 and 1 stand for no time.
	if (emptyTexts.includes(text) || text.startsWith('000')) return 'empty';
	const number = Number(text);
	if (Number.isInteger(number) && number >= 400 && number < 600) return 'httpError';
	if (!Number.isNaN(number)) return number < maxCount ? 'number' : 'time';
	return /\d{4}/.test(text) ? 'time' : 'text';
}

/** An object without a text, a time or a switch that is on is empty. One that names an address is a list. */
function kindOfObject(value: object): ValueKind {
	const isContent = (one: unknown) =>
		isFields(one) || (!Array.isArray(one) && ['on', 'time', 'text'].includes(kindOf(one)));
	if (!Object.values(value).some(isContent)) return 'empty';
	return Array.isArray(value) || findAddress(value) !== undefined ? 'list' : 'object';
}

/** The statement of a kind of value under a name of this meaning. A number states nothing: it counts something. */
const statements: Partial<Record<Meaning, Partial<Record<ValueKind, Statement>>>> = {
	error: { on: 'error', text: 'error', time: 'error', object: 'error', list: 'incomplete' },
	code: { httpError: 'error' },
	success: { off: 'error' },
	failed: { on: 'error', time: 'error' },
	partial: { on: 'incomplete' },
	running: { on: 'notDone' },
	complete: { on: 'ended', time: 'ended', off: 'notDone', empty: 'noEnd' },
};

/** The statement of an event, by its word. */
const eventStatements: Partial<Record<StateWord, Statement>> = {
	failed: 'error',
	complete: 'complete',
	partly: 'partly',
};

/** Reads what a value states under a name of this meaning; undefined if it states nothing. */
function readStatement(
	contract: Contract,
	value: unknown,
	meaning: Meaning,
): Statement | undefined {
	switch (meaning) {
		case 'state':
		case 'likeState':
			return contract.stateWordOf(value);
		case 'verdict':
			return contract.stateWordOf(value) === 'failed' ? 'error' : undefined;
		case 'event':
			return eventStatements[contract.stateWordOf(value) ?? 'unknown'];
		default:
			return statements[meaning]?.[kindOf(value)];
	}
}

/** Whether a field states how far something is, and not only what became of a request or of a part. */
export const isProgress = ({ meaning, statement }: Field): boolean =>
	meaning !== 'event' &&
	statement !== undefined &&
	!['ok', 'number', 'success', 'error', 'incomplete'].includes(statement);

/** Reads the fields of an object. A name that only ends like that of a state counts if no state is there. */
export function readFields(contract: Contract, object: Fields, path: string): Field[] {
	const all = Object.entries(object).map(([name, value]): Field => {
		const meaning = contract.meaningOf(name, path);
		return { name, value, meaning, statement: meaning && readStatement(contract, value, meaning) };
	});
	const isStated = all.some((one) => one.meaning === 'state' && isProgress(one));
	return isStated ? all.filter(({ meaning }) => meaning !== 'likeState') : all;
}

/** Whether a text has the shape of most addresses, which no name of a field has. */
export const looksLikeAddress = (text: string): boolean =>
	text.length >= 25 && text.length <= 256 && /^(?=\D*\d)(?:[a-z\d:]{25,}|[\w-]{48})$/i.test(text);

/** The field `address` (section 2.1) of an object. */
export const addressOf = (value: unknown): string | undefined =>
	isFields(value) && isFilled(value.address) ? value.address : undefined;

/** Finds the address that a value is about: its field `address`, else the first address of a known format at its beginning. */
export function findAddress(value: unknown): string | undefined {
	const texts = () => excerptJson(value).split('"');
	const isAddress = (text: string) => looksLikeAddress(text) && checkAddress(text).format !== null;
	return addressOf(value) ?? texts().find(isAddress);
}
