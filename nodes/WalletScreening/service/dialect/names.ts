const list = (names: string) => names.trim().split(/\s+/);

/**
 * The names and words that the service may use where its specification shows none (sections 2.4, 3, 4.3, 4.4 and 6). The
 * nodes assume nothing else of it. They compare only letters and digits: `next_page`, `nextPage` and `Next-Page` are one.
 */
const names = {
	/** Objects that hold a job, its results or a report. */
	wrappers: list(`data job bulkJob bulk batch task operation result report screening response
		payload body object output attributes item properties embedded node`),
	/** Objects that describe what lies beside them, such as a page or a progress. */
	about: list(`meta metadata summary counts requestCounts total progress analysis page pageInfo
		pagination paging cursors link links`),
	/** Lists of objects that each hold a share of the results. */
	parts: list('parts chunks batches shards pages'),
	/** The ID of a job, the surest name first. The last one may be the ID of something else. */
	jobId: list('jobId bulkId bulkJobId batchId taskId id'),
	/** The address of an entry whose report does not name it. */
	address: list('walletAddress wallet input query target request'),
	/** Results: a list, or an object with an address for each name. */
	results: list(`results reports items data entries records addresses wallets screenings
		assessments included value content hits edges output succeeded completed`),
	/** Addresses without a report: a list, or an object with an address for each name. */
	unscreened: list(`errors errored failed failures invalid rejected skipped missing unsupported
		unprocessed unscreened notFound timedOut cancelled canceled expired pending queued
		processing inProgress remaining`),
	/** How far a job or a report is: a word, or an object that holds one under `stateName`. */
	state: list(`status state jobStatus jobState bulkStatus batchStatus reportStatus resultStatus
		screeningStatus processStatus processingStatus analysisStatus code statusCode`),
	stateName: list('code name value status state phase kind'),
	/** What happened, in a delivery: a word of it may say that the job is not complete. */
	event: list('event eventType eventName type topic action'),
	/** Not empty if something went wrong, or was not looked at. */
	error: list(`error errors errorCode errorMessage failure failureReason failureCode
		unavailableSources sourcesUnavailable missingSources skippedChecks`),
	/** The time of the end: null before it. */
	doneAt: list('completedAt finishedAt endedAt doneAt processedAt screenedAt'),
	/** How much is done: all of it is 1 or 100. */
	progress: list('progress progressPercent percentComplete percentCompleted'),
	/** How many results there are. */
	total: list(`total submitted requested odataCount xTotal contentRange count batchSize
		addressCount walletCount resultCount reportCount itemCount`),
	/** How many pages there are. */
	pages: list('pages totalPages pageCount lastPage totalParts totalChunks'),
	/** Not empty if there are more results. So is each other name that begins with `next`. */
	more: list('more next odataNextLink continuationToken truncated'),
	/** The categories (section 2.3) that a report must have as numbers. */
	categories: list('sanctions darknet mixer scam stolen clean_exchange'),
};

/** What a state says. Each word is the name of a switch, too: `pending: true`, `complete: false`. */
const words = {
	/** The job or the report is complete. */
	complete: list('complete completed done finished ended ready processed succeeded'),
	/** The same, unless it may be said of the request: as a switch, or around the job. */
	success: list('success successful'),
	/** The job is complete, and some addresses have no report. */
	partly: list('completedWithErrors partiallyCompleted partiallySucceeded partialSuccess'),
	/** The job or the report failed. */
	failed: list(`failed failure error errored cancelled canceled aborted expired rejected
		timedOut timeout skipped invalid unsupported notFound`),
	/** The job runs, or the report is not final. */
	running: list(`pending queued waiting scheduled running processing inProgress progress notStarted
		notScreened missing partial incomplete degraded provisional placeholder preliminary draft
		stale unavailable`),
	/** The same. As a switch it stays on when the job is complete. */
	begun: list('created accepted started'),
	/** The report is final, and the job may run. */
	final: list('final screened scored analyzed generated'),
	/** What a final report found. As a switch it may be false. */
	verdict: list('approved active issued archived'),
	/** The same, for good: as a switch that is off it speaks against a green level. */
	good: list('clean clear safe passed'),
	/** The same, against a green level. */
	alarm: list('flagged risky highRisk sanctioned blacklisted blocked malicious'),
	/** The request went well. */
	fine: list('ok okay true 0 200 201 found valid addressValid'),
};

export type Role = Exclude<keyof typeof names, 'categories'>;
export type Kind = keyof typeof words;
type Lists<Key extends string> = Record<Key, string[]>;
/** What a service uses beside the usual names and words. Only `categories` replaces its list. */
export type Additions = Partial<Lists<keyof typeof names>> & { words?: Partial<Lists<Kind>> };

/** What the nodes assume of every service. */
export const usual = { ...names, words } satisfies Additions;

/** What stands before or after a name or a word without changing it. */
export const affixes = {
	/** Before the name of a switch: `isComplete`, `hasMore`. */
	switches: list('is has was'),
	/** After a name of `unscreened` or `total`: `failedAddresses`, `totalCount`. */
	counts: list('count addresses wallets results reports items list'),
	/** Before a word, to say whose state it is: `JOB_STATE_SUCCEEDED`. */
	words: list('job bulk batch task report screening state'),
};
