import type { StateWord, Topic } from './contract';

/*
 * What a field can state of how far along a job or a result is, and what each statement does: to
 * the state of the job, to a result, and to whether something is missing. `fields.ts` reads
 * which statement a field makes.
 */

/** What a field states: what its word means, or one of these. The table has examples. */
export type Statement =
	| StateWord
	| 'error'
	| 'ended'
	| 'notDone'
	| 'noEnd'
	| 'incomplete'
	| 'doubtsReports'
	| 'lacksSource'
	| 'withdrawn'
	| Count
	| 'more';

/** A statement by which a number counts results. */
type Count = 'total' | 'failureCount';

export const isCount = (statement: Statement): statement is Count =>
	statement === 'total' || statement === 'failureCount';

/**
 * The subject of an object in a report or next to it. If nothing is known of the subject of a list,
 * each of its elements may have another one: `unknownElement`.
 */
export type PartTopic = Topic | 'unknownElement';

/**
 * The state that a statement makes of a job. If an answer has statements of several rules, the first
 * of these rules counts.
 */
export const jobRules = [
	// A word of failure ends a job, also beside words that say otherwise.
	{ rule: 1, state: 'failed' },
	// Any word that is not known to mean the end may mean that the job runs.
	{ rule: 2, state: 'running' },
	// An error, `success: false`, `conclusion: "failure"`, `cancelled: true`, or the time of a
	// failure ends a job.
	{ rule: 3, state: 'failed' },
	// A word such as `ready` may mean that the job waits, if `done` is false or its end is empty.
	{ rule: 4, state: 'running' },
	// A word of completion, `done: true`, or the time of the end means that all is there.
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
	 * request. For a number, it only decides whether an error quotes it.
	 */
	mayBeOfRequest?: boolean;
	/** For the state of a job that is a bare list: in an element, it keeps the job running. */
	keepsListRunning?: boolean;
	/**
	 * For a result: no report counts with it, be it in the report or around it (`anywhere`), or only
	 * in the report itself (`inside`). `contradictions.ts` excepts names that may be about something else.
	 */
	contradicts?: 'anywhere' | 'inside';
	/** For a result: if a field of the job makes this statement, it contradicts every report. */
	isOfEachReport?: boolean;
	/** For a part of a result: what the part has to be about, so that the statement contradicts it. */
	ofParts?: readonly PartTopic[];
	/** For the missing results and the unnamed lack (`lacks.ts`): addresses or sources are missing. */
	isLack?: boolean;
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
	failed: { jobRule: 1, isProgress: true, contradicts: 'anywhere', ofParts: unlessListed },
	/** `status: "queued"` */
	running: {
		jobRule: 2,
		isProgress: true,
		contradicts: 'anywhere',
		keepsListRunning: true,
		ofParts: ofScreening,
	},
	/** `status: "baked"` */
	unknown: {
		jobRule: 2,
		isProgress: true,
		contradicts: 'anywhere',
		keepsListRunning: true,
		isUnknown: true,
	},
	/** It failed: `error: "no source"`, `success: false`, `cancelled: true` */
	error: { jobRule: 3, contradicts: 'anywhere', ofParts: unlessListed },
	/** It runs: `done: false`, `running: true` */
	notDone: {
		jobRule: 4,
		isProgress: true,
		contradicts: 'anywhere',
		keepsListRunning: true,
		ofParts: ofScreening,
	},
	/** It is not over yet: `completedAt: null` */
	noEnd: { jobRule: 4, isProgress: true, contradicts: 'anywhere', keepsListRunning: true },
	/** `status: "done"` */
	complete: { jobRule: 5, isProgress: true },
	/** `status: "completed_with_errors"` */
	partly: {
		jobRule: 5,
		isProgress: true,
		contradicts: 'anywhere',
		isLack: true,
		ofParts: unlessListed,
	},
	/** It is over: `done: true`, `completedAt: "2026-11-26"` */
	ended: { jobRule: 5, isProgress: true },
	/** `status: "success"` */
	success: { jobRule: 5, mayBeOfRequest: true },
	/** `partial: true`, `errors: [{ address: … }]` */
	incomplete: { contradicts: 'anywhere', isLack: true, ofParts: unlessListed },
	/** `provisional: true`, `completeness: "partial"` */
	doubtsReports: { contradicts: 'anywhere', isOfEachReport: true, ofParts: unlessListed },
	/** `skipped_sources: ["OFAC"]`, `skipped_sources: 2`, `sources: { ofac: "failed" }` */
	lacksSource: { contradicts: 'anywhere', isOfEachReport: true, ofParts: unlessOther },
	/** `revoked: true`, `expired: true` */
	withdrawn: { contradicts: 'anywhere', isOfEachReport: true, ofParts: ofScreening },
	/** `total: 500`, `completed: 500`: how many addresses have a result */
	total: {},
	/** `failed: 2`, `errors: 2`, `pending: 2`: how many have none */
	failureCount: {},
	/** `has_more: true`, `pages: 2`: results follow elsewhere */
	more: {},
	/**
	 * `status: 3`: it decides no state of a job, and an error only names it as unread. In a report it
	 * contradicts it, as an unknown word does.
	 */
	number: { contradicts: 'inside', mayBeOfRequest: true, isUnknown: true },
	/** `status: "ok"`: it may be of the request, of the wallet, or of anything else. */
	ok: {},
};

const noEffects: Effects = {};

/** Returns what a statement does. */
export const effectsOf = (statement: Statement | undefined): Effects =>
	statement === undefined ? noEffects : effects[statement];
