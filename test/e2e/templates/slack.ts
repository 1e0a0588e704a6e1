import { createHmac } from 'node:crypto';
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
	/** With which Slack signs what it posts to n8n. */
	signingSecret: string;
	/** What was posted, in order. */
	messages: SlackMessage[];
	/** What was asked for and refused, with Slack's word for why. */
	refused: Array<{ error: string; problems: string[]; message: SlackMessage }>;
	/** Whether the service has an outage, in which it answers 503. */
	isDown: boolean;
	/** What n8n asked of other methods, e.g. to say to one person that he may not answer. */
	calls: Array<{ method: string; body: string }>;
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
			const method = (request.url ?? '').replace(/^\/api\/|\?.*/g, '');
			if (method === 'users.info') {
				const id = new URLSearchParams((request.url ?? '').split('?')[1]).get('user');
				return answer(200, { ok: true, user: { profile: { email: `${id}@example.com` } } });
			}
			if (method !== 'chat.postMessage') {
				slack.calls.push({ method, body });
				return answer(200, { ok: true });
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
		signingSecret: 'slack-signs-with-this',
		calls: [],
		messages: [],
		refused: [],
		isDown: false,
		meanwhile: undefined,
	};
	return slack;
}

interface Button {
	text: { text: string };
	action_id: string;
	value: string;
}

/** Presses the button of a message with this label, as a user of Slack, and gives the status of n8n's answer. */
export async function press(
	{ signingSecret }: Slack,
	n8nUrl: string,
	{ channel, blocks = [] }: SlackMessage,
	{ user, label }: { user: string; label: string },
): Promise<number> {
	const buttons = blocks.flatMap((block) => (block.elements ?? []) as Button[]);
	const { action_id, value } = buttons.find(({ text }) => text.text === label)!;
	const payload = JSON.stringify({
		type: 'block_actions',
		user: { id: user, name: user },
		channel: { id: channel },
		message: { ts: '1700000000.000001', blocks },
		actions: [{ action_id, value, action_ts: String(Date.now() / 1000) }],
	});
	const body = new URLSearchParams({ payload }).toString();
	const time = String(Math.floor(Date.now() / 1000));
	const digest = createHmac('sha256', signingSecret).update(`v0:${time}:${body}`).digest('hex');
	const response = await fetch(`${n8nUrl}/webhook-waiting-slack`, {
		method: 'POST',
		headers: {
			'content-type': 'application/x-www-form-urlencoded',
			'x-slack-request-timestamp': time,
			'x-slack-signature': `v0=${digest}`,
		},
		body,
	});
	return response.status;
}
