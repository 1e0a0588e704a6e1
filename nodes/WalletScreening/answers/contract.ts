import { createReportSchema, type ReportSchema } from './report';

/**
 * Names and words that a service may use where its specification shows none (sections 2.4, 3, 4.3, 4.4 and 6). Only letters and
 * digits count: `job_id`, `jobId` and `Job-ID` are one name. `complete`, `failed` and `running` hold words of a state, which are
 * names, too: of switches, times, numbers and lists.
 */
export const standardNames = {
	/** The ID of a job, the surest name first. */
	jobId: ['job_id', 'bulk_job_id', 'bulk_id', 'batch_id', 'id', 'uuid', 'uid', 'task_id', 'run_id'],
	/** How far a job or a result is. */
	state: ['status', 'state', 'phase', 'stage', 'status_text', 'status_name', 'status_desc'],
	/** The lists or maps of the results of a job. Without a name the place that has most reports is taken. */
	reports: [] as string[],
	complete: [
		...['complete', 'completed', 'completion', 'done', 'end', 'ended', 'final', 'finish'],
		...['finished', 'fulfilled', 'ready', 'processed', 'executed', 'succeeded', 'screened'],
		...['analyzed'],
	],
	failed: [
		...['fail', 'failed', 'failures', 'errored', 'cancelled', 'canceled', 'aborted', 'expired'],
		...['rejected', 'invalid', 'unsupported', 'unavailable', 'not_found', 'not_screened'],
		...['skipped', 'missing', 'unprocessed', 'timed_out'],
	],
	running: ['running', 'pending', 'queued', 'in_queue', 'waiting', 'processing', 'in_progress'],
	/** The categories (section 2.3) that a report must have. */
	categories: ['sanctions', 'darknet', 'mixer', 'scam', 'stolen', 'clean_exchange'],
};

/**
 * What one service uses beside these. `complete`, `failed` and `running` are added to the standard names, the other lists
 * replace them. A name may be the end of a dot path: `review.status`.
 */
export type ServiceNames = Partial<Record<keyof typeof standardNames, string[]>>;

/** Words of a state that are no names. `success` is a word of the request, or, beside the ID of a job, of the job. */
const stateWords = {
	running: [
		...['started', 'created', 'accepted', 'submitted', 'scheduled', 'init', 'new', 'process'],
		...['incomplete', 'partial'],
	],
	failed: [
		...['error', 'errors', 'failure', 'fault', 'faulted', 'fatal', 'false', 'killed', 'crashed'],
		...['dead', 'stopped', 'revoked', 'withdrawn', 'timeout'],
	],
	partly: [
		...['completed_with_errors', 'completed_with_failures', 'partially_completed'],
		...['partially_succeeded', 'partially_failed', 'partial_success'],
	],
	success: ['success', 'successful'],
	fine: [
		...['ok', 'true', '0', '200', 'valid', 'active', 'approved', 'issued', 'archived', 'clear'],
		...['clean', 'safe', 'passed'],
	],
};

/** Names that no service has to teach. Of a verdict only a word of failure counts, and an event only in a delivery. */
const fieldNames = {
	error: [
		...['error', 'errors', 'failure', 'fault', 'exception', 'error_message', 'error_reason'],
		...['error_result', 'failure_reason', 'unavailable_sources', 'sources_unavailable'],
	],
	code: ['code', 'error_code', 'status_code', 'http_status', 'result_code'],
	partial: [
		...['partial', 'partially', 'incomplete', 'preliminary', 'provisional', 'stale', 'degraded'],
	],
	success: ['success', 'ok'],
	verdict: ['conclusion', 'result', 'outcome'],
	event: ['event', 'event_type', 'event_name', 'type', 'action', 'topic'],
	total: ['total', 'total_count', 'x_total_count', 'count', 'number_of', 'num', 'submitted'],
	pages: ['pages', 'total_pages', 'total_page', 'page_count', 'last_page'],
	next: [
		...['next', 'next_page', 'next_url', 'next_link', 'next_page_url', 'next_page_uri'],
		...['next_token', 'next_page_token', 'next_cursor', 'next_records_url', 'odata_next_link'],
		...['has_more', 'more', 'has_next', 'has_next_page', 'is_truncated', 'truncated'],
		...['continuation_token'],
	],
	link: ['link', 'links'],
	other: ['request_id', 'trace_id', 'event_id', 'version', 'wallet_status', 'address_status'],
};

/** A name with one of these words is of an earlier report or state: no shape tells it from a new one. */
const wordsOfThePast = ['previous', 'prior', 'earlier', 'past', 'old', 'history', 'historical'];
/** Words that say whose a name is, such as `job` in `jobStatus` and `items` in `failed_items`. */
const nouns = [
	...['job', 'jobs', 'bulk', 'batch', 'task', 'run', 'operation', 'operations', 'execution'],
	...['check', 'scan', 'screening', 'screenings', 'process', 'processing', 'analysis', 'address'],
	...['addresses', 'wallet', 'wallets', 'item', 'items', 'element', 'elements', 'result'],
	...['results', 'report', 'reports', 'record', 'records', 'entry', 'entries', 'list'],
];
/** Words that say what sort of value a name has, such as `is` in `isComplete` and `at` in `completedAt`. */
const sorts = [
	...['is', 'was', 'at', 'on', 'time', 'date', 'total', 'count', 'number', 'num'],
	...['status', 'state'],
];

/** What a name says of its value. `likeState`: it only ends like the name of a state. */
export type Meaning = keyof typeof standardNames | keyof typeof fieldNames | 'likeState' | 'past';

/** What a word of a state says: `unknown` for one that no list has, `code` for a number. */
export type Word = 'complete' | keyof typeof stateWords | 'unknown' | 'code';

/** All that is known of how a service writes, ready to be asked. */
export interface Contract {
	report: ReportSchema;
	/** The ends of paths that lead to the ID of a job, the surest first: `.jobid`. */
	jobId: string[];
	/** Paths that hold the results of a job. */
	reports: string[];
	/** What a name says of its value, in an object at this path. */
	meaningOf(name: string, path: string): Meaning | undefined;
	/** What the word of a state says; undefined for a value that is no word. */
	wordIn(value: unknown): Word | undefined;
}

/** No name or word that means anything is longer. */
const maxLength = 60;
/** So many names are kept with their meanings: an answer repeats a few of them thousands of times. */
const maxMeanings = 2000;

/** The words of a name or a text, in small letters: `jobStatus`, `job_status` and `Job-Status` have the same. */
function wordsOf(text: unknown): string[] {
	if (typeof text === 'object' || String(text).length > maxLength) return [];
	const spaced = String(text).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
	return spaced.toLowerCase().split(/[^\p{L}\p{N}]+/u);
}

/** All that counts of a name or a word. */
export const lettersOf = (text: unknown): string => wordsOf(text).join('');
/** The end of a path as places have it: `.review.status`. */
const pathOf = (name: string) => `.${name.split('.').map(lettersOf).join('.')}`;

/** The key of each name in some lists. Of two keys for a name the later one counts. */
function keysByName<Key extends string>(...groups: Array<Partial<Record<Key, string[]>>>) {
	const lists = groups.flatMap((group) => Object.entries(group) as Array<[Key, string[]]>);
	return new Map(lists.flatMap(([key, names]) => names.map((name) => [lettersOf(name), key])));
}

/** Looks a text up as it is, then without its nouns, then also without the words of its sort. */
function lookUp<Key>(known: Map<string, Key>, text: unknown): Key | undefined {
	const all = wordsOf(text);
	const bare = all.filter((word) => !nouns.includes(word));
	const stem = bare.filter((word) => !sorts.includes(word));
	return known.get(all.join('')) ?? known.get(bare.join('')) ?? known.get(stem.join(''));
}

/** The contract with a service that uses these names. */
export function createContract(own: ServiceNames = {}): Contract {
	const { jobId, state, reports, categories } = { ...standardNames, ...own };
	const { complete, failed, running } = standardNames;
	const ownWords = Object.fromEntries(
		(['complete', 'failed', 'running'] as const).map((key) => [key, own[key] ?? []]),
	);
	const knownWords = keysByName<Word>({ complete, failed, running }, stateWords, ownWords);
	const idNames = jobId.map((name) => name.split('.').at(-1)!);
	const knownNames = keysByName<Meaning>({ complete, failed, running }, ownWords, fieldNames, {
		jobId: idNames,
		state,
	});
	const paths = Object.entries({ ...ownWords, state }).flatMap(([key, names]) =>
		names.flatMap((name) =>
			name.includes('.') ? { meaning: key as Meaning, end: pathOf(name) } : [],
		),
	);
	const meanings = new Map<string, Meaning | undefined>();

	function meaningOfName(name: string): Meaning | undefined {
		const words = wordsOf(name);
		if (words.some((word) => wordsOfThePast.includes(word))) return 'past';
		const isLikeState = !own.state && ['status', 'state', 'phase'].includes(words.at(-1)!);
		return lookUp(knownNames, name) ?? (isLikeState ? 'likeState' : undefined);
	}
	return {
		report: createReportSchema(categories),
		jobId: jobId.map(pathOf),
		reports: reports.map(pathOf),
		meaningOf(name, path) {
			const taught = paths.find(({ end }) => `${path}.${lettersOf(name)}`.endsWith(end));
			if (taught) return taught.meaning;
			const known = meanings.get(name);
			if (known !== undefined || meanings.has(name)) return known;
			if (meanings.size > maxMeanings) meanings.clear();
			const meaning = meaningOfName(name);
			meanings.set(name, meaning);
			return meaning;
		},
		wordIn(value) {
			const letters = lettersOf(value);
			if (letters === '') return undefined;
			// Words such as `scoring` and `not_done` are no end.
			const isOpen = letters.endsWith('ing') || letters.startsWith('not');
			const other = isOpen ? 'running' : Number.isNaN(Number(letters)) ? 'unknown' : 'code';
			return lookUp(knownWords, value) ?? other;
		},
	};
}
