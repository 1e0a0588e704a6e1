import { addressKey } from '../address/key';
import { type Fields, isFields } from '../shared/json';
import type { Contract } from './contract';
import { type Field, readFieldAroundResults, readFields } from './fields';
import { addressOf, findOwnAddress } from './namedAddress';
import { isAnyElement, maxDepth, type Place, selfAndAncestors } from './places';
import { isGreen, isReportLike } from './report';
import { otherTopicWords, screeningWords, verdictName } from './standardNames';
import { effectsOf } from './statements';
import { hasOnlyWordsOf, hasWordOf, normalizeName } from './vocabulary';

/*
 * Which fields contradict a report. Where a field stands decides how sure it has to be:
 *
 *     in the report, or in an object around it    each statement counts by which a report is not
 *                                                 final, unless its name may be about something else
 *     in an object inside the report, or beside   a statement counts only if it is sure: a lack, an
 *     it in its element                           error, a word that is always bad
 *
 * Of this element, `report` and the element itself are of the first kind, and the others of the second:
 *
 *     {
 *       "report": {
 *         "address": "A", "risk": { … },
 *         "transactions": [{ "status": "failed" }]     is about something else
 *       },
 *       "meta": { "provisional": true }                contradicts the report
 *     }
 *
 * The names that lead to an object say what it is about:
 *
 *     `meta`, `data_sources`       the screening: each sure statement counts
 *     `translation`                not known: only that something failed counts, or is not final
 *     an element of `steps`        one of many things that are not known: only sources count
 *     `transactions`, `customer`   something else: nothing counts
 */

/** Whether a field contradicts a report. `holder` is the report itself, or a place around it. */
export function isContradiction(
	contract: Contract,
	field: Field,
	{ holder, report }: { holder: Place; report: Place },
): boolean {
	const { contradicts } = effectsOf(field);
	if (contradicts === 'inside') return holder === report;
	if (contradicts !== 'anywhere' || mayBeAboutSomethingElse(contract, field)) return false;
	return !holdsVerdicts(contract, field, report);
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

/**
 * Whether a field has the states of several checks, and these are verdicts on a wallet that is not
 * green: some passed, and others failed. With a green level, a failed check contradicts it.
 */
export function holdsVerdicts(
	contract: Contract,
	{ meaning, value: checks }: Pick<Field, 'meaning' | 'value'>,
	{ value: report }: Place,
): boolean {
	if (meaning !== 'sources' || !isReportLike(report) || isGreen(report.risk.level)) return false;
	const states = Object.values(checks as Fields).flatMap((check) =>
		isFields(check) ? Object.values(check) : check,
	);
	const badWords = states.filter((state) => contract.isBadWord(state)).map(normalizeName);
	const hasPassed = states.some((state) => ['pass', 'passed'].includes(normalizeName(state)));
	return hasPassed && badWords.every((word) => word === 'fail' || word === 'failed');
}

/** What an object inside a report or beside it is about, judged by the names that lead to it. */
type Topic = 'screening' | 'unknown' | 'oneOfUnknown' | 'other';

/** Finds what an object is about that lies under a name, or in a list, in an object about `outer`. */
function topicUnder(outer: Topic, name: string, isElement: boolean): Topic {
	if (outer === 'other' || outer === 'oneOfUnknown') return outer;
	if (isElement) return outer === 'unknown' ? 'oneOfUnknown' : outer;
	if (hasWordOf(otherTopicWords, name)) return 'other';
	return hasOnlyWordsOf(screeningWords, name) ? outer : 'unknown';
}

/** Whether a field contradicts the report inside which, or beside which, its object stands. */
function isSureContradiction(contract: Contract, field: Field, topic: Topic): boolean {
	const read = readFieldAroundResults(contract, field);
	const { name, value, meaning, statement } = read;
	if (topic === 'other' || mayBeAboutSomethingElse(contract, read)) return false;
	const isOfSources = meaning === 'sources' || meaning === 'missingSources';
	if (topic === 'oneOfUnknown' && !isOfSources) return false;
	const isKnown = topic === 'screening';
	switch (statement) {
		case 'partly':
			return true;
		case 'doubtsReports':
			return isKnown || meaning !== 'withdrawn';
		case 'notDone':
			return isKnown;
		case 'running':
			return isKnown && isSureWord(contract, value);
		case 'failed':
			return isSureWord(contract, value);
		case 'incomplete':
		case 'error':
			// `code: 404` may be that of a country, and `not_found: true` is good news of a source.
			return meaning !== 'code' && (meaning !== 'failed' || contract.isBadWord(name));
		default:
			return false;
	}
}

/** Whether the word of a state can be about nothing else. From an object, only bad words are read. */
const isSureWord = (contract: Contract, value: unknown): boolean =>
	typeof value === 'object' || contract.isBadWord(value);

/** By a place around a report, the first field in the objects beside the report that contradicts it. */
export type Asides = ReadonlyMap<Place, Field>;

/**
 * Finds the fields that contradict the reports beside which their objects stand. An object that
 * names an address is about that one.
 */
export function findAsides(contract: Contract, places: Place[], reports: Place[]): Asides {
	const asides = new Map<Place, Field>();
	// A field that does not count in an object about the screening counts in none.
	const candidates = places.filter(
		({ isPast, fields }) =>
			!isPast && fields.some((field) => isSureContradiction(contract, field, 'screening')),
	);
	if (candidates.length === 0) return asides;
	const aroundReports = new Set(reports.flatMap(selfAndAncestors));
	for (const place of candidates) {
		if (aroundReports.has(place)) continue;
		const outwards = selfAndAncestors(place);
		const around = outwards.find((one) => aroundReports.has(one));
		if (!around || asides.has(around)) continue;
		const inwards = outwards.slice(0, outwards.indexOf(around)).reverse();
		if (inwards.some(({ kind, value }) => kind === 'entry' || findOwnAddress(value) !== undefined))
			continue;
		const topic = inwards.reduce<Topic>(
			(outer, one) => topicUnder(outer, one.name, isAnyElement(one)),
			'screening',
		);
		const field = place.fields.find((one) => isSureContradiction(contract, one, topic));
		const names = inwards.map(({ name }) => name);
		if (field) asides.set(around, { ...field, name: [...names, field.name].join('.') });
	}
	return asides;
}

/** Lists the fields beside a report that contradict it. `around` are places around it. */
export const fieldsBeside = (asides: Asides, around: Place[]): Field[] =>
	asides.size === 0 ? [] : around.flatMap((place) => asides.get(place) ?? []);

/** Finds the first field in the objects inside a report that contradicts it. */
export function findContradictionInside(contract: Contract, report: Place): Field | undefined {
	const { value, path } = report;
	if (!isReportLike(value)) return undefined;
	// Most reports hold nothing that has to be read: the schema reads the categories.
	const { categories: _, ...risk } = value.risk;
	if (!holdsObject(value, 'risk') && !holdsObject(risk)) return undefined;
	const outer: Inner = { name: '', path, value: { ...value, risk }, topic: 'screening' };
	for (const inner of listInside(contract, outer, report)) {
		const fields = isFields(inner.value) ? readFields(contract, inner.value, inner.path) : [];
		const field = fields.find(
			(one) =>
				isSureContradiction(contract, one, inner.topic) && !holdsVerdicts(contract, one, report),
		);
		if (field) return { ...field, name: `${inner.name}.${field.name}` };
	}
	return undefined;
}

/** Whether an object holds an object or a list, other than in the field `except`. */
function holdsObject(fields: object, except?: string): boolean {
	return Object.entries(fields).some(
		([name, value]) => name !== except && typeof value === 'object' && value !== null,
	);
}

/** An object or a list inside a report, e.g. `sources.0` at the path `.results.*.sources.*`. */
interface Inner {
	name: string;
	path: string;
	value: unknown;
	topic: Topic;
}

/** Lists the objects and lists inside a part of a report that are not surely about something else. */
function listInside(contract: Contract, outer: Inner, report: Place, depth = 0): Inner[] {
	if (typeof outer.value !== 'object' || outer.value === null || depth >= maxDepth) return [];
	const isList = Array.isArray(outer.value);
	return Object.entries(outer.value as Fields).flatMap(([key, value]) => {
		if (typeof value !== 'object' || value === null) return [];
		const meaning = contract.meaningOf(key, outer.path);
		if (meaning === 'past' || meaning === 'account') return [];
		if (holdsVerdicts(contract, { meaning, value }, report)) return [];
		const topic = topicUnder(outer.topic, key, isList);
		if (topic === 'other' || isReportLike(value) || namesOther(value, report)) return [];
		const name = outer.name === '' ? key : `${outer.name}.${key}`;
		const path = `${outer.path}.${isList ? '*' : normalizeName(key)}`;
		const inner: Inner = { name, path, value, topic };
		return [inner, ...listInside(contract, inner, report, depth + 1)];
	});
}

/** Whether an object inside a report names another address than the report as its own. */
function namesOther(value: unknown, report: Place): boolean {
	const own = findOwnAddress(value);
	return own !== undefined && addressKey(own) !== addressKey(addressOf(report.value) ?? '');
}

/**
 * Whether a place states surely that the address which it names has no final report: by its fields,
 * or as a word under the address.
 * @example `{ "address": "B", "status": "failed" }`, and "timeout" in `{ "0xab…": "timeout" }`
 */
export function statesSureFailure(contract: Contract, place: Place): boolean {
	const isFailure =
		typeof place.value === 'string'
			? contract.isBadWord(place.value)
			: place.fields.some((field) => isSureContradiction(contract, field, 'screening'));
	return isFailure && !selfAndAncestors(place).some(isOfOtherTopic);
}

/** Whether a place is a field that is about something other than the screening. */
export const isOfOtherTopic = ({ kind, name }: Place): boolean =>
	kind === 'field' && topicUnder('screening', name, false) === 'other';
