import { isGreen } from '../answers/report';
import { hasValue } from '../shared/json';

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
}

/**
 * Whether a verdict is the all-clear: the level is green, the report is of the chain that was asked
 * for, and the decision on it, if there is one, allows it. This is the one place that says so.
 */
export const isClearVerdict = ({ level, asked_chain, outcome = 'allow' }: Verdict): boolean =>
	isGreen(level) && !hasValue(asked_chain) && outcome === 'allow';
