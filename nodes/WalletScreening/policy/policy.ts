import { addressKey } from '../address/key';
import { digestOfJson, toStoredForm } from '../shared/canonical';
import { nonBlankText, hasValue, type JsonObject, parseJson } from '../shared/json';
import { groupBy } from '../shared/maps';
import { formatValue } from '../shared/text';
import { conditionsOf, isAboutSanctions, shownFieldOf } from './condition';
import type { ExceptionsByAddress } from './exceptions';
import { invalidPolicy, parsePolicy, parseRecordedPolicy } from './parsePolicy';
import type {
	Exception,
	GivenList,
	ListRecord,
	Otherwise,
	ParsedPolicy,
	Rule,
} from './policySchema';
import { findRepeatedName } from './repeatedName';

/*
 * From the JSON of a policy to the decision on a report:
 *
 *     policy.ts             reads the policy: parses it, completes it, refuses what cannot be meant
 *     parsePolicy.ts        holds the JSON against the schema, and makes the error of what does not fit
 *     policyAdvice.ts       what that error advises, for each field
 *     policySchema.ts       the schema of rules, exceptions and lists, and their types
 *     conditionSchema.ts    the schema of a condition, of which rules consist
 *     schemaParts.ts        the schemas of a text and of an object, for these two
 *     condition.ts          evaluates a condition on a report
 *     exceptions.ts         finds the exception for a report
 *     decision.ts           decides, by the rules, the lists and the exceptions
 *     reason.ts             the reasons of a decision; `reasonText.ts` and `summary.ts` have the words
 */

/** Rules, lists and exceptions, read once to decide on any number of reports. */
export interface Policy {
	/** What becomes of a report that nothing stops. */
	otherwise: Otherwise;
	rules: Rule[];
	lists: ListRecord[];
	isOnList: IsOnList;
	exceptions: ExceptionsByAddress;
	record: PolicyRecord;
}

/** The policy as evidence keeps it: plain JSON, without the addresses of its lists. */
export interface PolicyRecord {
	name: string;
	version?: string | number | undefined;
	otherwise: Otherwise;
	rules: Rule[];
	exceptions: Exception[];
	lists?: ListRecord[] | undefined;
	/** The digest, in hex, of the canonical JSON of all other fields. */
	sha256: string;
}

/** Whether the list of a name holds an address, by its `addressKey`. */
export type IsOnList = (list: string, key: string) => boolean;

/** What a policy is completed by. */
interface PolicySupplement {
	/** The name of a policy that has none of its own. */
	name?: string | undefined;
	/** The version of a policy that has none of its own. */
	version?: string | undefined;
	/** This counts for a policy that has no `otherwise` of its own. */
	otherwise?: Otherwise;
	/** These come after the exceptions of the policy. */
	exceptions?: readonly Exception[];
}

/**
 * Reads the policy that a text or a value of JSON is: a list of rules, or an object as
 * `policySchema` describes it.
 * @throws {ScreeningError} `invalid_input`, which names the rule, the exception or the list by its
 * number
 */
export function readPolicy(json: unknown, supplement: PolicySupplement = {}): Policy {
	const value = typeof json === 'string' ? parseText(json) : json;
	const parsed = parsePolicy(Array.isArray(value) ? { rules: value as unknown[] } : value);
	const { lists = [] } = parsed;
	const keysOfLists = new Map(
		lists.map(({ name, addresses = [] }) => [name, new Set(addresses.map(addressKey))]),
	);
	const isOnList: IsOnList = (list, key) => keysOfLists.get(list)?.has(key) ?? false;
	return createPolicy({ ...parsed, lists: lists.map(recordList) }, isOnList, supplement);
}

/**
 * Restores the policy that evidence holds, which has no addresses of lists. The addresses of its
 * exceptions are not checked again: an earlier version may have had other rules for addresses.
 * @throws {ScreeningError} `invalid_input` as `readPolicy`
 */
export function restorePolicy({ sha256: _, ...record }: JsonObject, isOnList: IsOnList): Policy {
	return createPolicy(parseRecordedPolicy(record), isOnList);
}

/**
 * Reads a list of exceptions, in the form that a policy has them.
 * @throws {ScreeningError} `invalid_input` as `readPolicy`
 */
export const readExceptions = (list: unknown): Exception[] =>
	parsePolicy({ exceptions: list }).exceptions ?? [];

/**
 * Parses the text of a policy. A name that stands twice in an object would remove all but the last
 * of its values, e.g. the first of two lists of rules.
 * @throws {ScreeningError} `invalid_input` for a text that is not JSON, or has such a name
 */
function parseText(json: string): unknown {
	if (json.trim() === '') return [];
	const value = parseValidJson(json);
	const repeated = findRepeatedName(json);
	if (repeated === undefined) return value;
	throw invalidPolicy(
		`The policy has the name '${formatValue(repeated, 100)}' twice in one object`,
		'Only one of the two would count. Put both together, or remove one.',
	);
}

/** @throws {ScreeningError} `invalid_input` for a text that is not JSON */
function parseValidJson(json: string): unknown {
	try {
		return parseJson(json);
	} catch (error) {
		const why = formatValue((error as Error).message, 200);
		throw invalidPolicy(`The policy is not valid JSON: ${why}`, 'Correct the text of the policy.');
	}
}

const recordList = ({ addresses = [], ...rest }: GivenList): ListRecord => ({
	...rest,
	length: addresses.length,
	digest: digestOfJson(addresses),
});

/** @throws {ScreeningError} `invalid_input` as `readPolicy` */
function createPolicy(
	{ name, version, rules = [], lists = [], ...parsed }: ParsedPolicy<ListRecord>,
	isOnList: IsOnList,
	supplement: PolicySupplement = {},
): Policy {
	refuseUnusable(rules, lists);
	const otherwise = parsed.otherwise ?? supplement.otherwise ?? 'allowGreen';
	const exceptions = [...(parsed.exceptions ?? []), ...(supplement.exceptions ?? [])];
	const record = toStoredForm({
		name: nonBlankText(name) ?? supplement.name ?? '',
		version: hasValue(version) ? version : supplement.version,
		otherwise,
		rules,
		exceptions,
		lists: lists.length > 0 ? lists : undefined,
	});
	return {
		otherwise,
		rules,
		lists,
		isOnList,
		exceptions: groupBy(exceptions, ({ address }) => addressKey(address)),
		record: { ...record, sha256: digestOfJson(record) },
	};
}

/**
 * @throws {ScreeningError} `invalid_input` for a policy whose parts are well-formed, but that cannot
 * be what the user meant
 */
function refuseUnusable(rules: Rule[], lists: ListRecord[]): void {
	if (rules.length + lists.length === 0) {
		throw invalidPolicy(
			'The policy has no rules',
			'A policy without rules cannot decide. Add at least one rule or list.',
		);
	}
	if (new Set(lists.map(({ name }) => name)).size < lists.length) {
		throw invalidPolicy(
			'The policy has two lists with the same name',
			'Give each list a name of its own.',
		);
	}
	const waivable = rules.findIndex(
		(rule) => rule.mayBeWaived && conditionsOf(rule).map(shownFieldOf).some(isAboutSanctions),
	);
	if (waivable !== -1) {
		throw invalidPolicy(
			`Rule ${waivable + 1} is on sanctions and may be waived`,
			"No exception waives a rule on sanctions, whatever its operator. Switch 'May Be Waived' off in this rule ('mayBeWaived' in JSON).",
		);
	}
}

/** The names of the input item's fields that rules compare. */
export const inputFieldNames = (rules: Rule[]): string[] =>
	rules
		.flatMap(conditionsOf)
		.flatMap(({ field }) => (typeof field === 'object' ? field.input : []));
