import { addressKey } from './address';
import { invalidResponse } from './errors';
import { contentOf, excerpt, type Fields, fieldOf, isFields, maskedJson } from './json';
import {
	flawOf,
	isUnderway,
	mostWraps,
	partialContent,
	type Report,
	reportIn,
	resultKey,
} from './report';
import {
	countIn,
	is,
	isBadWord,
	isFalse,
	isId,
	isKnown,
	isText,
	isTrue,
	isWord,
	lettersOf,
	longestName,
	says,
	wordsOf,
} from './spellings';

/** One result of a job: the report, or its substitute from the service. `address` is undefined if it names none. */
export interface Entry {
	address: string | undefined;
	report: Report | undefined;
	value: unknown;
	/** The ID of the report, if the entry has only that (section 4.2 gives the report). */
	reportId?: string;
	/** Stands for the results that the service has and did not send. */
	rest?: true;
}

/** Every address is at least this long and has a digit. Names of fields rarely are and have. */
const isLikeAddress = (text: string) =>
	/^(?=.*\d)(?:[a-z\d:.]{20,}|[\w:.-]{40,})$/i.test(text.slice(0, 257));

/** Whether these are the fields of one result, and not of a job. */
const isResult = (value: unknown): value is Fields =>
	isFields(value) &&
	(isFields(fieldOf(value, 'risk')) ||
		isText(fieldOf(value, 'report_id')) ||
		isText(fieldOf(value, 'address')));

/** The address that an entry names. */
function addressIn(value: unknown): string | undefined {
	if (!isFields(value)) return isText(value) && isLikeAddress(value) ? value : undefined;
	const named = fieldOf(value, 'address');
	if (isText(named)) return named;
	const other = Object.entries(value).find(
		([name, text]) => is(name, 'address') && isText(text) && isLikeAddress(text),
	);
	return other?.[1] as string | undefined;
}

/** The address that an entry names, itself or in what it wraps. */
function wrappedAddressIn(value: unknown, wraps = mostWraps): string | undefined {
	const named = addressIn(value);
	if (named !== undefined || wraps === 0 || !isFields(value)) return named;
	for (const [name, inner] of Object.entries(value)) {
		const found = is(name, 'envelope') && isFields(inner) && wrappedAddressIn(inner, wraps - 1);
		if (found) return found;
	}
	return undefined;
}

function reportIdIn(value: unknown, wraps = mostWraps): string | undefined {
	if (!isFields(value) || flawOf(value) !== undefined || isFields(fieldOf(value, 'risk')))
		return undefined;
	for (const [name, part] of Object.entries(value)) {
		if ((is(name, 'reportId') || name === 'report') && isId(part)) return String(part).trim();
		if (wraps === 0 || !is(name, 'envelope')) continue;
		const inner = reportIdIn(part, wraps - 1);
		if (inner !== undefined) return inner;
	}
	return undefined;
}

/**
 * The entry that a value is. `key` is the name under which it came, if any. A report of another address than the entry's is
 * no report for it.
 */
function entryOf(value: unknown, key?: string): Entry {
	const named = addressIn(value);
	const found =
		reportIn(value) ?? (isFields(value) ? reportIn({ address: key, ...value }) : undefined);
	const isKey = key !== undefined && (isLikeAddress(key) || (!found && named === undefined));
	const address =
		isKey && key !== found?.report_id ? key : (named ?? found?.address ?? wrappedAddressIn(value));
	const all = [address, named, found?.address].flatMap((one) =>
		one === undefined ? [] : addressKey(one),
	);
	if (found && all.every((one) => one === all[0])) return { address, report: found, value };
	const reportId = found ? undefined : reportIdIn(value);
	return { address, report: undefined, value, ...(reportId !== undefined && { reportId }) };
}

/** The entry or, where it holds a list of its own, the entries of that. */
function entriesOf(value: unknown, key?: string, depth = 2): Entry[] {
	if (depth > 0 && Array.isArray(value) && value.some(isFields)) {
		return value.flatMap((one) => entriesOf(one, key, depth - 1));
	}
	const entry = entryOf(value, key);
	if (depth === 0 || entry.report || !isFields(value) || flawOf(value) !== undefined)
		return [entry];
	const inner = Object.entries(value).flatMap(([name, list]) =>
		is(name, 'results') && Array.isArray(list) && list.some(isResult) ? (list as unknown[]) : [],
	);
	if (inner.length === 0 || Object.keys(signsIn([layerOf(value)], [entry])).length > 0)
		return [entry];
	return inner.flatMap((one) => entriesOf(one, entry.address, depth - 1));
}

/** What came in place of a report, for an address or in a list that has none. */
const unscreenedEntry = (value: unknown, key?: string): Entry => ({
	address: key ?? addressIn(value) ?? (isText(value) ? value : undefined),
	report: undefined,
	value,
});

/** An object of a body that is no result. */
interface Layer {
	fields: Fields;
	/** The names that lead to it. */
	path: string;
	/** Whether it is the job itself, so that its state and ID are the job's. */
	isJob: boolean;
	/** Whether it wraps one that has a state of its own. */
	isOuter: boolean;
	/** Whether it has no ID and wraps the job, so that a success may be that of the request. */
	isWrapper: boolean;
	/** Whether it names addresses without a report. */
	isUnscreened: boolean;
	/** Whether it, or what it lies in, says that there is no more. */
	isLast: boolean;
}

const layerOf = (fields: Fields, more: Partial<Layer> = {}): Layer => ({
	...{
		fields,
		path: '',
		isJob: true,
		isWrapper: false,
		isOuter: false,
		isUnscreened: false,
		isLast: false,
	},
	...more,
});

/** Results in a body: a list, or an object of which each name may be an address. */
interface List {
	name: string;
	kind: 'results' | 'unscreened' | 'other';
	/** Whether texts in it are addresses. */
	ofAddresses: boolean;
	values: Array<[key: string | undefined, value: unknown]>;
}

interface Survey {
	/** The inner before those that they lie in. */
	layers: Layer[];
	lists: List[];
	/** What a request that is repeated, or a warning, holds in lists: it may name an address that has no result. */
	mentions: unknown[];
}

const deepest = 6;

/** Everything in a body that can tell of its results, wherever it lies. */
function survey(body: Fields): Survey {
	const layers: Layer[] = [];
	const lists: List[] = [];
	const mentions: unknown[] = [];

	function add(name: string, isUnscreened: boolean, values: List['values']) {
		const kind = isUnscreened ? 'unscreened' : is(name, 'results') ? 'results' : 'other';
		lists.push({ name, kind, ofAddresses: /address|wallet/i.test(name), values });
	}

	/** Whether there is a state in it. */
	function visit(layer: Layer, depth: number): boolean {
		const { fields, path } = layer;
		const isLast =
			layer.isLast ||
			Object.entries(fields).some(([name, value]) => is(name, 'more') && isFalse(value));
		let hasState = false;
		let isWrapper = false;
		for (const [name, value] of Object.entries(fields)) {
			if (typeof value !== 'object' || value === null) continue;
			if (is(name, 'mention'))
				mentions.push(...[value, ...Object.values(value)].filter(Array.isArray).flat());
			if (is(name, 'aside')) continue;
			const isUnscreened = layer.isUnscreened || is(name, 'unscreened');
			const inner = { path: `${path}${name}.`, isUnscreened, isLast };
			if (Array.isArray(value)) {
				const parts = depth === 0 ? [] : partsIn(value);
				const taken = new Set<unknown>(parts);
				const values = value.filter((one) => !taken.has(one));
				add(
					name,
					isUnscreened,
					values.map((one) => [undefined, one]),
				);
				for (const part of parts) {
					hasState = visit(layerOf(part, inner), depth - 1) || hasState;
				}
				continue;
			}
			if (isResult(value) && (is(name, 'envelope') || is(name, 'results'))) {
				add(name, isUnscreened, [[undefined, value]]);
				continue;
			}
			const isOfResults = is(name, 'results') || isUnscreened;
			const [keyed, others] = keyedIn(value as Fields, isOfResults);
			if (keyed.length > 0 || (Object.keys(value).length === 0 && is(name, 'results'))) {
				add(is(name, 'envelope') ? 'results' : name, isUnscreened, keyed);
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

	if (isResult(body) && isFields(fieldOf(body, 'risk'))) {
		lists.push({ name: '', kind: 'results', ofAddresses: false, values: [[undefined, body]] });
		layers.push(layerOf({}));
	} else {
		const [keyed, others] = keyedIn(body, false);
		if (keyed.length > 0) add('results', false, keyed);
		visit(layerOf(others), deepest);
	}
	return { layers, lists, mentions };
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

/** The results keyed by address in an object, and its other fields. */
function keyedIn(fields: Fields, isOfResults: boolean): [keyed: List['values'], others: Fields] {
	const all = Object.entries(fields);
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

/**
 * The entries of all lists. No list is left out, for an address may be in any of them; what two lists say is taken once. A
 * list that nobody knows proves nothing beside one that is known, but it may name an address that is missing there, or
 * contradict a report.
 */
function entriesFrom({ lists, mentions }: Survey): Entry[] | undefined {
	const ofKind = (kind: List['kind']) =>
		lists.filter((list) => list.kind === kind && !isOfTexts(list));
	const texts = lists.filter(isOfTexts);
	const others = ofKind('other').map(read);
	const trusted = [
		ofKind('results').map(read),
		others.filter((list) => list.some(({ report: one, reportId }) => one ?? reportId)),
		texts.filter(({ kind, ofAddresses }) => kind === 'results' && !ofAddresses).map(read),
	].find(({ length }) => length > 0);
	const unscreened = lists
		.filter(({ kind }) => kind === 'unscreened')
		.map(({ values }) => values.map(([key, value]) => unscreenedEntry(value, key)))
		.filter(({ length }) => length > 0);
	if (!trusted && unscreened.length === 0) return undefined;

	const known = once([...(trusted ?? []), ...unscreened]);
	const named = mentions
		.filter((one) => addressIn(one) !== undefined)
		.map((one) => unscreenedEntry(one));
	const covered = new Set(known.map(({ address }) => address && addressKey(address)));
	const isCovered = ({ address }: Entry) => covered.has(address && addressKey(address));
	const mentioned = [
		...others.filter((list) => !trusted?.includes(list)).flat(),
		...(known.length > 0 ? [...texts.map(read).flat(), ...named] : []),
	].flatMap((entry) => {
		if (isCovered(entry)) return entry.report ? entry : [];
		return entry.address === undefined ? [] : withoutReport(entry);
	});
	return once([known, mentioned]);
}

const isOfTexts = ({ values }: List) =>
	values.length > 0 && values.every(([, value]) => isText(value));

const read = ({ values }: List) => values.flatMap(([key, value]) => entriesOf(value, key));

const withoutReport = ({ address, value }: Entry): Entry => ({ address, report: undefined, value });

/** The lists one after the other, without what an earlier list says too. */
function once(lists: Entry[][]): Entry[] {
	const filled = lists.filter(({ length }) => length > 0);
	if (filled.length < 2) return filled[0] ?? [];
	const said = new Set<unknown>();
	return filled.flatMap((list) => {
		const contents = list.map(({ report: one, value }) =>
			one ? resultKey(one) : contentOf(value),
		);
		const fresh = list.filter((_, at) => !said.has(contents[at]));
		for (const content of contents) said.add(content);
		return fresh;
	});
}

export interface Job {
	job_id: string;
	state: 'running' | 'complete' | 'failed';
	/**
	 * Whether the body says its state. Without it a job is `running` and may have reports all the same; `complete` where the
	 * request is said to be a success and every result is a report.
	 */
	isStated: boolean;
	/** Undefined if the body has no results, or says that the job still runs: nothing in it is final then. */
	entries: Entry[] | undefined;
	/** How many addresses the job has; undefined if the body does not say. */
	addressCount: number | undefined;
	/** The body as the service sent it. */
	body: Fields;
}

type State = Pick<Job, 'state' | 'isStated'>;

const byWeight = ['running', 'failed', 'complete'] as const;

/**
 * How far a job is; of what a body says, anything unfinished wins. A state around another one may be that of the request,
 * so it counts only where it is known to be unfinished or failed.
 */
function stateOf(layers: Layer[], hasResults: boolean): State {
	for (const saidBy of [statesOf, hintsOf]) {
		const said = layers.flatMap((layer) => saidBy(layer, hasResults));
		const state = byWeight.find((one) => said.includes(one));
		if (state) return { state, isStated: true };
	}
	return { state: 'running', isStated: false };
}

/** What the states and the switches of a layer say of the job. */
function statesOf(layer: Layer, hasResults: boolean): Array<Job['state']> {
	const { fields, isJob, isUnscreened, path } = layer;
	if (isUnscreened || !(isJob || isMeta(path))) return [];
	return Object.entries(fields).flatMap(([name, value]): Array<Job['state']> => {
		if (is(name, 'state')) {
			return wordsOf(value).flatMap((word) => stateIn(word, layer, hasResults) ?? []);
		}
		if (is(name, 'failing') && isTrue(value)) return ['failed'];
		if (is(name, 'running') && isTrue(value)) return ['running'];
		if (is(name, 'good') && isFalse(value)) return ['running'];
		return is(name, 'done') && isTrue(value) ? ['complete'] : [];
	});
}

const isMeta = (path: string) => is(path.split('.').at(-2) ?? '', 'meta');

function stateIn(word: string, layer: Layer, hasResults: boolean): Job['state'] | undefined {
	if (isWord(word, 'failed')) return 'failed';
	if (isWord(word, 'unfinished')) return 'running';
	if (!layer.isJob || layer.isOuter) return undefined;
	if (isSuccess(word) && !layer.isWrapper) return hasResults ? 'complete' : 'running';
	if (isWord(word, 'fine')) return undefined;
	return isWord(word, 'complete') || isWord(word, 'withErrors') ? 'complete' : 'running';
}

/** The word for a request that went well, and for a job that is complete. */
const isSuccess = (word: string) => /^\s*success\s*$/i.test(word);

/** Whether a success that may be that of the request lies around the job. */
const saysRequestWentWell = (layers: Layer[]) =>
	layers.some(
		({ fields, isWrapper }) =>
			isWrapper &&
			Object.entries(fields).some(
				([name, value]) => is(name, 'state') && wordsOf(value).some(isSuccess),
			),
	);

/** Whether an event, such as `bulk.partially_completed`, says that a job is complete without all reports. */
const isEventWithErrors = (event: unknown) =>
	isText(event) &&
	[event, ...event.slice(0, longestName).split(/[.:/]/)].some((part) => isWord(part, 'withErrors'));

/** What else may say how far a job is, where nothing says it outright. */
function hintsOf({ fields, isJob, isUnscreened }: Layer): Array<Job['state']> {
	if (isUnscreened) return [];
	return Object.entries(fields).flatMap(([name, value]): Array<Job['state']> => {
		if (is(name, 'event') && isText(value)) {
			if (isEventWithErrors(value)) return ['complete'];
			const parts = value
				.slice(0, longestName)
				.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
				.split(/[^\p{L}]+/u);
			return parts.flatMap((part) => {
				if (isWord(part, 'unfinished')) return 'running';
				if (isWord(part, 'failed')) return 'failed';
				return isWord(part, 'complete') ? 'complete' : [];
			});
		}
		if (is(name, 'anyState') && isText(value)) return isBadWord(value) ? ['running'] : [];
		const unfinished =
			(is(name, 'doneAt') && value === null) || (is(name, 'progress') && isUnderway(value));
		return isJob && unfinished ? ['running'] : [];
	});
}

/** What a body says of results that are not among the entries, and where. */
function signsIn(layers: Layer[], entries: Entry[]): Fields {
	const present = entries.length;
	const lacking = entries.filter(({ report: one }) => !one).length;
	const levels = entries.map(({ report: one }) => one && lettersOf(one.risk.level));
	const signs: Fields = {};
	for (const { fields, path, isLast, isUnscreened } of layers) {
		let ofKinds = 0;
		for (const [name, value] of Object.entries(fields)) {
			const count = countIn(isFields(value) ? fieldOf(value, 'value') : value) ?? 0;
			const isOfNone = is(name, 'unscreened') || (isUnscreened && is(name, 'total'));
			const isOfLevel = is(name, 'level');
			if (isOfNone || isOfLevel || is(name, 'kind')) ofKinds += count;
			if (
				(is(name, 'next') && says(value)) ||
				(is(name, 'cursor') && says(value) && !isLast && !isFields(value)) ||
				(is(name, 'more') && (isTrue(value) || count > 0 || (isFields(value) && says(value)))) ||
				((is(name, 'range') || is(name, 'progress')) && lastNumberIn(value) > present) ||
				(/pages\.$/i.test(path) && /^(?:total|count|last)$/i.test(name) && count > 1) ||
				(is(name, 'last') && isFalse(value)) ||
				((is(name, 'pages') || is(name, 'page')) && lastPageIn(value) > 1) ||
				(is(name, 'links') && linksOn(value)) ||
				(isOfNone && count > lacking) ||
				(isOfLevel && count > levels.filter((one) => one === levelIn(name)).length) ||
				(is(name, 'flagged') && count > levels.filter((one) => one !== 'green').length) ||
				((is(name, 'total') || is(name, 'totalIn')) && !isOfNone && count > present) ||
				(lacking === 0 &&
					is(name, 'error') &&
					!isUnscreened &&
					!Array.isArray(value) &&
					says(value)) ||
				(lacking === 0 &&
					is(name, 'state') &&
					wordsOf(value).some((word) => isWord(word, 'withErrors'))) ||
				(lacking === 0 && is(name, 'event') && isEventWithErrors(value))
			)
				signs[`${path}${name}`] = value;
		}
		if (ofKinds > present) signs[`${path}*`] = ofKinds;
	}
	return signs;
}

/** The level whose reports are counted under a name such as `red` or `red_count`. */
const levelIn = (name: string) => lettersOf(name).replace(/(?:count|cnt|total)$/, '');

/** Lists that call themselves a part of the results, if no list calls itself the results. */
function excerptsIn(lists: List[]): Fields {
	if (lists.some(({ kind, values }) => kind === 'results' && values.length > 0)) return {};
	const excerpts = lists.filter(({ name, values }) => is(name, 'excerpt') && values.length > 0);
	return Object.fromEntries(excerpts.map(({ name, values }) => [name, values.length]));
}

/** The greatest of the pages that a value names, such as `3` or `1 of 3`. */
function lastPageIn(value: unknown): number {
	const pages = isText(value)
		? /^\D{0,10}\d{1,9}\s*(?:of|\/)\s*(\d{1,9})/i.exec(value)?.[1]
		: undefined;
	return countIn(pages ?? value) ?? 0;
}

const lastNumberIn = (range: unknown) =>
	isText(range) ? Number(/\b(?:of|\/)\s*(\d{1,15})\s*$/i.exec(range)?.[1] ?? 0) : 0;

const linksOn = (links: unknown) =>
	Array.isArray(links)
		? links.some((link) => isFields(link) && /^next$/i.test(String(fieldOf(link, 'rel'))))
		: isText(links) && /\brel\s*=\s*["']?[\w\s]*\bnext\b/i.test(links);

interface Answer extends State {
	job_id: string | undefined;
	entries: Entry[] | undefined;
	addressCount: number | undefined;
	layers: Layer[];
}

const isRunning = ({ state, isStated }: State) => isStated && state === 'running';

/** What stands in the places of results while a job runs: none of it is final. */
function placesIn(lists: List[]): Entry[] | undefined {
	const places = lists.filter(({ kind }) => kind !== 'other');
	if (places.length === 0) return undefined;
	return places.flatMap(({ values }) => values.map(([key, value]) => unscreenedEntry(value, key)));
}

/** What a body says of a job. `paging` is what the headers of the answer say of more results. */
function answerIn(body: Fields, paging: Fields = {}): Answer {
	const seen = survey(body);
	const { layers, lists } = seen;
	const state = stateOf(
		layers,
		lists.some(({ kind }) => kind !== 'unscreened'),
	);
	const entries = isRunning(state) ? placesIn(lists) : entriesFrom(seen);
	const aside = layerOf(paging, { path: 'headers.', isJob: false });
	const signs =
		entries?.length && !isRunning(state)
			? { ...signsIn([...layers, aside], entries), ...excerptsIn(lists) }
			: {};
	const isWhole = Object.keys(signs).length === 0;
	const rest: Entry = {
		address: undefined,
		report: undefined,
		value: { results: entries?.length, ...signs },
		rest: true,
	};
	const totals = layers.flatMap(({ fields, isUnscreened }) =>
		isUnscreened
			? []
			: Object.entries(fields).flatMap(([name, value]) =>
					is(name, 'total') ? (countIn(value) ?? []) : [],
				),
	);
	const isAll = isWhole && Boolean(entries?.length) && !entries?.some(({ report: one }) => !one);
	if (!state.isStated && isAll && saysRequestWentWell(layers)) state.state = 'complete';
	const counted = state.state === 'complete' && isWhole && entries;
	return {
		...state,
		job_id: jobIdFrom(layers),
		entries: entries && !isWhole ? [...entries, rest] : entries,
		addressCount: counted ? distinct(counted) : totals.length > 0 ? Math.max(...totals) : undefined,
		layers,
	};
}

const distinct = (entries: Entry[]) =>
	new Set(entries.map(({ address }, at) => (address === undefined ? at : addressKey(address))))
		.size;

function idUnder(layers: Layer[], isCalled: (name: string) => boolean): string | undefined {
	for (const { fields, isJob } of layers) {
		const id = Object.entries(fields).find(
			([name, value]) => isJob && isCalled(name) && isId(value),
		);
		if (id) return String(id[1]).trim();
	}
	return undefined;
}

/** The ID that can be that of no other thing than the job. */
const ownJobId = (layers: Layer[]) =>
	idUnder(layers, (name) => name === 'job_id') ?? idUnder(layers, (name) => is(name, 'jobId'));

const jobIdFrom = (layers: Layer[]) =>
	ownJobId(layers) ??
	idUnder(layers, (name) => is(name, 'jobText')) ??
	idUnder(layers, (name) => is(name, 'id'));

/** The ID of a job in the body of a refusal, wherever it lies; not a bare `id`, which may be that of the error. */
export function refusedJobIdIn(body: unknown): string | undefined {
	if (!isFields(body)) return undefined;
	const layers = survey(body).layers.map((layer) => ({ ...layer, isJob: true }));
	return ownJobId(layers) ?? idUnder(layers, (name) => is(name, 'jobText'));
}

/** A job's ID in a body; undefined if the body names no job. */
export function jobIdIn(body: unknown): string | undefined {
	return isFields(body) ? jobIdFrom(survey(body).layers) : undefined;
}

/** The results in a body, if there are any. */
export function entriesIn(body: unknown): Entry[] | undefined {
	return entriesFrom(survey(fieldsOf(body)));
}

type Headers = Record<string, string | string[] | undefined>;

const pagingHeader =
	/^(?:x-)?(?:wp-|pagination-)?(link|content-range|pagination|total(?:-?(?:count|results|items|records|pages))?|pages?-(?:count|total)|next(?:-(?:page|cursor|token|link|url|offset))?|has-(?:more|next)(?:-page)?|(?:ms-)?continuation(?:-token)?)$/;

/**
 * What the headers and the status of an answer say of more results: `Link` (RFC 8288), `X-Total-Count`, 206 and the like.
 * Headers may hold secrets, so the text of a link or a cursor goes no further.
 */
function pagingIn(headers: Headers, httpCode: number): Fields {
	const said = Object.entries(headers).flatMap(([header, value]): Array<[string, unknown]> => {
		const name = pagingHeader.exec(header.toLowerCase())?.[1];
		const text = Array.isArray(value) ? value.join(', ') : value;
		if (name === undefined) return [];
		if (name === 'link') return linksOn(text) ? [[name, 'rel="next"']] : [];
		if (name === 'pagination') return pagingInJson(text);
		if (name.startsWith('next')) return says(text) ? [[name, true]] : [];
		if (name.includes('continuation')) return says(text) ? [['next', true]] : [];
		return [[name, greatestIn(text)]];
	});
	return { ...Object.fromEntries(said), ...(httpCode === partialContent && { partial: true }) };
}

/** The same of a header that holds an object as JSON, such as `{"TotalPages":2}`. */
function pagingInJson(text: string | undefined): Array<[string, unknown]> {
	let object: unknown;
	try {
		object = JSON.parse(text ?? '');
	} catch {
		return [];
	}
	return Object.entries(isFields(object) ? object : {}).flatMap(([name, value]) => {
		if (typeof value === 'object') return [];
		return [[name, isText(value) && countIn(value) === undefined ? says(value) : value]];
	});
}

/** The greatest of the numbers that a repeated header was joined of; any other text as it is. */
function greatestIn(text: string | undefined): unknown {
	const numbers = (text ?? '').split(',').map(countIn);
	return numbers.includes(undefined) ? text : Math.max(...(numbers as number[]));
}

/** A body that is a list is one of results. */
const fieldsOf = (body: unknown): Fields =>
	Array.isArray(body) ? { results: body } : isFields(body) ? body : {};

/**
 * A job's handle or status (sections 4.3, 4.4). `job_id` is the ID that was asked for, where one was. Throws
 * `invalid_response` for a body without an ID, of another job, or that is not an object.
 */
export function parseJob(
	body: unknown,
	httpCode: number,
	askedId?: string,
	headers: Headers = {},
): Job {
	const fields = askedId === undefined || !Array.isArray(body) ? body : fieldsOf(body);
	const answer = isFields(fields) ? answerIn(fields, pagingIn(headers, httpCode)) : undefined;
	const job_id = askedId ?? answer?.job_id;
	if (!isFields(fields) || !answer || job_id === undefined) {
		throw invalidResponse('a body that is not a bulk job', httpCode, { body: excerpt(body) });
	}
	const { layers, state, isStated, addressCount } = answer;
	const named = ownJobId(layers);
	if (named !== undefined && named.toLowerCase() !== job_id.toLowerCase()) {
		throw invalidResponse('a bulk job of another ID', httpCode, { body: excerpt(body) });
	}
	return {
		job_id,
		state,
		isStated,
		entries: isRunning(answer) ? undefined : answer.entries,
		addressCount,
		body: fields,
	};
}

/** What a webhook body tells (section 6): results, or the job to get them from, or both. */
export interface Completion {
	job_id: string | undefined;
	state: Job['state'];
	entries: Entry[] | undefined;
	body: unknown;
}

/**
 * The completion in a webhook body; undefined if it is not JSON or has neither results nor a job ID. The
 * event is sent when a job completes (section 6), so results without a state are those of a complete job; a job that is
 * said to run has none. No text of it holds one of the secrets.
 */
export function parseCompletion(bytes: Buffer, secrets: string[] = []): Completion | undefined {
	let body: unknown;
	try {
		body = maskedJson(bytes, secrets);
	} catch {
		return undefined;
	}
	const answer = answerIn(fieldsOf(body));
	const { job_id, isStated } = answer;
	const entries = isRunning(answer) && job_id !== undefined ? undefined : answer.entries;
	if (job_id === undefined && entries === undefined) return undefined;
	const state = !isStated && entries?.length ? 'complete' : answer.state;
	return { job_id, state, entries, body };
}
