import { isGreen } from '../answers/report';
import { hasValue } from '../shared/json';
import { isSanctionsMark } from './cells';

/** What an item says about its report, under the names that the item has. */
interface Verdict {
	level?: unknown;
	/**
	 * The chain that was asked for, if the report is of another one. In a table an absent one is
	 * empty.
	 */
	asked_chain?: unknown;
	/** Undefined without a decision. */
	outcome?: unknown;
	/** The mark of a sanctions hit. The node never sets it beside `allow`, but a table may be edited. */
	sanctions?: unknown;
}

/**
 * Whether a verdict is the all-clear: the level is green, the report is of the chain that was asked
 * for, and the decision on it, if there is one, allows it and marks no sanctions hit. This is the one
 * place that says so.
 */
export const isClearVerdict = ({
	level,
	asked_chain,
	outcome = 'allow',
	sanctions,
}: Verdict): boolean =>
	isGreen(level) && !hasValue(asked_chain) && outcome === 'allow' && !isSanctionsMark(sanctions);
