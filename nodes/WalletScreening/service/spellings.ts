import { isFields } from './json';

/*
 * All tables of spellings: how a service of this kind may name and write what the specification does not show.
 */

const noun =
	'(?:results?|reports?|items?|address(?:es)?|entry|entries|records?|elements?|hits|rows?|screenings?|wallets?|documents)';
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
	/** What the service does to make a report. */
	step: whole('analysis|assessment|evaluation'),
	jobId: whole('jobid'),
	/** The same, or the ID of something that belongs to it. */
	jobText: whole(
		'(?:bulk|batch)?job(?:id|uuid|handle)?|(?:bulk|batch)(?:screening)?(?:id|uuid)|(?:task|screening)id|handle',
	),
	/** The address of the job. */
	jobLink: whole(
		'(?:(?:bulk|batch)?job|bulk|batch|status|poll(?:ing)?|self|resource|monitor)(?:url|uri|href|link|path|location)?|url|uri|href|location|source|subject|instance',
	),
	/** May be the ID of something else if the body has one of the others. */
	id: whole('(?:uu|gu)?id'),
	address: whole('(?:wallet|input|requested|submitted|original)?address|wallet|input|query|target'),
	reportId: whole('reportid'),
	/** What says how far a job or a report is. */
	state: whole(
		'(?:(?:bulk|batch)?job|bulk|batch|task|screening|report|result|scan|analysis|item|entry|processing|check|overall|current)?(?:status|state)|phase',
	),
	/** The same, if it may describe something else; that of the PDF says nothing of the report. */
	anyState: whole(
		'(?!pdf).*(?:status|state|completeness|quality|coverage|reason)(?:text|label|name|description)?|phase|stage|level|type|kind|outcome|result|message|note|remark|comment',
	),
	/** What a job says of its results as a whole. */
	grade: whole(
		'(?:data|results?|reports?|batch|job|overall)?(?:completeness|quality|coverage|outcome|result|completion)|(?:results?|reports?|sub|overall|completion)(?:status|state)|(?:status|state)(?:details?|reason|text|label|message|description)|message|note|info|reason',
	),
	warning: whole('(?:warn(?:ing)?|notice|issue|problem)s?(?:messages?|texts?)?'),
	/** The part of a state that is an object. */
	stateName: whole('code|name|value|status|state|key|type|phase'),
	event: whole('event|eventtype|eventname|topic|action|type'),
	/** True or false: what is true of a final report. */
	good: whole(
		'(?:is|was|has)?(?:success|successful|succeeded|ok|valid(?:address)?|(?:address|wallet|chain)(?:valid|found|supported)|supported|found|screened|scored|rated|assessed|evaluated|calculated|computed|(?:screening|scoring|analysis|assessment|scan)?(?:completed?|done|finished|ready)|processed|final|finali[sz]ed|available|analy[sz]ed|checked)',
	),
	/** The part of these that speaks of a job, and not of a request. */
	done: whole('(?:is)?(?:completed?|done|finished|ready)'),
	/** True or false: what is never true of a final report. */
	bad: whole(
		'(?:is|was|has|have)?(?:pending|processing|queued|running|inprogress|waiting|failed|failure|failures|errors?|errored|expired|timedout|timeout|skipped|rejected|invalid|notfound|notscreened|unscreened|unsupported|unprocessed|partial|incomplete|provisional|preliminary|preview|placeholder|default|fallback|degraded|draft|stub|cutoff|interrupted|sampled|cancell?ed|aborted|truncated|nodata|insufficientdata)',
	),
	running: whole(
		'(?:is)?(?:pending|processing|queued|running|inprogress|waiting|provisional|preliminary)',
	),
	failing: whole('(?:is|has)?(?:failed|errored|cancell?ed|aborted|expired|timedout)'),
	error: whole(
		'err(?:code|msg|message)?|(?:error|failure)(?:s|codes?|messages?|msg|details?|type|reason|text|description)?|fault|exception|problems?|(?:skip|skipped|reject|rejected|rejection)reason',
	),
	/** What was not looked at for a report. */
	gap: whole(
		'(?:failed|skipped|un(?:available|checked|reachable)|missing|pending|incomplete|timedout)(?:checks|sources|categories|providers|lists|screenings|modules|lookups|data(?:sources|sets)?)|failed|skipped|missing|un(?:available|checked|reachable)|(?:checks|sources|categories|providers|lists)(?:failed|skipped|missing|timedout|un(?:available|checked|reachable))',
	),
	/** What a report is made from. */
	sources: whole(
		'(?:data|risk|screening)?(?:sources|providers|feeds|databases|datasets|upstreams|lists|lookups)',
	),
	/** What a wallet passes or fails. */
	checks: whole(
		'(?:risk|screening|compliance)?(?:checks|modules|screenings|analyses|components|categories|engines|steps)',
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
		`(?:n|num|number|numberof|total|count|${noun})?(?:un(?:processed|screened|supported|resolved|reachable|available|handled|determined)|inconclusive|lost|deferred|postponed|retrying|fail(?:ed|ures?|s)?|errors?|errored|rejected|rejections|invalid|skipped|missing|notfound|notscreened|pending|queued|processing|inprogress|running|waiting|incomplete|cancell?ed|expired|timedout|timeouts?|excluded|ignored|dropped|omitted|withheld|hidden|remaining|outstanding|denied|refused)(?:${noun}|keys|count|total|list)?`,
	),
	/** How many results there are. */
	total: whole(
		`(?:odata|hydra)?(?:total|totals|grandtotal|count)(?:of)?(?:${noun})?(?:count|number|available|size|total)?|${noun}(?:total|count|number|submitted|found|screened)?|(?:n|num|nb|number|numberof|noof)(?:${noun}|found)|(?:unique|distinct|submitted|requested|expected|received|accepted|screened|scored|processed|completed|succeeded|successful|done|finished|delivered|found|all|of)(?:${noun}|count|total)?`,
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
	level: whole('(?:green|yellow|amber|orange|red|black|gr[ae]y)(?:count|total)?'),
	/** The same, of those whose level is not green. */
	flagged: whole(
		`(?:num|numberof)?(?:flagged|highrisk|risky|sanctioned)(?:${noun})?(?:count|total)?`,
	),
	/** Not empty if there is more. */
	next: whole(
		`(?:odata|hydra|page|pagination)?next(?:page|${noun}|batch|set)?(?:token|cursor|link|links|url|uri|href|path|marker|offset|key|number|id|start)?|continue|(?:next)?continu(?:e|ation)(?:token|key|marker)?|lastevaluatedkey|resumptiontoken|paginationtoken|(?:full|all|more|remaining|other)(?:results|data|rows|records|items|entries)(?:url|uri|href|link|path|file)`,
	),
	/** The same, except beside the word that there is no more. */
	cursor: whole('cursor|after|(?:end|page)cursor|pagetoken|bookmark|scrollid'),
	more: whole(
		`(?:has|have|is)?(?:more|next|additional|further)(?:${noun}|pages?|data)?(?:available)?|(?:is|payload|response|output|data|${noun})?(?:truncated|partial|incomplete)(?:${noun})?|hasprev(?:ious)?(?:page)?|remaining(?:${noun})?(?:count)?|left|(?:is)?capped|(?:max|limit)(?:${noun})?(?:reached|exceeded)`,
	),
	/** False if there is more. */
	last: whole(
		`(?:is)?(?:last|first|final)(?:page)?|(?:all|fully)(?:${noun})?(?:included|returned|delivered|present|sent|processed|screened|completed?|done)|(?:${noun}|data)complete|completeresults|eof`,
	),
	pages: whole(
		'(?:page|part|chunk)s(?:total|count)?|(?:total|num|nb|numberof|noof|last|max)(?:page|part|chunk)s?|(?:page|part|chunk)count',
	),
	page: whole('(?:current)?(?:page|part|chunk)(?:number|index)?|offset|skip'),
	/** How many results a page has at most. */
	pageSize: whole('(?:max)?pagesize|(?:results|reports|items|records|entries|rows)?perpage'),
	/** The same beside the number of a page. */
	limit: whole('limit|size'),
	/** A text that ends with how many results there are, such as `1-2 of 9`. */
	range: whole('showing|displaying|(?:content|results?)?range'),
	links: whole('links?'),
	/** Of that, what may name addresses that have no result. */
	mention: whole('request|query|params|parameters|warnings?|notices?'),
	/** Describes something other than the results. */
	aside: whole(
		'(?:rate|plan|api)?limits?|ratelimits?|throttle|quotas?|usage|credits|billing|fees?|charges?|payment|invoice|costs?|prices?|plan|account|customer|user|owner|organi[sz]ation|apikey|key|webhooks?|callback|deliver(?:y|ies)|notifications?|request|query|params|parameters|filters?|config|settings|options|tim(?:e|ing|ings|ers)|durations?|thresholds?|bands|scale|legend|warnings?|notices?|messages|notes|hints|logs|tags|labels|previous|history|duplicates',
	),
};

export type Trait = keyof typeof names;

/** Which of these a name is, worked out once for each: answers repeat a few names thousands of times. */
const traits = new Map<string, ReadonlySet<Trait>>();
const mostTraits = 2000;
/** No name that means something here is longer. */
export const longestName = 60;
const longestWarning = 1000;

export function is(name: string, trait: Trait): boolean {
	let found = traits.get(name);
	if (!found) {
		const letters = name.length > longestName ? '' : lettersOf(name).replace(/cnt$/, 'count');
		const fitting = (Object.keys(names) as Trait[]).filter((one) => names[one].test(letters));
		found = new Set(fitting);
		if (traits.size >= mostTraits) traits.clear();
		traits.set(name, found);
	}
	return found.has(trait);
}

/** What counts of a name or a word. */
export const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** States, without a word before them that says whose they are, such as in `JOB_STATE_SUCCEEDED`. */
const words = {
	complete: whole(
		'completed?|done|finished|processed|ready|success|succeeded|successful|final|finali[sz]ed|ended|screened|scored|rated|assessed|evaluated|calculated|computed|generated|analy[sz]ed|checked|available|delivered',
	),
	/** Complete, although not every address has a report. */
	withErrors: whole(
		'(?:completed?|done|finished|succeeded|success)with(?:errors|failures|warnings|issues|exceptions)|(?:completed?|succeeded|success)partial(?:ly)?|partially(?:completed?|done|finished|succeeded|successful)|partial(?:success|completion)|207(?:multistatus)?',
	),
	failed: whole(
		'failed|failure|error|errored|cancell?ed|expired|aborted|rejected|timedout|timeout|killed|crashed|terminated|unsuccessful',
	),
	unfinished: whole(
		'pending|queued|waiting|scheduled|submitted|started|starting|running|processing|inprogress|progress|partial(?:results?|data)?|incomplete|unfinished|initiali[sz]ing|notready|notstarted|notscreened|unscreened|retrying|provisional|preliminary|analy[sz]ing|updating|todo',
	),
	/** Nobody looked, or there was nothing to look at. */
	unscreened: whole(
		'skipped|ignored|excluded|(?:address|wallet|chain|network)?(?:not|un)(?:available|supported|scored|rated|assessed|evaluated|calculated|computed|processed|checked|analy[sz]ed|found|resolved)(?:address|chain|network)?|(?:no|insufficient|missing)(?:data|results?|info|information)|invalid(?:address)?|placeholder|fallback|degraded',
	),
	/** Said of a wallet, so that somebody looked at it. */
	verdict: whole(
		'clean|clear|cleared|safe|approved|pass|passed|flagged|blocked|sanctioned|risky|(?:low|medium|high|critical|severe|no)risk|valid|verified|issued|published|archived',
	),
	/** Says that a request went well. */
	fine: whole('|ok|okay|success|true|20[01](?:ok|created)?'),
};
const whose = /^(?:bulk|batch|job|task|report|result|screening|state|status|is)+(?=[a-z])/;

export function isWord(word: string, kind: keyof typeof words): boolean {
	const text = word.trim();
	if (text.length > longestName) return false;
	const letters = lettersOf(text);
	if (letters === '' && text !== '') return false;
	return words[kind].test(letters) || words[kind].test(letters.replace(whose, ''));
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isTrue = (value: unknown) =>
	value === true || (isText(value) && /^\s*(?:true|yes)\s*$/i.test(value));
export const isFalse = (value: unknown) =>
	value === false || (isText(value) && /^\s*(?:false|no)\s*$/i.test(value));

/** From here on a number is a time in seconds or milliseconds, under a name such as `completed`. */
const leastTime = 1e9;

/** A count, which may be written as text. */
export function countIn(value: unknown): number | undefined {
	const number = isText(value) && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && number < leastTime ? number : undefined;
}

/** What a warning can be about; the owner or the balance of a wallet is something else. */
const subject =
	/address|wallet|results?\b|reports?\b|entr(?:y|ies)|sanction|ofac|\blists?\b|source|provider|checks?\b|screening|categor|darknet|mixer|scam|stolen|risk|score|data\b|analysis|coverage|\b(?=\w*\d)[a-z\d]{26,}\b/i;
const lack =
	/\b(?:skipped|omitted|excluded|dropped|incomplete|partial(?:ly)? (?:results?|data|reports?|screen|cover|analy|completed?|processed)|truncated|un(?:available|reachable|screened|checked|supported|processed)|degraded|outdated|stale|failed|time[ds]? ?out)\b|(?:\bnot|n't) (?:been |be |fully |yet |all )*(?:screened|scored|checked|processed|found|reached|available|supported|consulted|queried|included|returned|analy[sz]ed|assessed|evaluated|completed?|covered)\b|\bmissing (?:address|result|report|source|data)/i;
/** What is planned, what only came twice, and what is said of the wallet and not of its screening. */
const harmless =
	/\bwill\b|duplicate|\btransactions?\b|\bbalance\b|\bprice|\bfound (?:on|in|among) (?:any|a|the)\b/i;

/** Whether a warning says that something was not looked at, or did not come. */
export function saysLack(warning: unknown, depth = 3): boolean {
	if (isText(warning)) {
		const text = warning.slice(0, longestWarning).replace(/[_-]/g, ' ');
		return lack.test(text) && subject.test(text) && !harmless.test(text);
	}
	if (typeof warning !== 'object' || warning === null || depth === 0) return false;
	const parts = Object.values(warning);
	const isOne = isFields(warning) && parts.every((part) => typeof part !== 'object');
	return isOne ? saysLack(parts.join(' ')) : parts.some((part) => saysLack(part, depth - 1));
}

/** Whether there is anything in it: of an object or a list, in any of its values. */
export function says(value: unknown, depth = 3): boolean {
	if (typeof value === 'object' && value !== null) {
		const values = Object.values(value);
		return depth === 0 ? values.length > 0 : values.some((one) => says(one, depth - 1));
	}
	return !/^\s*(?:|0|false|no|none|null|nil|ok|success)\s*$/i.test(String(value ?? ''));
}

/** The words of a state. What is neither a text, a number nor a switch, or an object of these, is no state that is known. */
export function wordsOf(state: unknown): string[] {
	if (state === null || state === undefined) return [];
	if (isFields(state)) {
		const parts = Object.entries(state).filter(([name]) => is(name, 'stateName'));
		return parts.length > 0
			? parts.flatMap(([, part]) => (isFields(part) ? '?' : wordsOf(part)))
			: ['?'];
	}
	return [Array.isArray(state) ? '?' : String(state)];
}

export const isFineWord = (word: string) => isWord(word, 'complete') || isWord(word, 'fine');
export const isBadWord = (word: string) =>
	(['unfinished', 'failed', 'unscreened'] as const).some((kind) => isWord(word, kind));

/** Says that nobody looked; that nothing was found says the contrary, and a wallet may fail a check. */
const unlooked = whole(
	'na|pending|queued|processing|inprogress|running|incomplete|partial|degraded|skipped|offline|down|(?:not|un)(?:available|checked|reachable|screened|run|started|performed|executed|queried|completed?)|error|errored|timedout|timeout',
);
const isUnlooked = (value: unknown) => isText(value) && unlooked.test(lettersOf(value));
const looked = whole(
	'(?:is|was)?(?:ok|success|available|reachable|checked|screened|queried|completed?)',
);

/** Whether one of the sources of a risk, or of the checks for it, is said to be missing. */
export function lacksPart(name: string, parts: unknown): boolean {
	if (typeof parts !== 'object' || parts === null) return false;
	const areSources = is(name, 'sources');
	if (!areSources && !is(name, 'checks')) return false;
	return Object.values(parts).some((part) => {
		if (!isFields(part)) return isUnlooked(part);
		return Object.entries(part).some(
			([trait, value]) =>
				(is(trait, 'anyState') &&
					(isUnlooked(value) || (areSources && isText(value) && isWord(value, 'failed')))) ||
				(is(trait, 'error') && says(value)) ||
				(looked.test(lettersOf(trait)) && isFalse(value)),
		);
	});
}

/** Whether a name is one of a job, a page or a summary. */
export const isKnown = (name: string) =>
	(Object.keys(names) as Trait[]).some((trait) => is(name, trait));

/** What can be one segment of a path; a number that JavaScript cannot hold exactly is another number. */
export const isId = (value: unknown) =>
	Number.isSafeInteger(value) ||
	(isText(value) && value.trim() !== '' && !/^\s*\.{1,2}\s*$|\p{Cs}/u.test(value));
