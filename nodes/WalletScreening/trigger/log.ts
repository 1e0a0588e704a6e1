import type { IWebhookFunctions } from 'n8n-workflow';
import { printable } from '../n8n/context';
import { put } from './seen';
import { isTest } from './settings';
import type { RejectionReason } from './signature';

const minute = 60_000;
const mostLines = 200;

const meanings: Record<RejectionReason, string> = {
	missing: 'the signature, time or ID is not in the headers that the settings name',
	malformed: 'the signature, time or ID is not in the form of the signature scheme',
	mismatch: 'signed with another secret or in another scheme, or changed on the way',
	stale: "signed at a time beyond 'Tolerance (Seconds)' from the clock of this n8n",
};

/** What was not said yet of a node, and when something was last said, in milliseconds of the process. */
const tallies = new Map<string, { saidAt: number; counts: Map<string, number> }>();

/** Counts `word`. Gives the counts since the last time if that was a minute ago. */
function count(line: string, word: string): Map<string, number> | undefined {
	const now = performance.now();
	const tally = tallies.get(line) ?? { saidAt: -Infinity, counts: new Map<string, number>() };
	const { saidAt, counts } = tally;
	counts.set(word, (counts.get(word) ?? 0) + 1);
	const isDue = now - saidAt >= minute;
	put(tallies, line, isDue ? { saidAt: now, counts: new Map() } : tally, mostLines);
	return isDue ? counts : undefined;
}

/** Says why deliveries were refused: the first at once, those of the next minute with the first after it. */
export function logRefused(context: IWebhookFunctions, node: string, reason: RejectionReason) {
	const counts = count(`${node} refused`, reason);
	if (!counts) return;
	const reasons = [...counts].map(
		([word, times]) => `${times} ${word} (${meanings[word as RejectionReason]})`,
	);
	const advice = isTest(context)
		? "No other settings fit them either: check 'Webhook Secret' in the credential."
		: 'Listen in the editor and let the service deliver again: the editor then names the settings that fit.';
	const hint = counts.size === 1 && counts.has('stale') ? '' : ` ${advice}`;
	warn(context, `Refused ${deliveries(counts)}`, `${reasons.join(', ')}.${hint}`);
}

/** Says why deliveries could not be verified, as often as `logRefused`. */
export function logUnverified(context: IWebhookFunctions, node: string, why: string): void {
	const counts = count(`${node} unverified`, 'unverified');
	if (counts) warn(context, `Could not verify ${deliveries(counts)}`, printable(why));
}

/** Says in n8n's log what the node did with a delivery. */
export function warn(context: IWebhookFunctions, what: string, why: string): void {
	const node = printable(context.getNode().name);
	const workflow = printable(context.getWorkflow().name ?? '');
	context.logger.warn(`${what} to '${node}' of workflow '${workflow}': ${why}`);
}

function deliveries(counts: Map<string, number>): string {
	const total = [...counts.values()].reduce((sum, times) => sum + times, 0);
	return total === 1 ? 'a delivery' : `${total} deliveries`;
}
