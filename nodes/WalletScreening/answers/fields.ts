import { isJsonObject, isObjectOrList, type JsonObject, tryStringify } from '../shared/json';
import { parseDecimal } from '../shared/text';
import { type Contract, type Meaning, meansNotFinal, type StateWord } from './contract';
import { standsForAddress } from './namedAddress';
import { isReportLike } from './report';
import { stateTexts, verdictName } from './standardNames';
import { effectsOf, isCount, type Statement } from './statements';
import { countOf, isNone, kindOf, type ValueKind } from './values';
import { normalizeName } from './vocabulary';

/*
 * Step 2 of `reader.ts`: what one field states of how far along a job or a result is. Its name has
 * a meaning, its value is of a kind or a word, and both together make the statement. What a
 * statement does is in `statements.ts`, e.g. which state of a job it makes:
 *
 *     field                    meaning       value            statement      state
 *     "completedAt": null      complete      empty            noEnd          running
 *     "completedAt": "2026-…"  complete      time             ended          complete
 *     "status": "done"         state         word complete    complete       complete
 *     "success": false         success       off              error          failed
 *     "errors": 3              error         number           failureCount   -
 *     "coverage": "partial"    -             bad word         doubtsReports  -
 *
 * Where a field stands decides how it is read:
 *
 *     job             an object about the job
 *     aroundResults   an object around several results
 *     result          a result, or an object around it in its element
 *     part            an object in a report, or next to it in its element or its job
 *
 * Most fields state the same in all four. These do not:
 *
 *                                  job              aroundResults   result          part
 *     `errors: 3`, `done: 0`       counts           counts          is a switch     counts
 *     `failed: ["OFAC"]`           may name some    may name some   it failed       may name some
 *     `status: "new"`              any word         any word        any word        only a bad word
 *     `aml_status: "timeout"`      any word         only a bad word, in these three
 *     `kyc_status: "timeout"`      any word         only a bad word  only a bad word  nothing
 *     `status`, where others       nothing          only a bad word, in these three
 *     are taught
 *     `result: "denied"`           a failure        only a bad word, in these three
 *     `rejected: true`             a failure        a verdict on the wallet, in these three
 *     `cancelled: true`            a failure        a failure       a failure       nothing
 *     `code: 404`                  a failure        a failure       a failure       nothing
 *     `event: "job.failed"`        a failure        nothing, in these three
 *
 * A bad word means "not over" or "went wrong" under any name. Any other word may describe a wallet,
 * a customer or a request.
 */

/** What a field states, by where it stands. */
export interface Statements {
	job: Statement | undefined;
	aroundResults: Statement | undefined;
	result: Statement | undefined;
	part: Statement | undefined;
}

/** A field of an answer, the meaning of its name, and what name and value state. */
export interface Field {
	name: string;
	value: unknown;
	meaning: Meaning | undefined;
	statements: Statements;
}

/**
 * Reads the fields of an object. Beside a state that states progress, as "done" does and "ok" does
 * not, `review_status` and its like are left out, because people may still review a report that is
 * complete. What stays, and not for a job, is a failure, because a source may have had one, and what
 * still runs under a name about the screening, such as `sanctions_status`. A taught state replaces
 * the standard names in the same object.
 *
 * @example Of `{ status: "done", review_status: "pending", aml_status: "failed", colour: "blue" }`,
 * `status` has the meaning `state` and states `complete` everywhere, `review_status` is left out,
 * `aml_status` has the meaning `likeState` and states `failed` except for a job, and `colour` has no
 * meaning and states nothing.
 */
export function readFields(contract: Contract, object: JsonObject, path: string): Field[] {
	const fields = relateFields(
		contract,
		Object.entries(object).map(([name, value]) => readField(contract, path, name, value)),
	);
	if (!fields.some(isState)) return fields;
	return fields.flatMap((field) => {
		if (field.meaning === 'replacedState') return [];
		if (field.meaning !== 'likeState') return field;
		const stated = field.statements.aroundResults;
		const isOfScreening = stated === 'running' && contract.topicOf(field.name) === 'screening';
		return stated === 'failed' || isOfScreening ? withJobStatement(field, undefined) : [];
	});
}

/** Replaces what a field states of a job. */
export const withJobStatement = (field: Field, job: Statement | undefined): Field => ({
	...field,
	statements: { ...field.statements, job },
});

/**
 * Reads the fields of an object in the light of each other. A sentence in `status_text` is about the
 * known state beside it, and a progress may stay below its end where something failed: both are left
 * out. `success: false` beside `done: false`, or beside a text such as "not ready yet", means that it
 * did not succeed yet.
 */
function relateFields(contract: Contract, fields: Field[]): Field[] {
	if (fields.every(({ statements }) => statements === nothing)) return fields;
	const isOver = fields.some(({ statements }) => statements.job === 'ended');
	const hasKnownState = fields.some(
		(field) => isState(field) && field.statements.job !== 'unknown',
	);
	const isExplained = ({ name, meaning, statements }: Field) => {
		if (meaning === 'progress') return hasKnownState || isOver;
		const isUnknownState = meaning === 'state' && statements.job === 'unknown';
		return isUnknownState && hasKnownState && stateTexts.includes(normalizeName(name));
	};
	const others = fields.filter((field) => !isExplained(field));
	const isOpen = others.some(
		({ value, meaning, statements: { job } }) =>
			job === 'notDone' ||
			job === 'noEnd' ||
			(meaning === 'message' && contract.stateWordOf(value) === 'running'),
	);
	if (!isOpen) return others;
	return others.map((field) =>
		field.meaning === 'success' && field.statements.job === 'error'
			? { ...field, statements: everywhere('notDone') }
			: field,
	);
}

/** Whether a field is the state of its object. */
const isState = (field: Field): boolean => field.meaning === 'state' && statesProgress(field);

/** Whether a field states how far along a job is. An event states what a delivery is about. */
export const statesProgress = ({ meaning, statements }: Field): boolean =>
	meaning !== 'event' && effectsOf(statements.job).isProgress === true;

/** The statements of a field that states the same wherever it stands. */
const everywhere = (statement: Statement | undefined): Statements => ({
	job: statement,
	aroundResults: statement,
	result: statement,
	part: statement,
});
const nothing = everywhere(undefined);

function readField(contract: Contract, path: string, name: string, value: unknown): Field {
	const meaning = contract.meaningOf(name, path);
	return { name, value, meaning, statements: readStatements(contract, { name, value, meaning }) };
}

/** A field before its statements are read. */
type NamedValue = Pick<Field, 'name' | 'value' | 'meaning'>;

/**
 * Reads what a field states. Under a name that the contract does not have, a word that is always bad
 * counts if the name is only about the screening, as in `completeness: "partial"`.
 */
function readStatements(contract: Contract, field: NamedValue): Statements {
	const { name, value, meaning } = field;
	if (meaning === undefined) {
		// Of most names the topic is known already, and a number is no word.
		const mayDoubt = typeof value === 'string' && contract.topicOf(name) === 'screening';
		const isDoubt = mayDoubt && contract.isBadWord(value);
		return isDoubt ? everywhere('doubtsReports') : nothing;
	}
	const job = readOfJob(contract, value, meaning);
	const aroundResults = readAroundResults(contract, field, job);
	const result = readOfResult(field, aroundResults);
	const part = readOfPart(contract, field, aroundResults);
	return job || aroundResults || result ? { job, aroundResults, result, part } : nothing;
}

/** Reads what a value states of a job under a name of this meaning; undefined if it states nothing. */
function readOfJob(contract: Contract, value: unknown, meaning: Meaning): Statement | undefined {
	switch (meaning) {
		case 'state':
			return readState(contract, value);
		case 'likeState':
			return contract.hasTaughtStates ? undefined : readState(contract, value);
		case 'verdict':
			return readVerdict(contract, value);
		case 'code':
			return contract.isBadWord(value) ? readVerdict(contract, value) : byKind(value, meaning);
		case 'error':
		case 'errorCode':
			// "NOT_READY" and "still processing" are no failures yet.
			if (contract.stateWordOf(value) === 'running') return 'notDone';
			return (
				byKind(value, meaning) ?? (meaning === 'error' ? countAs('failureCount', value) : undefined)
			);
		case 'event': {
			const word = contract.eventWordOf(value);
			if (word === 'running') return contract.isBadWord(value) ? 'running' : undefined;
			return word && statementsOfEvents[word];
		}
		case 'complete':
			// A list of what is complete may be empty if all failed.
			if (isObjectOrList(value) && isNone(value)) return undefined;
			if (contract.isBadWord(value) || isTextOfNoEnd(contract, value)) return 'notDone';
			return byKind(value, meaning) ?? countAs('total', value);
		case 'sources':
			return isObjectOrList(value) && lacksSource(contract, value) ? 'lacksSource' : undefined;
		case 'missingSources':
			return isNone(value) || kindOf(value) === 'good' ? undefined : 'lacksSource';
		case 'progress':
			return !isObjectOrList(value) && isBelowEnd(value) ? 'notDone' : undefined;
		case 'failed':
			// `resultPlaces.ts` finds an address only in the field `address` or as a key. Of any other
			// entry, any address may be the one that failed.
			if (kindOf(value) === 'entry' && !standsForAddress(value)) return 'incomplete';
			return byKind(value, meaning) ?? countAs('failureCount', value);
		case 'running':
			return byKind(value, meaning) ?? countAs('failureCount', value);
		case 'total':
			return countAs('total', value);
		case 'pages':
			return countOf(value) > 1 || kindOf(value) === 'off' ? 'more' : undefined;
		case 'next':
			return isNone(value) ? undefined : 'more';
		case 'link':
			return /rel\W{1,5}next/.test(tryStringify(value) ?? '') ? 'more' : undefined;
		default:
			return byKind(value, meaning);
	}
}

const byKind = (value: unknown, meaning: Meaning): Statement | undefined =>
	statementsByKind[meaning]?.[kindOf(value)];

/** A number counts something, unless it is 0. */
const countAs = (statement: 'total' | 'failureCount', value: unknown): Statement | undefined =>
	countOf(value) > 0 ? statement : undefined;

/**
 * Reads what a field states of the results around which it stands. Under a name like that of a state,
 * or one that a user replaced, only a word that is always bad counts there: the job may be over and a
 * result not, and any other word may be about the wallet or a customer. A verdict counts only with
 * such a word, too, `rejected: true` may be a verdict, and an event is about a delivery.
 */
function readAroundResults(
	contract: Contract,
	{ name, value, meaning }: NamedValue,
	job: Statement | undefined,
): Statement | undefined {
	switch (meaning) {
		case 'likeState':
		case 'replacedState':
			if (isObjectOrList(value)) return readStateObject(contract, value);
			return contract.isBadWord(value) ? contract.stateWordOf(value) : undefined;
		case 'verdict':
			return contract.isBadWord(value) ? job : undefined;
		case 'failed':
			return isVerdictName(name) ? undefined : job;
		case 'event':
			return undefined;
		default:
			return job;
	}
}

/**
 * Reads what a field states of the one result that it is about. There a number counts no results, and
 * a text, a list or an object under the name of a failure or a lack says what the result lacks. Around
 * several results, each of these may be about some of them. As a switch, such values mean:
 *
 *                                 under the name of
 *                                 a failure or a lack    the code of an error    anything else
 *     0                           off                    off                     off
 *     1                           on                     on                      on
 *     200                         on                     -                       -
 *     any other number            on                     on                      -
 *     a text, a list, an object   on                     -                       -
 *
 * @example `done: 0` states `notDone`, as `done: false` does, `error: 503` and `skipped: 2` state
 * `error`, `pending: ["OFAC"]` states `notDone`, and `done: 2` nothing
 */
function readOfResult(
	{ name, value, meaning }: NamedValue,
	aroundResults: Statement | undefined,
): Statement | undefined {
	if (aroundResults && !isCount(aroundResults)) return aroundResults;
	const statements = meaning && statementsByKind[meaning];
	if (!statements || (meaning === 'failed' && isVerdictName(name))) return undefined;
	const switched = switchOf(value, meaning);
	return switched && statements[switched];
}

/** Whether a failure under a name may be a verdict on the wallet: `rejected: true`. */
const isVerdictName = (name: string): boolean => verdictName.test(name);

/** Reads a value as on or off, by the table of `readOfResult`; undefined for neither. */
function switchOf(value: unknown, meaning: Meaning): 'on' | 'off' | undefined {
	const isLack = meansNotFinal(meaning);
	switch (kindOf(value)) {
		case 'text':
		case 'datedText':
		case 'list':
		case 'numbers':
		case 'object':
			return isLack ? 'on' : undefined;
		case 'entry':
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
 * Reads what a field surely states of the report inside which, or beside which, its object stands:
 * there it may be about something else more easily. `code: 404` may be that of a country, and
 * `not_found: true` is good news of a source.
 */
function readOfPart(
	contract: Contract,
	{ name, value, meaning }: NamedValue,
	aroundResults: Statement | undefined,
): Statement | undefined {
	if (meaning === 'likeState' && contract.topicOf(name) === 'other') return undefined;
	switch (aroundResults) {
		case 'running':
		case 'failed':
			// From an object, only bad words are read.
			return isObjectOrList(value) || contract.isBadWord(value) ? aroundResults : undefined;
		case 'incomplete':
		case 'error':
			if (meaning === 'code' || (meaning === 'failed' && !contract.isBadWord(name)))
				return undefined;
			return aroundResults;
		default:
			return aroundResults;
	}
}

/**
 * Whether a text means that something runs, or that there is nothing: "pending", "not yet",
 * "no wallet found". A text with a date is not read so: `Asia/Beijing` ends in -ing.
 */
const isTextOfNoEnd = (contract: Contract, value: unknown): boolean =>
	kindOf(value) === 'text' &&
	(contract.stateWordOf(value) === 'running' || /^\s*no\b/i.test(String(value)));

/** Reads the value of a state: a word, or an object or a list of words. */
const readState = (contract: Contract, value: unknown): Statement | undefined =>
	isObjectOrList(value) ? readStateObject(contract, value) : contract.stateWordOf(value);

/**
 * Reads the bad words in an object or a list under the name of a state, a failure first. Its other
 * fields, such as the status of HTTP, are ignored.
 * @example `status: { code: "pending", id: 3 }` states `running`, and
 * `status: { code: 201, text: "Created" }` nothing
 */
function readStateObject(contract: Contract, object: object): Statement | undefined {
	const stated = Object.entries(object)
		.filter(([name, value]) => contract.isBadWord(value) && contract.meaningOf(name, '') !== 'past')
		.map(([, value]) => contract.stateWordOf(value));
	return stated.includes('failed') ? 'failed' : stated[0];
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

/**
 * Whether an object or a list of sources states that one of them failed, or still runs. What names
 * an address is a result, and no source.
 * @example `{ ofac: "failed" }`, `[{ name: "OFAC", status: "pending" }]`
 */
const lacksSource = (contract: Contract, sources: object): boolean =>
	Object.values(sources).some((source: unknown) => {
		if (!isJsonObject(source)) return contract.isBadWord(source);
		const isResult = isReportLike(source) || kindOf(source) === 'entry';
		return (
			!isResult && (readStateObject(contract, source) !== undefined || holdsError(contract, source))
		);
	});

/** Whether a source has an error, which may be a number: `{ error: 503 }`. */
const holdsError = (contract: Contract, source: JsonObject): boolean =>
	Object.entries(source).some(
		([name, value]) =>
			contract.meaningOf(name, '') === 'error' && !isNone(value) && kindOf(value) !== 'good',
	);

/** Reads a word that may be a verdict on the wallet, as in `result: "accepted"`. */
function readVerdict(contract: Contract, value: unknown): Statement | undefined {
	const word = contract.stateWordOf(value);
	if (word === 'failed') return 'error';
	return word === 'running' && contract.isBadWord(value) ? 'notDone' : undefined;
}

const statementsOfEvents: Partial<Record<StateWord, Statement>> = {
	failed: 'error',
	complete: 'complete',
	partly: 'partly',
};

/** The statements of the kinds of values. */
type StatementsByKind = Partial<Record<ValueKind, Statement>>;

const errorStatements: StatementsByKind = {
	on: 'error',
	text: 'error',
	time: 'error',
	datedText: 'error',
	object: 'error',
	entry: 'incomplete',
	list: 'incomplete',
	numbers: 'incomplete',
};

/** Statements under the name of a lack: each of these may be about one source only. */
const lackStatements: StatementsByKind = {
	text: 'incomplete',
	datedText: 'incomplete',
	object: 'incomplete',
	numbers: 'incomplete',
};

/** Statements under a name by which reports are final no longer. */
const withdrawnStatements: StatementsByKind = {
	on: 'withdrawn',
	text: 'withdrawn',
	datedText: 'withdrawn',
	object: 'withdrawn',
};

/** The statement of a kind of value under a name of a meaning. A number only counts something. */
const statementsByKind: Partial<Record<Meaning, StatementsByKind>> = {
	error: errorStatements,
	errorCode: { ...errorStatements, httpError: 'error' },
	code: { httpError: 'error' },
	success: { off: 'error' },
	failed: { ...lackStatements, on: 'error', time: 'error', datedText: 'error' },
	partial: { ...lackStatements, on: 'incomplete' },
	provisional: {
		on: 'doubtsReports',
		text: 'doubtsReports',
		datedText: 'doubtsReports',
		object: 'doubtsReports',
	},
	withdrawn: { ...withdrawnStatements, time: 'withdrawn' },
	expired: withdrawnStatements,
	running: { on: 'notDone' },
	complete: { on: 'ended', time: 'ended', datedText: 'ended', off: 'notDone', empty: 'noEnd' },
};
