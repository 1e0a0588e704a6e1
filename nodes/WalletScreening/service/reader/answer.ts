import { addressKey } from '../../address/key';
import { grouped } from '../grouped';
import { type Fields, isFields, isFilled, quoted } from '../json';
import { flawOfReport, type Report } from '../report';
import type { ServiceNames } from './names';
import { addressIn, isLikeAddress, lettersOf, ownAddress } from './values';
import type { Vocabulary } from './words';

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
	/** Of a list: whether reports lie in its elements, in no list in them; and whether these are results of the job. */
	hasReports?: boolean;
	hasResults?: boolean;
	/** Whether it is a result, or results, or the ID of the job, lie in it. */
	leads?: boolean;
	/** Of a report that is not known to be a result: why. */
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
		if (node.isReport && list) list.hasReports = true;
		if (node.isReport) return;
		const isList = Array.isArray(value);
		const isAlone = isList && value.length === 1 && ownAddress(value[0]) === undefined;
		const isMap = Object.values(value).filter(ownAddress).length > 1;
		for (const [name, one] of Object.entries(value as Fields)) {
			const isKey = isLikeAddress(name) || (isMap && ownAddress(one) && !past.test(name));
			const isElement = isList || Boolean(isKey);
			if (!isElement && (typeof one !== 'object' || one === null)) continue;
			const isFailing = !isElement && v.isFailing(name, node, Array.isArray(one));
			const inner = {
				value: one,
				path: isElement ? path : `${path}.${lettersOf(name)}`,
				parent: node,
				list: isElement ? node : list,
				key: isElement && !isList ? name : undefined,
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

/** No shape tells an old report from a new one, if the old one is all there is. */
const past = /^(?:previous|prior(?!i)|earlier|past|old)|histor/i;
const lastOf = ({ path }: Node) => path.split('.').at(-1)!;

/** The names that lead to a report. One that is its level or its chain makes no other place. */
function placeOf({ path, value }: Node): string {
	const { chain, risk } = value as Report;
	const groups = [chain, risk.level].map(lettersOf);
	return path
		.split('.')
		.filter((step) => !step || !groups.includes(step))
		.join('.');
}

/**
 * The results are the reports at the place that has most of them, or at those that were taught. Of two places with as many,
 * neither is. A report inside an element of a list that has reports, such as one of a history, belongs to that element.
 */
function markResults(v: Vocabulary, reports: Node[]): void {
	const possible = reports.filter(({ list }) => !list || !isIn(list, 'hasReports'));
	const isPast = ({ path }: Node) => path.split('.').some((step) => past.test(step));
	const places = [
		...grouped(
			possible.filter((one) => !isPast(one)),
			placeOf,
		).values(),
	];
	const most = Math.max(...places.map(({ length }) => length));
	const largest = places.filter(({ length }) => length === most);
	const results = v.hasReports
		? possible.filter(({ path }) => v.hasReports!(path))
		: largest.length === 1
			? largest[0]!
			: [];
	for (const one of results) {
		if (one.list) one.list.hasResults = true;
		for (let at: Node | undefined = one; at && !at.leads; at = at.parent) at.leads = true;
	}
	for (const one of possible.filter(({ leads }) => !leads)) {
		const names = [
			...new Set([...(results.length > 0 ? results : largest.flat()), one].map(lastOf)),
		];
		const add = isPast(one) || names.includes('') ? undefined : { reports: names };
		const flaw = `it stands under ${quoted(lastOf(one))}, which may hold other reports than those of the job`;
		one.apart = { flaw, add, isPending: true };
	}
}

/** Whether a node lies in a list of that kind. */
function isIn({ list }: Node, kind: 'hasReports' | 'hasResults'): boolean {
	for (let at = list; at; at = at.list) if (at[kind]) return true;
	return false;
}

const isOutside = (node: Node) => node.isOuter && !isIn(node, 'hasResults');
/** The objects of an answer outside of results. */
export const outerOf = (nodes: Node[]) =>
	nodes.filter((one) => !one.isReport && isFields(one.value) && isOutside(one));

/** A result of a job: a report, or what came in its place. */
export interface Result {
	/** Undefined if it names none. */
	address: string | undefined;
	report: Report | undefined;
	value: unknown;
	/** Why it is no final report, if that is known, and what to teach the nodes of the service if it is one all the same. */
	flaw?: string;
	add?: ServiceNames | undefined;
	/** Whether it may still become a report. */
	isPending?: boolean;
}
type Flaw = Pick<Result, 'add' | 'isPending'> & { flaw: string };

/** The results of an answer, and by its key each address that it names elsewhere, with what names it. */
export interface Results {
	results: Result[];
	mentions: Map<string, { address: string; value: unknown }>;
}

/** Reads the results of an answer: its reports, and what came in the place of one. */
export function resultsIn(v: Vocabulary, nodes: Node[]): Results {
	const results: Result[] = [];
	const apart: Result[] = [];
	const mentions: Results['mentions'] = new Map();
	for (const node of nodes) {
		const { value, parent, list, failing, isReport, leads } = node;
		if (isReport && leads) results.push(resultOf(v, node));
		if (node.apart && !failing)
			apart.push({ ...node.apart, address: (value as Report).address, report: undefined, value });
		const isElement = list !== undefined && parent === list;
		const isFailure = !isElement && isFields(value) && failing !== parent?.failing;
		if (leads || !(isElement || isFailure) || (list && isIn(list, 'hasResults'))) continue;
		const address = node.key ?? addressIn(value, isElement ? undefined : 1);
		const flaw = (!isReport && flawOfState(v, [node])) || flawOfPlace(failing);
		if ((isElement && (list.hasResults ?? failing)) || (flaw && address !== undefined)) {
			results.push({ address, report: undefined, value, ...flaw });
		} else if (address !== undefined && !mentions.has(addressKey(address))) {
			mentions.set(addressKey(address), { address, value });
		}
	}
	const reported = new Set(results.flatMap(({ report }) => report && addressKey(report.address)));
	const others = apart.filter(({ address }) => !reported.has(addressKey(address ?? '')));
	return { results: [...results, ...others], mentions };
}

/** What is meant as a report, read. What stands around it speaks of it, up to the level of the job; of the only one, all does. */
export function resultOf(v: Vocabulary, node: Node, isOnly = false): Result {
	const report = node.value as Report;
	const levels = [node];
	for (let at = node.parent; at && (isOnly || !isOutside(at)); at = at.parent) levels.push(at);
	const flaw =
		lackOf(v, report) ??
		flawOfState(v, levels, report.risk.level) ??
		flawOfPlace(isOnly ? undefined : node.failing);
	return { address: report.address, report: flaw ? undefined : report, value: report, ...flaw };
}

const flawOfPlace = (failing: string | undefined): Flaw | undefined =>
	failing === undefined ? undefined : { flaw: `it stands under ${quoted(failing)}` };

/** What a report lacks. Categories may have other names. */
function lackOf(v: Vocabulary, report: Report): Flaw | undefined {
	const flaw = flawOfReport(report, v.categories);
	if (!flaw?.includes('categories')) return flaw === undefined ? undefined : { flaw };
	const scores = Object.entries(report.risk.categories ?? {});
	const categories = scores.flatMap(([name, score]) => (Number.isFinite(score) ? name : []));
	return { flaw, add: categories.length > 0 ? { categories } : undefined };
}

/** What objects say against a report in them. Only the word that is its level need not be known. */
function flawOfState(v: Vocabulary, levels: Node[], level: unknown = ''): Flaw | undefined {
	const objects = levels.filter(({ value }) => isFields(value));
	for (const { name, value, kind, by } of objects.flatMap(v.statementsIn)) {
		const isLevel = kind === 'unknown' && lettersOf(value) === lettersOf(level);
		if (['complete', 'success', 'fine'].includes(kind) || isLevel) continue;
		if (by === 'like' || by === 'event' || by === 'time') continue;
		const add = kind === 'unknown' ? { complete: [String(value)] } : undefined;
		return { flaw: `'${name}' is ${quoted(value)}`, add, isPending: kind === 'running' };
	}
	return undefined;
}
