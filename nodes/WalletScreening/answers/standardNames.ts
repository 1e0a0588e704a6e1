import { reportCategories } from './report';

/*
 * The names and words that the nodes look for. `namedAddress.ts` lists the names of addresses. Of
 * `{ "jobStatus": "queued" }`, the name `jobStatus` is looked up among the names, and `queued` among
 * the words of a state. `contract.ts` does that.
 *
 *     wordGroups          words of a state, and in which roles they count
 *     fieldNames          names of fields, by what such a field holds
 *     replaceableNames    names for which a user can teach others
 *     wordsInNames        words in names, by their role
 *
 * Under most names that hold no state, only the kind of a value counts, as in `"done": "yes"`:
 * `values.ts` has the kinds.
 *
 * Only letters and digits count: `job_id`, `jobId` and `Job-ID` are one name.
 */

/** The names or words in a text, which blanks separate. */
const listIn = (text: string): string[] => text.split(' ');

/** The names of a word of each list, in both orders: `skipped_sources` and `sources_skipped`. */
const pairsOf = (ones: string[], others: string[]): string[] =>
	ones.flatMap((one) => others.flatMap((other) => [`${one}_${other}`, `${other}_${one}`]));

/** Words of a state, and the roles in which they count. */
export interface WordGroup {
	words: string[];
	/**
	 * What such a word means as the value of a state: `status: "queued"`. A `success` is that of the
	 * request, or, beside the ID of a job, of the job. An `ok` may be about anything.
	 */
	asValue: 'complete' | 'failed' | 'running' | 'success' | 'ok';
	/**
	 * What it means as the name of a switch, a time, a number or a list: `cancelled: true`,
	 * `failed: [{ … }]`. The other words are no names, or `fieldNames` has them.
	 */
	asName?: 'completion' | 'failure' | 'unfinished';
	/**
	 * Whether it means "not over" or "went wrong" under any name of a state or a verdict, and under
	 * one that ends like a state: `kyc_status: "timeout"`, `result: "error"`,
	 * `status: { text: "Failed" }`. The other words may describe the wallet, a customer or the request
	 * there: `kyc_status: "expired"`, `status: { text: "Created" }`.
	 */
	isAlwaysBad?: boolean;
}

/**
 * The words that each contract has. No word is in two groups. `is_processing` is listed because
 * `processing` is one of the words for a subject, which are left out of other names.
 */
export const wordGroups: WordGroup[] = [
	{
		asValue: 'complete',
		asName: 'completion',
		words: listIn(
			'complete completed completion done end ended final finish finished finalized finalised fulfilled ready processed executed succeeded screened analyzed analysed',
		),
	},
	{
		asValue: 'failed',
		asName: 'failure',
		isAlwaysBad: true,
		words: listIn(
			'fail failed errored crashed aborted timed_out unavailable skipped not_screened unprocessed',
		),
	},
	{
		asValue: 'failed',
		asName: 'failure',
		words: listIn('failures cancelled canceled rejected invalid unsupported not_found missing'),
	},
	{
		asValue: 'failed',
		isAlwaysBad: true,
		words: listIn('failure error timeout unreachable unchecked offline'),
	},
	{
		asValue: 'failed',
		words: listIn(
			'errors fault faulted fatal false killed dead stopped terminated halted interrupted denied declined refused revoked withdrawn expired',
		),
	},
	{
		asValue: 'running',
		asName: 'unfinished',
		isAlwaysBad: true,
		words: listIn('running pending queued in_queue waiting processing is_processing in_progress'),
	},
	{
		asValue: 'running',
		isAlwaysBad: true,
		words: listIn(
			'incomplete partial inconclusive not_done not_finished not_completed not_checked not_run not_performed not_available',
		),
	},
	{
		asValue: 'running',
		words: listIn(
			'started created accepted submitted scheduled init new process paused suspended on_hold unknown unspecified',
		),
	},
	{ asValue: 'success', words: ['success', 'successful'] },
	{
		asValue: 'ok',
		words: listIn('ok true 0 200 valid active approved issued archived clear clean safe passed'),
	},
];

/** The keys of what a user can teach. */
export const serviceNameKeys = [
	'jobId',
	'state',
	'reports',
	'complete',
	'failed',
	'running',
	'categories',
] as const;

/**
 * What one service uses beside the standard names. `complete`, `failed` and `running` are words,
 * which are added to `wordGroups`. The other lists replace those of `replaceableNames`. A name may
 * be the end of a dot path.
 *
 * @example { state: ['review.status'], complete: ['baked'] }
 */
export type ServiceNames = Partial<Record<(typeof serviceNameKeys)[number], string[]>>;

/**
 * Groups the words that a user taught. Those of a failed or a running job count in all roles. Of a
 * word that was taught twice, the first group counts.
 */
export const groupTaughtWords = ({
	complete = [],
	failed = [],
	running = [],
}: ServiceNames): WordGroup[] => [
	{ words: running, asValue: 'running', asName: 'unfinished', isAlwaysBad: true },
	{ words: failed, asValue: 'failed', asName: 'failure', isAlwaysBad: true },
	{ words: complete, asValue: 'complete', asName: 'completion' },
];

/**
 * Names that a service may use where its specification shows none (sections 2.4, 3, 4.3, 4.4 and
 * 6), if a user teaches no others.
 */
export const replaceableNames: Record<'jobId' | 'state' | 'reports' | 'categories', string[]> = {
	/** The ID of a job, the most specific name or end of a path first. */
	jobId: listIn(
		'job_id bulk_job_id bulk_id batch_id job.id job.uuid bulk_job.id bulk.id bulk.uuid batch.id batch.uuid id uuid task_id run_id uid',
	),
	/** How far along a job or a result is. */
	state: listIn(
		'status state phase stage status_text status_name status_desc completion_status final_status',
	),
	/** The lists or maps of results. Without a name, the place with the most reports counts. */
	reports: [],
	/** The categories (section 2.3) that a report must have. */
	categories: reportCategories,
};

/** Names of fields that each contract has, by the meaning of such a field. */
export const fieldNames = {
	/** What went wrong: `error: "no source"`. */
	error: listIn(
		'error errors err err_msg failure fault exception problem error_message error_reason error_result failure_reason fail_reason',
	),
	/**
	 * Which sources are missing, or how many: `skipped_sources: ["OFAC"]`, `checks_pending: 2`.
	 * `failed_checks` is not among them: it is a verdict on the wallet.
	 */
	missingSources: [
		...pairsOf(
			listIn(
				'unavailable unreachable missing skipped unchecked stale timed_out pending incomplete',
			),
			listIn('source sources checks category categories provider providers lists sanctions'),
		),
		...pairsOf(
			listIn('failed error errors errored'),
			listIn('source sources category categories provider providers lists sanctions'),
		),
	],
	/** What was asked, each with its own state: `sources: [{ name: "OFAC", status: "failed" }]`. */
	sources: listIn('source sources check checks category categories provider providers lists'),
	/**
	 * What went wrong, of which a number counts only in a result, or if it may be a status of HTTP:
	 * `error_code: "NO_SOURCE"`.
	 */
	errorCode: ['error_code', 'err_code', 'errno'],
	/** A number that may be a status of HTTP, or a word of failure: `code: 500`, `code: "PENDING"`. */
	code: ['code', 'status_code', 'http_status', 'result_code'],
	/** Whether a source or an address is missing: `partial: true`. */
	partial: ['partial', 'partially', 'incomplete'],
	/** Whether reports are not final: `provisional: true`. */
	provisional: ['preliminary', 'provisional', 'interim', 'stale', 'degraded'],
	/**
	 * Whether reports are final no longer, or not meant to be, or since when: `draft: true`,
	 * `revoked_at: "2026-11-28"`.
	 */
	withdrawn: listIn(
		'draft outdated superseded superseded_by revoked retracted withdrawn invalidated',
	),
	/** Whether reports are too old: `expired: true`. A time may be the end of their validity. */
	expired: ['expired'],
	/** Whether the request succeeded: `success: false`. */
	success: ['success', 'ok'],
	/** How much is done: `progress: 40`, `progress: "40%"`. It counts only without a known state. */
	progress: listIn('progress progress_percent percent_complete percent_completed percent_done'),
	/** What came out, of which only a word of failure counts: `conclusion: "failure"`. */
	verdict: ['conclusion', 'result', 'outcome'],
	/** A sentence for people, which states nothing: `message: "All were screened"`. */
	message: ['message', 'msg', 'messages', 'description', 'note', 'notes'],
	/** What a delivery is about, which counts only in one: `event: "job.failed"`. */
	event: ['event', 'event_type', 'event_name', 'type', 'action', 'topic'],
	/** How many addresses there are: `total: 500`. */
	total: listIn('total total_count x_total x_total_count count number_of num submitted'),
	/** How many pages there are, or whether this is the last one: `last_page: 3`, `last: false`. */
	pages: listIn('pages total_pages total_page page_count last_page last x_total_pages'),
	/** Whether another page follows: `has_more: true`. */
	next: listIn(
		'next next_page next_url next_link next_page_url next_page_uri next_token next_page_token next_cursor next_records_url odata_next_link has_more more has_next has_next_page is_truncated truncated continuation_token has_more_pages more_available next_offset x_next_page x_has_more',
	),
	/** Links, of which one may lead to another page: `links: [{ rel: "next" }]`. */
	link: ['link', 'links'],
	/** What the customer has used and may use, which is about no job: `credits: { total: 5000 }`. */
	account: listIn('credits usage quota quotas limits rate_limit rate_limits'),
	/**
	 * The state of a wallet, which is not `status` for its subject, as `job_status` is. It counts as
	 * any name that ends like a state.
	 */
	likeState: ['wallet_status', 'address_status'],
	/** What is neither the ID nor the state of a job, nor a count, though it looks like one. */
	other: listIn(
		'request_id trace_id event_id version pdf_status webhook_status callback_status delivery_status running_time waiting_time next_run next_run_at next_check next_check_at next_screening next_screening_at',
	),
};

/**
 * Normalized names of a state that may hold a sentence about it: `status_text: "All were screened"`.
 */
export const stateTexts = ['statustext', 'statusname', 'statusdesc'];
/** What a service does after a screening. */
const followUp = listIn(
	'webhook callback notification delivery pdf export download billing invoice monitor monitoring subscription',
);

/**
 * The words in names, by the role that they have there.
 *
 *     role          a name with such a word                                example
 *     past          is that of an earlier report or state                  `previous_status`
 *     stateEnding   may be that of a state, if it ends with the word       `kyc_status`
 *     subject       means the same without the word                        `job` in `jobStatus`
 *     suffix        means the same without the word, or with another       `at` in `completedAt`
 *     followUp      is about what a service does after a screening         `webhook_errors`
 *     otherTopic    is not about the screening, but has states, errors     `transactions`
 *                   and numbers of its own
 *     analysis      may be a part of the screening, if it ends with        `transaction_analysis`
 *                   the word
 *     screening     is about the screening, if it has only such words      `data_sources`
 *
 * Those of the last four roles are in the singular, and stand for the plural, too.
 */
export const wordsInNames = {
	past: new Set(['previous', 'prior', 'earlier', 'past', 'old', 'history', 'historical']),
	stateEnding: new Set(['status', 'state', 'phase']),
	subject: new Set(
		listIn(
			'job jobs bulk batch task run operation operations execution check scan screening screenings process processing analysis address addresses wallet wallets item items element elements result results report reports record records entry entries list',
		),
	),
	suffix: new Set(listIn('is was has at on time date total count number num status state flag')),
	followUp: new Set(followUp),
	otherTopic: new Set([
		...followUp,
		...listIn(
			'transaction tx transfer deposit withdrawal payment payout order token asset balance price market ticker',
		),
		...listIn('counterparty customer client user tenant kyc onboarding'),
		...listIn('case alert ticket review investigation incident approval escalation filing'),
		...listIn('document file schedule log timeline attempt retry transition link label domain ens'),
	]),
	analysis: new Set(['screening', 'scan', 'analysis', 'assessment', 'scoring']),
	screening: new Set([
		...listIn('meta metadata data detail info summary quality coverage completeness freshness'),
		...listIn('risk score scoring exposure analysis assessment engine module section stage'),
		...listIn(
			'screening scan check test source provider vendor upstream feed list watchlist dataset',
		),
		...listIn('category sanction aml kyt version publication status state progress'),
		...listIn('reason verdict resolution'),
		...listIn('job bulk batch task run execution processing pipeline operation'),
		...listIn('request response payload attributes body result report'),
		...reportCategories,
	]),
} satisfies Record<string, ReadonlySet<string>>;

/** A failure under such a name may be a verdict on the wallet: `rejected: true`. */
export const verdictName = /rejected/i;
