import { addressKey } from '../address/key';
import { grouped } from '../shared/grouped';
import { type Fields, isFields, jsonIn } from '../shared/json';
import { digestOfJson, stored } from '../shared/canonical';
import { readPolicy, refusal } from './reading';
import type { Condition, Exception, ConditionField, GivenList, otherwises, Rule } from './schema';
import { show, withoutEdges } from '../shared/text';
import { sameName } from './level';

/** Milliseconds of a day. */
export const oneDay = 24 * 60 * 60 * 1000;

/** Read once, to decide on any number of reports. */
export type Policy = ReturnType<typeof policyFor>;

/** What fields beside the rules say: it counts if the policy itself does not say it. */
interface Beside {
	name?: string;
	version?: string;
	otherwise?: (typeof otherwises)[number];
	/** Come after those of the policy. */
	exceptions?: readonly Exception[];
}

/** The policy in a text or a value of JSON. Throws `invalid_input` that names the rule, the exception or the list by its number. */
export function policyOfJson(json: unknown, beside: Beside = {}): Policy {
	const given = typeof json === 'string' ? parsedPolicy(json) : json;
	return policyFor(Array.isArray(given) ? { rules: given as unknown[] } : given, listOf, beside);
}

/** The policy that evidence keeps, without addresses: `isHit` says on which lists the report was. Throws as `policyOfJson`. */
export function policyOfRecord(
	{ sha256: _, ...record }: Fields,
	isHit: (list: string) => boolean,
): Policy {
	return policyFor(record, ({ addresses: _addresses, ...list }) => ({
		record: list,
		has: () => isHit(list.name),
	}));
}

/** The exceptions in a collection `{ entries: [exception, …] }` of fields. Throws `invalid_input` as `policyOfJson`. */
export function exceptionsOfFields(collection: unknown): Exception[] {
	const { entries = [] } = (collection ?? {}) as { entries?: unknown[] };
	// The editor gives an empty text for a chain that nobody filled in.
	const exceptions = [entries]
		.flat()
		.map((entry) => (isFields(entry) && entry.chain === '' ? { ...entry, chain: null } : entry));
	return readPolicy({ exceptions }).exceptions!;
}

function parsedPolicy(json: string): unknown {
	if (json.trim() === '') return [];
	try {
		return jsonIn(json);
	} catch (error) {
		const why = show((error as Error).message, 200);
		throw refusal(`The policy is not valid JSON: ${why}`, 'Correct the text of the policy.');
	}
}

/** A list of addresses that a team keeps. */
export interface List {
	/** Without the addresses, as evidence holds it. */
	record: Omit<GivenList, 'addresses'>;
	/** Whether an address is on it, by its `addressKey`. */
	has: (key: string) => boolean;
}

function listOf({ addresses = [], ...rest }: GivenList): List {
	const keys = new Set(addresses.map((address) => addressKey(withoutEdges(address))));
	const record = { ...rest, length: addresses.length, digest: digestOfJson(addresses) };
	return { record, has: (key) => keys.has(key) };
}

/** In its `record`, which evidence keeps, the policy is plain JSON, without the addresses of its lists. */
function policyFor(given: unknown, makeList: (list: GivenList) => List, beside: Beside = {}) {
	const { name, version, rules = [], ...read } = readPolicy(given);
	const lists = (read.lists ?? []).map(makeList);
	if (rules.length + lists.length === 0) {
		throw refusal('There is no rule', 'Without a rule a policy decides nothing. Add a rule.');
	}
	if (new Set(lists.map((list) => list.record.name)).size < lists.length) {
		throw refusal('The policy has two lists of one name', 'Give each list a name of its own.');
	}
	const waivable = rules.findIndex(
		(rule) => rule.mayBeWaived && conditionsOf(rule).some((one) => isOnSanctions(nameOf(one))),
	);
	if (waivable !== -1) {
		throw refusal(
			`Rule ${waivable + 1} is on sanctions and may be waived`,
			"No exception waives a sanctions hit. Switch 'May Be Waived' off in this rule ('mayBeWaived' in JSON).",
		);
	}
	const otherwise = read.otherwise ?? beside.otherwise ?? 'allowGreen';
	const exceptions = [...(read.exceptions ?? []), ...(beside.exceptions ?? [])];
	const record = stored({
		name: name || (beside.name ?? ''),
		version: version === 0 ? 0 : version || beside.version || undefined,
		otherwise,
		rules,
		exceptions,
		lists: lists.length > 0 ? lists.map((list) => list.record) : undefined,
	});
	return {
		otherwise,
		rules,
		lists,
		/** By `addressKey`, in the order in which they were given. */
		exceptions: grouped(exceptions, ({ address }) => addressKey(address)),
		record: { ...record, sha256: digestOfJson(record) },
	};
}

export const conditionsOf = (rule: Rule): Condition[] => ('all' in rule ? rule.all : [rule]);

/** What a condition looks at, as reasons name it. */
export const nameOf = ({ field, categoryKey }: Condition): ConditionField => categoryKey ?? field;

/** Whether a condition looks at the category `sanctions` of the report (section 2.3), in any case. */
export const isOnSanctions = (name: ConditionField | undefined): boolean =>
	sameName(name, 'sanctions');

/** The names of the input item's fields that rules compare. */
export const inputsIn = (rules: Rule[]): string[] =>
	rules
		.flatMap(conditionsOf)
		.flatMap(({ field }) => (typeof field === 'object' ? field.input : []));

/** The first moment after an exception, in milliseconds of Unix time. */
export const endOfException = ({ until }: Exception) => Date.parse(until) + oneDay;
