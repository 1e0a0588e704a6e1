import { addressKey } from '../address/key';
import { invalidResponse } from '../shared/errors';
import { groupBy } from '../shared/maps';
import { type Fields, isFields } from '../shared/json';
import { excerptJson, quoteJson } from '../shared/text';
import type { Contract, ServiceNames } from './contract';
import {
	addressOf,
	type Field,
	findAddress,
	isElement,
	looksLikeAddress,
	type Place,
	type Statement,
	selfAndAncestors,
} from './places';
import { contentOfReport, findFlaw, isId, isReportLike, type Report } from './report';

/** The reports of an answer that are not of the past. */
export const findReports = (places: Place[]): Place[] =>
	places.filter(({ value, isPast }) => isReportLike(value) && !isPast);

/** The places of an answer that are about addresses. */
export interface ResultPlaces {
	/** Reports, and what stands in the place of one. */
	results: Place[];
	/** The first report among them. */
	firstReport: Place | undefined;
	/** The names of the places of all reports, if some are no results. An error proposes them, so they are few. */
	otherNames: string[];
}

const maxNames = 10;

/**
 * Finds the results of an answer:
 *
 * 1. A report counts unless it lies under a name of failure, or inside another result, as that of a counterparty does.
 * 2. The results are the reports at the place that has most of them, or at the places that were taught. If two places have as
 *    many, neither counts.
 * 3. The other elements of their lists stand in the place of a report, and so do failures. An answer without a report has the
 *    elements of the lists that name addresses.
 *
 * @example `{ results: [report, { address, error }], failed: [{ address }] }` has three results, of which one is a report.
 */
export function findResults(places: Place[], taught: readonly string[]): ResultPlaces {
	const finalReports = findReports(places).filter((place) => place.notFinalUnder === undefined);
	const pathsOfAll = elementPaths(finalReports);
	const outermost = finalReports.filter((report) => !isInsideResult(report, pathsOfAll));
	const reports = chooseReports(outermost, taught);
	const standIns = findStandIns(places, reports, pathsOfAll);
	// In the order of the answer.
	const chosen = new Set([...reports, ...standIns]);
	const otherNames = outermost.length > reports.length ? lastNames(outermost) : [];
	return {
		results: places.filter((place) => chosen.has(place)),
		firstReport: reports[0],
		otherNames,
	};
}

/**
 * Whether a report lies inside another result. The element that is or holds the report is its own result; only an element of one of
 * these paths around that one is another.
 */
function isInsideResult(report: Place, pathsOfAll: ElementPaths): boolean {
	const own = findElementAround(report);
	return own !== undefined && liesInElement(own, pathsOfAll);
}

/** Whether a place lies in an element of a list that has one of these paths. The place itself does not count. */
function liesInElement({ parent }: Place, elements: ElementPaths): boolean {
	return selfAndAncestors(parent).some(({ path }) => elements.has(path));
}

/** Chooses the reports at the taught places, else those at the place that has most of them. */
function chooseReports(reports: Place[], taught: readonly string[]): Place[] {
	return taught.length > 0 ? reports.filter(isAtOneOf(taught)) : findLargestGroup(reports);
}

/** Finds what stands in the place of a report: the other elements of the lists of the chosen reports, and failures. */
function findStandIns(places: Place[], reports: Place[], pathsOfAll: ElementPaths): Place[] {
	const pathsOfChosen = elementPaths(reports.length > 0 ? reports : places.filter(namesAddress));
	// An element that holds a chosen report stands for nothing: the report in it is the result.
	const aroundReports = new Set(reports.flatMap(selfAndAncestors));
	return places.filter((place) => {
		if (aroundReports.has(place) || liesInElement(place, pathsOfAll)) return false;
		return (pathsOfChosen.has(place.path) && !isReportLike(place.value)) || isFailure(place);
	});
}

/** Whether a place is at, or in, one of these paths, which a user taught. */
const isAtOneOf =
	(taught: readonly string[]) =>
	({ path }: Place) =>
		taught.some((one) => `${path}.`.includes(`${one}.`));

/** Finds the innermost element of a list, or of a map by address, that a place is or lies in. */
const findElementAround = (place: Place) => selfAndAncestors(place).find(isElement);

type ElementPaths = ReadonlySet<string>;

/** The paths of the elements around places. All elements of one list have the same path. */
const elementPaths = (places: Place[]): ElementPaths =>
	new Set(places.flatMap((place) => findElementAround(place)?.path ?? []));

/** The last names that lead to places. An element of a list that is the whole answer has none. */
function lastNames(places: Place[]): string[] {
	const lastName = ({ path }: Place) =>
		path.split('.').findLast((step) => !['', '*', '+'].includes(step));
	const names = new Set(places.flatMap((place) => lastName(place) ?? []));
	return [...names].slice(0, maxNames);
}

/** Whether a place names the address that it is about. */
const namesAddress = ({ value, name }: Place) =>
	addressOf(value) !== undefined || looksLikeAddress(name);

/** Whether a place stands for an address, as an element or by its field, and lies under a name such as `failed`. */
const isFailure = (place: Place) =>
	place.notFinalUnder !== undefined && (isElement(place) || addressOf(place.value) !== undefined);

/** Finds the places with the path that most of them have; none if two paths have as many. */
function findLargestGroup(reports: Place[]): Place[] {
	const groups = [...groupBy(reports, ({ path }) => path).values()];
	const [largest = [], second = []] = groups.sort((one, other) => other.length - one.length);
	return largest.length > second.length ? largest : [];
}

/** The result of an address in an answer: a report, or what came in the place of one. */
export interface Result {
	/** Undefined if the result names no address. */
	address: string | undefined;
	/** Undefined for a report that lacks something, or that anything contradicts. */
	report?: Report | undefined;
	/** The result as the service sent it. */
	value: unknown;
	/** Why it is no final report, if that is known. */
	flaw?: string | undefined;
	/** The names to teach if it is a final report all the same. */
	proposedNames?: ServiceNames | undefined;
}

/** Reads a result. `around` holds its place and the places around it that are about it, the inner ones first. */
export function readResult(contract: Contract, place: Place, around: Place[]): Result {
	const { value, name, notFinalUnder } = place;
	const address = addressOf(value) ?? (looksLikeAddress(name) ? name : findAddress(value));
	const lack = isReportLike(value) ? findFlaw(value, contract.reportSchema) : undefined;
	if (lack) return { address, value, ...lack };
	const field = findContradiction(place, around);
	if (field) {
		const mayMeanComplete =
			isReportLike(value) && (field.statement === 'unknown' || field.statement === 'number');
		const proposedNames = mayMeanComplete ? { complete: [String(field.value)] } : undefined;
		return { address, value, flaw: `'${field.name}' is ${quoteJson(field.value)}`, proposedNames };
	}
	if (notFinalUnder !== undefined)
		return { address, value, flaw: `it is under ${quoteJson(notFinalUnder)}` };
	return isReportLike(value) ? { address, value, report: value as Report } : { address, value };
}

/** Finds the first field by which a result is no final report. A number as a state counts only in the result itself. */
function findContradiction(place: Place, around: Place[]): Field | undefined {
	for (const holder of around) {
		const field = holder.fields.find(
			(one) => isContradiction(one) || (one.statement === 'number' && holder === place),
		);
		if (field) return field;
	}
	return undefined;
}

const contradictions: Statement[] = [
	'running',
	'failed',
	'unknown',
	'error',
	'notDone',
	'incomplete',
];
/** Whether a field contradicts a report. A verdict on a wallet may be anything, and `rejected: true` is one, too. */
const isContradiction = ({ name, meaning, statement }: Field) =>
	statement !== undefined &&
	contradictions.includes(statement) &&
	!['likeState', 'verdict', 'event'].includes(meaning!) &&
	!(meaning === 'failed' && /rejected/i.test(name));

/** The address or the ID by which a report was asked for. */
export interface Subject {
	address?: string;
	report_id?: string;
}

/**
 * Selects the one report of a subject among the results of an answer.
 * @throws {ScreeningError} `invalid_response`, with the ID of the report, which may be paid for
 */
export function selectReport(
	results: Result[],
	{ address, report_id }: Subject,
	{ body, status }: { body: unknown; status: number },
): Report {
	const own = results.filter(({ address: found = address, value }) => {
		const isOfAddress = address === undefined || addressKey(found!) === addressKey(address);
		const isOfId = report_id === undefined || (value as Fields).report_id === report_id;
		return isOfAddress && isOfId;
	});
	// A result that is no report makes the others doubtful. Without one of its own, the error names a result of another subject.
	const flawed = own.find(({ report }) => !report);
	const first = flawed ?? own[0] ?? results[0];
	const { report_id: id } = (first?.value ?? (isFields(body) ? body : {})) as Fields;
	const details = { ...(isId(id) && { report_id: String(id) }), body: excerptJson(body) };
	const facts = { httpCode: status, details, proposedNames: first?.proposedNames };
	const refuse = (what: string) => invalidResponse(what, facts);
	const name = address ?? first?.address;
	const whose = name === undefined ? '' : ` for ${name}`;

	if (!first) throw refuse(`no report${whose}`);
	if (!first.report) throw refuse(`no final report${whose}: ${first.flaw}`);
	if (own.length === 0)
		throw refuse(address ? `the report of another address${whose}` : 'a report of another ID');
	const contents = new Set(own.map(({ report }) => contentOfReport(report!)));
	if (contents.size > 1) throw refuse(`several reports that differ${whose}`);
	return first.report;
}
