import { z } from 'zod';
import { addressKey } from './address';
import { invalidResponse } from './errors';
import { contentOf, excerpt, type Fields, isFields, maskedJson } from './json';

/**
 * Section 2.1. What a decision rests on has to be there; the rest passes as it came, unknown fields included. Whether the
 * balance or a category is well formed is for its user to judge: a report is not thrown away for it.
 */
const report = z
	.object({
		report_id: z.string().min(1),
		address: z.string().min(1),
		risk: z.object({ level: z.string().min(1), score: z.number().finite() }).passthrough(),
	})
	.passthrough();

export type Report = z.infer<typeof report>;

const noun =
	'(?:results?|reports?|items?|address(?:es)?|entry|entries|records?|elements?|hits|rows|screenings?|wallets?|documents)';
const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`);

/**
 * How a service of this kind may spell what the specification does not show (sections 2.4, 3, 4.3, 4.4, 6). Of a name
 * only the letters and digits count: `next_page`, `nextPage` and `Next-Page` are one.
 */
const names = {
	/** Objects that wrap a job, its results or a report. */
	envelope: whole(
		`data|(?:bulk|batch)?job|bulk|batch|task|operation|result|report|payload|object|response|body|resource|attributes|embedded|node|source|item|entry|value|content|output|screening|envelope`,
	),
	/** Objects that describe their siblings. */
	meta: whole('meta|metadata|info|header|summary|progress'),
	jobId: whole('jobid'),
	/** The same, or the ID of something that belongs to it. */
	jobText: whole('(?:bulk|batch)?job(?:id|handle)?|bulkid|batchid|handle'),
	/** May be the ID of something else if the body has one of the others. */
	id: whole('id'),
	address: whole('(?:wallet|input|requested)?address|wallet'),
	reportId: whole('reportid'),
	/** What says how far a job or a report is. */
	state: whole(
		'(?:(?:bulk|batch)?job|bulk|batch|task|screening|report|result|scan|analysis|item|entry|processing|check|overall|current)?(?:status|state)|phase',
	),
	/** The same, if it may describe something else. */
	anyState: whole(
		'.*(?:status|state|completeness|quality)(?:text|label|name|description)?|phase|stage|level|type|kind|outcome|result',
	),
	/** The part of a state that is an object. */
	stateName: whole('code|name|value|status|state|key|type|phase'),
	event: whole('event|eventtype|eventname|topic|action|type'),
	/** True or false: what is true of a final report. */
	good: whole(
		'(?:is|was|has)?(?:success|successful|succeeded|ok|valid(?:address)?|addressvalid|supported|found|screened|scored|rated|assessed|evaluated|calculated|computed|completed?|done|finished|ready|processed|final|finali[sz]ed|available|analy[sz]ed|checked)',
	),
	/** The part of these that speaks of a job, and not of a request. */
	done: whole('(?:is)?(?:completed?|done|finished|ready)'),
	/** True or false: what is never true of a final report. */
	bad: whole(
		'(?:is|was|has|have)?(?:pending|processing|queued|running|inprogress|waiting|failed|failure|failures|errors?|errored|expired|timedout|timeout|skipped|rejected|invalid|notfound|notscreened|unscreened|unsupported|unprocessed|partial|incomplete|provisional|preliminary|placeholder|default|degraded|draft|stub|cancell?ed|aborted|truncated)',
	),
	running: whole(
		'(?:is)?(?:pending|processing|queued|running|inprogress|waiting|provisional|preliminary)',
	),
	failing: whole('(?:is|has)?(?:failed|errored|cancell?ed|aborted|expired|timedout)'),
	error: whole(
		'err|(?:error|failure)(?:s|codes?|messages?|msg|details?|type|reason|text|description)?|fault|exception|problems?|(?:skip|skipped|reject|rejected|rejection)reason',
	),
	/** What was not looked at for a report. */
	gap: whole(
		'(?:failed|skipped|un(?:available|checked|reachable)|missing|pending|incomplete|timedout)(?:checks|sources|categories|providers|lists|screenings|modules|lookups|data(?:sources|sets)?)',
	),
	/** The status of a request, which a body may repeat. */
	code: whole('code|(?:http)?statuscode|http(?:status|code)|(?:return|result|response)code'),
	/** When it was done; null as long as it is not. */
	doneAt: whole('(?:completed|screened|finished|processed|analy[sz]ed|scored)(?:at|on|time|date)'),
	progress: whole('progress|percent|percentage|percent(?:complete|completed|done)|completion'),
	results: whole(
		`${noun}|data|values?|list|edges|nodes|contents?|outputs?|responses?|objects|success|successes|successful|succeeded|completed?|done|finished|processed|screened|scored|green|clean|clear|flagged|amber|red`,
	),
	/** Addresses that got no report. */
	unscreened: whole(
		`(?:num|number|numberof|total|count|${noun})?(?:un(?:processed|screened|supported|resolved|reachable|available)|failed|failures?|errors?|errored|rejected|rejections|invalid|skipped|missing|notfound|notscreened|pending|queued|processing|inprogress|running|waiting|incomplete|cancell?ed|expired|timedout|timeouts?|excluded|ignored|dropped|omitted|withheld|hidden|remaining|outstanding|denied|refused)(?:${noun}|keys|count|total|list)?`,
	),
	/** How many results there are. */
	total: whole(
		`(?:odata|hydra)?(?:total|totals|grandtotal|count)(?:of)?(?:${noun})?(?:count|number|available|size)?|${noun}(?:total|count|number|submitted|found|screened)?|(?:num|nb|number|numberof|noof)(?:${noun}|found)|(?:submitted|requested|expected|received|accepted|screened|scored|processed|completed|succeeded|successful|done|finished|delivered|found|all|of)(?:${noun}|count|total)?`,
	),
	/** The same, of what was put in. */
	totalIn: whole(
		'(?:total|num|numberof|count(?:of)?)(?:inputs|entities|accounts|targets|subjects|lookups|checks)|(?:input|entity|account|target|subject|lookup|check)s?(?:count|total)',
	),
	/** Results of which there may be more. */
	excerpt: whole(
		`(?:preview|sample|example|excerpt|top|first|latest|recent|worst|highest(?:risk)?)s?(?:${noun})?|(?:${noun})(?:preview|sample|excerpt)`,
	),
	/** How many there are of one kind. */
	kind: whole('low|medium|high|severe|critical|unknown'),
	/** The same, of one level; the specification names green (section 2.2). */
	level: whole('green|yellow|amber|orange|red|black|gr[ae]y'),
	/** Not empty if there is more. */
	next: whole(
		`(?:odata|hydra|page|pagination)?next(?:page|${noun}|batch|set)?(?:token|cursor|link|links|url|uri|href|path|marker|offset|key|number|id|start)?|continue|(?:next)?continu(?:e|ation)(?:token|key|marker)?|lastevaluatedkey|resumptiontoken|paginationtoken`,
	),
	/** The same, except beside the word that there is no more. */
	cursor: whole('cursor|after|(?:end|page)cursor|pagetoken|bookmark|scrollid'),
	more: whole(
		`(?:has|have|is)?(?:more|next)(?:${noun}|pages?|data)?(?:available)?|(?:is)?(?:truncated|partial|incomplete)(?:${noun})?|hasprev(?:ious)?(?:page)?|remaining(?:${noun})?(?:count)?|left|(?:is)?(?:limitreached|capped)`,
	),
	/** False if there is more. */
	last: whole(
		`(?:is)?(?:last|first|final)(?:page)?|all(?:${noun})?(?:included|returned|delivered|present|sent)`,
	),
	pages: whole(
		'(?:page|part|chunk)s(?:total|count)?|(?:total|num|numberof|last)(?:page|part|chunk)s?|(?:page|part|chunk)count',
	),
	page: whole('(?:current)?(?:page|part|chunk)(?:number|index)?|offset|skip'),
	/** A text that ends with how many results there are, such as `1-2 of 9`. */
	range: whole('showing|displaying|(?:content|results?)?range'),
	links: whole('links?'),
	/** Of that, what may name addresses that have no result. */
	mention: whole('request|query|params|parameters|warnings|notices'),
	/** Describes something other than the results. */
	aside: whole(
		'(?:rate|plan|api)?limits?|ratelimits?|throttle|quotas?|usage|credits|billing|fees?|charges?|payment|invoice|costs?|prices?|plan|account|customer|user|owner|organi[sz]ation|apikey|key|webhooks?|callback|deliver(?:y|ies)|notifications?|request|query|params|parameters|filters?|config|settings|options|tim(?:e|ing|ings|ers)|durations?|warnings|notices|messages|notes|hints|logs|tags|labels|previous|history|duplicates',
	),
};

type Trait = keyof typeof names;

/** Which of these a name is, worked out once for each: answers repeat a few names thousands of times. */
const traits = new Map<string, ReadonlySet<Trait>>();
const mostTraits = 2000;
/** No name that means something here is longer. */
const longestName = 60;

function is(name: string, trait: Trait): boolean {
	let found = traits.get(name);
	if (!found) {
		const letters = name.length > longestName ? '' : lettersOf(name);
		const fitting = (Object.keys(names) as Trait[]).filter((one) => names[one].test(letters));
		found = new Set(fitting);
		if (traits.size >= mostTraits) traits.clear();
		traits.set(name, found);
	}
	return found.has(trait);
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** States, without a word before them that says whose they are, such as in `JOB_STATE_SUCCEEDED`. */
const words = {
	complete: whole(
		'completed?|done|finished|processed|ready|success|succeeded|successful|final|finali[sz]ed|ended|screened|scored|rated|assessed|evaluated|calculated|computed|generated|analy[sz]ed|checked|available|delivered',
	),
	/** Complete, although not every address has a report. */
	withErrors: whole(
		'completed?with(?:errors|failures|warnings)|partially(?:completed?|succeeded)|partialsuccess',
	),
	failed: whole(
		'failed|failure|error|errored|cancell?ed|expired|aborted|rejected|timedout|timeout',
	),
	unfinished: whole(
		'pending|queued|waiting|scheduled|submitted|started|starting|running|processing|inprogress|progress|partial|incomplete|unfinished|initiali[sz]ing|notready|notstarted|notscreened|unscreened|retrying|provisional|preliminary|analy[sz]ing|updating|todo',
	),
	/** Nobody looked, or there was nothing to look at. */
	unscreened: whole(
		'skipped|ignored|excluded|(?:not|un)(?:available|supported|scored|rated|assessed|evaluated|calculated|computed|processed|checked|analy[sz]ed|found|resolved)|(?:no|insufficient|missing)(?:data|results?|info|information)|invalid(?:address)?|placeholder|fallback|degraded',
	),
	/** Says that a request went well. */
	fine: whole('|ok|okay|success|true|200|201'),
};
const whose = /^(?:bulk|batch|job|task|report|result|screening|state|status|is)+(?=[a-z])/;

function isWord(word: string, kind: keyof typeof words): boolean {
	const letters = lettersOf(word.slice(0, longestName));
	if (letters === '' && word.trim() !== '') return false;
	return words[kind].test(letters) || words[kind].test(letters.replace(whose, ''));
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTrue = (value: unknown) =>
	value === true || (isText(value) && /^\s*(?:true|yes)\s*$/i.test(value));
const isFalse = (value: unknown) =>
	value === false || (isText(value) && /^\s*(?:false|no)\s*$/i.test(value));

/** A count, which may be written as text. */
function countIn(value: unknown): number | undefined {
	const number = isText(value) && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Whether there is anything in it: of an object or a list, in any of its values. */
function says(value: unknown, depth = 3): boolean {
	if (typeof value === 'object' && value !== null) {
		const values = Object.values(value);
		return depth === 0 ? values.length > 0 : values.some((one) => says(one, depth - 1));
	}
	if (isText(value)) return !/^\s*(?:|0|false|no|none|null|nil|ok|success)\s*$/i.test(value);
	return Boolean(value);
}

/** The words of a state. What is neither a text, a number nor a switch, or an object of these, is no state that is known. */
function wordsOf(state: unknown): string[] {
	if (state === null || state === undefined) return [];
	if (isFields(state)) {
		const parts = Object.entries(state).filter(([name]) => is(name, 'stateName'));
		return parts.length > 0
			? parts.flatMap(([, part]) => (isFields(part) ? '?' : wordsOf(part)))
			: ['?'];
	}
	return [Array.isArray(state) ? '?' : String(state)];
}

const isFineWord = (word: string) => isWord(word, 'complete') || isWord(word, 'fine');
const isBadWord = (word: string) =>
	(['unfinished', 'failed', 'unscreened'] as const).some((kind) => isWord(word, kind));

/**
 * The name of the field by which a value says that it is no final report. Reports have no states (section 3), so a state
 * that is not known to be that of something complete is one of those.
 */
function flawOf(fields: Fields): string | undefined {
	const level = isFields(fields.risk) ? fields.risk.level : undefined;
	// A state may repeat the level.
	const isFine = (word: string) => isFineWord(word) || word === level;
	for (const [name, value] of Object.entries(fields)) {
		if (
			(is(name, 'state') && !wordsOf(value).every(isFine)) ||
			(is(name, 'anyState') && isText(value) && isBadWord(value)) ||
			(is(name, 'good') && (isFalse(value) || value === 0)) ||
			(is(name, 'bad') && (isTrue(value) || value === 1)) ||
			((is(name, 'error') || is(name, 'gap')) && says(value)) ||
			(is(name, 'code') && ![0, 200, 201].includes(countIn(value) ?? 0)) ||
			(is(name, 'doneAt') && value === null) ||
			(is(name, 'progress') && isUnderway(value))
		)
			return name;
	}
	return undefined;
}

/** As a share or in percent: 1 may mean either. */
function isUnderway(progress: unknown): boolean {
	const text = isText(progress) ? progress.replace('%', '') : progress;
	const number = isText(text) && text.trim() !== '' ? Number(text) : text;
	return typeof number === 'number' && number !== 1 && !(number >= 100);
}

/**
 * The same of what a report holds: there the names are the service's own, so a state that is not known says nothing. Its risk
 * is as final as what it says of itself.
 */
function innerFlawOf(fields: Fields): string | undefined {
	for (const [name, inner] of Object.entries(fields)) {
		const isRisk = name === 'risk';
		if (
			!isFields(inner) ||
			!(isRisk || ['envelope', 'meta', 'bad'].some((one) => is(name, one as Trait)))
		)
			continue;
		for (const [part, value] of Object.entries(inner)) {
			if (
				(is(part, 'anyState') && wordsOf(value).some(isBadWord)) ||
				(is(part, 'bad') && isTrue(value)) ||
				(isRisk && is(part, 'bad') && Array.isArray(value) && says(value)) ||
				(isRisk && is(part, 'good') && isFalse(value)) ||
				(isRisk && (is(part, 'error') || is(part, 'gap')) && says(value))
			)
				return `${name}.${part}`;
		}
	}
	return undefined;
}

const mostWraps = 3;

/** The report that a value is or wraps, untouched as it came, or where it says that it has none. */
function look(value: unknown, wraps = mostWraps): { report?: Report; flaw?: string } {
	if (!isFields(value)) return {};
	const flaw = flawOf(value);
	if (flaw !== undefined) return { flaw };
	if (report.safeParse(value).success) {
		const inner = innerFlawOf(value);
		return inner === undefined ? { report: value as Report } : { flaw: inner };
	}
	if (wraps === 0) return {};
	const found: Report[] = [];
	for (const [name, inner] of Object.entries(value)) {
		const seen = is(name, 'envelope')
			? look(inner, wraps - 1)
			: { flaw: is(name, 'meta') && isFields(inner) ? flawOf(inner) : undefined };
		if (seen.flaw !== undefined) return { flaw: `${name}.${seen.flaw}` };
		if ('report' in seen && seen.report) found.push(seen.report);
	}
	const [first, ...others] = found;
	if (!first) return {};
	const same = others.every((other) => resultKey(other) === resultKey(first));
	return same ? { report: first } : { flaw: 'several reports' };
}

/** What is the same for two reports that say the same of one address. */
const resultKey = ({ address, chain, risk }: Report) =>
	contentOf([addressKey(address), chain, risk]);

/** The report that a value is or wraps, untouched as it came; undefined if there is no final one. */
export function reportIn(value: unknown): Report | undefined {
	return look(value).report;
}

/**
 * The report in a body (section 2.1), bare or in up to three envelopes. Throws `invalid_response`, which names the ID of the
 * report, because it may be paid and can be fetched later.
 */
export function parseReport(body: unknown, httpCode: number): Report {
	const { report: found, flaw } = look(body);
	if (found) return found;
	const report_id = wrappedReportIdIn(body);
	const known = { ...(report_id !== undefined && { report_id }), body: excerpt(body) };
	if (flaw !== undefined) {
		throw invalidResponse(`a risk report that is not final (see '${flaw}')`, httpCode, known);
	}
	const place = report.safeParse(body).error?.issues[0]?.path.join('.') || 'the body';
	throw invalidResponse(
		`an invalid risk report ('${place}' is missing or invalid)`,
		httpCode,
		known,
	);
}

function wrappedReportIdIn(value: unknown, wraps = mostWraps): string | undefined {
	if (!isFields(value)) return undefined;
	const named = own(value, 'report_id');
	if (isId(named)) return String(named).trim();
	if (wraps === 0) return undefined;
	for (const [name, inner] of Object.entries(value)) {
		const found = is(name, 'envelope') ? wrappedReportIdIn(inner, wraps - 1) : undefined;
		if (found !== undefined) return found;
	}
	return undefined;
}

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

/** No address of any chain is shorter or without a digit, and hardly a name of a field is neither. */
const isLikeAddress = (text: string) =>
	/^(?=.*\d)(?:[a-z\d:.]{20,}|[\w:.-]{40,})$/i.test(text.slice(0, 257));

/** Whether these are the fields of one result, and not of a job. */
const isResult = (value: unknown): value is Fields =>
	isFields(value) &&
	(isFields(own(value, 'risk')) ||
		isText(own(value, 'report_id')) ||
		isText(own(value, 'address')));

const own = (fields: Fields, name: string) =>
	Object.hasOwn(fields, name) ? fields[name] : undefined;

/** The address that an entry names. */
function addressIn(value: unknown): string | undefined {
	if (!isFields(value)) return isText(value) && isLikeAddress(value) ? value : undefined;
	const named = own(value, 'address');
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

function reportIdIn(value: unknown): string | undefined {
	if (!isFields(value) || flawOf(value) !== undefined || isFields(own(value, 'risk')))
		return undefined;
	for (const [name, part] of Object.entries(value)) {
		if ((is(name, 'reportId') || name === 'report') && isId(part)) return String(part).trim();
		if (!is(name, 'envelope') || !isFields(part)) continue;
		const inner = reportIdIn(part);
		if (inner !== undefined) return inner;
	}
	return undefined;
}

/** What can be one segment of a path; a number that JavaScript cannot hold exactly is another number. */
const isId = (value: unknown) =>
	Number.isSafeInteger(value) ||
	(isText(value) && value.trim() !== '' && !/^\s*\.{1,2}\s*$|\p{Cs}/u.test(value));

/**
 * The entry that a value is. `key` is the name under which it came, if any. A report of another address than the entry's is
 * no report for it.
 */
function entryOf(value: unknown, key?: string): Entry {
	const named = addressIn(value);
	const found =
		reportIn(value) ??
		(key !== undefined && named === undefined && isFields(value)
			? reportIn({ address: key, ...value })
			: undefined);
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
				const values = value.filter((one) => depth === 0 || !isPart(one));
				if (values.length > 0 || value.length === 0) {
					add(
						name,
						isUnscreened,
						values.map((one) => [undefined, one]),
					);
				}
				for (const part of depth === 0 ? [] : value.filter(isPart)) {
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

	if (isResult(body) && isFields(own(body, 'risk'))) {
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

const isKeyedResult = (name: string, value: unknown) =>
	!isKnown(name) && isFields(value) && (isResult(value) || isFields(own(value, 'risk')));

/** Whether a name is one of a job, a page or a summary. */
const isKnown = (name: string) => (Object.keys(names) as Trait[]).some((trait) => is(name, trait));

/**
 * The entries of all lists. No list is left out, for an address may be in any of them; what two lists say is taken once. A
 * list that nobody knows proves nothing beside one that is known, but it may name an address that is missing there, or
 * contradict a report.
 */
function entriesFrom({ lists, mentions }: Survey): Entry[] | undefined {
	const ofKind = (kind: List['kind']) =>
		lists.filter((list) => list.kind === kind && !isOfTexts(list));
	const texts = lists.filter((list) => list.kind !== 'unscreened' && isOfTexts(list));
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

/** What else may say how far a job is, where nothing says it outright. */
function hintsOf({ fields, isJob, isUnscreened }: Layer): Array<Job['state']> {
	if (isUnscreened) return [];
	return Object.entries(fields).flatMap(([name, value]): Array<Job['state']> => {
		if (is(name, 'event') && isText(value)) {
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
			const count = countIn(value) ?? 0;
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
				(isOfLevel &&
					count > 0 &&
					count > levels.filter((one) => one === lettersOf(name)).length) ||
				((is(name, 'total') || is(name, 'totalIn')) && !isOfNone && count > present) ||
				(lacking === 0 &&
					is(name, 'error') &&
					!isUnscreened &&
					!Array.isArray(value) &&
					says(value)) ||
				(lacking === 0 &&
					is(name, 'state') &&
					wordsOf(value).some((word) => isWord(word, 'withErrors')))
			)
				signs[`${path}${name}`] = value;
		}
		if (ofKinds > present) signs[`${path}*`] = ofKinds;
	}
	return signs;
}

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
		? links.some((link) => isFields(link) && /^next$/i.test(String(own(link, 'rel'))))
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

/** A job's ID in a body, if there is one. */
export function jobIdIn(body: unknown): string | undefined {
	return isFields(body) ? jobIdFrom(survey(body).layers) : undefined;
}

/** The results in a body, if there are any. */
export function entriesIn(body: unknown): Entry[] | undefined {
	return entriesFrom(survey(fieldsOf(body)));
}

type Headers = Record<string, string | string[] | undefined>;

const pagingHeader =
	/^(?:x-)?(link|content-range|(?:pagination-)?(?:total(?:-(?:count|results|items|records|pages))?|pages?-(?:count|total)|next(?:-(?:page|cursor|token|link|url|offset))?|has-(?:more|next)))$/;

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
		if (name.startsWith('next')) return says(text) ? [[name, true]] : [];
		return [[name, text]];
	});
	return { ...Object.fromEntries(said), ...(httpCode === 206 && { partial: true }) };
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
		throw invalidResponse('another bulk job', httpCode, { body: excerpt(body) });
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
