import type { Policy } from '../risk/policy';
import { categories, type Condition } from '../risk/policy/rules';
import { shortAddress, show } from '../risk/values';

/** What makes no sense in a policy and is still possible: a sentence for each. */
export function policyHints({ rules, exceptions, otherwise }: Policy, now: Date): string[] {
	const all = [...exceptions.values()].flat();
	const waivable = rules.filter(({ mayBeWaived }) => mayBeWaived);
	const isOnLevel = waivable.some(({ conditions }) => conditions.some(({ of }) => of === 'level'));
	const isIdle = all.length > 0 && waivable.length === 0;
	const isOverruled = all.length > 0 && isOnLevel && otherwise === 'allowGreen';
	return [
		...rules.flatMap(({ conditions }, index) =>
			conditions.filter(isOutOfReach).map((condition) => unreachable(condition, index + 1)),
		),
		...(isIdle ? ["The exceptions do nothing: no rule has 'May Be Waived' on."] : []),
		...(isOverruled
			? [
					"No exception allows a report that is not green while 'Otherwise' is Allow If Green. If an approved one should, choose Allow there, and keep the rule on the level.",
				]
			: []),
		...all
			.filter(({ end }) => now.getTime() >= end)
			.map(
				({ address, until }) =>
					`The exception for ${show(shortAddress(address), 40)} ended on ${until}. Renew or remove it.`,
			),
	];
}

/** Section 2.3: every category is a fraction, except `clean_exchange`. */
const fractions = categories.filter((key) => key !== 'clean_exchange');

/** Whether no value so far makes the condition true. */
function isOutOfReach({ of, key, operator, value }: Condition): boolean {
	const isFraction = of === 'score' || (of === 'category' && fractions.includes(key));
	if (typeof value === 'string' || !isFraction) return false;
	const isAbove = value > 1 && (operator === 'gte' || operator === 'equals');
	const isBelow = value < 0 && (operator === 'lte' || operator === 'equals');
	return isAbove || isBelow;
}

function unreachable({ of, key, value }: Condition, number: number): string {
	const why =
		of === 'score'
			? 'The vendor documents no range of the score. The categories are fractions from 0 to 1, so the score may be one too: look at a report of yours.'
			: 'The vendor documents this category as a fraction from 0 to 1. For 50 %, enter 0.5.';
	return `Rule ${number} compares '${key}' with ${value}, and may never apply. ${why}`;
}
