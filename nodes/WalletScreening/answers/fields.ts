import { type Fields, isFields } from '../shared/json';
import { findAddress } from './addresses';
import type { Contract, Meaning, Word } from './contract';

/**
 * What a field says of how far a job or a result is: a word of a state, or that something went `wrong`, has `ended`, is `open`
 * or has an end that is `unended` so far, or that `some` addresses or sources are missing.
 */
export type Statement = Word | 'wrong' | 'ended' | 'open' | 'unended' | 'some';

/** A field of an answer, what its name means, and what name and value say of how far something is. */
export interface Field {
	name: string;
	value: unknown;
	meaning: Meaning | undefined;
	statement: Statement | undefined;
}

/** A value as far as it matters here. A number from 400 to 599 may be a status of HTTP (RFC 9110), which problem details hold. */
type Sort = 'on' | 'off' | 'httpError' | 'number' | 'time' | 'text' | 'object' | 'list' | 'empty';

const emptyTexts = ['', 'none', 'null', 'n/a', 'ok', 'success'];
/** A larger number is a time in seconds since 1970. */
export const maxNumber = 1e9;

/** The sort of a value, also of a switch or a number that is written as a text. */
export function sortOf(value: unknown): Sort {
	if (typeof value === 'object' && value !== null) return sortOfObject(value);
	const text = String(value ?? '')
		.slice(0, 60)
		.trim()
		.toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true' ? 'on' : 'off';
	// The years 0 and 1 stand for no time.
	if (emptyTexts.includes(text) || text.startsWith('000')) return 'empty';
	const number = Number(text);
	if (Number.isInteger(number) && number >= 400 && number < 600) return 'httpError';
	if (!Number.isNaN(number)) return number < maxNumber ? 'number' : 'time';
	return /\d{4}/.test(text) ? 'time' : 'text';
}

/** An object without a text, a time or a switch that is on says nothing. One that names an address is a list. */
function sortOfObject(value: object): Sort {
	const isContent = (one: unknown) =>
		isFields(one) || (!Array.isArray(one) && ['on', 'time', 'text'].includes(sortOf(one)));
	if (!Object.values(value).some(isContent)) return 'empty';
	return Array.isArray(value) || findAddress(value) !== undefined ? 'list' : 'object';
}

/** What a value says under a name of this meaning. A number is the number of something. */
const statements: Partial<Record<Meaning, Partial<Record<Sort, Statement>>>> = {
	error: { on: 'wrong', text: 'wrong', time: 'wrong', object: 'wrong', list: 'some' },
	code: { httpError: 'wrong' },
	success: { off: 'wrong' },
	failed: { on: 'wrong', time: 'wrong' },
	partial: { on: 'some' },
	running: { on: 'open' },
	complete: { on: 'ended', time: 'ended', off: 'open', empty: 'unended' },
};

/** What an event says, by its word. */
const eventStatements: Partial<Record<Word, Statement>> = {
	failed: 'wrong',
	complete: 'complete',
	partly: 'partly',
};

function statementOf(contract: Contract, value: unknown, meaning: Meaning): Statement | undefined {
	switch (meaning) {
		case 'state':
		case 'likeState':
			return contract.wordIn(value);
		case 'verdict':
			return contract.wordIn(value) === 'failed' ? 'wrong' : undefined;
		case 'event':
			return eventStatements[contract.wordIn(value) ?? 'unknown'];
		default:
			return statements[meaning]?.[sortOf(value)];
	}
}

/** Whether a field says how far something is, and not only what became of a request or of a part. */
export const isOfProgress = ({ meaning, statement }: Field): boolean =>
	meaning !== 'event' &&
	statement !== undefined &&
	!['fine', 'code', 'success', 'wrong', 'some'].includes(statement);

/** The fields of an object, read. A name that only ends like that of a state counts if no state says how far something is. */
export function readFields(contract: Contract, object: Fields, path: string): Field[] {
	const all = Object.entries(object).map(([name, value]): Field => {
		const meaning = contract.meaningOf(name, path);
		return { name, value, meaning, statement: meaning && statementOf(contract, value, meaning) };
	});
	const isStated = all.some((one) => one.meaning === 'state' && isOfProgress(one));
	return isStated ? all.filter(({ meaning }) => meaning !== 'likeState') : all;
}
