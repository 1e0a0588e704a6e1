import { isObjectOrList } from '../shared/json';
import { type Contract, type Meaning, meansNotFinal } from './contract';
import { isReportLike } from './report';
import { verdictName } from './standardNames';
import { isCount, type Statement, statementOfWord } from './statements';
import { findBadWordIn, readStatement, statementsByKind } from './statementsByMeaning';
import { kindOf } from './values';

/*
 * Step 2 of `reader.ts`: what one field states of how far along a job or a result is. Its name has
 * a meaning, its value is of a kind or a word, and both together make the statement. What a
 * statement does is in `statements.ts`, e.g. which state of a job it makes:
 *
 *     field                    meaning       value            statement        state
 *     "completedAt": null      completion    empty            hasNoEnd         running
 *     "completedAt": "2026-…"  completion    time             isOver           complete
 *     "status": "done"         state         word complete    completeWord     complete
 *     "success": false         success       off              hasError         failed
 *     "errors": 3              error         number           countsFailures   -
 *     "coverage": "partial"    -             bad word         doubtsReports    -
 *
 * A field may be about the job, about several results, about one result, or about a part, which is
 * an object in a report or next to it. Where it stands decides that, and `Statements` has a
 * statement for each. Most fields state the same in all four. These do not:
 *
 *                             job            several results  one result       part
 *     `errors: 3`, `done: 0`  counts         counts           is a switch      counts
 *     `failed: ["OFAC"]`      may name some  may name some    it failed        may name some
 *     `status: "new"`         any word       any word         any word         only a bad word
 *     `aml_status: "new"`     any word       only a bad word  only a bad word  only a bad word
 *     `kyc_status: "new"`     any word       only a bad word  only a bad word  nothing
 *     `status`, where others  nothing        only a bad word  only a bad word  only a bad word
 *     are taught
 *     `result: "denied"`      a failure      only a bad word  only a bad word  only a bad word
 *     `rejected: true`        a failure      a verdict        a verdict        a verdict
 *     `cancelled: true`       a failure      a failure        a failure        nothing
 *     `code: 404`             a failure      a failure        a failure        nothing
 *     `event: "job.failed"`   a failure      nothing          nothing          nothing
 *
 * A bad word means "not over" or "went wrong" under any name. Any other word may describe a wallet,
 * a customer or a request. A verdict is one on the wallet, and states nothing here.
 */

/** What a field states, by what it is about. */
export interface Statements {
	/** In an object about the job. */
	job: Statement | undefined;
	/** In an object around several results. */
	severalResults: Statement | undefined;
	/** In a result, or in an object around it in its element. */
	oneResult: Statement | undefined;
	/** In an object in a report, or next to it in its element or its job. */
	part: Statement | undefined;
}

/** The statements of a field that states the same wherever it stands. */
export const everywhere = (statement: Statement | undefined): Statements => ({
	job: statement,
	severalResults: statement,
	oneResult: statement,
	part: statement,
});

/** The statements of a field that states nothing. */
export const noStatements = everywhere(undefined);

/** A field with the meaning of its name. */
export interface NamedValue {
	name: string;
	value: unknown;
	/** Undefined for a name that no list has. */
	meaning: Meaning | undefined;
}

/** Reads what a field states. */
export function readStatements(contract: Contract, field: NamedValue): Statements {
	const { value, meaning } = field;
	if (meaning === undefined)
		return statesDoubt(contract, field) ? everywhere('doubtsReports') : noStatements;
	const job = readStatement(contract, meaning, value);
	const severalResults = readAboutSeveralResults(contract, field, job);
	const oneResult = readAboutOneResult(field, severalResults);
	const part = readAboutPart(contract, field, severalResults);
	return job || severalResults || oneResult
		? { job, severalResults, oneResult, part }
		: noStatements;
}

/**
 * Whether a field has a word that is always bad under a name that the contract does not have, and
 * that is only about the screening, as in `completeness: "partial"`.
 */
function statesDoubt(contract: Contract, { name, value }: NamedValue): boolean {
	// Of most names the topic is known already, and a number is no word.
	const mayDoubt = typeof value === 'string' && contract.topicOf(name) === 'screening';
	return mayDoubt && contract.isBadWord(value);
}

/**
 * Reads what a field states of the results around which it stands.
 *
 * @param job what it states of a job
 */
function readAboutSeveralResults(
	contract: Contract,
	{ name, value, meaning }: NamedValue,
	job: Statement | undefined,
): Statement | undefined {
	switch (meaning) {
		// Another word may be about the job, the wallet or a customer.
		case 'likeState':
		case 'replacedState':
			return statementOfWord(findBadWord(contract, value));
		case 'verdict':
			return contract.isBadWord(value) ? job : undefined;
		case 'failure':
			return isVerdictName(name) ? undefined : job;
		// It is about a delivery.
		case 'event':
			return undefined;
		default:
			return job;
	}
}

/** Finds the word that is always bad in the value of a state. */
function findBadWord(contract: Contract, value: unknown) {
	if (isObjectOrList(value)) return findBadWordIn(contract, value);
	return contract.isBadWord(value) ? contract.stateWordOf(value) : undefined;
}

/** Whether a failure under a name may be a verdict on the wallet: `rejected: true`. */
const isVerdictName = (name: string): boolean => verdictName.test(name);

/**
 * Reads what a field states of the one result that it is about. There a number counts no results,
 * and a text, a list or an object under the name of a failure or a lack is what the result lacks.
 * Around several results, each of these may be about some of them. As a switch, such values mean:
 *
 *                                 under the name of
 *                                 a failure or a lack    the code of an error    anything else
 *     0                           off                    off                     off
 *     1                           on                     on                      on
 *     200                         on                     -                       -
 *     any other number            on                     on                      -
 *     a text, a list, an object   on                     -                       -
 *
 * @param severalResults what it states of several results
 * @example `done: 0` states `isNotDone`, as `done: false` does, `error: 503` states `hasError`,
 * `skipped: 2` states `hasFailed`, `pending: ["OFAC"]` states `isNotDone`, and `done: 2` nothing
 */
function readAboutOneResult(
	{ name, value, meaning }: NamedValue,
	severalResults: Statement | undefined,
): Statement | undefined {
	if (severalResults && !isCount(severalResults)) return severalResults;
	const byKind = meaning && statementsByKind[meaning];
	if (!byKind || (meaning === 'failure' && isVerdictName(name))) return undefined;
	const switched = switchOf(value, meaning);
	return switched && byKind[switched];
}

/** Reads a value as on or off, by the table of `readAboutOneResult`; undefined for neither. */
function switchOf(value: unknown, meaning: Meaning): 'on' | 'off' | undefined {
	const isLack = meansNotFinal(meaning);
	switch (kindOf(value)) {
		case 'text':
		case 'datedText':
		case 'list':
		case 'numbers':
		case 'object':
			return isLack ? 'on' : undefined;
		case 'addressObject':
			// A report has a place of its own, and is refused there.
			return isLack && !isReportLike(value) ? 'on' : undefined;
		case 'number':
		case 'httpError':
			if (Number(value) === 0) return 'off';
			if (isLack) return 'on';
			// 200 is the status of HTTP for a success.
			if (meaning === 'errorCode') return Number(value) === 200 ? undefined : 'on';
			return Number(value) === 1 ? 'on' : undefined;
		default:
			return undefined;
	}
}

/**
 * Reads what a field surely states of the report inside which, or next to which, its object stands:
 * there it may be about something else more easily.
 *
 * @param severalResults what it states of several results
 */
function readAboutPart(
	contract: Contract,
	{ name, value, meaning }: NamedValue,
	severalResults: Statement | undefined,
): Statement | undefined {
	if (meaning === 'likeState' && contract.topicOf(name) === 'other') return undefined;
	// `code: 404` may be that of a country.
	if (meaning === 'code' && severalResults === 'hasFailed') return undefined;
	// `not_found: true` is good news of a source.
	if (meaning === 'failure' && !contract.isBadWord(name)) return undefined;
	const isWord = severalResults === 'runningWord' || severalResults === 'failedWord';
	// Of the words in an object, only the bad ones were read.
	if (isWord && !isObjectOrList(value) && !contract.isBadWord(value)) return undefined;
	return severalResults;
}
