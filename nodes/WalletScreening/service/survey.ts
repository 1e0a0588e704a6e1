import { type Fields, fieldOf, isFields } from './json';
import { mostWraps } from './report';
import { is, isFalse, isId, isKnown, isText } from './spellings';

const deepest = 6;

/** Every address is at least this long and has a digit. Names of fields rarely are and have. */
export const isLikeAddress = (text: string) =>
	/^(?=.*\d)(?:[a-z\d:.]{20,}|[\w:.-]{40,})$/i.test(text);

/** Whether these are the fields of one result, and not of a job. */
export const isResult = (value: unknown): value is Fields =>
	isFields(value) &&
	(isFields(fieldOf(value, 'risk')) ||
		isText(fieldOf(value, 'report_id')) ||
		isText(fieldOf(value, 'address')));

/** Whether there is a risk and whose it is, under a name that may say anything. */
export const isAssessed = (value: unknown): value is Fields =>
	isFields(value) && isFields(fieldOf(value, 'risk')) && isText(fieldOf(value, 'address'));

/** The addresses with a risk in a value, wherever they lie. */
function assessedIn(value: unknown, depth = deepest): unknown[] {
	if (isAssessed(value)) return [value];
	if (depth === 0 || typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap((one) => assessedIn(one, depth - 1));
}

/** The address that an entry names. */
export function addressIn(value: unknown): string | undefined {
	if (!isFields(value)) return isText(value) && isLikeAddress(value) ? value : undefined;
	const named = fieldOf(value, 'address');
	if (isText(named)) return named;
	const other = Object.entries(value).find(
		([name, text]) => is(name, 'address') && isText(text) && isLikeAddress(text),
	);
	return other?.[1] as string | undefined;
}

/** The address that an entry names, itself or in what it wraps. */
export function wrappedAddressIn(value: unknown, wraps = mostWraps): string | undefined {
	const named = addressIn(value);
	if (named !== undefined || wraps === 0 || !isFields(value)) return named;
	for (const [name, inner] of Object.entries(value)) {
		const found = is(name, 'envelope') && isFields(inner) && wrappedAddressIn(inner, wraps - 1);
		if (found) return found;
	}
	return undefined;
}

/** An object of a body that is no result. */
export interface Layer {
	fields: Fields;
	/** The names that lead to it. */
	path: string;
	/** Whether it is the job itself, so that its state and ID are the job's. */
	isJob: boolean;
	/** Whether it wraps one that has a state of its own. */
	isOuter?: boolean;
	/** Whether it has no ID and wraps the job, so that a success may be that of the request. */
	isWrapper?: boolean;
	/** Whether it names addresses without a report. */
	isUnscreened: boolean;
	/** Whether it, or what it lies in, says that there is no more. */
	isLast: boolean;
}

export const layerOf = (fields: Fields, more: Partial<Layer> = {}): Layer => ({
	...{ fields, path: '', isJob: true, isUnscreened: false, isLast: false },
	...more,
});

/** Whether what it says of a state is said of the job: it is the job itself, or describes its siblings. */
export const speaksOfJob = ({ isJob, path }: Layer) => isJob || is(lastOf(path), 'meta');

/** Whether what lies there is a list of results that are grouped under names. */
const isOfList = (path: string) => is(lastOf(path), 'results') && !is(lastOf(path), 'envelope');

export const lastOf = (path: string) => path.split('.').at(-2) ?? '';

/** Results in a body: a list, or an object of which each name may be an address. */
export interface List {
	name: string;
	kind: 'results' | 'unscreened' | 'other';
	/** Whether texts in it are addresses. */
	ofAddresses: boolean;
	values: Array<[key: string | undefined, value: unknown]>;
}

/** Where a list lies: among those that were not screened, or in results that are grouped under names. */
interface Place {
	isUnscreened?: boolean;
	isGroup?: boolean;
}

export interface Survey {
	/** The inner before those that they lie in. */
	layers: Layer[];
	lists: List[];
	/** What may name an address that has no result: lists and names in a request that is repeated or in a warning, and reports beside the results. */
	mentions: unknown[];
}

/** Everything in a body that can tell of its results, wherever it lies. */
export function survey(body: Fields): Survey {
	const layers: Layer[] = [];
	const lists: List[] = [];
	// Lists, because a call takes only so many values.
	const mentions: unknown[][] = [];

	function add(name: string, values: List['values'], { isUnscreened, isGroup }: Place = {}) {
		const isOfResults = is(name, 'results') || (isGroup && !isKnown(name));
		const kind = isUnscreened ? 'unscreened' : isOfResults ? 'results' : 'other';
		if (kind === 'other') {
			mentions.push(values.flatMap(([, value]) => (isAssessed(value) ? [] : assessedIn(value))));
		}
		lists.push({ name, kind, ofAddresses: /address|wallet/i.test(name), values });
	}

	/** Whether there is a state in it. */
	function visit(layer: Layer, depth: number): boolean {
		const { fields, path } = layer;
		const isLast =
			layer.isLast ||
			Object.entries(fields).some(([name, value]) => is(name, 'more') && isFalse(value));
		const isGroup =
			isOfList(path) &&
			!Object.entries(fields).some(([name, value]) => is(name, 'results') && Array.isArray(value));
		let hasState = false;
		let isWrapper = false;
		for (const [name, value] of Object.entries(fields)) {
			if (typeof value !== 'object' || value === null) continue;
			if (is(name, 'mention'))
				mentions.push(
					Object.keys(value),
					[value, ...Object.values(value)].filter(Array.isArray).flat(),
				);
			if (is(name, 'aside')) {
				mentions.push(assessedIn(value));
				continue;
			}
			const isUnscreened = layer.isUnscreened || is(name, 'unscreened');
			const inner = { path: `${path}${name}.`, isUnscreened, isLast };
			const place = { isUnscreened, isGroup };
			if (Array.isArray(value)) {
				const parts = depth === 0 ? [] : partsIn(value);
				const taken = new Set<unknown>(parts);
				const values = value.filter((one) => !taken.has(one));
				add(
					name,
					values.map((one) => [undefined, one]),
					place,
				);
				for (const part of parts) {
					hasState = visit(layerOf(part, inner), depth - 1) || hasState;
				}
				continue;
			}
			if (isResult(value) && (is(name, 'envelope') || is(name, 'results') || isAssessed(value))) {
				add(name, [[undefined, value]], place);
				continue;
			}
			const isOfResults = is(name, 'results') || isUnscreened;
			const [keyed, others] = keyedIn(value as Fields, isOfResults);
			if (keyed.length > 0 || (Object.keys(value).length === 0 && is(name, 'results'))) {
				add(is(name, 'envelope') ? 'results' : name, keyed, place);
			}
			if (depth === 0) continue;
			const isJob = is(name, 'envelope') || holdsJob(others);
			isWrapper ||= isJob;
			hasState = visit(layerOf(others, { ...inner, isJob }), depth - 1) || hasState;
		}
		isWrapper &&= !Object.keys(fields).some((name) => is(name, 'jobId') || is(name, 'id'));
		layers.push({ ...layer, isLast, isWrapper, isOuter: hasState });
		return hasState || (layer.isJob && Object.keys(fields).some((name) => is(name, 'state')));
	}

	if (isFields(fieldOf(body, 'risk'))) {
		add('results', [[undefined, body]]);
		layers.push(layerOf({}));
	} else {
		const [keyed, others] = keyedIn(body, false);
		if (keyed.length > 0) add('results', keyed);
		visit(layerOf(others), deepest);
	}
	return { layers, lists, mentions: mentions.flat() };
}

/** Whether an element of a list is a part of the job that has results of its own, and not one of them. */
const isPart = (value: unknown): value is Fields =>
	isFields(value) &&
	!isResult(value) &&
	Object.entries(value).some(([name, list]) => is(name, 'results') && Array.isArray(list));

/** The parts in a list. Beside one, an object that names no address is one too: it has a state, and perhaps no results. */
function partsIn(list: unknown[]): Fields[] {
	if (!list.some(isPart)) return [];
	return list
		.filter(isFields)
		.filter((one) => isPart(one) || (!isResult(one) && wrappedAddressIn(one) === undefined));
}

/** Whether an object of whatever name is a job: it has the ID of one, or results. */
const holdsJob = (fields: Fields) =>
	Object.entries(fields).some(
		([name, value]) =>
			(is(name, 'jobId') && isId(value)) || (is(name, 'results') && Array.isArray(value)),
	);

/** The results keyed by address, or by any other name, in an object, and its other fields. */
function keyedIn(fields: Fields, isNamed: boolean): [keyed: List['values'], others: Fields] {
	const all = Object.entries(fields);
	const assessed = all.filter(([, value]) => isAssessed(value));
	const isOfResults =
		isNamed || assessed.length > 1 || assessed.some(([name]) => isLikeAddress(name));
	const isKeyed = (name: string, value: unknown) =>
		isLikeAddress(name) && (isOfResults || typeof value === 'object');
	const has = all.some(
		([name, value]) => isKeyed(name, value) || (isOfResults && isKeyedResult(name, value)),
	);
	if (!has) return [[], fields];
	const isField = (name: string, value: unknown) =>
		!isKeyed(name, value) && !(isOfResults && isFields(value) && !isKnown(name));
	return [
		all.filter(([name, value]) => !isField(name, value)),
		Object.fromEntries(all.filter(([name, value]) => isField(name, value))),
	];
}

const isKeyedResult = (name: string, value: unknown) => !isKnown(name) && isResult(value);
