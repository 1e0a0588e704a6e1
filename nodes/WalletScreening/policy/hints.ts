import { shortAddress } from '../shared/text';
import { endOfException, type Policy } from './policy';

/** A run shows at most so many hints about its policy: a user does not read more. */
export const maxHints = 5;

/** A sentence for each exception of a policy that does nothing at the time `now`. */
export function describeIdleExceptions({ rules, exceptions }: Policy, now: Date): string[] {
	const all = [...exceptions.values()].flat();
	const hints: string[] = [];
	if (all.length > 0 && !rules.some(({ mayBeWaived }) => mayBeWaived)) {
		hints.push("The exceptions do nothing: no rule has 'May Be Waived' on.");
	}
	for (const exception of all) {
		if (now.getTime() < endOfException(exception)) continue;
		const address = shortAddress(exception.address);
		hints.push(`The exception for ${address} ended on ${exception.until}. Renew or remove it.`);
	}
	return hints;
}
