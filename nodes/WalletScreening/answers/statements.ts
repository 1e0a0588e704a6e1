import type { StateWord, Topic } from './contract';

/*
 * What a field can state of how far along a job or a result is, and what each statement does: to
 * the state of the job, to a result, and to whether something is missing. `fieldStatements.ts`
 * reads which statement a field makes.
 */

/** What the word of a state states: "done" makes the statement `completeWord`. */
type WordStatement = `${StateWord}Word`;

/** What a field states. The table `effects` has examples. */
export type Statement =
	| WordStatement
	| 'hasError'
	| 'hasFailed'
	| 'endedBadly'
	| 'isOver'
	| 'isNotDone'
	| 'hasNoEnd'
	| 'lacksSomething'
	| 'lacksSource'
	| 'doubtsReports'
	| 'withdrawsReports'
	| CountStatement
	| 'hasMore';

/** A statement by which a number counts results. */
type CountStatement = 'countsResults' | 'countsFailures';

/** Returns what a word of this meaning states as the value of a state. */
export const statementOfWord = (word: StateWord | undefined): WordStatement | undefined =>
	word && `${word}Word`;

export const isCount = (statement: Statement): statement is CountStatement =>
	statement === 'countsResults' || statement === 'countsFailures';

/**
 * What a part is about: an object in a report or next to it. If nothing is known of the subject of
 * a list, each of its elements may have another one: `unknownElement`.
 */
export type PartTopic = Topic | 'unknownElement';

/**
 * The state that a statement makes of a job. If an answer has statements of several rules, the
 * first of these rules counts.
 */
export const jobRules = [
	// A word of failure ends a job, also beside words that state something else.
	{ rule: 1, state: 'failed' },
	// Any word that is not known to mean the end may mean that the job runs.
	{ rule: 2, state: 'running' },
	// An error, `success: false`, `conclusion: "failure"`, `cancelled: true`, or the time of a
	// failure ends a job.
	{ rule: 3, state: 'failed' },
	// A word such as `ready` may mean that the job waits, if `done` is false or its end is empty.
	{ rule: 4, state: 'running' },
	// A word of completion, `done: true`, or the time of the end means that the job is complete.
	{ rule: 5, state: 'complete' },
] as const;

type JobRule = (typeof jobRules)[number];
export type JobState = JobRule['state'];

/** What a statement does. What a row leaves out does not apply. */
interface Effects {
	/** For the state of a job: the rule that it belongs to. */
	jobRule?: JobRule['rule'];
	/**
	 * For the search of the job: it states how far along something is (`queued`), and not how a
	 * request ended (`success`). So the object that has it is likely to be the job. Beside
	 * it, a field such as `kyc_status` counts only if it states a failure.
	 */
	isProgress?: boolean;
	/**
	 * For the state of a job: it counts only beside the ID, because elsewhere it may be about the
	 * request. A number never decides the state. Beside the ID, an error quotes it.
	 */
	mayBeOfRequest?: boolean;
	/**
	 * For the state of a job: it may be about one address only. It does not end a job that has
	 * reports, and is complete or names an address that failed.
	 */
	mayBeOfOneAddress?: boolean;
	/** For the state of a job that is a bare list: in an element, it keeps the job running. */
	keepsListRunning?: boolean;
	/**
	 * For a result: no report counts with it, be it in the report or around it (`anywhere`), or only
	 * in the report itself (`inside`). `fieldStatements.ts` and `contradictions.ts` leave out fields
	 * that may be about something else.
	 */
	contradicts?: 'anywhere' | 'inside';
	/** For a result: if a field of the job makes this statement, it contradicts every report. */
	contradictsEachReport?: boolean;
	/**
	 * For a result: what a part has to be about, so that this statement in it contradicts the report.
	 */
	contradictsFromParts?: readonly PartTopic[];
	/**
	 * For the missing results and the unnamed lack (`lacks.ts`): an address or a source is missing.
	 */
	isLack?: boolean;
	/** For the unnamed lack: in a job that is complete all the same, a source may be missing. */
	mayBeLack?: boolean;
	/**
	 * The contract does not have the value. In a risk it is a verdict on the wallet. Elsewhere it may
	 * mean the end, so an error proposes to teach it.
	 */
	isUnknown?: boolean;
}

const ofScreening: readonly PartTopic[] = ['screening'];
const unlessListed: readonly PartTopic[] = ['screening', 'unknown'];
const unlessOther: readonly PartTopic[] = ['screening', 'unknown', 'unknownElement'];

/** What each statement does, in the order of the rules for a job. */
const effects: Record<Statement, Effects> = {
	/** `status: "failed"` */
	failedWord: {
		jobRule: 1,
		isProgress: true,
		contradicts: 'anywhere',
		contradictsFromParts: unlessListed,
	},
	/** `status: "queued"` */
	runningWord: {
		jobRule: 2,
		isProgress: true,
		contradicts: 'anywhere',
		keepsListRunning: true,
		contradictsFromParts: ofScreening,
	},
	/** `status: "baked"` */
	unknownWord: {
		jobRule: 2,
		isProgress: true,
		contradicts: 'anywhere',
		keepsListRunning: true,
		isUnknown: true,
	},
	/** `error: "no source"`, `success: false` */
	hasError: {
		jobRule: 3,
		mayBeOfOneAddress: true,
		contradicts: 'anywhere',
		contradictsFromParts: unlessListed,
		mayBeLack: true,
	},
	/** `cancelled: true`, `failed_at: "2026-11-26"`, `code: 503` */
	hasFailed: {
		jobRule: 3,
		contradicts: 'anywhere',
		contradictsFromParts: unlessListed,
		mayBeLack: true,
	},
	/** `conclusion: "failure"`, which may be about a wallet; `event: "job.failed"` */
	endedBadly: { jobRule: 3, contradicts: 'anywhere', contradictsFromParts: unlessListed },
	/** `done: false`, `running: true` */
	isNotDone: {
		jobRule: 4,
		isProgress: true,
		contradicts: 'anywhere',
		keepsListRunning: true,
		contradictsFromParts: ofScreening,
	},
	/** `completedAt: null` */
	hasNoEnd: { jobRule: 4, isProgress: true, contradicts: 'anywhere', keepsListRunning: true },
	/** `status: "done"` */
	completeWord: { jobRule: 5, isProgress: true },
	/** `status: "completed_with_errors"` */
	partlyWord: {
		jobRule: 5,
		isProgress: true,
		contradicts: 'anywhere',
		contradictsFromParts: unlessListed,
		isLack: true,
	},
	/** `done: true`, `completedAt: "2026-11-26"` */
	isOver: { jobRule: 5, isProgress: true },
	/** `status: "success"` */
	successWord: { jobRule: 5, mayBeOfRequest: true },
	/** `partial: true`, `errors: [{ address: … }]` */
	lacksSomething: {
		contradicts: 'anywhere',
		contradictsFromParts: unlessListed,
		isLack: true,
	},
	/** `provisional: true`, `completeness: "partial"` */
	doubtsReports: {
		contradicts: 'anywhere',
		contradictsEachReport: true,
		contradictsFromParts: unlessListed,
	},
	/** `skipped_sources: ["OFAC"]`, `skipped_sources: 2`, `sources: { ofac: "failed" }` */
	lacksSource: {
		contradicts: 'anywhere',
		contradictsEachReport: true,
		contradictsFromParts: unlessOther,
	},
	/** `revoked: true`, `expired: true` */
	withdrawsReports: {
		contradicts: 'anywhere',
		contradictsEachReport: true,
		contradictsFromParts: ofScreening,
	},
	/** `total: 500`, `completed: 500`: so many addresses have a result */
	countsResults: {},
	/** `failed: 2`, `errors: 2`, `pending: 2`: so many have no report */
	countsFailures: {},
	/** `has_more: true`, `pages: 2`: results follow elsewhere */
	hasMore: {},
	/**
	 * `status: 3`: the meaning of the number is unknown, so it decides no state of a job. In a report
	 * it contradicts it, as an unknown word does.
	 */
	numberWord: { contradicts: 'inside', mayBeOfRequest: true, isUnknown: true },
	/** `status: "ok"`: it may be about the request, the wallet or anything else */
	okWord: {},
};

const noEffects: Effects = {};

/** Returns what a statement does. */
export const effectsOf = (statement: Statement | undefined): Effects =>
	statement === undefined ? noEffects : effects[statement];
