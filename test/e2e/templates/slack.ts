import type { RequestListener } from 'node:http';
import { answering } from './answering';
import { problemsOf } from './slackBlocks';

/** The body of a message that Slack was asked to post. */
interface SlackMessage {
	channel: string;
	text?: string;
	blocks?: Array<Record<string, unknown>>;
}

export interface Slack {
	/** What answers at `slack.com`. */
	site: RequestListener;
	token: string;
	/** What was posted, in order. */
	messages: SlackMessage[];
	/** What was asked for and refused, with Slack's word for why. */
	refused: Array<{ error: string; problems: string[]; message: SlackMessage }>;
	/** Whether the service has an outage, in which it answers 503. */
	isDown: boolean;
	/** Happens once, after the next request has arrived and before its answer. */
	meanwhile: (() => Promise<unknown>) | undefined;
}

/** Slack's word for why it does not post a message, and the details; `undefined` where it does. */
function refusalOf(
	{ channel, text, blocks }: SlackMessage,
	authorized: boolean,
): { error: string; problems: string[] } | undefined {
	if (!authorized) return { error: 'invalid_auth', problems: [] };
	if (!channel) return { error: 'channel_not_found', problems: [] };
	if (blocks === undefined && !text) return { error: 'no_text', problems: [] };
	if ((text ?? '').length > 40_000) return { error: 'msg_too_long', problems: [] };
	const problems = blocks === undefined ? [] : problemsOf(blocks);
	return problems.length > 0 ? { error: 'invalid_blocks', problems } : undefined;
}

/** A stand-in for Slack's `chat.postMessage`. */
export function createSlack(): Slack {
	const slack: Slack = {
		site: answering(async (request, response, body) => {
			const { meanwhile } = slack;
			slack.meanwhile = undefined;
			await meanwhile?.();
			const answer = (status: number, body: unknown) => {
				response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
				response.end(JSON.stringify(body));
			};
			if (slack.isDown) return answer(503, { ok: false, error: 'service_unavailable' });
			if (request.url !== '/api/chat.postMessage') {
				return answer(200, { ok: false, error: 'unknown_method' });
			}
			const message = JSON.parse(body) as SlackMessage;
			const refusal = refusalOf(message, request.headers.authorization === `Bearer ${slack.token}`);
			if (refusal) {
				slack.refused.push({ ...refusal, message });
				return answer(200, {
					ok: false,
					error: refusal.error,
					response_metadata: { messages: refusal.problems },
				});
			}
			slack.messages.push(message);
			const ts = `1700000000.${String(slack.messages.length).padStart(6, '0')}`;
			answer(200, { ok: true, channel: 'C024BE91L', ts, message: { type: 'message', ...message } });
		}),
		token: 'xoxb-a-token-of-the-test',
		messages: [],
		refused: [],
		isDown: false,
		meanwhile: undefined,
	};
	return slack;
}
