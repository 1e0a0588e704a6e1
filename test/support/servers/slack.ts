import type { RequestListener } from 'node:http';
import { createListener } from './server';
import { problemsOf } from './slackBlocks';

/** The body of a message that Slack was asked to post. */
interface SlackMessage {
	channel: string;
	text?: string;
	blocks?: Array<Record<string, unknown>>;
}

/**
 * Returns Slack's code for why it refuses a message, and the details; `undefined` if it posts it.
 */
function findRefusal({
	channel,
	text = '',
	blocks,
}: SlackMessage): { error: string; problems: string[] } | undefined {
	if (!channel) return { error: 'channel_not_found', problems: [] };
	if (blocks === undefined && !text) return { error: 'no_text', problems: [] };
	if (text.length > 40_000) return { error: 'msg_too_long', problems: [] };
	const problems = blocks === undefined ? [] : problemsOf(blocks);
	return problems.length > 0 ? { error: 'invalid_blocks', problems } : undefined;
}

/** A stand-in for Slack's `chat.postMessage`. */
export interface Slack {
	/** What answers at `slack.com`. */
	readonly site: RequestListener;
	readonly token: string;
	/** The secret with which Slack signs what it posts to n8n. */
	readonly signingSecret: string;
	/** The posted messages in order. */
	messages: SlackMessage[];
	/** The refused messages, each with Slack's code for why. */
	refused: Array<{ error: string; problems: string[]; message: SlackMessage }>;
	/** Whether the service has an outage, in which it answers 503. */
	isDown: boolean;
	/** Called once: after the next request has arrived, and before its answer. */
	onNextRequest: (() => Promise<unknown>) | undefined;
}

export function createSlack(): Slack {
	const token = 'xoxb-a-token-of-the-test';
	const slack: Slack = {
		site: createListener(async ({ url = '', headers }, answer, body) => {
			const { onNextRequest } = slack;
			slack.onNextRequest = undefined;
			await onNextRequest?.();
			if (slack.isDown) return answer(503, { ok: false, error: 'service_unavailable' });
			if (headers.authorization !== `Bearer ${token}`) {
				return answer(200, { ok: false, error: 'invalid_auth' });
			}
			if (url.split('?')[0] !== '/api/chat.postMessage') {
				return answer(200, { ok: false, error: 'unknown_method' });
			}
			const message = JSON.parse(body) as SlackMessage;
			const refusal = findRefusal(message);
			if (refusal) {
				slack.refused.push({ ...refusal, message });
				const { error, problems } = refusal;
				return answer(200, { ok: false, error, response_metadata: { messages: problems } });
			}
			const ts = `1700000000.${String(slack.messages.push(message)).padStart(6, '0')}`;
			answer(200, { ok: true, channel: 'C024BE91L', ts, message: { type: 'message', ...message } });
		}),
		token,
		signingSecret: 'slack-signs-with-this',
		messages: [],
		refused: [],
		isDown: false,
		onNextRequest: undefined,
	};
	return slack;
}
