import { addressKey } from '../address/key';
import { grouped } from '../service/grouped';
import { type Fields, isFields, strictJson } from '../service/json';
import { digestOfJson, stored } from './canonical';
import { type Exception, readException, readList } from './policy/addresses';
import { readerOf, refusing } from './policy/reading';
import { readRule, ruleRecord } from './policy/rules';
import { isNumber, show } from './values';

/** What becomes of a report that nothing stops. */
const otherwises = ['allowGreen', 'review', 'allow'] as const;

/** Read once, to decide on any number of reports. */
export type Policy = ReturnType<typeof policyFor>;

/** What fields beside the rules say: it counts if the policy itself does not say it. */
interface Beside {
	name?: string;
	version?: string;
	otherwise?: unknown;
	/** Come after those of the policy. */
	exceptions?: readonly Exception[];
}

const names = ['name', 'version', 'otherwise', 'rules', 'exceptions', 'lists'];
const refuse = refusing(
	'The policy',
	"Give a list of rules, or an object with 'rules' and optionally 'name', 'version', 'otherwise', 'exceptions' and 'lists'.",
);

/** The policy in a collection `{ rules: [rule, …] }` of fields. Throws `invalid_input` that names the rule by its number. */
export function policyOfFields(collection: unknown, beside: Beside = {}): Policy {
	// A field that is hidden keeps the text that was entered before.
	const rules = entriesIn(collection, 'rules').map((rule) =>
		isFields(rule) && rule.field !== 'other' ? { ...rule, categoryKey: '' } : rule,
	);
	return policyFor({ rules }, beside);
}

/** The policy in a text or a value of JSON. Throws `invalid_input` that names the rule, the exception or the list by its number. */
export function policyOfJson(json: unknown, beside: Beside = {}): Policy {
	const given = typeof json === 'string' ? readText(json) : json;
	const policy = Array.isArray(given) ? { rules: given as unknown[] } : given;
	if (!isFields(policy)) throw refuse('is neither a list of rules nor an object');
	return policyFor(policy, beside);
}

/** The policy that evidence keeps, without addresses: `isHit` says on which lists the report was. Throws as `policyOfJson`. */
export function policyOfRecord(
	{ sha256: _, ...record }: Fields,
	isHit: (list: string) => boolean,
): Policy {
	return policyFor(record, {}, isHit);
}

/** The exceptions in a collection `{ entries: [exception, …] }` of fields. Throws `invalid_input` as `policyOfJson`. */
export function exceptionsOfFields(collection: unknown): Exception[] {
	return entriesIn(collection, 'entries').map((entry, index) => {
		// The editor gives an empty text for a field that nobody filled in.
		const isOnEvery = isFields(entry) && entry.chain === '';
		return readException(isOnEvery ? { ...entry, chain: null } : entry, index + 1);
	});
}

function entriesIn(collection: unknown, name: string): unknown[] {
	const entries = (isFields(collection) ? collection[name] : undefined) ?? [];
	if (Array.isArray(entries)) return Array.from(entries as unknown[]);
	throw refuse(`has a '${name}' that is not a list`);
}

function readText(json: string): unknown {
	if (json.trim() === '') return [];
	try {
		return strictJson(json);
	} catch (error) {
		const why = show((error as Error).message, 200);
		throw refuse(`is not valid JSON: ${why}`, 'Correct the text of the policy.');
	}
}

/** In its `record`, which evidence keeps, the policy is plain JSON, without the addresses of its lists. */
function policyFor(given: Fields, beside: Beside, isHit?: (list: string) => boolean) {
	const { value, text, word, list } = readerOf(given, names, refuse);
	const rules = list('rules', readRule);
	const lists = list('lists', (one, number) => readList(one, number, isHit));
	if (rules.length + lists.length === 0) {
		throw refusing('There', 'Without a rule a policy decides nothing. Add a rule.')('is no rule');
	}
	if (new Set(lists.map(({ record }) => record.name)).size < lists.length) {
		throw refuse('has two lists of one name', 'Give each list a name of its own.');
	}
	const version = isNumber(value('version')) ? value('version') : text('version') || beside.version;
	const all = [...list('exceptions', readException), ...(beside.exceptions ?? [])];
	/** By `addressKey`, in the order in which they were given. */
	const exceptions = grouped(all, ({ address }) => addressKey(address));
	const otherwise = word('otherwise', otherwises, beside.otherwise ?? 'allowGreen');
	const plain = stored({
		name: text('name') || (beside.name ?? ''),
		...(version !== undefined && version !== '' && { version }),
		otherwise,
		rules: rules.map(ruleRecord),
		exceptions: all.map(({ end: _, ...exception }) => exception),
		...(lists.length > 0 && { lists: lists.map(({ record }) => record) }),
	});
	try {
		const record = { ...plain, sha256: digestOfJson(plain) };
		return { otherwise, rules, lists, exceptions, record };
	} catch {
		throw refuse('contains half of a character', 'Enter the text of the policy anew.');
	}
}
