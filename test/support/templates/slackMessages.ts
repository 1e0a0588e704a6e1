import { stage } from './stage';

/** Returns all messages in Slack, as one text. */
export const slackMessagesAsText = () => JSON.stringify(stage.slack.messages);

/** Removes all messages from Slack. @returns their texts */
export const takeSlackMessages = () =>
	stage.slack.messages.splice(0).map((message) => JSON.stringify(message));
