import { isJsonObject, isObjectOrList, type JsonObject, tryStringify } from '../shared/json';
import { parseDecimal } from '../shared/text';
import type { Contract, Meaning, StateWord } from './contract';
import { standsForAddress } from './namedAddress';
import { isReportLike } from './report';
import { type Statement, statementOfWord } from './statements';
import { countOf, isDateWord, isNone, kindOf, type ValueKind } from './values';

/*
 * What a value states of a job under a name of each meaning. The table `readers` has all meanings.
 * `fieldStatements.ts` reads from it what the same field states elsewhere.
 */

/** Reads what a value states under a name of one meaning; undefined if it states nothing. */
type ValueReader = (value: unknown, contract: Contract) => Statement | undefined;

const readNothing: ValueReader = () => undefined;

const readers: Record<Meaning, ValueReader> = {
	// How far along something is.
	state: readState,
	likeState: readLikeState,
	replacedState: readNothing,
	completion: readCompletion,
	unfinished: (value) => readKind('unfinished', value) ?? readCount('countsFailures', value),
	progress: readProgress,
	event: readEvent,

	// What went wrong.
	error: readError,
	errorCode: readErrorCode,
	code: readCode,
	success: (value) => readKind('success', value),
	failure: readFailure,
	verdict: readVerdict,

	// What is missing or not final.
	sources: readSources,
	missingSources: readMissingSources,
	partial: (value) => readKind('partial', value),
	provisional: (value) => readKind('provisional', value),
	withdrawn: (value) => readKind('withdrawn', value),
	expired: (value) => readKind('expired', value),

	// How many results there are, and whether more follow.
	total: (value) => readCount('countsResults', value),
	pages: (value) => (countOf(value) > 1 || kindOf(value) === 'off' ? 'hasMore' : undefined),
	next: (value) => (isNone(value) ? undefined : 'hasMore'),
	link: readLink,

	// These state nothing. `relateFields` looks for a message beside `success: false`.
	jobId: readNothing,
	message: readNothing,
	account: readNothing,
	other: readNothing,
	past: readNothing,
};

/** Reads what a value states of a job under a name of a meaning; undefined if it states nothing. */
export const readStatement = (
	contract: Contract,
	meaning: Meaning,
	value: unknown,
): Statement | undefined => readers[meaning](value, contract);

/**
 * What some kinds of values state. A number only counts something, so no kind of number is here.
 */
type StatementsByKind = Partial<Record<ValueKind, Statement>>;

const statementsOfErrors: StatementsByKind = {
	on: 'hasError',
	text: 'hasError',
	time: 'hasError',
	datedText: 'hasError',
	object: 'hasError',
	addressObject: 'lacksSomething',
	list: 'lacksSomething',
	numbers: 'lacksSomething',
};

/** Each of these may be about one source or one address only. */
const statementsOfLacks: StatementsByKind = {
	text: 'lacksSomething',
	datedText: 'lacksSomething',
	object: 'lacksSomething',
	numbers: 'lacksSomething',
};

const statementsOfDoubts: StatementsByKind = {
	on: 'doubtsReports',
	text: 'doubtsReports',
	datedText: 'doubtsReports',
	object: 'doubtsReports',
};

const statementsOfWithdrawals: StatementsByKind = {
	on: 'withdrawsReports',
	text: 'withdrawsReports',
	datedText: 'withdrawsReports',
	object: 'withdrawsReports',
};

/** What the kinds of values state under a name of each meaning for which the kind matters. */
export const statementsByKind: Partial<Record<Meaning, StatementsByKind>> = {
	completion: {
		on: 'isOver',
		time: 'isOver',
		datedText: 'isOver',
		off: 'isNotDone',
		empty: 'hasNoEnd',
	},
	unfinished: { on: 'isNotDone' },
	error: statementsOfErrors,
	// A status of HTTP counts no errors here.
	errorCode: { ...statementsOfErrors, httpError: 'hasError' },
	code: { httpError: 'hasFailed' },
	success: { off: 'hasError' },
	failure: { ...statementsOfLacks, on: 'hasFailed', time: 'hasFailed', datedText: 'hasFailed' },
	partial: { ...statementsOfLacks, on: 'lacksSomething' },
	provisional: statementsOfDoubts,
	withdrawn: { ...statementsOfWithdrawals, time: 'withdrawsReports' },
	// The time of `expired_at` may be still to come.
	expired: statementsOfWithdrawals,
};

const readKind = (meaning: Meaning, value: unknown): Statement | undefined =>
	statementsByKind[meaning]?.[kindOf(value)];

/** Reads a number, which counts something unless it is 0. */
const readCount = (
	statement: 'countsResults' | 'countsFailures',
	value: unknown,
): Statement | undefined => (countOf(value) > 0 ? statement : undefined);

/** Reads the value of a state: a word, or an object or a list of words. */
function readState(value: unknown, contract: Contract): Statement | undefined {
	const word = isObjectOrList(value) ? findBadWordIn(contract, value) : contract.stateWordOf(value);
	return statementOfWord(word);
}

/** Where a user taught the names of a state, no other name states how far along a job is. */
function readLikeState(value: unknown, contract: Contract): Statement | undefined {
	return contract.hasTaughtStates ? undefined : readState(value, contract);
}

/**
 * Finds the word that is always bad in an object or a list under the name of a state, a failure
 * first. Its other fields, such as the status of HTTP, are ignored.
 * @example `status: { code: "pending", id: 3 }` has a running word, and
 * `status: { code: 201, text: "Created" }` none
 */
export function findBadWordIn(contract: Contract, object: object): StateWord | undefined {
	const words = Object.entries(object)
		.filter(([name, value]) => contract.isBadWord(value) && contract.meaningOf(name, '') !== 'past')
		.map(([, value]) => contract.stateWordOf(value));
	return words.includes('failed') ? 'failed' : words[0];
}

function readCompletion(value: unknown, contract: Contract): Statement | undefined {
	// A list of what is complete may be empty because all failed.
	if (isObjectOrList(value) && isNone(value)) return undefined;
	if (contract.isBadWord(value) || isTextOfNoEnd(contract, value)) return 'isNotDone';
	if (kindOf(value) === 'datedText' && !beginsWithEnd(contract, value)) return 'isNotDone';
	return readKind('completion', value) ?? readCount('countsResults', value);
}

/**
 * Whether a text means that something runs, or that there is nothing: "pending", "not yet",
 * "no wallet found". A text with a date is not read so: `Asia/Beijing` ends in -ing.
 */
const isTextOfNoEnd = (contract: Contract, value: unknown): boolean =>
	kindOf(value) === 'text' &&
	(contract.stateWordOf(value) === 'running' || /^\s*no\b/i.test(String(value)));

/**
 * Whether a text with a date and other words begins with the date, or with a word of completion.
 * @example "2026-11-28 Asia/Beijing" and "finished 2026-11-28" do, and "expected 2026-11-30" and
 * "pending since 2026-11-28" do not
 */
function beginsWithEnd(contract: Contract, value: unknown): boolean {
	const [, digits, word] = /^\W*(?:(\d)|(\p{L}+))/u.exec(String(value)) ?? [];
	return digits !== undefined || isDateWord(word) || contract.stateWordOf(word) === 'complete';
}

function readProgress(value: unknown): Statement | undefined {
	return !isObjectOrList(value) && isBelowEnd(value) ? 'isNotDone' : undefined;
}

/** Whether a progress is below its end, which may be 1 or 100: `0.4`, `40`, `"40%"`, `"2/3"`. */
function isBelowEnd(progress: unknown): boolean {
	const text = String(progress);
	const [, done, total] = /^(\d+) ?(?:\/|of) ?(\d+)$/.exec(text) ?? [];
	if (done !== undefined) return Number(done) < Number(total);
	const number = parseDecimal(text.replace(/%$/, ''));
	// "1%" is a beginning, and 1 may be the whole.
	return number !== undefined && number < 100 && (text.endsWith('%') || number !== 1);
}

function readEvent(value: unknown, contract: Contract): Statement | undefined {
	switch (contract.eventWordOf(value)) {
		case 'failed':
			return 'endedBadly';
		case 'complete':
			return 'completeWord';
		case 'partly':
			return 'partlyWord';
		case 'running':
			// `type: "billing"` only ends like a word that runs.
			return contract.isBadWord(value) ? 'runningWord' : undefined;
		default:
			return undefined;
	}
}

function readError(value: unknown, contract: Contract): Statement | undefined {
	if (isStillRunning(contract, value)) return 'isNotDone';
	return readKind('error', value) ?? readCount('countsFailures', value);
}

function readErrorCode(value: unknown, contract: Contract): Statement | undefined {
	return isStillRunning(contract, value) ? 'isNotDone' : readKind('errorCode', value);
}

/** Whether an error is none yet: "NOT_READY", "still processing". */
const isStillRunning = (contract: Contract, error: unknown): boolean =>
	contract.stateWordOf(error) === 'running';

function readCode(value: unknown, contract: Contract): Statement | undefined {
	if (!contract.isBadWord(value)) return readKind('code', value);
	const word = contract.stateWordOf(value);
	if (word === 'failed') return 'hasFailed';
	return word === 'running' ? 'isNotDone' : undefined;
}

function readFailure(value: unknown): Statement | undefined {
	// `resultPlaces.ts` finds an address only in the field `address` or as a key. Of any other entry,
	// any address may be the one that failed.
	if (kindOf(value) === 'addressObject' && !standsForAddress(value)) return 'lacksSomething';
	return readKind('failure', value) ?? readCount('countsFailures', value);
}

/** Reads a word that may be a verdict on the wallet, as in `result: "accepted"`. */
function readVerdict(value: unknown, contract: Contract): Statement | undefined {
	const word = contract.stateWordOf(value);
	if (word === 'failed') return 'endedBadly';
	return word === 'running' && contract.isBadWord(value) ? 'isNotDone' : undefined;
}

/** Reads the sources that were asked, one of which may have failed or still run. */
function readSources(value: unknown, contract: Contract): Statement | undefined {
	if (!isObjectOrList(value)) return undefined;
	const isLacking = Object.values(value).some((source: unknown) => isMissing(contract, source));
	return isLacking ? 'lacksSource' : undefined;
}

/**
 * Whether one of the sources that were asked failed, or still runs. What names an address is a
 * result, and no source.
 * @example "failed" in `{ ofac: "failed" }`, and the object in
 * `[{ name: "OFAC", status: "pending" }]`
 */
function isMissing(contract: Contract, source: unknown): boolean {
	if (!isJsonObject(source)) return contract.isBadWord(source);
	if (isReportLike(source) || kindOf(source) === 'addressObject') return false;
	return findBadWordIn(contract, source) !== undefined || holdsError(contract, source);
}

/** Whether a source has an error, which may be a number: `{ error: 503 }`. */
const holdsError = (contract: Contract, source: JsonObject): boolean =>
	Object.entries(source).some(
		([name, value]) =>
			contract.meaningOf(name, '') === 'error' && !isNone(value) && kindOf(value) !== 'good',
	);

function readMissingSources(value: unknown): Statement | undefined {
	return isNone(value) || kindOf(value) === 'good' ? undefined : 'lacksSource';
}

/** Reads links, in a list, in an object, or in the text of a header. */
function readLink(value: unknown): Statement | undefined {
	return /rel\W{1,5}next/.test(tryStringify(value) ?? '') ? 'hasMore' : undefined;
}
