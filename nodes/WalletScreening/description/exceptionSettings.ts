import type { INodeProperties } from 'n8n-workflow';
import { isInForce } from '../policy/exceptions';
import { type Policy, readExceptions } from '../policy/policy';
import type { Exception } from '../policy/policySchema';
import { isJsonObject } from '../shared/json';
import { shortenAddress } from '../shared/text';
import { field } from './fields';

/*
 * The exceptions of a policy: the fields, how they are read, and the warning about those that do
 * nothing. The names of the fields are those that the JSON of a policy has.
 */

const exceptionFields: INodeProperties[] = [
	field('Address', 'address', { placeholder: 'e.g. 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }),
	field('Chain', 'chain', {
		placeholder: 'e.g. BTC',
		description: 'The chain as the report names it. Leave empty for every chain.',
	}),
	field('Until', 'until', {
		placeholder: 'e.g. 2027-01-31',
		description: 'The last day of the exception (UTC), as year-month-day',
	}),
	field('Reason', 'reason', { placeholder: 'e.g. Hot wallet of an exchange, ticket 4711' }),
	field('Approved By', 'approvedBy', { placeholder: 'e.g. Head of Compliance' }),
];

export const exceptionsField = field('Exceptions', 'exceptions', {
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add exception',
	description:
		'An exception waives rules for its address up to the end of its last day. It waives only rules that may be waived.',
	default: {},
	options: [{ displayName: 'Exception', name: 'entries', values: exceptionFields }],
});

/**
 * Reads the exceptions that the user entered in fields: `{ entries: [exception, …] }`, as n8n gives
 * them.
 * @throws {ScreeningError} `invalid_input`
 */
export function readExceptionEntries(collection: unknown): Exception[] {
	const { entries = [] } = (collection ?? {}) as { entries?: unknown };
	const list: unknown[] = Array.isArray(entries) ? entries : [entries];
	// The editor gives an empty text for a chain that the user left empty.
	const withoutEmptyChains = list.map((entry) =>
		isJsonObject(entry) && entry.chain === '' ? { ...entry, chain: null } : entry,
	);
	return readExceptions(withoutEmptyChains);
}

/** Makes a sentence for each exception of a policy that does nothing at the time `now`. */
export function describeIdleExceptions({ rules, exceptions }: Policy, now: Date): string[] {
	const all = [...exceptions.values()].flat();
	if (all.length === 0) return [];
	const isAnyWaivable = rules.some(({ mayBeWaived }) => mayBeWaived);
	const ended = all.filter((exception) => !isInForce(exception, now));
	return [
		...(isAnyWaivable ? [] : ["The exceptions do nothing: no rule has 'May Be Waived' on."]),
		...ended.map(({ address, until }) => {
			const shown = shortenAddress(address);
			return `The exception for ${shown} ended on ${until}. Renew or remove it.`;
		}),
	];
}
