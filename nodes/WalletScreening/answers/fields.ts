import { isObjectOrList, type JsonObject } from '../shared/json';
import type { Contract } from './contract';
import {
	everywhere,
	type NamedValue,
	noStatements,
	readStatements,
	type Statements,
} from './fieldStatements';
import { stateTexts } from './standardNames';
import { effectsOf, type Statement } from './statements';
import { kindOf } from './values';
import { normalizeName } from './vocabulary';

/*
 * The fields of an object, in the light of each other. `fieldStatements.ts` reads each by itself.
 */

/** A field of an answer, and what name and value state. */
export interface Field extends NamedValue {
	statements: Statements;
}

/**
 * Reads the fields of an object. Beside a state that states progress, as "done" does and "ok" does
 * not, fields such as `review_status` are left out, because people may still review a report that
 * is complete. Two kinds of them stay, though they state nothing of a job: a failure, because a
 * source may have failed, and what still runs under a name about the screening, such as
 * `sanctions_status`. If the state has a name that a user taught, the standard names of a state are
 * left out, too.
 *
 * @example Of `{ status: "done", review_status: "pending", aml_status: "failed", colour: "blue" }`,
 * `status` has the meaning `state` and states `completeWord` everywhere, `review_status` is left
 * out, `aml_status` has the meaning `likeState` and states `failedWord` except for a job, and
 * `colour` has no meaning and states nothing.
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
		const stated = field.statements.severalResults;
		const isOfScreening = stated === 'runningWord' && contract.topicOf(field.name) === 'screening';
		return stated === 'failedWord' || isOfScreening ? withJobStatement(field, undefined) : [];
	});
}

function readField(contract: Contract, path: string, name: string, value: unknown): Field {
	const meaning = contract.meaningOf(name, path);
	return { name, value, meaning, statements: readStatements(contract, { name, value, meaning }) };
}

/** Replaces what a field states of a job. */
export const withJobStatement = (field: Field, job: Statement | undefined): Field => ({
	...field,
	statements: { ...field.statements, job },
});

/**
 * Relates the fields of an object to each other. What another field explains is left out, and
 * `success: false` beside `done: false`, or beside a text such as "not ready yet", means that the
 * job did not succeed yet.
 */
function relateFields(contract: Contract, fields: Field[]): Field[] {
	if (fields.every(({ statements }) => statements === noStatements)) return fields;
	const others = withoutExplained(fields);
	if (!others.some((field) => meansNotYet(contract, field))) return others;
	return others.map((field) =>
		field.meaning === 'success' && field.statements.job === 'hasError'
			? { ...field, statements: everywhere('isNotDone') }
			: field,
	);
}

/**
 * Leaves out what another field of the same object explains. A sentence in `status_text` is about
 * the known state beside it. The progress of a job that is over may stay below its end, because
 * something failed.
 */
function withoutExplained(fields: Field[]): Field[] {
	const isOver = fields.some(({ statements }) => statements.job === 'isOver');
	const hasKnownState = fields.some((field) => isState(field) && !isUnknownWord(field));
	return fields.filter((field) => {
		if (field.meaning === 'progress') return !hasKnownState && !isOver;
		const isSentence =
			field.meaning === 'state' &&
			isUnknownWord(field) &&
			stateTexts.includes(normalizeName(field.name));
		return !(isSentence && hasKnownState);
	});
}

/**
 * Whether a field means that something has not ended yet: `done: false`,
 * `message: "not ready yet"`.
 */
function meansNotYet(contract: Contract, { value, meaning, statements }: Field): boolean {
	if (statements.job === 'isNotDone' || statements.job === 'hasNoEnd') return true;
	return meaning === 'message' && contract.stateWordOf(value) === 'running';
}

/** Whether a field is the state of its object. */
const isState = (field: Field): boolean => field.meaning === 'state' && statesProgress(field);

/** Whether a field is the word of a state that states progress: "done", and not "ok". */
export const isProgressWord = (field: Field): boolean =>
	isState(field) || (field.meaning === 'likeState' && statesProgress(field));

/** Whether a field is the word of a state that the contract does not have. */
export const isUnknownWord = ({ statements }: Field): boolean => statements.job === 'unknownWord';

/** Whether a field states how far along a job is. An event states what a delivery is about. */
export const statesProgress = ({ meaning, statements }: Field): boolean =>
	meaning !== 'event' && effectsOf(statements.job).isProgress === true;

/**
 * Whether a field may state how far along a job is, though the node cannot read what: a number, an
 * `ok`, an object or a list of a state, `running: false`, or a word under a name that the contract
 * does not have.
 */
export function mayBeState(field: Field): boolean {
	const { meaning, value, statements } = field;
	if (statements.job === 'numberWord') return true;
	if (meaning === 'state') return statements.job === 'okWord' || isObjectOrList(value);
	if (meaning === 'unfinished') return kindOf(value) === 'off';
	return hasUnreadName(field) && typeof value === 'string' && /^[\p{L}_-]{2,40}$/u.test(value);
}

/** Whether a name has no meaning, or none because a user taught other names of a state. */
const hasUnreadName = ({ meaning, statements }: Field): boolean =>
	statements.job === undefined &&
	(meaning === undefined || meaning === 'likeState' || meaning === 'replacedState');
