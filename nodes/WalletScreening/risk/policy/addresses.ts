import { accountKey } from '../../address/account';
import { own } from '../../service/errors';
import { cleanAddress, mayBeAddress } from '../../service/input';
import { digestOfJson } from '../canonical';
import { isNumber, show } from '../values';
import { readerOf, refusing } from './reading';
import { strictnesses } from './rules';

/** Milliseconds of a day. */
export const oneDay = 24 * 60 * 60 * 1000;

/** Waives, for one address and up to the end of a day, the rules that may be waived. */
export type Exception = ReturnType<typeof readException>;

const ofException = ['address', 'chain', 'until', 'reason', 'approvedBy'];
const adviceOnException =
	"An exception needs an address, a last day, a reason and the name of the person who approved it. Leave 'chain' out for every chain.";

/** The exception of this number. Throws `invalid_input`. */
export function readException(given: unknown, number: number) {
	const refuse = refusing(`Exception ${number}`, adviceOnException);
	const { value, filled } = readerOf(given, ofException, refuse);
	const [address, until] = [filled('address'), filled('until')];
	// A chain of invisible characters would look like one, and hold on every chain.
	const chain = value('chain') === undefined ? undefined : filled('chain');
	if (!mayBeAddress(address)) {
		throw refuse('has an invalid address', 'Give one address, without spaces or quotation marks.');
	}
	const start = until.length === 10 ? momentIn(until) : undefined;
	if (start === undefined) {
		throw refuse(
			`has a last day that is not a date (${show(until, 40)})`,
			'Write it as year, month and day, e.g. 2026-12-31.',
		);
	}
	const [reason, approvedBy] = [filled('reason'), filled('approvedBy')];
	/** `end`: the first moment in which it is over, in milliseconds of Unix time. */
	return { address, chain, until, reason, approvedBy, end: start + oneDay };
}

/** A list of addresses that a team keeps. */
export type List = ReturnType<typeof readList>;

const ofList = ['name', 'outcome', 'as_of', 'max_age_days'];
const adviceOnList = "A list needs a 'name', an 'outcome' and 'addresses'.";
const date = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * The list of this number: its record, without the addresses; `madeAt`, in milliseconds of Unix time; and whether an address
 * is on it, by its `accountKey`. Evidence keeps only the record: there, `isHit` says whether the report was on the list.
 * Throws `invalid_input`.
 */
export function readList(given: unknown, number: number, isHit?: (name: string) => boolean) {
	const refuse = refusing(`List ${number}`, adviceOnList);
	const more = isHit ? ['length', 'digest'] : ['addresses'];
	const { value, text, filled, word, list } = readerOf(given, [...ofList, ...more], refuse);
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
	/** Of the addresses as they were given. */
	const digest = digestOfJson(value('addresses') ?? []);
	const record = { ...known, length: keys.length, digest };
	return { record, madeAt, has: (key: string) => all.has(key) };
}

/** Milliseconds of Unix time; undefined for what is no date. A day begins at midnight, in UTC. */
function momentIn(written: string): number | undefined {
	const [, day = ''] = date.exec(written) ?? [];
	const [start, moment] = [Date.parse(day), Date.parse(written)];
	// JavaScript reads February 30 as a day in March.
	const isDay = Number.isFinite(start) && new Date(start).toISOString().startsWith(day);
	return isDay && Number.isFinite(moment) ? moment : undefined;
}
