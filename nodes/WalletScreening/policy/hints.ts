import { endOfException, type Policy } from './policy';
import { shortAddress } from '../shared/text';

/** A run shows at most so many hints about its policy: a user does not read more. */
export const maxHints = 5;

/** A sentence for each exception of a policy that does nothing at the time `now`. */
export function policyHints({ rules, exceptions }: Policy, now: Date): string[] {
	const all = [...exceptions.values()].flat();
	const isIdle = all.length > 0 && !rules.some(({ mayBeWaived }) => mayBeWaived);
	const idle = isIdle ? ["The exceptions do nothing: no rule has 'May Be Waived' on."] : [];
	const ended = all
		.filter((exception) => now.getTime() >= endOfException(exception))
		.map(
			({ address, until }) =>
				`The exception for ${shortAddress(address)} ended on ${until}. Renew or remove it.`,
		);
	return [...idle, ...ended];
}
