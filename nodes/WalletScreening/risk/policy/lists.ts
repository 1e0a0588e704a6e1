import { accountKey } from '../../address/account';
import { own } from '../../service/errors';
import { cleanAddress } from '../../service/input';
import { digestOfJson } from '../canonical';
import { isNumber, show } from '../values';
import { readerOf, refusing, startOf } from './reading';
import { strictnesses, type Strictness } from './rules';

/** What a policy and evidence say of a list of addresses. */
export interface ListRecord {
	name: string;
	outcome: Strictness;
	/** When the list was made: a day in UTC, or a time with its zone. */
	as_of?: string;
	max_age_days?: number;
	/** How many addresses it has. */
	length: number;
	/** SHA-256, in hex, of the addresses as they were given, as canonical JSON. */
	digest: string;
}

/** A list of addresses that a team keeps. */
export interface List {
	record: ListRecord;
	/** `as_of` in milliseconds of Unix time. */
	madeAt: number | undefined;
	/** Whether an address is on the list, by its `accountKey`. */
	has(key: string): boolean;
}

const names = ['name', 'outcome', 'as_of', 'max_age_days'];
const advice = "A list needs a 'name', an 'outcome' and 'addresses'.";
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * The list of this number, with its addresses in any spelling. Evidence keeps a list without its addresses: there, `isHit`
 * says whether the report was on it. Throws `invalid_input`.
 */
export function readList(given: unknown, number: number, isHit?: (name: string) => boolean): List {
	const refuse = refusing(`List ${number}`, advice);
	const more = isHit ? ['length', 'digest'] : ['addresses'];
	const { value, text, filled, word, list } = readerOf(given, [...names, ...more], refuse);
	const [name, as_of, days] = [filled('name'), text('as_of'), value('max_age_days')];
	const madeAt = as_of === '' ? undefined : momentIn(as_of);
	if (as_of !== '' && madeAt === undefined) {
		throw refuse(
			`has an 'as_of' that is not a date (${show(as_of, 40)})`,
			'Write a day, e.g. 2026-12-31, or a time with its zone, e.g. 2026-12-31T08:00:00Z.',
		);
	}
	if (days !== undefined && !(isNumber(days) && days > 0)) {
		throw refuse("has a 'max_age_days' that is not a number above 0", 'Give a number of days.');
	}
	if (days !== undefined && madeAt === undefined) {
		throw refuse("has a 'max_age_days' and no 'as_of'", "Say in 'as_of' when the list was made.");
	}
	const known = {
		...{ name, outcome: word('outcome', strictnesses) },
		...(madeAt !== undefined && { as_of }),
		...(days !== undefined && { max_age_days: days }),
	};
	if (isHit) {
		const record = { ...known, length: Number(value('length')), digest: filled('digest') };
		return { record, madeAt, has: () => isHit(name) };
	}
	const keys = list('addresses', (address, at) => {
		try {
			return accountKey(cleanAddress(address, 'addresses'));
		} catch (error) {
			const { description, known } = own(error);
			const which = known.address === undefined ? `${at}` : `${at}: ${show(known.address, 60)}`;
			throw refuse(`has an entry that is not an address (entry ${which})`, description);
		}
	});
	const all = new Set(keys);
	const digest = digestOfJson(value('addresses') ?? []);
	return { record: { ...known, length: keys.length, digest }, madeAt, has: (key) => all.has(key) };
}

/** Milliseconds of Unix time; undefined for what is no date. A day begins at midnight, in UTC. */
function momentIn(written: string): number | undefined {
	const start = startOf(written.slice(0, 10));
	if (start === undefined || written.length === 10) return start;
	const moment = time.test(written) ? Date.parse(written) : NaN;
	return Number.isFinite(moment) ? moment : undefined;
}
