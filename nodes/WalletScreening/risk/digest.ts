import type { Alert } from './alert';
import { htmlOf } from './digest/html';
import { type Counts, messageOf } from './digest/message';
import { slackOf } from './digest/slack';
import { textOf } from './digest/text';
import type { Fields } from '../service/json';

/** One message on all items of a run. */
export interface Digest {
	alert: Alert;
	/** An item has one outcome, or it failed; `worse` and `better` count changes beside that. */
	counts: Counts;
	total: number;
}

/**
 * One message on items that hold a report, with or without `decision` and `change`, or that stand for a failure. Every item
 * is counted, and the worst come first; at most `mostListed` are listed, fewer if the message would become too long for
 * Slack or a mail client, and it says how many are not. No item at all is a message too. Whatever the items hold, this does
 * not throw, and no value of theirs can pass for anything but a value.
 */
export function digestOf(
	items: readonly Fields[],
	{ title, mostListed }: { title: string; mostListed: number },
): Digest {
	const message = messageOf(items, title, mostListed);
	return {
		alert: {
			title: message.title,
			text: textOf(message),
			html: htmlOf(message),
			slackBlocks: slackOf(message),
		},
		counts: message.counts,
		total: message.total,
	};
}
