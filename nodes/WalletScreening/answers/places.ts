import { grouped } from '../shared/grouped';
import { type Fields, isFields } from '../shared/json';
import { addressOf, looksLikeAddress } from './addresses';
import { type Contract, normalizeName } from './contract';
import { type Field, readFields } from './fields';
import { isReport } from './report';

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
	/** The name around it under which nothing is a final report, e.g. `failed`. */
	failing?: string | undefined;
	/** Whether it lies under a name of the past, e.g. `history`. */
	isPast: boolean;
	/** The fields of an object, and those of the risk of a report, as `risk.status`. */
	fields: Field[];
}

/** Nothing that matters lies deeper. */
const maxDepth = 24;

/** A place and all that it lies in, the inner ones first. */
export function withParents(place?: Place): Place[] {
	const places: Place[] = [];
	for (let one = place; one; one = one.parent) places.push(one);
	return places;
}

/** Reads all places of an answer, each before what lies in it. The inside of a report is not looked at. */
export function readPlaces(contract: Contract, answer: unknown): Place[] {
	const fields = fieldsIn(contract, answer, '');
	const places: Place[] = [{ value: answer, name: '', path: '', depth: 0, isPast: false, fields }];
	for (const place of places) addPlacesIn(contract, place, places);
	return places;
}

/** Adds the objects and lists in a place, and all elements of a list or of a map by address. */
function addPlacesIn(contract: Contract, parent: Place, places: Place[]): void {
	const { value: outer, depth } = parent;
	if (typeof outer !== 'object' || outer === null || isReport(outer) || depth >= maxDepth) return;
	if (Array.isArray(outer)) {
		const path = `${parent.path}.${isJobInList(parent, outer) ? '+' : '*'}`;
		for (let index = 0; index < outer.length; index++) {
			places.push(innerPlace(contract, parent, String(index), outer[index], path));
		}
		return;
	}
	for (const name in outer) {
		const value = (outer as Fields)[name];
		if (looksLikeAddress(name)) {
			places.push(innerPlace(contract, parent, name, value, `${parent.path}.*`));
		} else if (typeof value === 'object' && value !== null) {
			places.push(fieldPlaceIn(contract, parent, name, value));
		}
	}
}

/** The only element of a list may be the job, unless it names an address. */
function isJobInList({ path }: Place, list: unknown[]): boolean {
	if (list.length !== 1 || path.includes('*')) return false;
	const [only] = list;
	return isFields(only) && addressOf(only) === undefined;
}

/** A place in another one, which is failed or past if that one is. */
function innerPlace(
	contract: Contract,
	parent: Place,
	name: string,
	value: unknown,
	path: string,
): Place {
	const { failing, isPast } = parent;
	const fields = fieldsIn(contract, value, path);
	return { value, name, path, parent, depth: parent.depth + 1, failing, isPast, fields };
}

/** An object or a list in a field, whose name may mean that nothing in it is a final report. */
function fieldPlaceIn(contract: Contract, parent: Place, name: string, value: object): Place {
	const path = `${parent.path}.${normalizeName(name)}`;
	const meaning = contract.meaningOf(name, parent.path);
	const isFailing = meaning === 'failed' || meaning === 'error' || meaning === 'running';
	return {
		...innerPlace(contract, parent, name, value, path),
		failing: parent.failing ?? (isFailing ? name : undefined),
		isPast: parent.isPast || meaning === 'past',
	};
}

/** Reads the fields of a place. A word in a risk that no list has is a verdict on the wallet, and not a state. */
function fieldsIn(contract: Contract, value: unknown, path: string): Field[] {
	const fields = isFields(value) ? readFields(contract, value, path) : [];
	if (!isReport(value)) return fields;
	const ofRisk = readFields(contract, value.risk as Fields, `${path}.risk`)
		.filter(({ statement }) => statement && statement !== 'unknown' && statement !== 'code')
		.map((field) => ({ ...field, name: `risk.${field.name}` }));
	return [...fields, ...ofRisk];
}

/** The reports of an answer that are not of the past. */
export const findReports = (places: Place[]): Place[] =>
	places.filter(({ value, isPast }) => isReport(value) && !isPast);

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
 * Finds the results of an answer: the reports at the place that has most of them, or at those that were taught. If two places have
 * as many, neither counts. The other elements of their lists (without a report: of lists that name addresses) count with them, and
 * so do failures.
 */
export function findResults(places: Place[], taught: readonly string[]): ResultPlaces {
	const all = findReports(places).filter(({ failing }) => failing === undefined);
	const lists = new Set(all.map((report) => elementAround(report)?.path));
	const isInResult = (place?: Place) =>
		withParents(place?.parent).some(({ path }) => lists.has(path));
	// A report in an element that has one of its own, such as that of a counterparty, belongs to the element.
	const own = all.filter((report) => !isInResult(elementAround(report)));
	const isTaught = ({ path }: Place) => taught.some((one) => `${path}.`.includes(`${one}.`));
	const reports = taught.length > 0 ? own.filter(isTaught) : findLargestGroup(own);

	const listed = reports.length > 0 ? reports : places.filter(namesAddress);
	const ownLists = new Set(listed.map((place) => elementAround(place)?.path));
	const holders = new Set(reports.flatMap(withParents));
	const results = places.filter((place) => {
		if (holders.has(place)) return isReport(place.value);
		const isElement = ownLists.has(place.path) && !isReport(place.value);
		return (isElement || isFailure(place)) && !isInResult(place);
	});
	const names = own.length > reports.length ? own.map(lastName) : [];
	const otherNames = [...new Set(names)].slice(0, maxNames);
	return { results, firstReport: reports[0], otherNames };
}

const elementAround = (place: Place) => withParents(place).find(({ path }) => path.endsWith('*'));
const lastName = ({ path }: Place) => path.split('.').findLast((step) => !'*+'.includes(step))!;
const namesAddress = ({ value, name }: Place) =>
	addressOf(value) !== undefined || looksLikeAddress(name);
const isFailure = ({ failing, path, value }: Place) =>
	failing !== undefined && (path.endsWith('*') || addressOf(value) !== undefined);

/** The places with the path that most of them have; none if two paths have as many. */
function findLargestGroup(reports: Place[]): Place[] {
	const groups = [...grouped(reports, ({ path }) => path).values()];
	const [largest = [], second = []] = groups.sort((one, other) => other.length - one.length);
	return largest.length > second.length ? largest : [];
}
