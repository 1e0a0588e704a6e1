import { isGreen } from '../answers/report';
import { hasValue } from '../shared/json';
import { isSanctionsMark, readOutcome } from './cells';

/** What an item says about its report, under the names that the item has. */
interface Verdict {
	level?: unknown;
	/**
	 * The chain that was asked for, if the report is of another one. In a table an absent one is
	 * empty.
	 */
	asked_chain?: unknown;
	/** Absent without a decision. In a table it is empty then, and a user may have edited it. */
	outcome?: unknown;
	/** The mark of a sanctions hit. The node never sets it beside `allow`, but a table may be edited. */
	sanctions?: unknown;
}

/**
 * Whether a verdict is the all-clear: the level is green, the report is of the chain that was asked
 * for, and the decision on it, if there is one, allows it and marks no sanctions hit. An unknown
 * outcome allows nothing. This is the one place that says so. A digest asks more of a sure
 * all-clear, see `DigestEntry`.
 */
export function isAllClear({ level, asked_chain, outcome, sanctions }: Verdict): boolean {
	const isStopped = hasValue(outcome) && readOutcome(outcome) !== 'allow';
	return isGreen(level) && !hasValue(asked_chain) && !isStopped && !isSanctionsMark(sanctions);
}
