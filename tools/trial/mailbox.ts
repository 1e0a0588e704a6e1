import type { FastifyInstance } from 'fastify';
import { markup } from '../../sandbox/markup';
import type { Letter } from './mail';
import { refreshing, sendPage, timeZone } from './site';

interface At {
	Params: { at: string; file: string };
}

type Person = Letter['from'];

const nameOf = (person: Person) => person?.name || person?.address || '';
/** A time in the zone of this machine, which n8n has in the trial, too. */
const timeOf = (date: Date) =>
	`${date.toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })} (${timeZone})`;
/** The first words of a letter, on one line. */
const beginningOf = ({ text = '' }: Letter) => text.replace(/\s*\n\s*/g, ' · ').slice(0, 160);

/** A letter stays in its frame: it runs no script, and its links open a new page. */
const letterPolicy =
	"sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** A letter as a mail program shows it. */
function contentOf({ html, text = '' }: Letter): string {
	const base = '<base target="_blank">';
	if (html) return base + html;
	const parts = text.split(/(https?:\/\/[^\s<>"]+)/);
	const linked = parts.map((part, at) => (at % 2 ? markup`<a href="${part}">${part}</a>` : part));
	return base + markup`<pre style="font: inherit; white-space: pre-wrap">${linked}</pre>`.text;
}

/**
 * An estimate of the lines that a letter takes on a phone, where its frame is as high as the
 * letter. A page without scripts cannot measure them.
 */
const phoneLinesOf = ({ text = '' }: Letter) =>
	text.split('\n').reduce((lines, line) => lines + Math.ceil((line.length || 1) / 34), 0);

const toOf = ({ to = [] }: Letter) => to.map(nameOf).join(', ');

/**
 * A message, and all who got it. Each got a letter of their own: a workflow sends what is overdue
 * to the team, and to its head.
 */
interface Message {
	readonly letter: Letter;
	/** The place of the letter in the mail server's list. */
	readonly at: number;
	readonly recipients: string[];
}

/**
 * The messages in the order of their first letters. A second letter to the same recipient is a
 * message of its own.
 */
export function messagesOf(letters: readonly Letter[]): Message[] {
	const messages: Message[] = [];
	for (const [at, letter] of letters.entries()) {
		const recipient = toOf(letter);
		const same = messages.findLast(
			(one) => one.letter.subject === letter.subject && one.letter.text === letter.text,
		);
		if (same && !same.recipients.includes(recipient)) same.recipients.push(recipient);
		else messages.push({ letter, at, recipients: [recipient] });
	}
	return messages;
}

/** Adds the pages on which people read the letters of a mail server, the newest first. */
export function addMailbox(
	app: FastifyInstance,
	{ letters }: { letters: readonly Letter[] },
): void {
	app.get('/mail', (_request, reply) => {
		const entries = messagesOf(letters).map(
			({ letter, at, recipients }) => markup`
<a class="entry" href="/mail/${at}"><b>${letter.subject ?? ''}</b>
<span>${beginningOf(letter)}</span>
<span class="faint">${timeOf(letter.receivedAt)}, to ${recipients.join(' and ')}</span></a>`,
		);
		const none = markup`<p class="card">No message yet. This page looks for new ones by itself.</p>`;
		return sendPage(
			reply,
			'Mailbox of the team',
			letters.length ? markup`<div class="card">${entries.reverse()}</div>` : none,
			refreshing,
		);
	});
	app.get<At>('/mail/:at', ({ params: { at } }, reply) => {
		const letter = letters[Number(at)];
		if (!letter) return reply.callNotFound();
		const { recipients } = messagesOf(letters).find((one) => one.at === Number(at)) ?? {
			recipients: [toOf(letter)],
		};
		const files = letter.attachments.map(
			({ filename }, file) => markup`<a href="/mail/${at}/${file}">${filename ?? 'file'}</a> `,
		);
		const body = markup`
<dl class="facts"><dt>From</dt><dd>${nameOf(letter.from)}</dd><dt>To</dt><dd>${recipients.join(', ')}</dd>
${letter.cc ? markup`<dt>Copy</dt><dd>${letter.cc.map(nameOf).join(', ')}</dd>` : ''}
<dt>Received</dt><dd>${timeOf(letter.receivedAt)}</dd>${files.length ? markup`<dt>Files</dt><dd>${files}</dd>` : ''}</dl>
<iframe class="card" title="The message" style="--lines: ${phoneLinesOf(letter)}" src="/mail/${at}/body"></iframe>`;
		return sendPage(reply, letter.subject ?? 'Message', body);
	});
	app.get<At>('/mail/:at/body', ({ params: { at } }, reply) => {
		const letter = letters[Number(at)];
		if (!letter) return reply.callNotFound();
		reply.header('content-security-policy', letterPolicy);
		return reply.type('text/html; charset=utf-8').send(contentOf(letter));
	});
	app.get<At>('/mail/:at/:file', ({ params: { at, file } }, reply) => {
		const attachment = letters[Number(at)]?.attachments[Number(file)];
		if (!attachment) return reply.callNotFound();
		reply.header(
			'content-disposition',
			`attachment; filename*=UTF-8''${encodeURIComponent(attachment.filename ?? 'file')}`,
		);
		return reply
			.type('application/octet-stream')
			.send(Buffer.from(attachment.content as ArrayBuffer));
	});
}
