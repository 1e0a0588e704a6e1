import { addressKey } from '../address/key';
import { isJsonObject, isObjectOrList, type JsonObject } from '../shared/json';
import { rememberByObject } from '../shared/maps';
import type { Contract, Meaning } from './contract';
import { type Field, readFields, type Statements } from './fields';
import { addressOf, findOwnAddress } from './namedAddress';
import { isAnyElement, isElement, maxDepth, type Place, selfAndAncestors } from './places';
import { isGreen, isReportLike } from './report';
import { effectsOf, type PartTopic } from './statements';
import { normalizeName } from './vocabulary';

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
 *     an element of `hops`         one of many things that are not known: only sources count
 *     `transactions`, `customer`   something else: nothing counts
 */

/**
 * Finds the fields that contradict the reports of one answer.
 *
 * @example Of `{ "failed": 1, "results": [{ "report": R, "error": 1 }], "meta": { "draft": true } }`,
 * `error` contradicts R, and so does `meta.draft`, which stands beside it. `failed` counts results.
 */
export class Contradictions {
	/** By a place around reports, the fields in the objects beside these that contradict them. */
	private readonly asides: ReadonlyMap<Place, Field[]>;

	/** The fields that contradict each report. */
	private readonly ofEachReport: Field[];

	/*
	 * The fields of a place that contradict the reports in it. Thousands of reports may lie in one
	 * place, so its fields are looked through once.
	 */
	private readonly candidatesOfResult = rememberByObject((holder: Place) =>
		listCandidates(holder, 'result'),
	);
	private readonly candidatesAround = rememberByObject((holder: Place) =>
		listCandidates(holder, 'aroundResults'),
	);

	/**
	 * @param reports the reports among the places of the answer
	 * @param jobObjects the objects about the job, if the answer is about one
	 */
	constructor(
		private readonly contract: Contract,
		places: Place[],
		reports: Place[],
		jobObjects: Place[] = [],
	) {
		this.asides = findAsides(contract, places, reports);
		this.ofEachReport = jobObjects.flatMap((place) => this.findOfEachReport(place));
	}

	/**
	 * Finds the first field that rules a result out as a final report, in the result, around it or
	 * inside it. From the result out to its element in a list, all fields are about this result, so
	 * `readFieldOfResult` reads them. Further out, numbers count results. A number as a state counts
	 * only in the result itself.
	 *
	 * @param ownPlaces the place of the result and the places around it that are about it, the inner
	 * ones first
	 */
	find(result: Place, ownPlaces: Place[]): Field | undefined {
		const elementIndex = ownPlaces.findIndex(isElement);
		for (const [index, holder] of ownPlaces.entries()) {
			const isOfResult = elementIndex < 0 || index <= elementIndex;
			const candidates = isOfResult
				? this.candidatesOfResult(holder)
				: this.candidatesAround(holder);
			const field = candidates.find(
				(one) =>
					(holder === result || contradictsAnywhere(one)) && !isVerdict(this.contract, one, result),
			);
			if (field) return field;
		}
		return findContradictionInside(this.contract, result);
	}

	/**
	 * Finds the first field that contradicts a report from beside it: in an object that stands in one of
	 * these places around it, or in the job.
	 */
	findBeside(report: Place, around: Place[]): Field | undefined {
		const counts = (field: Field) => !isVerdict(this.contract, field, report);
		for (const place of this.asides.size === 0 ? [] : around) {
			const field = this.asides.get(place)?.find(counts);
			if (field) return field;
		}
		return this.ofEachReport.find(counts);
	}

	/**
	 * Finds the fields by which an object about the job contradicts each report: in it, that reports are
	 * not final, and a failure under a name like that of a state, and in the objects inside it, a state
	 * that is not that of a complete job. What is missing may be explained by a result.
	 */
	private findOfEachReport(jobObject: Place): Field[] {
		const topic = isAboutOtherTopic(this.contract, jobObject) ? 'other' : 'screening';
		const counts = (field: Field) =>
			effectsOf(field.statements.job).isOfEachReport === true ||
			(field.meaning === 'likeState' && contradictsFromPart(field, topic));
		const beside = this.asides.get(jobObject) ?? [];
		return [
			...jobObject.fields.filter(counts),
			...beside.filter(({ statements }) => {
				const { isProgress, isGap } = effectsOf(statements.part);
				return isProgress && !isGap;
			}),
		];
	}
}

/** Lists the fields of a place that contradict a report in it. */
const listCandidates = ({ fields }: Place, where: keyof Statements): Field[] =>
	fields.filter(({ statements }) => effectsOf(statements[where]).contradicts !== undefined);

const contradictsAnywhere = ({ statements }: Field): boolean =>
	effectsOf(statements.result).contradicts === 'anywhere';

/**
 * Whether a field is a verdict on a wallet that is not green: a check that failed, or several of which
 * some passed and others failed. With a green level, a failed check contradicts it.
 */
function isVerdict(
	contract: Contract,
	{ meaning, value }: Pick<Field, 'meaning' | 'value'>,
	{ value: report }: Place,
): boolean {
	if (!isReportLike(report) || isGreen(report.risk.level)) return false;
	if (meaning === undefined) return meansFail(value);
	if (meaning !== 'sources' || !isObjectOrList(value)) return false;
	const states = Object.values<unknown>(value as JsonObject).flatMap((check) =>
		isJsonObject(check) ? Object.values(check) : check,
	);
	const hasPassed = states.some((state) => ['pass', 'passed'].includes(normalizeName(state)));
	return hasPassed && states.filter((state) => contract.isBadWord(state)).every(meansFail);
}

const meansFail = (word: unknown): boolean => ['fail', 'failed'].includes(normalizeName(word));

/** Finds what an object is about that lies under a name, or in a list, in an object about `outer`. */
function topicUnder(
	contract: Contract,
	outer: PartTopic,
	name: string,
	isElement: boolean,
): PartTopic {
	if (outer === 'other' || outer === 'unknownElement') return outer;
	if (isElement) return outer === 'unknown' ? 'unknownElement' : outer;
	const topic = contract.topicOf(name);
	return topic === 'screening' ? outer : topic;
}

/** Whether a field contradicts the report inside which, or beside which, its object stands. */
const contradictsFromPart = ({ statements }: Field, topic: PartTopic): boolean =>
	effectsOf(statements.part).ofParts?.includes(topic) === true;

/**
 * Finds the fields that contradict the reports beside which their objects stand, by the places in
 * which the objects stand. An object that names an address is about that one.
 */
function findAsides(
	contract: Contract,
	places: Place[],
	reports: Place[],
): ReadonlyMap<Place, Field[]> {
	const asides = new Map<Place, Field[]>();
	// A field that does not count in an object about the screening counts in none.
	const candidates = places.filter(
		({ isPast, fields }) =>
			!isPast && fields.some((field) => contradictsFromPart(field, 'screening')),
	);
	if (candidates.length === 0) return asides;
	const aroundReports = new Set(reports.flatMap(selfAndAncestors));
	for (const place of candidates) {
		if (aroundReports.has(place)) continue;
		const outwards = selfAndAncestors(place);
		const around = outwards.find((one) => aroundReports.has(one));
		if (!around) continue;
		const inwards = outwards.slice(0, outwards.indexOf(around)).reverse();
		if (inwards.some(({ kind, value }) => kind === 'entry' || findOwnAddress(value) !== undefined))
			continue;
		const topic = inwards.reduce<PartTopic>(
			(outer, one) => topicUnder(contract, outer, one.name, isAnyElement(one)),
			'screening',
		);
		const fields = place.fields.filter((field) => contradictsFromPart(field, topic));
		const names = inwards.map(({ name }) => name);
		const named = fields.map((field) => ({ ...field, name: [...names, field.name].join('.') }));
		const others = asides.get(around);
		if (others) others.push(...named);
		else asides.set(around, named);
	}
	return asides;
}

/** Finds the first field in the objects inside a report that contradicts it. */
function findContradictionInside(contract: Contract, report: Place): Field | undefined {
	const { value, path } = report;
	if (!isReportLike(value)) return undefined;
	// The schema reads the categories, and most reports hold no other object.
	const { categories: _, ...risk } = value.risk;
	const parts = { ...value, risk };
	return findInside(
		contract,
		{ name: '', path, meaning: undefined, value: parts, topic: 'screening' },
		report,
	);
}

/** A report, or an object or a list inside one, e.g. `sources.0` at the path `.results.*.sources.*`. */
interface Inner {
	name: string;
	path: string;
	/** The meaning of its own name; undefined for an element of a list. */
	meaning: Meaning | undefined;
	value: object;
	topic: PartTopic;
}

/** Finds the first field in the objects inside a part of a report that contradicts the report. */
function findInside(contract: Contract, outer: Inner, report: Place, depth = 0): Field | undefined {
	if (depth >= maxDepth) return undefined;
	for (const [key, value] of Object.entries<unknown>(outer.value as JsonObject)) {
		if (!isObjectOrList(value)) continue;
		const inner = innerUnder(contract, outer, key, value);
		if (isAboutOther(contract, inner, report)) continue;
		const field =
			findSureContradiction(contract, inner, report) ??
			findInside(contract, inner, report, depth + 1);
		if (field) return field;
	}
	return undefined;
}

/** Describes the object or the list under a key of a part of a report. */
function innerUnder(contract: Contract, outer: Inner, key: string, value: object): Inner {
	const isElement = Array.isArray(outer.value);
	return {
		name: outer.name === '' ? key : `${outer.name}.${key}`,
		path: `${outer.path}.${isElement ? '*' : normalizeName(key)}`,
		meaning: isElement ? undefined : contract.meaningOf(key, outer.path),
		value,
		topic: topicUnder(contract, outer.topic, key, isElement),
	};
}

/** Whether an object or a list inside a report is about something other than its screening. */
function isAboutOther(contract: Contract, inner: Inner, report: Place): boolean {
	const { meaning, value, topic } = inner;
	if (topic === 'other' || meaning === 'past' || meaning === 'account') return true;
	return isReportLike(value) || isVerdict(contract, inner, report) || namesOther(value, report);
}

/** Finds the first field of an object inside a report that contradicts the report. */
function findSureContradiction(
	contract: Contract,
	{ name, path, value, topic }: Inner,
	report: Place,
): Field | undefined {
	if (!isJsonObject(value)) return undefined;
	const field = readFields(contract, value, path).find(
		(one) => contradictsFromPart(one, topic) && !isVerdict(contract, one, report),
	);
	return field && { ...field, name: `${name}.${field.name}` };
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
			: place.fields.some((field) => contradictsFromPart(field, 'screening'));
	return isFailure && !isAboutOtherTopic(contract, place);
}

/** Whether a place lies under a name that is about something other than the screening. */
export const isAboutOtherTopic = (contract: Contract, place: Place): boolean =>
	selfAndAncestors(place).some(
		({ kind, name }) => kind === 'field' && contract.topicOf(name) === 'other',
	);
