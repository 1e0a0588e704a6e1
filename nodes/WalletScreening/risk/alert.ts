import { htmlOf } from './alert/html';
import { type SlackMessage, slackOf } from './alert/slack';
import { type Decided, failureSummaryOf, type Summary, summaryOf } from './alert/summary';
import { textOf } from './alert/text';
import type { Fields } from '../service/json';
import type { AnyReport } from './report';

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
 * The alert on a report (section 2.1), and on the decision if there is one. Whatever a report holds, this does not throw,
 * its size is bounded, and no value of the report can pass for anything but a value.
 */
export function alertOf(report: AnyReport, decision?: Decided): Alert {
	return written(summaryOf(report, decision));
}

/** The alert on an error item `{ error, details }`, with the same promises. */
export function failureAlertOf(item: Fields): Alert {
	return written(failureSummaryOf(item));
}

function written(summary: Summary): Alert {
	return {
		title: summary.title,
		text: textOf(summary),
		html: htmlOf(summary),
		slackBlocks: slackOf(summary),
	};
}
