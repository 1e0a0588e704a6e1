import {
	anywhere,
	banners,
	cell,
	escape,
	line,
	mono,
	page,
	bannerRow,
	quiet,
	sans,
	section,
	table,
} from '../alert/html';
import type { Entry, Message } from './message';
import { fitting, grouped, unlisted } from './listing';

/** Gmail cuts a mail off at 102 KB; this leaves room for the rest of the document. */
const longest = 80_000;

/** A document for a mail. */
export function htmlOf({ title, tone, headline, note, figures, entries, total }: Message): string {
	const listed = fitting(entries, longest, (entry) => Buffer.byteLength(entryRow(entry)));
	const verdict = total === 1 ? '1 item' : `${total} items`;
	const more = unlisted(total - listed.length).map((note) => `<tr>${cell(quiet, note)}</tr>`);
	return page(title, bannerRow({ tone, verdict, headline, address: undefined }), [
		note === '' ? '' : section(note, ''),
		figures.length > 0 ? section('At a glance', table(figures.map(figureRow).join(''))) : '',
		...grouped(listed).map(({ heading, entries: some }) =>
			section(heading, table(some.map(entryRow).join('\n'), 'table-layout:fixed')),
		),
		more.length > 0 ? `<tr><td style="padding-top:14px">${table(more.join(''))}</td></tr>` : '',
	]);
}

function figureRow({ label, count, tone }: Message['figures'][number]): string {
	const dot = `<span style="color:${banners[tone]}">●</span>`;
	const figure = 'font-weight:600;text-align:right;font-variant-numeric:tabular-nums';
	return `<tr>${cell('width:20px', dot, 'width="20"')}${cell('', label)}${cell(figure, String(count), 'align="right"')}</tr>`;
}

function entryRow({ tone, address, facts, lines, reportUrl }: Entry): string {
	const link = reportUrl
		? `<a href="${escape(reportUrl)}" style="${sans};font-size:13px">Open the report</a>`
		: '';
	const first = [escape(facts), link].filter((part) => part !== '').join(' · ');
	const rows = [first, ...lines.map(escape)].filter((row) => row !== '');
	const content = `<div style="${mono};font-size:13px;line-height:19px;font-weight:600">${escape(address)}</div>${rows.map((row) => `<div>${row}</div>`).join('')}`;
	return `<tr>${cell(`${anywhere};border-top:${line};border-left:4px solid ${banners[tone]};padding:8px 0 8px 12px`, content)}</tr>`;
}
