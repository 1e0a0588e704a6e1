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

const toOf = ({ to = [] }: Letter) => to.map(nameOf).join(', ');

/** Adds the pages on which people read the letters of a mail server, the newest first. */
export function addMailbox(
	app: FastifyInstance,
	{ letters }: { letters: readonly Letter[] },
): void {
	app.get('/mail', (_request, reply) => {
		const entries = letters.map(
			(letter, at) => markup`
<a class="entry" href="/mail/${at}"><b>${letter.subject ?? ''}</b>
<span>${beginningOf(letter)}</span>
<span class="faint">to ${toOf(letter)}, ${timeOf(letter.receivedAt)}</span></a>`,
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
		const files = letter.attachments.map(
			({ filename }, file) => markup`<a href="/mail/${at}/${file}">${filename ?? 'file'}</a> `,
		);
		const body = markup`
<dl class="facts"><dt>From</dt><dd>${nameOf(letter.from)}</dd><dt>To</dt><dd>${toOf(letter)}</dd>
${letter.cc ? markup`<dt>Copy</dt><dd>${letter.cc.map(nameOf).join(', ')}</dd>` : ''}
<dt>Received</dt><dd>${timeOf(letter.receivedAt)}</dd>${files.length ? markup`<dt>Files</dt><dd>${files}</dd>` : ''}</dl>
<iframe class="card" title="The message" src="/mail/${at}/body"></iframe>`;
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
