import { reportCategories } from './report';

/*
 * All names and words that the nodes know. Of `{ "jobStatus": "queued" }`, the name `jobStatus` is
 * looked up among the names, and `queued` among the words of a state. `contract.ts` does that.
 */

/** The names in a text, which blanks separate. */
const namesIn = (text: string): string[] => text.split(' ');

/**
 * Names and words that a service may use where its specification shows none (sections 2.4, 3, 4.3,
 * 4.4 and 6). Only letters and digits count: `job_id`, `jobId` and `Job-ID` are one name.
 * `complete`, `failed` and `running` hold words of a state, which are names, too: of switches,
 * times, numbers and lists.
 */
export const standardNames = {
	/** The ID of a job, the surest name or end of a path first. */
	jobId: namesIn(
		'job_id bulk_job_id bulk_id batch_id job.id job.uuid bulk_job.id bulk.id bulk.uuid batch.id batch.uuid id uuid uid task_id run_id',
	),
	/** How far a job or a result is. */
	state: ['status', 'state', 'phase', 'stage', 'status_text', 'status_name', 'status_desc'],
	/** The lists or maps of results. Without a name, the place with the most reports counts. */
	reports: [] as string[],
	complete: namesIn(
		'complete completed completion done end ended final finish finished fulfilled ready processed executed succeeded screened analyzed',
	),
	failed: namesIn(
		'fail failed failures errored cancelled canceled aborted expired rejected invalid unsupported unavailable not_found not_screened skipped missing unprocessed timed_out',
	),
	running: ['running', 'pending', 'queued', 'in_queue', 'waiting', 'processing', 'in_progress'],
	/** The categories (section 2.3) that a report must have. */
	categories: reportCategories,
};

/**
 * What one service uses beside the standard names. `complete`, `failed` and `running` are added to
 * these, the other lists replace them. A name may be the end of a dot path.
 *
 * @example { state: ['review.status'], complete: ['baked'] }
 */
export type ServiceNames = Partial<Record<keyof typeof standardNames, string[]>>;

/**
 * Words of a state, which count as values only. `success` belongs to the request, or, beside the ID
 * of a job, to the job.
 */
export const stateWords = {
	running: namesIn(
		'started created accepted submitted scheduled init new process incomplete partial',
	),
	failed: namesIn(
		'error errors failure fault faulted fatal false killed crashed dead stopped revoked withdrawn timeout',
	),
	partly: namesIn(
		'completed_with_errors completed_with_failures partially_completed partially_succeeded partially_failed partial_success',
	),
	success: ['success', 'successful'],
	ok: namesIn('ok true 0 200 valid active approved issued archived clear clean safe passed'),
};

/**
 * Words that mean "not over" or "went wrong" under any name. Other words may describe the wallet, a
 * customer or the request: `kyc_status: "expired"`, `status: { text: "Created" }`.
 */
export const badWords = [
	...standardNames.running,
	...namesIn(
		'fail failed failure error errored aborted crashed timeout timed_out unavailable skipped not_screened unprocessed incomplete partial',
	),
];

/** Names of fields that each contract has, by the meaning of such a field. */
export const fieldNames = {
	/** What went wrong: `error: "no source"`. */
	error: namesIn(
		'error errors failure fault exception error_message error_reason error_result failure_reason fail_reason unavailable_sources sources_unavailable failed_sources missing_sources skipped_sources pending_sources missing_checks skipped_checks pending_checks',
	),
	/**
	 * What went wrong, of which a number counts only if it may be a status of HTTP:
	 * `error_code: "NO_SOURCE"`.
	 */
	errorCode: ['error_code'],
	/** A number that may be a status of HTTP: `code: 500`. */
	code: ['code', 'status_code', 'http_status', 'result_code'],
	/** Whether a source or an address is missing: `partial: true`. */
	partial: namesIn('partial partially incomplete preliminary provisional stale degraded'),
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
	next: namesIn(
		'next next_page next_url next_link next_page_url next_page_uri next_token next_page_token next_cursor next_records_url odata_next_link has_more more has_next has_next_page is_truncated truncated continuation_token',
	),
	/** Links, of which one may lead to another page: `links: [{ rel: "next" }]`. */
	link: ['link', 'links'],
	/** What is neither the ID nor the state of a job, though it looks like one. */
	other: ['request_id', 'trace_id', 'event_id', 'version', 'wallet_status', 'address_status'],
};

/** A name with one of these words is that of an earlier report or state. */
export const pastWords = ['previous', 'prior', 'earlier', 'past', 'old', 'history', 'historical'];
/** Words for the subject of a name, such as `job` in `jobStatus` and `items` in `failed_items`. */
export const subjectWords = namesIn(
	'job jobs bulk batch task run operation operations execution check scan screening screenings process processing analysis address addresses wallet wallets item items element elements result results report reports record records entry entries list',
);
/** Words for the kind of value, such as `is` in `isComplete` and `at` in `completedAt`. */
export const kindWords = namesIn('is was at on time date total count number num status state');
