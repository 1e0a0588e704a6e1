import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { openssl as part, required } from '../../../host/parts';
import { problemsOf } from './slackBlocks';

/** The body of a message that Slack was asked to post. */
export interface SlackMessage {
	channel: string;
	text?: string;
	blocks?: Array<Record<string, unknown>>;
}

export interface Slack {
	/** Variables with which n8n reaches this machine where it asks for slack.com, and nobody else's but loopback. */
	environment: Record<string, string>;
	token: string;
	/** What was posted, in order. */
	messages: SlackMessage[];
	/** What was asked for and refused, with Slack's word for why. */
	refused: Array<{ error: string; problems: string[]; message: SlackMessage }>;
	/** Other machines that n8n asked for, as `host:port`; it reached none of them. */
	otherHosts: Set<string>;
	/** Whether the service has an outage, in which it answers 503. */
	isDown: boolean;
	close(): Promise<void>;
}

const host = 'slack.com';

interface Certificate {
	key: Buffer;
	cert: Buffer;
}

/** A certificate for slack.com, and in `authority` the file of the one who signed it. */
async function certify(folder: string): Promise<Certificate & { authority: string }> {
	const file = (name: string) => join(folder, name);
	const program = required(part);
	const openssl = async (...args: string[]) => await promisify(execFile)(program, args);
	const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
	await writeFile(file('names'), `subjectAltName=DNS:${host}`);
	await openssl(
		...['req', '-x509', ...newKey, '-subj', '/CN=Test Authority', '-days', '2'],
		...['-keyout', file('ca.key'), '-out', file('ca.pem')],
	);
	await openssl(
		...['req', ...newKey, '-subj', `/CN=${host}`],
		...['-keyout', file('key'), '-out', file('request')],
	);
	await openssl(
		...['x509', '-req', '-in', file('request'), '-CA', file('ca.pem'), '-CAkey', file('ca.key')],
		...['-CAcreateserial', '-days', '2', '-extfile', file('names'), '-out', file('cert')],
	);
	return {
		key: await readFile(file('key')),
		cert: await readFile(file('cert')),
		authority: file('ca.pem'),
	};
}

async function jsonOf(request: IncomingMessage): Promise<SlackMessage> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return JSON.parse(text) as SlackMessage;
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

/**
 * Starts a stand-in for Slack's `chat.postMessage` behind a proxy, so that n8n's own Slack node meets it at
 * `https://slack.com/api` as it ships.
 */
export async function startSlack(): Promise<Slack> {
	const folder = await mkdtemp(join(tmpdir(), 'slack-'));
	const { authority, ...certificate } = await certify(folder);
	const tunnels = new Set<Duplex>();

	const service = createHttpsServer(certificate, async (request, response) => {
		const answer = (status: number, body: unknown) => {
			response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
			response.end(JSON.stringify(body));
		};
		if (slack.isDown) return answer(503, { ok: false, error: 'service_unavailable' });
		if (request.url !== '/api/chat.postMessage') {
			return answer(200, { ok: false, error: 'unknown_method' });
		}
		const message = await jsonOf(request);
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
	});

	const proxy = createHttpServer((request, response) => {
		slack.otherHosts.add(String(request.headers.host));
		response.writeHead(403).end();
	});
	proxy.on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) => {
		socket.on('error', () => socket.destroy());
		if (url !== `${host}:443`) {
			slack.otherHosts.add(url);
			socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}
		tunnels.add(socket.once('close', () => tunnels.delete(socket)));
		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
		service.emit('connection', socket);
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');

	const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
	const slack: Slack = {
		environment: {
			...Object.fromEntries(names.map((name) => [name, url])),
			NODE_EXTRA_CA_CERTS: authority,
		},
		token: 'xoxb-a-token-of-the-test',
		messages: [],
		refused: [],
		otherHosts: new Set(),
		isDown: false,
		async close() {
			for (const socket of tunnels) socket.destroy();
			proxy.closeAllConnections();
			proxy.close();
			await once(proxy, 'close');
			await rm(folder, { recursive: true });
		},
	};
	return slack;
}
