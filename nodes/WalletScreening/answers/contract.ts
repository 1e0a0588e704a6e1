const list = (names: string) => names.split(' ');

/**
 * What the service may use where its specification shows nothing (sections 2.4, 3, 4.3, 4.4 and 6). Only letters and digits of
 * a name or a word count, and not what says whose it is: `jobStatus`, `batch_status` and `status` are one, and so are
 * `JOB_STATE_DONE` and `done`.
 */
export const usual = {
	/** The ID of a job, the surest name first: section 2.4 has `job_id`. Then one of `likely` that says whose it is, as in `taskId` and `batchNo`. */
	jobId: list('jobId bulkJobId bulkId batchId id uuid uid'),
	/** How far a job or a result is. If an answer has none of these, a name that ends like one of them counts. */
	state: list('status state phase'),
	/** The lists and maps of results, if those with most reports are not the ones. */
	reports: [] as string[],
	/** Addresses without a report, beside each word of `failed`, and each name that begins with `fail` or `err`. */
	failures: [] as string[],
	complete: list(
		'complete completed done finished fulfilled ended ready processed executed succeeded final screened analyzed',
	),
	failed: list(
		'failed failure error errored faulted false cancelled canceled aborted expired rejected ' +
			'fatal killed crashed dead stopped interrupted abandoned revoked withdrawn ' +
			'timedOut timeout invalid unsupported unavailable notFound skipped missing unprocessed',
	),
	running: list(
		'running pending queued waiting wait scheduled process processing inProgress started created accepted submitted ' +
			'incomplete partial preliminary provisional stale degraded',
	),
	/** The categories (section 2.3) that a report must have as numbers. */
	categories: list('sanctions darknet mixer scam stolen clean_exchange'),
};

/** `jobId`, `state`, `reports` and `categories` replace the usual lists, the others add to theirs. A name may end a path: `a.b`. */
export type ServiceNames = Partial<Record<keyof typeof usual, string[]>>;

/** Words that do not say how far something is. `success` is that of the request, or, beside its ID, of the job. */
export const silent = {
	success: list('success successful'),
	fine: list('ok true 0 200 valid active approved issued archived clear clean safe passed'),
};

/** Other names: what went wrong or was not looked at, how it ended, what happened, how many pages there are, and the next one. */
export const others = {
	error: list(
		'error errors errorCode errorMessage errorReason failure failureReason failureCode ' +
			'unavailableSources sourcesUnavailable missingSources',
	),
	/** Beside a state that says only that it ended. */
	verdict: list('result outcome conclusion exitCode'),
	event: list('event eventType eventName type action topic'),
	pages: list('pages totalPages pageCount lastPage'),
	more: list('pageToken'),
	link: list('link links'),
};

/** No shape tells an old report or state from a new one, if the old one is all there is. */
export const past = /(?:^|\.)(?:previous|prior(?!i)|earlier|past|old)|histor/i;

/** Parts of names that no list has, and that errors propose, the likeliest first. */
export const likely = {
	state: list('stat stag phase step progress'),
	/** Before the ID of something else than the job. */
	otherId: list('request req trace correlation event'),
	jobId: list('ticket handle reference ref number no id key token'),
};
