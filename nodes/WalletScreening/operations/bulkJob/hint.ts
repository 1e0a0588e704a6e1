import type { Paired } from '../../n8n/items';
import type { Run } from '../../n8n/run';
import { ScreeningError } from '../../service/errors';
import type { Bulk } from './lists';

/**
 * Shows the user, when the run is done, how many addresses were sent and have no report, and which results were left out.
 * A failure or an oddity makes it a warning.
 */
export function hint(
	{ context, account }: Run,
	{ entries, lists }: Bulk,
	paired: Paired[],
	leftOut: string[] = [],
	oddities: string[] = [],
): void {
	const sent = lists.reduce((sum, { addresses }) => sum + addresses.length, 0);
	const failures = paired.filter(({ outcome }) => outcome instanceof ScreeningError).length;
	const message = [
		`${count(sent, 'address', 'addresses')} in ${count(account.job_ids.length, 'bulk job', 'bulk jobs')}`,
		...ifAny(entries.length - sent, 'duplicate', 'duplicates', 'not sent again'),
		...ifAny(failures, 'address', 'addresses', 'without a report'),
		...leftOut,
		...oddities,
	].join(', ');
	context.addExecutionHints({
		message: `${message}.`,
		location: 'outputPane',
		type: failures + oddities.length > 0 ? 'warning' : 'info',
	});
}

/** What to say of so many things; nothing of none. */
export function ifAny(number: number, one: string, many: string, what: string): string[] {
	return number > 0 ? [`${count(number, one, many)} ${what}`] : [];
}

export function count(number: number, one: string, many: string): string {
	return `${number} ${number === 1 ? one : many}`;
}
