import type { FastifyReply } from 'fastify';
import { type Content, markup } from '../../sandbox/markup';
import { pageHeaders, pageOf } from '../../sandbox/page';

/** The time zone of this machine. */
export const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** The head of a page that has to show news without a click: it loads again every three seconds. */
export const refreshing = markup`<meta http-equiv="refresh" content="3">`;

/**
 * Answers with a page of the trial. `head` stands in its `<head>`, after the title and the style.
 */
export function sendPage(reply: FastifyReply, title: string, body: Content, head: Content = '') {
	const links = markup`<nav><a href="/">Start</a> <a href="/mail">Mailbox</a> <a href="/payments">Payment system</a></nav>`;
	return reply
		.headers(pageHeaders)
		.send(pageOf(title, [links, markup`<h1>${title}</h1>`, body], head));
}
