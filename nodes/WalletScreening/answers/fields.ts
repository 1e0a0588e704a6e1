import { type Fields, isFields } from '../shared/json';
import { findAddress } from './addresses';
import type { Contract, Meaning, StateWord } from './contract';

/**
 * The statement of a field about how far a job or a result is: a word of a state, or that something went `wrong`, has `ended`, is
 * `open` or has an end that is `unended` so far, or that `some` addresses or sources are missing.
 */
export type Statement = StateWord | 'wrong' | 'ended' | 'open' | 'unended' | 'some';

/** A field of an answer, the meaning of its name, and what name and value state of how far something is. */
export interface Field {
	name: string;
	value: unknown;
	meaning: Meaning | undefined;
	statement: Statement | undefined;
}

/** The kinds of values that matter. A number from 400 to 599 may be a status of HTTP (RFC 9110), which problem details hold. */
type ValueKind =
	'on' | 'off' | 'httpError' | 'number' | 'time' | 'text' | 'object' | 'list' | 'empty';

const emptyTexts = ['', 'none', 'null', 'n/a', 'ok', 'success'];
/** A larger number is no count, but a time in seconds since 1970. */
export const maxCount = 1e9;

/** The kind of a value, also of a switch or a number that is written as a text. */
export function kindOf(value: unknown): ValueKind {
	if (typeof value === 'object' && value !== null) return kindOfObject(value);
	const text = String(value ?? '')
		.slice(0, 60)
		.trim()
		.toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true' ? 'on' : 'off';
	// The years 0 and 1 stand for no time.
	if (emptyTexts.includes(text) || text.startsWith('000')) return 'empty';
	const number = Number(text);
	if (Number.isInteger(number) && number >= 400 && number < 600) return 'httpError';
	if (!Number.isNaN(number)) return number < maxCount ? 'number' : 'time';
	return /\d{4}/.test(text) ? 'time' : 'text';
}

/** An object without a text, a time or a switch that is on is empty. One that names an address is a list. */
function kindOfObject(value: object): ValueKind {
	const isContent = (one: unknown) =>
		isFields(one) || (!Array.isArray(one) && ['on', 'time', 'text'].includes(kindOf(one)));
	if (!Object.values(value).some(isContent)) return 'empty';
	return Array.isArray(value) || findAddress(value) !== undefined ? 'list' : 'object';
}

/** The statement of a value under a name of this meaning. A number states nothing: it counts something. */
const statements: Partial<Record<Meaning, Partial<Record<ValueKind, Statement>>>> = {
	error: { on: 'wrong', text: 'wrong', time: 'wrong', object: 'wrong', list: 'some' },
	code: { httpError: 'wrong' },
	success: { off: 'wrong' },
	failed: { on: 'wrong', time: 'wrong' },
	partial: { on: 'some' },
	running: { on: 'open' },
	complete: { on: 'ended', time: 'ended', off: 'open', empty: 'unended' },
};

/** The statement of an event, by its word. */
const eventStatements: Partial<Record<StateWord, Statement>> = {
	failed: 'wrong',
	complete: 'complete',
	partly: 'partly',
};

function statementOf(contract: Contract, value: unknown, meaning: Meaning): Statement | undefined {
	switch (meaning) {
		case 'state':
		case 'likeState':
			return contract.stateWordOf(value);
		case 'verdict':
			return contract.stateWordOf(value) === 'failed' ? 'wrong' : undefined;
		case 'event':
			return eventStatements[contract.stateWordOf(value) ?? 'unknown'];
		default:
			return statements[meaning]?.[kindOf(value)];
	}
}

/** Whether a field states how far something is, and not only what became of a request or of a part. */
export const isProgress = ({ meaning, statement }: Field): boolean =>
	meaning !== 'event' &&
	statement !== undefined &&
	!['fine', 'code', 'success', 'wrong', 'some'].includes(statement);

/** Reads the fields of an object. A name that only ends like that of a state counts if no state is there. */
export function readFields(contract: Contract, object: Fields, path: string): Field[] {
	const all = Object.entries(object).map(([name, value]): Field => {
		const meaning = contract.meaningOf(name, path);
		return { name, value, meaning, statement: meaning && statementOf(contract, value, meaning) };
	});
	const isStated = all.some((one) => one.meaning === 'state' && isProgress(one));
	return isStated ? all.filter(({ meaning }) => meaning !== 'likeState') : all;
}
