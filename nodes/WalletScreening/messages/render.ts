import { neutralizeMarkup } from '../shared/neutralize';
import { clip } from '../shared/text';
import { renderHtml } from './html';
import type { Message } from './message';
import { renderText } from './plainText';
import { renderSlack, type SlackMessage } from './slack';

/** One message for each place: on a report, on a failure, or on many items. */
export interface Alert {
	/** One line of plain text, of at most 120 characters. */
	title: string;
	/** Plain text for any messenger. */
	text: string;
	/** A document for a mail. */
	html: string;
	/** The blocks for the Slack node. */
	slackBlocks: SlackMessage;
}

/** Writes a message for each place, with one title that is safe in all of them. */
export function renderMessage(message: Message): Alert {
	const title = clip(neutralizeMarkup(message.title), 120);
	const safe = { ...message, title };
	return {
		title,
		text: renderText(safe),
		html: renderHtml(safe),
		slackBlocks: renderSlack(safe),
	};
}
