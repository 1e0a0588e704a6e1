import { addressKey } from '../address/key';
import { groupBy } from '../shared/maps';
import type { Contract } from './contract';
import { statesSureFailure } from './contradictions';
import { addressOf, findAddress, findOwnAddress, isSurelyAddress } from './namedAddress';
import { isElement, isWithin, type Place, selfAndAncestors, withAncestors } from './places';
import { isReportLike } from './report';
import { wordsInNames } from './standardNames';
import { effectsOf } from './statements';
import { isNone } from './values';
import { isOneOf, normalizeName, splitWords } from './vocabulary';

/** The places of an answer that are about addresses. */
export interface ResultPlaces {
	/** Reports, and what stands in the place of one. */
	results: Place[];
	/** The first report among them. */
	firstReport: Place | undefined;
	/** Reports elsewhere on an address of these, which may contradict them. */
	repeatedReports: Place[];
	/**
	 * If some reports are no results: the names of the fields that hold reports, at most ten, for an
	 * error.
	 */
	otherNames: string[];
}

/** The reports of an answer that are not of the past. */
export const findReports = (places: Place[]): Place[] =>
	places.filter(({ value, isPast }) => isReportLike(value) && !isPast);

/**
 * Finds the results of an answer:
 *
 * 1. A report counts unless it lies under a name of failure, or inside another result, as that of a
 *    counterparty does.
 * 2. The results are the reports at the path that has most of them, or at the paths that were
 *    taught. If two paths have as many, neither counts.
 * 3. The other elements of their lists stand in the place of a report. So do the entries under a
 *    name of failure, and a sublist that failed, e.g. that of one chain. In an answer without a
 *    report, the elements of the lists that name addresses are the results.
 * 4. A report elsewhere may contradict a result of the same address, unless the paths were taught.
 *
 * @example
 *     {
 *       "results": [
 *         { "address": "A", "report_id": "r1", "risk": … },        rule 2: a result
 *         { "address": "B", "report_id": "r2", "risk": … },        rule 2: a result
 *         { "address": "C", "error": "no source" }                 rule 3: stands for one
 *       ],
 *       "failed": [{ "address": "D" }],                            rule 3: stands for one
 *       "worst": { "address": "A", "report_id": "r1", "risk": … }  rule 4: may contradict that of A
 *     }
 */
export function findResultPlaces(contract: Contract, places: Place[]): ResultPlaces {
	const taught = contract.reportPaths;
	const candidates = findReports(places).filter((place) => place.notFinalUnder === undefined);
	const pathsWithReports = elementPaths(candidates);
	const outermost = candidates.filter((report) => !isInsideResult(report, pathsWithReports));
	const chosen = chooseReports(outermost, taught);
	const results = new Set([...chosen, ...findStandIns(contract, places, chosen, pathsWithReports)]);
	return {
		// In the order of the answer.
		results: places.filter((place) => results.has(place)),
		firstReport: chosen[0],
		repeatedReports: taught.length > 0 ? [] : findRepeatedReports(candidates, chosen, outermost),
		otherNames: outermost.length > chosen.length ? namesAround(outermost) : [],
	};
}

/**
 * Rule 1: whether a report lies inside another result. In its own element, it may lie at any depth.
 * It is inside another result if its element lies in one that has a report, or if an element around
 * it names another address.
 * @example B lies inside the result of A in `[{ report: A, others: [{ report: B }] }]`, and in
 * `[{ address: A, counterparty: { report: B } }]`
 */
function isInsideResult(report: Place, pathsWithReports: Paths): boolean {
	const element = innermostElement(report);
	if (element === undefined) return false;
	return (
		hasAncestorAt(element, pathsWithReports) ||
		selfAndAncestors(report.parent).some((one) => isElement(one) && isOfOtherAddress(one, report))
	);
}

/**
 * Whether the field `address` or the key of an element is an address other than that of a report.
 */
function isOfOtherAddress({ value, kind, name }: Place, report: Place): boolean {
	const named =
		addressOf(value) ?? (kind === 'mapEntry' && isSurelyAddress(name) ? name : undefined);
	if (named === undefined || addressOf(report.value) === undefined) return false;
	return addressKey(named) !== keyOfReport(report);
}

/** Rule 2: chooses the reports that are results. */
function chooseReports(reports: Place[], taught: readonly string[]): Place[] {
	return taught.length > 0 ? reports.filter(isAtOneOf(taught)) : findLargestGroup(reports);
}

/** Whether a place is at, or in, one of these paths, which a user taught. */
const isAtOneOf =
	(taught: readonly string[]) =>
	({ path }: Place) =>
		taught.some((one) => `${path}.`.includes(`${one}.`));

/** Finds the places with the path that most of them have; none if two paths have as many. */
function findLargestGroup(reports: Place[]): Place[] {
	const groups = [...groupBy(reports, ({ path }) => path).values()];
	const [largest = [], second = []] = groups.sort((one, other) => other.length - one.length);
	return largest.length > second.length ? largest : [];
}

/** Rule 3: finds what stands in the place of a report. */
function findStandIns(
	contract: Contract,
	places: Place[],
	reports: Place[],
	pathsWithReports: Paths,
): Place[] {
	const aroundReports = withAncestors(reports);
	// What holds a report, or lies inside an element that has one, belongs to that report.
	const candidates = places.filter(
		(place) =>
			!place.isPast && !aroundReports.has(place) && !hasAncestorAt(place, pathsWithReports),
	);
	const pathsOfResults = elementPaths(
		reports.length > 0 ? reports : places.filter(namesOwnAddress),
	);
	// An element around a report is that of its address, or a sublist, e.g. one for each chain.
	const pathsOfSublists = new Set([...aroundReports].filter(isElement).map(({ path }) => path));
	const isOtherElement = ({ path, value }: Place) =>
		pathsOfResults.has(path) && !isReportLike(value);
	const isFailedSublist = (place: Place) => pathsOfSublists.has(place.path) && statesFailure(place);
	// A user who taught the places of the results excluded others.
	const isFailedAnywhere = (place: Place) =>
		contract.reportPaths.length === 0 && isFailedElsewhere(contract, place);
	const standIns = candidates.filter(
		(place) =>
			isOtherElement(place) ||
			isFailedSublist(place) ||
			isOfFailedAddress(place, aroundReports) ||
			isFailedAnywhere(place),
	);
	return replaceByListedAddresses(places, withoutReasons(standIns));
}

/**
 * Leaves out what lies in a stand-in that names its address: it is the reason why that address has
 * no report. What names an address itself may stand for another.
 * @example In `"failed": [{ "address": "D", "errors": ["timeout"] }]`, "timeout" is the reason of D
 */
function withoutReasons(standIns: Place[]): Place[] {
	const withAddress = new Set(standIns.filter(namesOwnAddress));
	return standIns.filter(
		({ value, parent }) => !isWithin(parent, withAddress) || findAddress(value) !== undefined,
	);
}

/**
 * Replaces each stand-in that names no address as its own, and lists addresses, by these: each of
 * them has failed.
 * @example `{ "error": "no source", "addresses": ["C", "D"] }` is replaced by C and D
 */
function replaceByListedAddresses(places: Place[], standIns: Place[]): Place[] {
	const withoutAddress = new Set(standIns.filter((place) => !namesOwnAddress(place)));
	const lists = places.filter(
		({ value, parent }) => parent && withoutAddress.has(parent) && holdsSureAddress(value),
	);
	const listsOf = groupBy(lists, ({ parent }) => parent);
	const elementsOf = groupBy(places, ({ parent }) => parent);
	return standIns.flatMap((standIn) => {
		const addresses = (listsOf.get(standIn) ?? []).flatMap((list) => elementsOf.get(list) ?? []);
		return addresses.length > 0 ? addresses : standIn;
	});
}

/**
 * Whether a value is a list that holds a text which is surely an address. Then its other texts are
 * addresses, too.
 */
const holdsSureAddress = (value: unknown): boolean =>
	Array.isArray(value) && value.some((one) => typeof one === 'string' && isSurelyAddress(one));

/**
 * Whether a field of a place states that no report in it is final, because it failed or still runs.
 */
const statesFailure = ({ fields }: Place): boolean =>
	fields.some(({ statements }) =>
		Object.values(statements).some((one) => effectsOf(one).contradicts === 'anywhere'),
	);

/**
 * Rule 4: finds the reports that are no results, but about the address of one. A report inside the
 * element of a result only repeats that one. On another address, it may be that of a counterparty.
 * @example In `[{ report: A, others: [A2, B2] }, { report: B }]`, A2 may contradict A, and B2 does
 * not repeat B
 */
function findRepeatedReports(candidates: Place[], reports: Place[], outermost: Place[]): Place[] {
	const chosenReports = new Set(reports);
	const outermostPlaces = new Set(outermost);
	const reportsByKey = groupBy(reports, keyOfReport);
	return candidates.filter((report) => {
		if (chosenReports.has(report)) return false;
		const ofSameAddress = reportsByKey.get(keyOfReport(report)) ?? [];
		if (outermostPlaces.has(report)) return ofSameAddress.length > 0;
		const around = new Set<Place | undefined>(selfAndAncestors(report));
		return ofSameAddress.some((one) => around.has(innermostElement(one)));
	});
}

/** The key of the address of a report. One that names none is about no address. */
const keyOfReport = ({ value }: Place) => addressKey(addressOf(value) ?? '');

/** Whether a place itself names the address that it is about, and not by what lies in it. */
export const namesOwnAddress = (place: Place): boolean =>
	place.kind === 'mapEntry' || findOwnAddress(place.value) !== undefined;

/**
 * Whether a place lies under a name such as `failed`, and stands for an address: it is an element,
 * or has the field `address`.
 */
function isOfFailedAddress(place: Place, aroundReports: ReadonlySet<Place>): boolean {
	const { value, notFinalUnder } = place;
	if (notFinalUnder === undefined || isEmpty(value)) return false;
	if (isOfFollowUp(place, aroundReports) && findAddress(value) === undefined) return false;
	return isElement(place) || addressOf(value) !== undefined;
}

/**
 * Whether a place is an element that names an address, and surely states that this one failed.
 * @example B in `{ "items": [{ "address": "B", "status": "failed" }], "reports": [A, B] }`
 */
const isFailedElsewhere = (contract: Contract, place: Place): boolean =>
	isElement(place) &&
	!isReportLike(place.value) &&
	statesSureFailure(contract, place) &&
	namesOwnAddress(place);

/** Finds the elements outside of reports that state that an address has no final report. */
export const findFailures = (contract: Contract, places: Place[]): Place[] =>
	places.filter(
		(place) => !place.isPast && !place.isAroundReport && isFailedElsewhere(contract, place),
	);

/**
 * Whether a place is about what follows the job, as `webhook: { errors: ["timeout"] }` is. A name
 * around the job or its results may be that of a delivery, which holds the whole answer.
 */
export const isOfFollowUp = (place: Place, aroundJob: ReadonlySet<Place>): boolean =>
	selfAndAncestors(place).some((one) => !aroundJob.has(one) && namesFollowUp(one.name));

/** Whether a name is about what a service does after a screening, as `callback_url` is. */
export const namesFollowUp = (name: string): boolean =>
	splitWords(name).some((word) => isOneOf(wordsInNames.followUp, word));

/** Whether a value is null, or an object or a list that means "none". */
const isEmpty = (value: unknown) => typeof value === 'object' && isNone(value);

/** Paths of elements. All elements of one list have the same. */
type Paths = ReadonlySet<string>;

/** The paths of the elements that places are or lie in, of each the innermost. */
const elementPaths = (places: Place[]): Paths =>
	new Set(places.flatMap((place) => innermostElement(place)?.path ?? []));

/** Finds the innermost element of a list, or of a map by address, that a place is or lies in. */
const innermostElement = (place: Place) => selfAndAncestors(place).find(isElement);

/** Whether a place lies in an element that has one of these paths. Its own path does not count. */
const hasAncestorAt = ({ parent }: Place, paths: Paths): boolean =>
	selfAndAncestors(parent).some(({ path }) => paths.has(path));

const maxNames = 10;

/**
 * The names of the innermost fields that hold places. If they are siblings, or too many, they are
 * the keys of a map: then those of the fields around them. An element of a list that is the whole
 * answer lies in no field.
 * @example Of `{ results: { rep_1: report, rep_2: report } }`: `results`
 */
function namesAround(places: Place[]): string[] {
	const namesOfEach = places.map((place) =>
		selfAndAncestors(place)
			.filter(({ kind }) => kind === 'field')
			.map(({ name }) => normalizeName(name))
			.filter((name) => name !== ''),
	);
	const innermost = new Set(namesOfEach.flatMap(([name]) => name ?? []));
	const around = new Set(namesOfEach.flatMap(([name, outer]) => outer ?? name ?? []));
	const areKeys = innermost.size > maxNames || (innermost.size > 1 && around.size === 1);
	return [...(areKeys ? around : innermost)].slice(0, maxNames);
}
