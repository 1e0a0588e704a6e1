import { neutralizeLinks } from '../shared/neutralize';
import type { Tone } from './message';

/*
 * The pieces of which the HTML of a mail consists: styles, tables, cells, and texts that are escaped.
 * Mail clients know only tables and inline styles. Every colour must be visible on light and dark
 * pages, because the client decides which it is.
 */

export const sans =
	"font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
export const mono =
	"font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";
export const breakAnywhere = 'word-break:break-word;overflow-wrap:anywhere';
export const thinLine = '1px solid rgba(128,128,128,.28)';
/** The colour of lines and parts of charts: it can be seen on white and on black. */
export const lineColors: Record<Tone, string> = {
	good: '#079455',
	caution: '#dc6803',
	bad: '#d92d20',
};
const grey = '#667085';

/** The colour of a part of a chart; grey without a tone. */
export const colorOf = ({ tone }: { tone?: Tone | undefined }) => (tone ? lineColors[tone] : grey);

/** A row with one cell, as wide as the three columns of a section; `content` is HTML. */
export function wideRow(content: string, style = ''): string {
	return `<tr>${cell(content, { attributes: 'colspan="3"', style })}</tr>`;
}

/** A cell; `content` is HTML. In Outlook, a cell does not inherit the font of its table. */
export function cell(content: string, { attributes = '', style = '' } = {}): string {
	return `<td valign="top" ${attributes} style="padding:4px 0;${sans};font-size:14px;line-height:20px;${breakAnywhere};${style}">${content}</td>`;
}

/** A table as wide as its place; `rows` are HTML. */
export function table(rows: string, style = ''): string {
	return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${style}">${rows}</table>`;
}

/** A text as the content of an element, in which nothing becomes a link. */
export function escapeText(text: string): string {
	return escapeHtml(neutralizeLinks(text));
}

/** Escapes a text for the content of an element and for an attribute in quotes. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
