import { createHmac } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createListener } from './server';
import { problemsOf } from './slackBlocks';

/** The body of a message that Slack was asked to post. */
interface SlackMessage {
	channel: string;
	text?: string;
	blocks?: Array<Record<string, unknown>>;
}

/** Slack's word for why it does not post a message, and the details; `undefined` where it does. */
function findRefusal({ channel, text = '', blocks }: SlackMessage) {
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
	/** With which Slack signs what it posts to n8n. */
	readonly signingSecret: string;
	/** What n8n asked of other methods, e.g. to say to one person that he may not answer. */
	calls: Array<{ method: string; body: string }>;
	/** What was posted, in order. */
	messages: SlackMessage[];
	/** What was asked for and refused, with Slack's word for why. */
	refused: Array<{ error: string; problems: string[]; message: SlackMessage }>;
	/** Whether the service has an outage, in which it answers 503. */
	isDown: boolean;
	/** Happens once, after the next request has arrived and before its answer. */
	meanwhile: (() => Promise<unknown>) | undefined;
}

export function createSlack(): Slack {
	const token = 'xoxb-a-token-of-the-test';
	const slack: Slack = {
		site: createListener(async ({ url = '', headers }, answer, body) => {
			const { meanwhile } = slack;
			slack.meanwhile = undefined;
			await meanwhile?.();
			if (slack.isDown) return answer(503, { ok: false, error: 'service_unavailable' });
			if (headers.authorization !== `Bearer ${token}`) {
				return answer(200, { ok: false, error: 'invalid_auth' });
			}
			const [path = '', query] = url.split('?');
			const method = path.replace('/api/', '');
			if (method === 'users.info') {
				const id = new URLSearchParams(query).get('user');
				return answer(200, { ok: true, user: { profile: { email: `${id}@example.com` } } });
			}
			if (method !== 'chat.postMessage') {
				slack.calls.push({ method, body });
				return answer(200, { ok: true });
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
		calls: [],
		messages: [],
		refused: [],
		isDown: false,
		meanwhile: undefined,
	};
	return slack;
}

/**
 * Presses the button of a message with this label, as a user of Slack, and gives the status of
 * n8n's answer.
 */
export async function press(
	{ signingSecret }: Pick<Slack, 'signingSecret'>,
	n8nUrl: string,
	{ channel, blocks = [] }: SlackMessage,
	{ user, label }: { user: string; label: string },
): Promise<number> {
	const buttons = blocks.flatMap((block) => (block.elements ?? []) as any[]);
	const { action_id, value } = buttons.find(({ text }) => text.text === label);
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
	const headers = {
		'content-type': 'application/x-www-form-urlencoded',
		'x-slack-request-timestamp': time,
		'x-slack-signature': `v0=${digest}`,
	};
	return (await fetch(`${n8nUrl}/webhook-waiting-slack`, { method: 'POST', headers, body })).status;
}
