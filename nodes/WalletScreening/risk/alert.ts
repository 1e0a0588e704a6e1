import type { Report } from '../service/shapes';
import { htmlOf } from './alert/html';
import { type SlackMessage, slackOf } from './alert/slack';
import { summaryOf } from './alert/summary';
import { textOf } from './alert/text';
import type { Decision } from './decision';

export type Alert = {
	/** One line of at most 120 characters, for a subject or a notification. */
	title: string;
	/** Plain text, for any messenger. */
	text: string;
	/** A document for the "HTML" field of the Send Email node. */
	html: string;
	/** For the "Blocks" field of the Slack node: `={{ $json.alert.slackBlocks }}`. */
	slackBlocks: SlackMessage;
};

/**
 * What to tell people about a report (section 2.1), and about the decision on it where there is one. Whatever a report
 * holds, this does not throw, its size is bounded, and no value of the report can pass for anything but a value.
 */
export function alertOf(report: Report, decision?: Decision): Alert {
	const summary = summaryOf(report, decision);
	return {
		title: summary.title,
		text: textOf(summary),
		html: htmlOf(summary),
		slackBlocks: slackOf(summary),
	};
}
