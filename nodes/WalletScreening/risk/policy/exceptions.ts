import { mayBeAddress } from '../../service/input';
import { show } from '../values';
import { oneDay, readerOf, refusing, startOf } from './reading';

/** Waives, for one address and up to the end of a day, the rules that may be waived. */
export interface Exception {
	address: string;
	/** Undefined: on every chain. */
	chain: string | undefined;
	/** A day in UTC, as `2026-12-31`. */
	until: string;
	reason: string;
	approvedBy: string;
	/** The first moment in which it is over, in milliseconds of Unix time. */
	end: number;
}

const names = ['address', 'chain', 'until', 'reason', 'approvedBy'];
const advice =
	"An exception needs an address, a last day, a reason and the name of the person who approved it. Leave 'chain' out for every chain.";

/** The exception of this number. Throws `invalid_input`. */
export function readException(given: unknown, number: number): Exception {
	const refuse = refusing(`Exception ${number}`, advice);
	const { value, filled } = readerOf(given, names, refuse);
	const [address, until] = [filled('address'), filled('until')];
	// A chain of invisible characters would look like one, and hold on every chain.
	const chain = value('chain') === undefined ? undefined : filled('chain');
	if (!mayBeAddress(address)) {
		throw refuse('has an invalid address', 'Give one address, without spaces or quotation marks.');
	}
	const start = startOf(until);
	if (start === undefined) {
		throw refuse(
			`has a last day that is not a date (${show(until, 40)})`,
			'Write it as year, month and day, e.g. 2026-12-31.',
		);
	}
	const [reason, approvedBy] = [filled('reason'), filled('approvedBy')];
	return { address, chain, until, reason, approvedBy, end: start + oneDay };
}
