import { conditionsOf, endOfException, nameOf, type Policy } from './policy';
import { categories, type Condition } from './schema';
import { goodSign } from './report';
import { shortAddress } from '../shared/text';

/** Nobody reads more hints. */
export const mostHints = 5;

/** A sentence for each condition of a policy that may never apply, and for exceptions that do nothing. */
export function policyHints({ rules, exceptions }: Policy, now: Date): string[] {
	const unreached = rules.flatMap((rule, index) =>
		conditionsOf(rule)
			.filter(isOutOfReach)
			.map((condition) => unreachable(condition, index + 1)),
	);
	const all = [...exceptions.values()].flat();
	const isIdle = all.length > 0 && !rules.some(({ mayBeWaived }) => mayBeWaived);
	const idle = isIdle ? ["The exceptions do nothing: no rule has 'May Be Waived' on."] : [];
	const ended = all
		.filter((exception) => now.getTime() >= endOfException(exception))
		.map(
			({ address, until }) =>
				`The exception for ${shortAddress(address)} ended on ${until}. Renew or remove it.`,
		);
	return [...unreached, ...idle, ...ended];
}

/** Section 2.3: every category is a fraction, except `clean_exchange`. */
const fractions = ['score', ...categories.filter((key) => key !== goodSign)];

/** Whether no value so far makes the condition true. */
function isOutOfReach(condition: Condition): boolean {
	const { operator, value } = condition;
	const name = nameOf(condition);
	if (typeof value === 'string' || !fractions.some((key) => key === name)) return false;
	const isAbove = value > 1 && (operator === 'gte' || operator === 'equals');
	const isBelow = value < 0 && (operator === 'lte' || operator === 'equals');
	return isAbove || isBelow;
}

function unreachable(condition: Condition, number: number): string {
	const why =
		condition.field === 'score'
			? 'The vendor documents no range of the score. The categories are fractions from 0 to 1, so the score may be one too: look at a report of yours.'
			: 'The vendor documents this category as a fraction from 0 to 1. For 50 %, enter 0.5.';
	const what = `'${String(nameOf(condition))}' with ${condition.value}`;
	return `Rule ${number} compares ${what}, and may never apply. ${why}`;
}
