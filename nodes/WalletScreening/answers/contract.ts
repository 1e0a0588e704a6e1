import { isGiven } from '../shared/json';
import { createReportSchema, reportCategories, type ReportSchema } from './report';

/** Splits a text at its blanks. */
const words = (text: string): string[] => text.split(' ');

/**
 * Names and words that a service may use where its specification shows none (sections 2.4, 3, 4.3, 4.4 and 6). Only letters and
 * digits count: `job_id`, `jobId` and `Job-ID` are one name. `complete`, `failed` and `running` hold words of a state, which are
 * names, too: of switches, times, numbers and lists.
 */
export const standardNames = {
	/** The ID of a job, the surest name or end of a path first. */
	jobId: words(
		'job_id bulk_job_id bulk_id batch_id job.id job.uuid bulk_job.id bulk.id bulk.uuid batch.id batch.uuid id uuid uid task_id run_id',
	),
	/** How far a job or a result is. */
	state: ['status', 'state', 'phase', 'stage', 'status_text', 'status_name', 'status_desc'],
	/** The lists or maps of the results of a job. Without a name the place that has most reports is taken. */
	reports: [] as string[],
	complete: words(
		'complete completed completion done end ended final finish finished fulfilled ready processed executed succeeded screened analyzed',
	),
	failed: words(
		'fail failed failures errored cancelled canceled aborted expired rejected invalid unsupported unavailable not_found not_screened skipped missing unprocessed timed_out',
	),
	running: ['running', 'pending', 'queued', 'in_queue', 'waiting', 'processing', 'in_progress'],
	/** The categories (section 2.3) that a report must have. */
	categories: reportCategories,
};

/**
 * What one service uses beside the standard names. `complete`, `failed` and `running` are added to these, the other lists replace
 * them. A name may be the end of a dot path.
 *
 * @example { state: ['review.status'], complete: ['baked'] }
 */
export type ServiceNames = Partial<Record<keyof typeof standardNames, string[]>>;

/** Words of a state, which count as values only. `success` belongs to the request, or, beside the ID of a job, to the job. */
const stateWords = {
	running: words(
		'started created accepted submitted scheduled init new process incomplete partial',
	),
	failed: words(
		'error errors failure fault faulted fatal false killed crashed dead stopped revoked withdrawn timeout',
	),
	partly: words(
		'completed_with_errors completed_with_failures partially_completed partially_succeeded partially_failed partial_success',
	),
	success: ['success', 'successful'],
	ok: words('ok true 0 200 valid active approved issued archived clear clean safe passed'),
};

/**
 * Words that mean "not over" or "went wrong" under any name. Other words may describe the wallet, a customer or the request:
 * `kyc_status: "expired"`, `status: { text: "Created" }`.
 */
const plainWords = [
	...standardNames.running,
	...words(
		'fail failed failure error errored aborted crashed timeout timed_out unavailable skipped not_screened unprocessed incomplete partial',
	),
];

/** Names of fields that each contract has, by the meaning of such a field. */
const fieldNames = {
	/** What went wrong: `error: "no source"`. */
	error: words(
		'error errors failure fault exception error_message error_reason error_result failure_reason fail_reason unavailable_sources sources_unavailable failed_sources missing_sources skipped_sources pending_sources missing_checks skipped_checks pending_checks',
	),
	/** What went wrong, of which a number counts only if it may be a status of HTTP: `error_code: "NO_SOURCE"`. */
	errorCode: ['error_code'],
	/** A number that may be a status of HTTP: `code: 500`. */
	code: ['code', 'status_code', 'http_status', 'result_code'],
	/** Whether a source or an address is missing: `partial: true`. */
	partial: words('partial partially incomplete preliminary provisional stale degraded'),
	/** Whether the request succeeded: `success: false`. */
	success: ['success', 'ok'],
	/** What came out, of which only a word of failure counts: `conclusion: "failure"`. */
	verdict: ['conclusion', 'result', 'outcome'],
	/** What a delivery is about, which counts only in one: `event: "job.failed"`. */
	event: ['event', 'event_type', 'event_name', 'type', 'action', 'topic'],
	/** How many addresses there are: `total: 500`. */
	total: ['total', 'total_count', 'x_total_count', 'count', 'number_of', 'num', 'submitted'],
	/** How many pages there are: `last_page: 3`. */
	pages: ['pages', 'total_pages', 'total_page', 'page_count', 'last_page'],
	/** Whether another page follows: `has_more: true`. */
	next: words(
		'next next_page next_url next_link next_page_url next_page_uri next_token next_page_token next_cursor next_records_url odata_next_link has_more more has_next has_next_page is_truncated truncated continuation_token',
	),
	/** Links, of which one may lead to another page: `links: [{ rel: "next" }]`. */
	link: ['link', 'links'],
	/** What is neither the ID nor the state of a job, though it looks like one. */
	other: ['request_id', 'trace_id', 'event_id', 'version', 'wallet_status', 'address_status'],
};

/** A name with one of these words is that of an earlier report or state, which no shape tells from a new one. */
const pastWords = ['previous', 'prior', 'earlier', 'past', 'old', 'history', 'historical'];
/** Words for the subject of a name, such as `job` in `jobStatus` and `items` in `failed_items`. */
const subjectWords = words(
	'job jobs bulk batch task run operation operations execution check scan screening screenings process processing analysis address addresses wallet wallets item items element elements result results report reports record records entry entries list',
);
/** Words for the kind of value that a name has, such as `is` in `isComplete` and `at` in `completedAt`. */
const kindWords = words('is was at on time date total count number num status state');

/** The meaning of a name. A name with the meaning `likeState` only ends like that of a state. */
export type Meaning =
	| Exclude<keyof typeof standardNames, 'reports' | 'categories'>
	| keyof typeof fieldNames
	| 'likeState'
	| 'past';

/** The meanings of names under which nothing is a final report. */
const notFinal: Array<Meaning | undefined> = ['failed', 'error', 'running', 'partial'];

/** The meaning of a word of a state: `unknown` for one that no list has, `number` for a number. */
export type StateWord = 'complete' | keyof typeof stateWords | 'unknown' | 'number';

/** No name or word that means anything is longer. */
const maxLength = 60;
/** An answer repeats a few names thousands of times. So many of them are kept with their meanings. */
const maxMeanings = 2000;

/** The words of a name or a text, in small letters: `jobStatus`, `job_status` and `Job-Status` have the same. */
function splitWords(text: unknown): string[] {
	if (typeof text === 'object' || String(text).length > maxLength) return [];
	const spaced = String(text).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
	return spaced.toLowerCase().split(/[^\p{L}\p{N}]+/u);
}

/** The letters and digits of a name or a word, in small letters: nothing else in it counts. Empty for what cannot be taught. */
export const normalizeName = (text: unknown): string => splitWords(text).join('');

/** The end of a path as places have it, e.g. `.review.status`. */
const pathEnd = (name: string) => `.${name.split('.').map(normalizeName).join('.')}`;

/** What names or words mean, by their letters and digits: `{ jobid: 'jobId', status: 'state', … }`. */
type Vocabulary<Meant> = ReadonlyMap<string, Meant>;

/** Makes a vocabulary of lists under their meanings. If an entry is in two lists, the later one counts. */
function createVocabulary<Meant extends string>(
	...groups: Array<Partial<Record<Meant, string[]>>>
): Vocabulary<Meant> {
	const vocabulary = new Map<string, Meant>();
	for (const group of groups) {
		for (const [meaning, entries] of Object.entries(group) as Array<[Meant, string[]]>) {
			for (const entry of entries) vocabulary.set(normalizeName(entry), meaning);
		}
	}
	return vocabulary;
}

/**
 * Looks a text up as it is, then without the words for its subject, then also without those for its kind.
 * @example `batchCompletedAt` is looked up as `batchcompletedat`, `completedat` and `completed`, which means `complete`
 */
function lookUp<Meant>(vocabulary: Vocabulary<Meant>, text: unknown): Meant | undefined {
	const all = splitWords(text);
	const bare = all.filter((word) => !subjectWords.includes(word));
	const stem = bare.filter((word) => !kindWords.includes(word));
	return (
		vocabulary.get(all.join('')) ?? vocabulary.get(bare.join('')) ?? vocabulary.get(stem.join(''))
	);
}

/** A dot path that a user taught: the end of the paths that it stands for, and what they mean. */
interface TaughtPath {
	end: string;
	meaning: Meaning;
}

/** Lists the dot paths in lists of names under their meanings. */
function listPaths(lists: Partial<Record<Meaning, string[]>>): TaughtPath[] {
	const entries = Object.entries(lists) as Array<[Meaning, string[]]>;
	return entries.flatMap(([meaning, names]) =>
		names.filter((name) => name.includes('.')).map((name) => ({ end: pathEnd(name), meaning })),
	);
}

/** The last name of a dot path. */
const lastName = (path: string) => path.split('.').at(-1)!;

/**
 * The contract with one service: all that is known of its names and words, which are the standard ones and those that a user taught.
 * The first of these that knows a name gives its meaning:
 *
 * 1. a taught path
 * 2. `fieldNames`: where `partial` is taught as a word of completion, the field `partial: true` still says that a source is missing
 * 3. a taught word, as a name
 * 4. a standard name of a state
 *
 * A taught word is surer than a standard word. Only the meanings of names are kept, to be found again quickly; nothing else of a
 * contract changes.
 *
 * @example
 *     const contract = new Contract({ state: ['review.status'], complete: ['baked'] })
 *     contract.meaningOf('status', '.job.review')    'state'
 *     contract.meaningOf('finishedAt', '.job')       'complete'
 *     contract.meaningOf('colour', '.job')           undefined
 *     contract.stateWordOf('Baked')                  'complete'
 *     contract.stateWordOf('IN_PROGRESS')            'running'
 *     contract.stateWordOf('ripe')                   'unknown'
 */
export class Contract {
	readonly reportSchema: ReportSchema;

	/** The ends of paths that lead to the ID of a job, the surest first, e.g. `.jobid`. */
	readonly jobIdPaths: readonly string[];

	/** The paths of the results of a job, if a user taught them. */
	readonly reportPaths: readonly string[];

	private readonly words: Vocabulary<StateWord>;

	private readonly names: Vocabulary<Meaning>;

	/** `plainWords`, and taught words of a failed or a running job. */
	private readonly plainWords: Vocabulary<'plain'>;

	/** Taught words of a failed or a running job. A field with such a name holds no final report, even if the name is also a standard one. */
	private readonly taughtNotFinal: Vocabulary<'failed' | 'running'>;

	private readonly taughtPaths: TaughtPath[];

	/** Whether the names of a state are those that a user taught, and no others. */
	private readonly hasTaughtStates: boolean;

	private readonly meanings = new Map<string, Meaning | undefined>();

	constructor(taught: ServiceNames = {}) {
		const { jobId, state, reports, categories } = { ...standardNames, ...taught };
		const { complete, failed, running } = standardNames;
		const standardWords = { complete, failed, running };
		const taughtWords = {
			complete: taught.complete ?? [],
			failed: taught.failed ?? [],
			running: taught.running ?? [],
		};
		this.reportSchema = createReportSchema(categories);
		this.jobIdPaths = jobId.map(pathEnd);
		this.reportPaths = reports.map(pathEnd);
		this.words = createVocabulary<StateWord>(standardWords, stateWords, taughtWords);
		this.names = createVocabulary<Meaning>(standardWords, taughtWords, fieldNames, {
			jobId: jobId.map(lastName),
			state,
		});
		this.taughtNotFinal = createVocabulary({
			failed: taughtWords.failed,
			running: taughtWords.running,
		});
		this.plainWords = createVocabulary({
			plain: [...plainWords, ...taughtWords.failed, ...taughtWords.running],
		});
		this.taughtPaths = listPaths({ ...taughtWords, state });
		this.hasTaughtStates = taught.state !== undefined;
	}

	/** The meaning of a name in an object at this path; undefined for a name that no list has. */
	meaningOf(name: string, path: string): Meaning | undefined {
		const taught = this.findTaughtMeaning(name, path);
		if (taught !== undefined) return taught;
		if (!this.meanings.has(name)) {
			if (this.meanings.size > maxMeanings) this.meanings.clear();
			this.meanings.set(name, this.findMeaning(name));
		}
		return this.meanings.get(name);
	}

	/** Whether nothing under a name in an object at this path is a final report. */
	isNotFinal(name: string, path: string): boolean {
		if (notFinal.includes(this.meaningOf(name, path))) return true;
		return this.taughtNotFinal.size > 0 && lookUp(this.taughtNotFinal, name) !== undefined;
	}

	/**
	 * The meaning of the word of a state; undefined for a blank text, and for a value that is no word. A sentence, or a sign without
	 * letters and digits, is `unknown`.
	 */
	stateWordOf(value: unknown): StateWord | undefined {
		if (typeof value === 'object' || !isGiven(value)) return undefined;
		const known = lookUp(this.words, value);
		if (known !== undefined) return known;
		const letters = normalizeName(value);
		if (letters === '') return 'unknown';
		// Words such as `scoring` and `not_done` mean no end.
		if (letters.endsWith('ing') || letters.startsWith('not')) return 'running';
		return Number.isNaN(Number(letters)) ? 'unknown' : 'number';
	}

	/** Whether a word states, under any name, that something is not over, or went wrong. */
	isPlainWord(value: unknown): boolean {
		return lookUp(this.plainWords, value) !== undefined;
	}

	private findTaughtMeaning(name: string, path: string): Meaning | undefined {
		if (this.taughtPaths.length === 0) return undefined;
		const fullPath = `${path}.${normalizeName(name)}`;
		return this.taughtPaths.find(({ end }) => fullPath.endsWith(end))?.meaning;
	}

	private findMeaning(name: string): Meaning | undefined {
		const parts = splitWords(name);
		if (parts.some((word) => pastWords.includes(word))) return 'past';
		const isLikeState =
			!this.hasTaughtStates && ['status', 'state', 'phase'].includes(parts.at(-1)!);
		return lookUp(this.names, name) ?? (isLikeState ? 'likeState' : undefined);
	}
}
