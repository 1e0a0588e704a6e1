import { addressKey } from '../address/key';
import { isJsonObject, isObjectOrList, type JsonObject } from '../shared/json';
import { rememberByObject } from '../shared/maps';
import type { Contract } from './contract';
import type { Field } from './fields';
import { addressOf, findOwnAddress } from './namedAddress';
import { isElement, type Place, placesIn, selfAndAncestors } from './places';
import { isGreen, isReportLike } from './report';
import { effectsOf, type PartTopic } from './statements';
import { normalizeName } from './vocabulary';

/*
 * Which fields contradict a report. Where a field stands decides how sure its statement has to be:
 *
 *     in the report, or in an object    each statement counts by which a report is not final,
 *     around it                         unless its field may be about something else
 *     in a part of the report           a statement counts only if it is sure: a lack, an error,
 *                                       a word that is always bad
 *
 * A part is an object inside the report, or next to it in its element. Of this element, `report`
 * and the element itself belong to the first row, and the other two objects are parts:
 *
 *     {
 *       "report": {
 *         "address": "A", "risk": { … },
 *         "transactions": [{ "status": "failed" }]     is about something else
 *       },
 *       "meta": { "provisional": true }                contradicts the report
 *     }
 *
 * The names that lead to a part decide what it is about, and so what counts:
 *
 *     name                         it is about      what counts
 *     `meta`, `data_sources`       the screening    each sure statement
 *     `translation`                not known        a failure, a lack or a doubt, which may be of
 *                                                   the report, and not that it still runs
 *     an element of `hops`         one of many      only a missing source
 *     `transactions`, `customer`   something else   nothing
 */

/** The places from a result outwards, the inner ones first. */
export interface ResultContext {
	/** The result, and the places around it that are about it. Their fields may contradict it. */
	placesWithFields: Place[];
	/** Those of them in which a part may be about it, too, e.g. `meta` beside `report`. */
	placesWithParts: Place[];
}

/**
 * Fields that contradict reports. Both lists are made once, because each may be long and thousands
 * of reports may ask for it.
 */
interface ContradictingFields {
	/** Those that count for a green report. */
	all: Field[];
	/** Those that count for any other report. */
	withoutVerdicts: Field[];
}

const noFields: ContradictingFields = { all: [], withoutVerdicts: [] };

/**
 * Finds the fields that contradict the reports of one answer.
 *
 * @example Of
 * `{ "failed": 1, "results": [{ "report": R, "error": 1 }], "meta": { "draft": true } }`, `error`
 * contradicts R, and so does `meta.draft`, which stands next to it. `failed` counts results.
 */
export class Contradictions {
	/** The fields of the job that contradict each report. */
	private readonly jobFields: ContradictingFields;

	/*
	 * Thousands of reports may lie in one place, so what contradicts them there is looked for once.
	 */

	/** Lists the fields of a place that contradict the one report in it. */
	private readonly fieldsAgainstOneResult = rememberByObject((place: Place) =>
		this.divide(listFields(place, 'oneResult')),
	);
	/** Lists the fields of a place that contradict all reports in it. */
	private readonly fieldsAgainstSeveralResults = rememberByObject((place: Place) =>
		this.divide(listFields(place, 'severalResults')),
	);
	/** Lists the fields of the parts in a place that contradict the reports in it. */
	private readonly fieldsInParts = rememberByObject((place: Place) =>
		this.divide(this.findFieldsInParts(place)),
	);

	/** @param jobObjects the objects about the job, if the answer is about one */
	constructor(
		private readonly contract: Contract,
		private readonly jobObjects: Place[] = [],
	) {
		this.jobFields = this.divide(jobObjects.flatMap((place) => this.findJobFields(place)));
	}

	/** Lists the fields in the parts of the objects about the job that contradict reports. */
	listFieldsInPartsOfJob(): Field[] {
		return this.jobObjects.flatMap((place) => this.fieldsInParts(place).all);
	}

	/** Finds the first field that rules a result out as a final report. */
	find(result: Place, { placesWithFields, placesWithParts }: ResultContext): Field | undefined {
		const field = this.findAround(result, placesWithFields) ?? findInside(this.contract, result);
		if (field) return field;
		for (const place of placesWithParts) {
			const [fieldInPart] = fieldsAgainst(result, this.fieldsInParts(place));
			if (fieldInPart) return fieldInPart;
		}
		return fieldsAgainst(result, this.jobFields)[0];
	}

	private divide(fields: Field[]): ContradictingFields {
		if (fields.length === 0) return noFields;
		return {
			all: fields,
			withoutVerdicts: fields.filter((field) => !mayBeVerdict(this.contract, field)),
		};
	}

	/**
	 * Finds the first field in a result or around it that contradicts it. From the result out to its
	 * element in a list, all fields are about this result. Further out, numbers count results. A
	 * number as a state counts only in the result itself.
	 */
	private findAround(result: Place, places: Place[]): Field | undefined {
		const elementIndex = places.findIndex(isElement);
		for (const [index, place] of places.entries()) {
			const isAboutOne = elementIndex < 0 || index <= elementIndex;
			const fields = isAboutOne
				? this.fieldsAgainstOneResult(place)
				: this.fieldsAgainstSeveralResults(place);
			const field = fieldsAgainst(result, fields).find(
				(one) => place === result || contradictsAnywhere(one),
			);
			if (field) return field;
		}
		return undefined;
	}

	/**
	 * Finds the fields in the parts of a place around reports that contradict these. An object that
	 * names an address is about that one.
	 */
	private findFieldsInParts(place: Place): Field[] {
		if (!place.isAroundReport || isReportLike(place.value)) return [];
		const isAboutOther = ({ kind, value, isAroundReport }: Place) =>
			isAroundReport || kind === 'mapEntry' || findOwnAddress(value) !== undefined;
		const outer: Part = { place, topic: 'screening', name: '' };
		return [...findInParts(this.contract, outer, ({ inner }) => inner, isAboutOther)];
	}

	/**
	 * Finds the fields by which an object about the job contradicts each report. Its own fields do so
	 * if they state that the reports are not final, or a failure under a name like that of a state.
	 * Those of its parts do so if they state that, or have a state that is not that of a complete job.
	 * What is only missing, a result may explain: see `listFieldsInPartsOfJob`.
	 */
	private findJobFields(jobObject: Place): Field[] {
		const topic = isAboutOtherTopic(this.contract, jobObject) ? 'other' : 'screening';
		const ownFields = jobObject.fields.filter(
			(field) =>
				effectsOf(field.statements.job).contradictsEachReport === true ||
				(field.meaning === 'likeState' && contradictsFromPart(field, topic)),
		);
		const fieldsInParts = this.fieldsInParts(jobObject).all.filter(({ statements }) => {
			const { contradictsEachReport, isProgress, isLack } = effectsOf(statements.part);
			return contradictsEachReport || (isProgress && !isLack);
		});
		return [...ownFields, ...fieldsInParts];
	}
}

/** Lists the fields of a place that contradict what they are about. */
const listFields = ({ fields }: Place, about: 'oneResult' | 'severalResults'): Field[] =>
	fields.filter(({ statements }) => effectsOf(statements[about]).contradicts !== undefined);

const contradictsAnywhere = ({ statements }: Field): boolean =>
	effectsOf(statements.oneResult).contradicts === 'anywhere';

/**
 * The fields that contradict a result. With a green level, a failed check contradicts it. With any
 * other, it may be the reason for the level.
 */
const fieldsAgainst = (result: Place, { all, withoutVerdicts }: ContradictingFields): Field[] =>
	isOfRisk(result) ? withoutVerdicts : all;

/** Whether a place is a report that is not green. */
const isOfRisk = ({ value }: Place): boolean => isReportLike(value) && !isGreen(value.risk.level);

/**
 * Whether a field may be a verdict on a wallet: a check that failed, or several of which some passed
 * and others failed.
 */
function mayBeVerdict(
	contract: Contract,
	{ meaning, value }: Pick<Field, 'meaning' | 'value'>,
): boolean {
	if (meaning === undefined) return meansFail(value);
	if (meaning !== 'sources' || !isObjectOrList(value)) return false;
	const states = Object.values<unknown>(value as JsonObject).flatMap((check) =>
		isJsonObject(check) ? Object.values(check) : check,
	);
	const hasPassed = states.some((state) => ['pass', 'passed'].includes(normalizeName(state)));
	return hasPassed && states.filter((state) => contract.isBadWord(state)).every(meansFail);
}

const meansFail = (word: unknown): boolean => ['fail', 'failed'].includes(normalizeName(word));

/** Whether a field of a part with this topic contradicts the report. */
const contradictsFromPart = ({ statements }: Field, topic: PartTopic): boolean =>
	effectsOf(statements.part).contradictsFromParts?.includes(topic) === true;

/** An object or a list inside a report or next to it, with what it is about. */
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
	const place = {
		...report,
		value: { ...value, risk: withoutNumericCategories(value.risk) },
		depth: 0,
	};
	const outer: Part = { place, topic: 'screening', name: '' };
	const isVerdict = (one: Pick<Field, 'meaning' | 'value'>) =>
		isOfRisk(report) && mayBeVerdict(contract, one);
	const isAboutOther = (inner: Place) =>
		isReportLike(inner.value) || isVerdict(inner) || namesOtherThan(report, inner.value);
	for (const field of findInParts(contract, outer, (one) => placesIn(contract, one), isAboutOther))
		if (!isVerdict(field)) return field;
	return undefined;
}

/**
 * A risk without the categories that are numbers, as section 2.3 has them. The schema reads those,
 * and most reports have no others, such as `error: "OFAC is down"`.
 */
function withoutNumericCategories({ categories, ...risk }: JsonObject): JsonObject {
	const others = isJsonObject(categories)
		? Object.entries(categories).filter(([, value]) => typeof value !== 'number')
		: [];
	return others.length > 0 ? { ...risk, categories: Object.fromEntries(others) } : risk;
}

/** Whether an object names an address as its own that is not that of a report. */
function namesOtherThan(report: Place, value: unknown): boolean {
	const own = findOwnAddress(value);
	return own !== undefined && addressKey(own) !== addressKey(addressOf(report.value) ?? '');
}

/**
 * Finds the fields of the parts in a place that contradict the report, each with the names that
 * lead to it, as in `meta.sources`. It also looks in the parts of these parts.
 *
 * @param outer the place, which is around the report, the report itself, or a part of it
 * @param placesOf lists the places directly in a place
 * @param isAboutOther whether a place is not about this report
 */
function* findInParts(
	contract: Contract,
	outer: Part,
	placesOf: (place: Place) => Iterable<Place>,
	isAboutOther: (place: Place) => boolean,
): Generator<Field> {
	for (const place of placesOf(outer.place)) {
		const topic = topicOfPart(contract, place, outer.topic);
		if (topic === 'other' || place.isPast || isAboutOther(place)) continue;
		const name = outer.name === '' ? place.name : `${outer.name}.${place.name}`;
		for (const field of place.fields)
			if (contradictsFromPart(field, topic)) yield { ...field, name: `${name}.${field.name}` };
		yield* findInParts(contract, { place, topic, name }, placesOf, isAboutOther);
	}
}

/** Finds what a part is about that lies in one about `outer`. */
function topicOfPart(contract: Contract, { kind, name }: Place, outer: PartTopic): PartTopic {
	if (outer === 'unknownElement') return outer;
	const isListElement = kind === 'element' || kind === 'onlyElement';
	if (isListElement) return outer === 'unknown' ? 'unknownElement' : outer;
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
