import { addressKey } from '../service/address';
import { ScreeningError } from '../service/errors';
import { mayBeAddress } from '../service/input';
import { type Fields, isFields } from '../service/json';
import { withoutEdges } from '../service/text';
import { digestOfJson, stored } from './canonical';
import { strictJson } from './json';
import { filled } from './names';
import { isNumber, show } from './values';

export type Operator = 'gte' | 'lte' | 'equals' | 'notEquals';

/** What a rule says about a report: an outcome that holds if the comparison is true. */
export type Rule = {
	/** `level`, `score`, or the key of a category. */
	field: string;
	outcome: 'review' | 'block';
	/** Whether an exception can waive it. */
	mayBeWaived: boolean;
} & (
	| { of: 'level'; operator: 'equals' | 'notEquals'; value: string }
	| { of: 'score' | 'category'; operator: Operator; value: number }
);

/** Waives, for one address and up to the end of a day, the rules that may be waived. */
export interface Exception {
	address: string;
	/** Empty: on every chain. */
	chain: string;
	/** A day in UTC, as `2026-12-31`. */
	until: string;
	reason: string;
	approvedBy: string;
	/** The first moment in which it is over, in milliseconds of Unix time. */
	end: number;
}

/** A policy in plain words of JSON, as evidence keeps it; `policyOfJson` reads it without `sha256`. */
export interface PolicyRecord {
	/** Empty if it has none. */
	name: string;
	version?: string | number;
	rules: Fields[];
	exceptions: Array<Omit<Exception, 'end'>>;
	/** Of canonical JSON of all the above. */
	sha256: string;
}

/** Rules and exceptions, read once to decide on any number of reports. */
export interface Policy {
	rules: readonly Rule[];
	/** By `addressKey`, in the order in which they were given. */
	exceptions: ReadonlyMap<string, readonly Exception[]>;
	record: PolicyRecord;
}

/** What fields beside the rules may add to a policy. */
interface Extra {
	/** For a policy that does not name itself. */
	name?: string;
	/** Come after those of the policy. */
	exceptions?: readonly Exception[];
}

/** The categories of section 2.3. */
export const categories = ['clean_exchange', 'darknet', 'mixer', 'sanctions', 'scam', 'stolen'];

const operators: unknown[] = ['gte', 'lte', 'equals', 'notEquals'];
const outcomes: unknown[] = ['review', 'block'];
const ruleNames = ['field', 'categoryKey', 'operator', 'value', 'outcome', 'mayBeWaived'];
const exceptionNames = ['address', 'chain', 'until', 'reason', 'approvedBy'];
const policyNames = ['name', 'version', 'rules', 'exceptions'];
/** A decimal number, and no other notation that JavaScript would read as one. */
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Evidence holds every text of an exception. */
const longestText = 2_000;

/** The policy in a collection `{ rules: [rule, …] }` of fields. Throws `invalid_input` that names the rule by its number. */
export function policyOfFields(collection: unknown, extra: Extra = {}): Policy {
	// A field that is hidden keeps the text that was entered before.
	const shown = listIn(collection, 'rules').map((rule) =>
		isFields(rule) && rule.field !== 'other' ? { ...rule, categoryKey: '' } : rule,
	);
	return assemble(extra.name ?? '', undefined, shown, extra.exceptions ?? []);
}

/**
 * The policy in a text or a value of JSON: a list of rules, or `{ name?, version?, rules, exceptions? }`. Throws
 * `invalid_input` that names the rule or the exception by its number.
 */
export function policyOfJson(json: unknown, extra: Extra = {}): Policy {
	const given = typeof json === 'string' ? readText(json) : json;
	const policy: unknown = Array.isArray(given) ? { rules: given as unknown[] } : given;
	if (!isFields(policy)) {
		throw invalid('The policy is neither a list of rules nor an object', advice.policy);
	}
	refuseUnknown('The policy', policy, policyNames);
	const name = policy.name ?? '';
	const version = policy.version ?? undefined;
	if (typeof name !== 'string') throw invalid("'name' of the policy is not a text", advice.policy);
	if (version !== undefined && !isVersion(version)) {
		throw invalid("'version' of the policy is neither a text nor a number", advice.policy);
	}
	const exceptions = readExceptions(listIn(policy, 'exceptions'));
	return assemble(filled(name) ?? extra.name ?? '', version, listIn(policy, 'rules'), [
		...exceptions,
		...(extra.exceptions ?? []),
	]);
}

/** The exceptions in a collection `{ entries: [exception, …] }` of fields. Throws `invalid_input` as `policyOfJson`. */
export function exceptionsOfFields(collection: unknown): Exception[] {
	return readExceptions(listIn(collection, 'entries'));
}

/** The first moment after a day in UTC, as `2026-12-31`, in milliseconds of Unix time; undefined if it is no day. */
function endOfDay(day: string): number | undefined {
	const start = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : NaN;
	// JavaScript reads February 30 as a day in March.
	const isDay = Number.isFinite(start) && new Date(start).toISOString().startsWith(day);
	return isDay ? start + 24 * 60 * 60 * 1000 : undefined;
}

function assemble(
	name: string,
	version: string | number | undefined,
	given: readonly unknown[],
	exceptions: readonly Exception[],
): Policy {
	if (given.length === 0) {
		throw invalid('There is no rule', 'Without a rule every address would be allowed. Add a rule.');
	}
	const rules = given.map((rule, index) => readRule(rule, index + 1));
	const byAddress = new Map<string, Exception[]>();
	for (const exception of exceptions) {
		const key = addressKey(exception.address);
		byAddress.set(key, [...(byAddress.get(key) ?? []), exception]);
	}
	return { rules, exceptions: byAddress, record: recordOf(name, version, rules, exceptions) };
}

function recordOf(
	name: string,
	version: string | number | undefined,
	rules: readonly Rule[],
	exceptions: readonly Exception[],
): PolicyRecord {
	const plain = stored({
		name: name.trim(),
		...(version !== undefined && { version }),
		rules: rules.map(written),
		exceptions: exceptions.map(({ end: _, ...exception }) => exception),
	});
	try {
		return { ...plain, sha256: digestOfJson(plain) };
	} catch {
		throw invalid('The policy contains half of a character', 'Enter the text of the policy anew.');
	}
}

/** The rule as it is entered. */
function written({ of, field, operator, value, outcome, mayBeWaived }: Rule): Fields {
	const isOther = of === 'category' && !categories.includes(field);
	const what = isOther ? { field: 'other', categoryKey: field } : { field };
	return { ...what, operator, value, outcome, mayBeWaived };
}

const advice = {
	policy:
		"Give a list of rules, or an object with 'rules' and optionally 'name', 'version' and 'exceptions'.",
	number: 'Give a number, with a point for the decimals, e.g. 0.5.',
	exception:
		'An exception needs an address, a last day, a reason and the name of the person who approved it.',
};

function readText(text: string): unknown {
	if (text.trim() === '') return [];
	try {
		return strictJson(text);
	} catch (error) {
		const why = show((error as Error).message, 200);
		throw invalid(`The policy is not valid JSON: ${why}`, 'Correct the text of the policy.');
	}
}

function readRule(rule: unknown, number: number): Rule {
	const refuse = (what: string, how: string) => invalid(`Rule ${number} ${what}`, how);
	if (!isFields(rule)) throw refuse('is not an object', advice.policy);
	refuseUnknown(`Rule ${number}`, rule, ruleNames);
	const { field, categoryKey, operator, value, outcome } = rule;
	if (!operators.includes(operator)) {
		throw refuse(
			`uses an unknown operator (${show(operator, 100)})`,
			'Use gte (is at least), lte (is at most), equals or notEquals.',
		);
	}
	if (!outcomes.includes(outcome)) {
		throw refuse(`has an unknown outcome (${show(outcome, 100)})`, 'Use review or block.');
	}
	const what = {
		operator: operator as Operator,
		outcome: outcome as Rule['outcome'],
		mayBeWaived: readSwitch(rule.mayBeWaived, refuse),
	};
	if (field !== 'other' && filled(categoryKey)) {
		throw refuse(
			"has a 'categoryKey' and a field that is not 'other'",
			"Use the field 'other' with a 'categoryKey', or leave the 'categoryKey' out.",
		);
	}
	if (field === 'level') return { of: 'level', field, ...what, ...readLevel(what, value, refuse) };

	const key = field === 'other' ? categoryKey : field;
	const category = filled(key)?.trim();
	if (category === undefined)
		throw refuse('names no field', 'Choose a field. For another category, enter its name.');
	if (field !== 'other' && key !== 'score' && !categories.includes(key as string)) {
		throw refuse(
			`has an unknown field (${show(field, 100)})`,
			`Use level, score, ${categories.join(', ')}, or other with the name of the category.`,
		);
	}
	const threshold = numberIn(value);
	if (threshold === undefined) {
		throw refuse(`compares '${show(key, 100)}' with a value that is not a number`, advice.number);
	}
	return {
		of: field === 'score' ? 'score' : 'category',
		field: category,
		...what,
		value: threshold,
	};
}

type Refuse = (what: string, how: string) => ScreeningError;

function readLevel({ operator }: { operator: Operator }, value: unknown, refuse: Refuse) {
	if (operator !== 'equals' && operator !== 'notEquals') {
		throw refuse(
			"compares 'level' by size, but a level is a text",
			'Compare the level with equals or notEquals, or compare the score.',
		);
	}
	const level = filled(value)?.trim();
	if (level === undefined) throw refuse('names no level', 'Enter a level, e.g. green.');
	return { operator, value: level };
}

/** What could be meant as a yes by one reader and as a no by another is refused. */
function readSwitch(value: unknown, refuse: Refuse): boolean {
	if (value === undefined || value === null) return false;
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 'true') return true;
	if (word === false || word === 'false' || word === '') return false;
	throw refuse("has a 'mayBeWaived' that is neither true nor false", 'Use true or false.');
}

function readExceptions(given: readonly unknown[]): Exception[] {
	return given.map((exception, index) => readException(exception, index + 1));
}

function readException(exception: unknown, number: number): Exception {
	const refuse = (what: string, how = advice.exception) =>
		invalid(`Exception ${number} ${what}`, how);
	if (!isFields(exception)) throw refuse('is not an object');
	refuseUnknown(`Exception ${number}`, exception, exceptionNames);
	const text = (name: string) => {
		const value = exception[name] ?? '';
		if (typeof value !== 'string') throw refuse(`has a '${name}' that is not a text`);
		if (value.length > longestText) throw refuse(`has a '${name}' that is too long`);
		return withoutEdges(value);
	};
	const [address, chain, until] = [text('address'), text('chain'), text('until')];
	const [reason, approvedBy] = [text('reason'), text('approvedBy')];
	if (address === '') throw refuse('has no address');
	if (!mayBeAddress(address)) {
		throw refuse('has an invalid address', 'Give one address, without spaces or quotation marks.');
	}
	if (until === '') throw refuse('has no last day');
	const end = endOfDay(until);
	if (end === undefined) {
		throw refuse(
			`has a last day that is not a date (${show(until, 40)})`,
			'Write it as year, month and day, e.g. 2026-12-31.',
		);
	}
	if (reason === '') throw refuse('has no reason');
	if (approvedBy === '') throw refuse('does not name the person who approved it');
	return { address, chain, until, reason, approvedBy, end };
}

/** The list of this name; none if nothing is there. */
function listIn(given: unknown, name: string): unknown[] {
	const value = (isFields(given) ? given[name] : undefined) ?? [];
	if (!Array.isArray(value)) throw invalid(`'${name}' is not a list`, advice.policy);
	return Array.from(value as unknown[]);
}

/** A name that is misspelt would be a condition that nobody notices is missing. */
function refuseUnknown(subject: string, given: Fields, names: readonly string[]) {
	const unknown = Object.keys(given).find((name) => !names.includes(name));
	if (unknown !== undefined) {
		throw invalid(
			`${subject} has an unknown name (${show(unknown, 100)})`,
			`Use only ${names.join(', ')}.`,
		);
	}
}

function isVersion(value: unknown): value is string | number {
	return typeof value === 'string' || isNumber(value);
}

function numberIn(value: unknown): number | undefined {
	const isText = typeof value === 'string' && decimal.test(value.trim());
	const number = typeof value === 'number' || isText ? Number(value) : NaN;
	return Number.isFinite(number) ? number : undefined;
}

function invalid(message: string, description: string): ScreeningError {
	return new ScreeningError('invalid_input', message, description);
}
