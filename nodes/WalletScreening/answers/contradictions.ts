import { addressKey } from '../address/key';
import { isJsonObject, isObjectOrList, type JsonObject } from '../shared/json';
import { rememberByObject } from '../shared/maps';
import type { Contract } from './contract';
import type { Field } from './fields';
import type { Statements } from './fieldStatements';
import { addressOf, findOwnAddress } from './namedAddress';
import { isElement, type Place, placesIn, selfAndAncestors } from './places';
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

/** The places around a result, the inner ones first. */
export interface Surroundings {
	/** Its own place, and the places around it whose own fields are about it. */
	own: Place[];
	/** The places around it in which other objects may be about it, too, e.g. `meta` beside `report`. */
	shared: Place[];
}

/**
 * Finds the fields that contradict the reports of one answer.
 *
 * @example Of `{ "failed": 1, "results": [{ "report": R, "error": 1 }], "meta": { "draft": true } }`,
 * `error` contradicts R, and so does `meta.draft`, which stands beside it. `failed` counts results.
 */
export class Contradictions {
	/** The fields of the job that contradict each report. */
	private readonly ofEachReport: Field[];

	/*
	 * Thousands of reports may lie in one place, so the fields of a place that contradict the reports
	 * in it are looked for once, and so are those of the objects in it, which stand beside the reports.
	 */
	private readonly ofResult = rememberByObject((place: Place) => listFields(place, 'oneResult'));
	private readonly aroundResults = rememberByObject((place: Place) =>
		listFields(place, 'severalResults'),
	);
	private readonly beside = rememberByObject((place: Place) => this.findBeside(place));

	/** @param jobObjects the objects about the job, if the answer is about one */
	constructor(
		private readonly contract: Contract,
		jobObjects: Place[] = [],
	) {
		this.ofEachReport = jobObjects.flatMap((place) => this.findOfEachReport(place));
	}

	/** Finds the first field that rules a result out as a final report. */
	find(result: Place, { own, shared }: Surroundings): Field | undefined {
		const counts = (field: Field) => !isVerdict(this.contract, field, result);
		const found = this.findAround(result, own, counts) ?? findInside(this.contract, result);
		if (found) return found;
		for (const place of shared) {
			const field = this.beside(place).find(counts);
			if (field) return field;
		}
		return this.ofEachReport.find(counts);
	}

	/**
	 * Finds the first field in a result or around it that contradicts it. From the result out to its
	 * element in a list, all fields are about this result. Further out, numbers count results. A number
	 * as a state counts only in the result itself.
	 */
	private findAround(
		result: Place,
		own: Place[],
		counts: (field: Field) => boolean,
	): Field | undefined {
		const elementIndex = own.findIndex(isElement);
		for (const [index, place] of own.entries()) {
			const isOfResult = elementIndex < 0 || index <= elementIndex;
			const fields = isOfResult ? this.ofResult(place) : this.aroundResults(place);
			const field = fields.find(
				(one) => (place === result || contradictsAnywhere(one)) && counts(one),
			);
			if (field) return field;
		}
		return undefined;
	}

	/**
	 * Finds the fields in the objects in a place around reports that contradict these. An object that
	 * names an address is about that one.
	 */
	private findBeside(around: Place): Field[] {
		const isOther = ({ kind, value, isAroundReport }: Place) =>
			isAroundReport || kind === 'entry' || findOwnAddress(value) !== undefined;
		const outer: Part = { place: around, topic: 'screening', name: '' };
		return around.isAroundReport && !isReportLike(around.value)
			? [...findInParts(this.contract, outer, ({ inner }) => inner, isOther)]
			: [];
	}

	/**
	 * Finds the fields by which an object about the job contradicts each report: in it, that reports are
	 * not final, and a failure under a name like that of a state, and in the objects inside it, a state
	 * that is not that of a complete job. What is missing may be explained by a result.
	 */
	private findOfEachReport(jobObject: Place): Field[] {
		const topic = isAboutOtherTopic(this.contract, jobObject) ? 'other' : 'screening';
		const own = jobObject.fields.filter(
			(field) =>
				effectsOf(field.statements.job).contradictsEachReport === true ||
				(field.meaning === 'likeState' && contradictsFromPart(field, topic)),
		);
		const ofParts = this.beside(jobObject).filter(({ statements }) => {
			const { isProgress, isLack } = effectsOf(statements.part);
			return isProgress && !isLack;
		});
		return [...own, ...ofParts];
	}
}

/** Lists the fields of a place that contradict a report in it. */
const listFields = ({ fields }: Place, where: keyof Statements): Field[] =>
	fields.filter(({ statements }) => effectsOf(statements[where]).contradicts !== undefined);

const contradictsAnywhere = ({ statements }: Field): boolean =>
	effectsOf(statements.oneResult).contradicts === 'anywhere';

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

/** Whether a field contradicts the report inside which, or beside which, its object stands. */
const contradictsFromPart = ({ statements }: Field, topic: PartTopic): boolean =>
	effectsOf(statements.part).contradictsFromParts?.includes(topic) === true;

/** An object or a list that is not the report itself, but in it or next to it. */
interface Part {
	place: Place;
	topic: PartTopic;
	/** The names that lead to it, e.g. `meta.sources`. */
	name: string;
}

/** Finds the first field in the objects inside a report that contradicts it. */
function findInside(contract: Contract, report: Place): Field | undefined {
	const { value } = report;
	if (!isReportLike(value)) return undefined;
	// The schema reads the categories, and most reports hold no other object.
	const { categories: _, ...risk } = value.risk;
	const place = { ...report, value: { ...value, risk }, depth: 0 };
	const outer: Part = { place, topic: 'screening', name: '' };
	const isOther = (inner: Place) =>
		isReportLike(inner.value) ||
		isVerdict(contract, inner, report) ||
		namesOtherThan(report, inner.value);
	for (const field of findInParts(contract, outer, (one) => placesIn(contract, one), isOther))
		if (!isVerdict(contract, field, report)) return field;
	return undefined;
}

/** Whether an object names an address as its own that is not that of a report. */
function namesOtherThan(report: Place, value: unknown): boolean {
	const own = findOwnAddress(value);
	return own !== undefined && addressKey(own) !== addressKey(addressOf(report.value) ?? '');
}

/**
 * Finds the fields in the objects inside a part that contradict the report inside or beside which it
 * stands, each with the names that lead to it.
 *
 * @param placesOf lists the places directly in a place
 * @param isOther whether a place is not about this report
 */
function* findInParts(
	contract: Contract,
	outer: Part,
	placesOf: (place: Place) => Iterable<Place>,
	isOther: (place: Place) => boolean,
): Generator<Field> {
	for (const place of placesOf(outer.place)) {
		const topic = topicOfPart(contract, place, outer.topic);
		if (topic === 'other' || place.isPast || isOther(place)) continue;
		const name = outer.name === '' ? place.name : `${outer.name}.${place.name}`;
		for (const field of place.fields)
			if (contradictsFromPart(field, topic)) yield { ...field, name: `${name}.${field.name}` };
		yield* findInParts(contract, { place, topic, name }, placesOf, isOther);
	}
}

/** Finds what an object or a list is about that lies in one about `outer`. */
function topicOfPart(contract: Contract, { kind, name }: Place, outer: PartTopic): PartTopic {
	if (outer === 'unknownElement') return outer;
	const isInList = kind === 'element' || kind === 'onlyElement';
	if (isInList) return outer === 'unknown' ? 'unknownElement' : outer;
	const topic = contract.topicOf(name);
	return topic === 'screening' ? outer : topic;
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
