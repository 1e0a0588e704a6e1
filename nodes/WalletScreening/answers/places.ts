import { grouped } from '../service/grouped';
import { type Fields, isFields, isFilled, quoted } from '../service/json';
import { lackOf, type Report } from './report';
import { past, type ServiceNames } from './contract';
import { addressIn, isLikeAddress, lettersOf, ownAddress, unpacked } from './values';
import type { Vocabulary } from './fields';

/** An object or a list of an answer, or an element of a list. An object that names addresses is a list of what has them. */
export interface Node {
	value: unknown;
	/** The letters of the names that lead to it, each after a dot. Elements of a list have none. */
	path: string;
	parent: Node | undefined;
	/** The list that it lies in, and its name there, if that is an address. */
	list?: Node | undefined;
	key?: string | undefined;
	/** Whether it lies in no list, except one that holds only the job. */
	isOuter: boolean;
	/** The name that says that nothing in it is a final report. */
	failing?: string | undefined;
	/** It is meant as a report: it has an object `risk`, and an address or an ID. Its inside is not looked at. */
	isReport?: boolean;
	/** Whether it is an outer object, and one of its names is that of an ID. */
	hasId?: boolean;
	/** Whether it is a list with results of the job. */
	hasResults?: boolean;
	/** Whether it is a result, or results, or the ID of the job, lie in it. */
	leads?: boolean;
	/** Why a report is not known to be a result. */
	apart?: Flaw;
}

/** Nothing that matters lies deeper. */
const deepest = 24;

/** All objects, lists and elements of an answer, each before what lies in it. */
export function walk(v: Vocabulary, body: unknown): Node[] {
	const nodes: Node[] = [];
	function visit(node: Node, depth: number): void {
		nodes.push(node);
		const { value, list, path } = node;
		if (typeof value !== 'object' || value === null || depth > deepest) return;
		const { risk, address, report_id } = value as Fields;
		node.isReport = isFields(risk) && (isFilled(address) || isFilled(report_id));
		if (node.isReport) return;
		const isList = Array.isArray(value);
		node.hasId = node.isOuter && Object.keys(value).some((name) => v.idRank(name, node) >= 0);
		// It may be the job, unless it is an error.
		const isAlone =
			isList &&
			value.length === 1 &&
			!node.failing &&
			!node.parent?.hasId &&
			!addressIn(value[0], 1);
		const isMap = new Set(Object.values(value).flatMap((one) => ownAddress(one) ?? [])).size > 1;
		for (const [name, given] of Object.entries(value as Fields)) {
			const one = unpacked(given);
			const isOfMap = isMap && ownAddress(one) !== undefined && !past.test(name);
			const isElement = isList || isOfMap || isLikeAddress(name);
			if (!isElement && (typeof one !== 'object' || one === null)) continue;
			const isFailing = !isElement && v.isFailing(name, node, Array.isArray(one));
			const inner = {
				value: one,
				path: isElement ? path : `${path}.${v.meaningOf(name).letters}`,
				parent: node,
				list: isElement ? node : list,
				key: !isList && isLikeAddress(name) ? name : undefined,
				isOuter: node.isOuter && (!isElement || isAlone),
				failing: node.failing ?? (isFailing ? name : undefined),
			};
			visit(inner, depth + 1);
		}
	}
	visit({ value: body, path: '', parent: undefined, isOuter: true }, 0);
	markResults(
		v,
		nodes.filter(({ isReport }) => isReport),
	);
	return nodes;
}

/** The lists that a node lies in. */
const listsAround = ({ list }: Node): Node[] => (list ? [list, ...listsAround(list)] : []);
const isInResults = (node: Node) => listsAround(node).some(({ hasResults }) => hasResults);
const isOutside = (node: Node) => node.isOuter && !isInResults(node);
/** The objects of an answer outside of results. */
export const outerOf = (nodes: Node[]) =>
	nodes.filter((one) => !one.isReport && isFields(one.value) && isOutside(one));

export const isPast = ({ path }: Node) => past.test(path);
const lastName = ({ path }: Node) => path.split('.').at(-1)!;
/** No error proposes more names. */
const mostNames = 10;

/** The names that lead to a report. One that is its level or its chain makes no other place. */
function groupOf({ path, value }: Node): string {
	const { chain, risk } = value as Report;
	const groups = [chain, risk.level].map(lettersOf);
	const steps = path.split('.').filter((step) => step && !groups.includes(step));
	return steps.join('.');
}

/**
 * The results are the reports at the place that has most of them, or at those that were taught. Of two places with as many,
 * neither is. A report inside an element of a list that has reports, such as one of a history, belongs to that element.
 */
function markResults(v: Vocabulary, reports: Node[]): void {
	const lists = new Set(reports.map(({ list }) => list));
	const own = reports.filter(
		({ list }) => !list || !listsAround(list).some((one) => lists.has(one)),
	);
	const current = own.filter((one) => !isPast(one));
	const places = [...grouped(current, groupOf).values()].sort((a, b) => b.length - a.length);
	const [largest = [], next = []] = places;
	const most = largest.length > next.length ? largest : [];
	const results = v.hasResults ? own.filter(v.hasResults) : most;
	for (const one of results) {
		if (one.list) one.list.hasResults = true;
		for (let at: Node | undefined = one; at && !at.leads; at = at.parent) at.leads = true;
	}
	const names = new Set((results.length > 0 ? results : current).map(lastName));
	const proposed = [...names].slice(0, mostNames);
	for (const one of own.filter(({ leads }) => !leads)) {
		const name = lastName(one);
		const flaw = `it stands under ${quoted(name)}, which may hold other reports than those of the job`;
		const isNone = isPast(one) || name === '' || names.has('');
		const add = isNone ? undefined : { reports: [...new Set([...proposed, name])] };
		one.apart = { flaw, add, isPending: true };
	}
}

/** What an answer holds of an address: a report, or what came in the place of one. */
export interface Result {
	/** By what it is known. `place`: among the results. `shape`: a report elsewhere. `mention`: an object that names the address. */
	by: 'place' | 'shape' | 'mention';
	/** Undefined if it names none. */
	address: string | undefined;
	report?: Report | undefined;
	value: unknown;
	/** Why it is no final report, if that is known, and what to teach the nodes of the service if it is one all the same. */
	flaw?: string;
	add?: ServiceNames | undefined;
	/** Whether it may still become a report. */
	isPending?: boolean;
}
type Flaw = Pick<Result, 'add' | 'isPending'> & { flaw: string };

/** Reads what an answer holds of addresses. */
export const resultsIn = (v: Vocabulary, nodes: Node[]): Result[] =>
	nodes.flatMap((node): Result | [] => {
		const { value, parent, list, key, failing, isReport, leads, apart } = node;
		if (isReport && leads) return resultOf(v, node);
		const isElement = list !== undefined && parent === list;
		const isFailure = !isElement && isFields(value) && failing !== parent?.failing;
		const isNested = list && isInResults(list);
		if (apart && !failing)
			return { by: 'shape', address: (value as Report).address, value, ...apart };
		if (leads || !(isElement || isFailure) || isNested) return [];
		const address = key ?? addressIn(value, isElement ? undefined : 1);
		const flaw = (!isReport && flawOfState(v, [node])) || flawOfPlace(failing);
		const isResult = (isElement && (list.hasResults ?? failing)) || (flaw && address !== undefined);
		if (isResult) return { by: 'place', address, value, ...flaw };
		return address === undefined ? [] : { by: 'mention', address, value };
	});

/** What is meant as a report, read. What stands around it speaks of it, up to the level of the job; of the only one, all does. */
export function resultOf(v: Vocabulary, node: Node, isOnly = false): Result {
	const report = node.value as Report;
	const levels = [node];
	for (let at = node.parent; at && (isOnly || !isOutside(at)); at = at.parent) levels.push(at);
	const flaw =
		lackOf(report, v.categories) ??
		flawOfState(v, levels, true) ??
		flawOfPlace(isOnly ? undefined : node.failing);
	const { address } = report;
	return { by: 'place', address, report: flaw ? undefined : report, value: report, ...flaw };
}

const flawOfPlace = (failing: string | undefined): Flaw | undefined =>
	failing === undefined ? undefined : { flaw: `it stands under ${quoted(failing)}` };

/** What objects say against what is in them, and may be a report. */
function flawOfState(v: Vocabulary, levels: Node[], isReport = false): Flaw | undefined {
	const objects = levels.filter(({ value }) => isFields(value));
	for (const { name, value, kind, by } of objects.flatMap(v.statementsIn)) {
		if (['complete', 'success', 'fine'].includes(kind)) continue;
		if (['like', 'event', 'verdict', 'time'].includes(by)) continue;
		const add = isReport && kind === 'unknown' ? { complete: [String(value)] } : undefined;
		return { flaw: `'${name}' is ${quoted(value)}`, add, isPending: kind === 'running' };
	}
	return undefined;
}
