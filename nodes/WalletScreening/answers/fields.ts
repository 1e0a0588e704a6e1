import { isJsonObject, isObjectOrList, type JsonObject } from '../shared/json';
import { parseDecimal } from '../shared/text';
import { type Contract, type Meaning, meansNotFinal, type StateWord } from './contract';
import { standsForAddress } from './namedAddress';
import { isReportLike } from './report';
import { stateTexts } from './standardNames';
import { effectsOf, type Statement } from './statements';
import { isNone, kindOf, type ValueKind } from './values';
import { normalizeName } from './vocabulary';

/*
 * Step 2 of `reader.ts`: what one field states of how far along a job or a result is. Its name has
 * a meaning, its value is of a kind or a word, and both together make the statement. What a
 * statement does is in `statements.ts`, e.g. which state of a job it makes:
 *
 *     field                    meaning       value            statement     state
 *     "completedAt": null      complete      empty            noEnd         running
 *     "completedAt": "2026-…"  complete      time             ended         complete
 *     "status": "done"         state         word complete    complete      complete
 *     "success": false         success       off              error         failed
 *     "errors": 3              error         number           -             -
 *     "coverage": "partial"    -             bad word         doubtsReports -
 *
 * Under the names that hold a state, or look as if they did, these words count:
 *
 *                                                 for a job    for a bare list    for a result
 *     state                                       all          all                all
 *     likeState, e.g. `kyc_status`                all          none               always bad ones
 *     likeState, if names of a state are taught   none         none               always bad ones
 *     replacedState                               none         always bad ones    always bad ones
 *
 * If a state stands beside them in the same object, only a failure under a `likeState` is left, or that
 * a part of the screening still runs, and these not for a job.
 */

/** A field of an answer, the meaning of its name, and what name and value state. */
export interface Field {
	name: string;
	value: unknown;
	meaning: Meaning | undefined;
	statement: Statement | undefined;
}

/**
 * Reads the fields of an object. Beside a state that states progress, as "done" does and "ok" does
 * not, `review_status` and its like are left out, because people may still review a report that is
 * complete. What stays is a failure, because a source may have had one, and what still runs under a
 * name about the screening, such as `sanctions_status`. A taught state replaces the standard names in
 * the same object.
 *
 * @example Of `{ status: "done", review_status: "pending", aml_status: "failed", colour: "blue" }`,
 * `status` has the meaning `state` and the statement `complete`, `review_status` is left out,
 * `aml_status` has the meaning `likeState` and the statement `failed`, and `colour` has neither.
 */
export function readFields(contract: Contract, object: JsonObject, path: string): Field[] {
	const all = Object.entries(object).map(([name, value]): Field => {
		const meaning = contract.meaningOf(name, path);
		const statement = meaning
			? readStatement(contract, value, meaning)
			: readUnknownName(contract, name, value);
		return { name, value, meaning, statement };
	});
	const fields = relateFields(contract, all);
	if (!fields.some(isState)) return fields;
	return fields.filter(({ name, meaning, value }) => {
		if (meaning === 'replacedState') return false;
		if (meaning !== 'likeState') return true;
		// Where names of a state are taught, it has no statement yet.
		const word = readState(contract, value);
		const isOfScreening = contract.topicOf(name) === 'screening';
		return word === 'failed' || (isOfScreening && word === 'running' && contract.isBadWord(value));
	});
}

/**
 * Reads the fields of an object in the light of each other. A sentence in `status_text` is about the
 * known state beside it, and a progress may stay below its end where something failed: both are left
 * out. `success: false` beside `done: false`, or beside a text such as "not ready yet", means that it
 * did not succeed yet.
 */
function relateFields(contract: Contract, fields: Field[]): Field[] {
	if (fields.every(({ statement }) => statement === undefined)) return fields;
	const isOver = fields.some(({ statement }) => statement === 'ended');
	const hasKnownState = fields.some((field) => isState(field) && field.statement !== 'unknown');
	const isExplained = ({ name, meaning, statement }: Field) => {
		if (meaning === 'progress') return hasKnownState || isOver;
		const isUnknownState = meaning === 'state' && statement === 'unknown';
		return isUnknownState && hasKnownState && stateTexts.includes(normalizeName(name));
	};
	const others = fields.filter((field) => !isExplained(field));
	const isOpen = others.some(
		({ value, meaning, statement }) =>
			statement === 'notDone' ||
			statement === 'noEnd' ||
			(meaning === 'message' && contract.stateWordOf(value) === 'running'),
	);
	if (!isOpen) return others;
	return others.map((field) =>
		field.meaning === 'success' && field.statement === 'error'
			? { ...field, statement: 'notDone' }
			: field,
	);
}

/**
 * The fields of an object that may state how far along a job is. `kyc_status` and its like count
 * only if no state stands beside them.
 */
export function fieldsOfJob(fields: Field[]): Field[] {
	return fields.some(isState) ? fields.filter(({ meaning }) => meaning !== 'likeState') : fields;
}

/** Whether a field is the state of its object. */
const isState = (field: Field): boolean => field.meaning === 'state' && statesProgress(field);

/** Whether a field states how far along something is. An event states what a delivery is about. */
export const statesProgress = (field: Field): boolean =>
	field.meaning !== 'event' && effectsOf(field).isProgress === true;

/**
 * Whether a field states an error that may be of a part of the job, e.g. of one address:
 * `errors: { "addresses.1": ["is invalid"] }`, `success: false`.
 */
export const isErrorOfPart = ({ meaning, statement }: Field): boolean =>
	statement === 'error' &&
	(meaning === 'error' || meaning === 'errorCode' || meaning === 'success');

/**
 * Reads what a value states under a name that the contract does not have: a word that is always bad
 * counts if the name is only about the screening, as in `completeness: "partial"`.
 */
const readUnknownName = (
	contract: Contract,
	name: string,
	value: unknown,
): Statement | undefined =>
	contract.topicOf(name) === 'screening' && contract.isBadWord(value) ? 'doubtsReports' : undefined;

/** Reads what a value states under a name of this meaning; undefined if it states nothing. */
function readStatement(
	contract: Contract,
	value: unknown,
	meaning: Meaning,
): Statement | undefined {
	switch (meaning) {
		case 'state':
			return readState(contract, value);
		case 'likeState':
			return contract.hasTaughtStates ? undefined : readState(contract, value);
		case 'verdict':
			return readVerdict(contract, value);
		case 'code':
			if (contract.isBadWord(value)) return readVerdict(contract, value);
			return statementsByKind.code?.[kindOf(value)];
		case 'error':
		case 'errorCode':
			// "NOT_READY" and "still processing" are no failures yet.
			return contract.stateWordOf(value) === 'running'
				? 'notDone'
				: statementsByKind[meaning]?.[kindOf(value)];
		case 'event': {
			const word = contract.eventWordOf(value);
			if (word === 'running') return contract.isBadWord(value) ? 'running' : undefined;
			return word && statementsOfEvents[word];
		}
		case 'complete':
			// A list of what is complete may be empty if all failed.
			if (isObjectOrList(value) && isNone(value)) return undefined;
			return contract.isBadWord(value) || isTextOfNoEnd(contract, value)
				? 'notDone'
				: statementsByKind.complete?.[kindOf(value)];
		case 'sources':
			return isObjectOrList(value) && lacksSource(contract, value) ? 'doubtsReports' : undefined;
		case 'progress':
			return !isObjectOrList(value) && isBelowEnd(value) ? 'notDone' : undefined;
		case 'missingSources':
			return isNone(value) || kindOf(value) === 'good' ? undefined : 'doubtsReports';
		case 'failed': {
			const kind = kindOf(value);
			// `resultPlaces.ts` finds an address only in the field `address` or as a key. Of any other
			// entry, any address may be the one that failed.
			if (kind === 'entry' && !standsForAddress(value)) return 'incomplete';
			return statementsByKind.failed?.[kind];
		}
		default:
			return statementsByKind[meaning]?.[kindOf(value)];
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
	return number !== undefined && number < 100 && number !== 1;
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
const gapStatements: StatementsByKind = {
	text: 'incomplete',
	datedText: 'incomplete',
	object: 'incomplete',
	numbers: 'incomplete',
};

/** Statements under a name by which reports are not final. */
const doubtStatements: StatementsByKind = {
	on: 'doubtsReports',
	text: 'doubtsReports',
	datedText: 'doubtsReports',
	object: 'doubtsReports',
};

/** The statement of a kind of value under a name of a meaning. A number only counts something. */
const statementsByKind: Partial<Record<Meaning, StatementsByKind>> = {
	error: errorStatements,
	errorCode: { ...errorStatements, httpError: 'error' },
	code: { httpError: 'error' },
	success: { off: 'error' },
	failed: { ...gapStatements, on: 'error', time: 'error', datedText: 'error' },
	partial: { ...gapStatements, on: 'incomplete' },
	provisional: doubtStatements,
	withdrawn: { ...doubtStatements, time: 'doubtsReports' },
	expired: doubtStatements,
	running: { on: 'notDone' },
	complete: { on: 'ended', time: 'ended', datedText: 'ended', off: 'notDone', empty: 'noEnd' },
};

/**
 * Reads a field that is about one result. There a number counts no results, and a text, a list or an
 * object under the name of a failure or a lack says what the result lacks. Around the results, each of
 * these may be about some of them. As a switch, such values mean:
 *
 *                                 under the name of
 *                                 a failure or a lack    the code of an error    anything else
 *     0                           off                    off                     off
 *     1                           on                     on                      on
 *     200                         on                     -                       -
 *     any other number            on                     on                      -
 *     a text, a list, an object   on                     -                       -
 *
 * A statement that the field has already stays.
 *
 * @example `done: 0` states `notDone`, as `done: false` does, `error: 503` and `skipped: 2` state
 * `error`, `pending: ["OFAC"]` states `notDone`, and `done: 2` nothing
 */
export function readFieldOfResult(contract: Contract, field: Field): Field {
	const read = readFieldAroundResults(contract, field);
	const { value, meaning, statement } = read;
	const statements = meaning && statementsByKind[meaning];
	if (!statements || statement) return read;
	const switched = switchOf(value, meaning);
	return switched ? { ...read, statement: statements[switched] } : read;
}

/**
 * Reads a field that is about results. Under a name like that of a state, or one that a user replaced,
 * only a word that is always bad counts there: the job may be over and a result not, and any other
 * word may be about the wallet or a customer.
 *
 * @example Where `lifecycle` is taught, `status: "pending"` states `running`, and `status: "baked"`
 * nothing
 */
export function readFieldAroundResults(contract: Contract, field: Field): Field {
	const { value, meaning } = field;
	if (meaning !== 'replacedState' && meaning !== 'likeState') return field;
	if (isObjectOrList(value)) return { ...field, statement: readStateObject(contract, value) };
	const statement = contract.isBadWord(value) ? contract.stateWordOf(value) : undefined;
	return { ...field, statement };
}

/** Reads a value as on or off, by the table of `readFieldOfResult`; undefined for neither. */
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
