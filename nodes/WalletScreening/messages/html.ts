import { barTable, heatMapTable, histogramTable } from './htmlCharts';
import {
	breakAnywhere,
	cell,
	colorOf,
	escapeHtml,
	escapeText,
	lineColors,
	mono,
	sans,
	table,
	thinLine,
	wideRow,
} from './htmlParts';
import {
	type ItemRow,
	linkText,
	type Message,
	type Row,
	type ShareRow,
	type Tone,
} from './message';

/* A message as HTML: the document, its card, and the rows of the sections. */

/** The colour of a banner: white text on it is readable. */
const bannerColors: Record<Tone, string> = { good: '#067647', caution: '#b54708', bad: '#b42318' };
const button =
	'display:inline-block;padding:6px 16px;border-radius:6px;background-color:#1f5fd6;color:#ffffff;text-decoration:none';

/** Writes a message as a document for a mail. */
export function renderHtml(message: Message): string {
	const { title } = message;
	const content = table(card(message), 'max-width:600px;text-align:left;border-collapse:separate');
	return `<!doctype html>
<html lang="en" style="color-scheme:light dark">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:0">
${table(`<tr><td align="center" style="padding:16px 12px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
${content}
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>`)}
</body>
</html>
`;
}

/** The banner with the badge, and below it the charts and the sections. */
function card({
	tone,
	badge,
	headline,
	sections,
	standingBar = [],
	histogram,
	heatMap,
}: Message): string {
	const charts = [
		...(standingBar.length > 0 ? [barTable(standingBar)] : []),
		...(histogram ? [histogramTable(histogram)] : []),
		...(heatMap && heatMap.rows.length > 0 ? [heatMapTable(heatMap)] : []),
	];
	const texts = sections.map(({ heading, rows }) => {
		const bold = heading ? table(wideRow(`<b>${escapeText(heading)}</b>`, 'padding-top:18px')) : '';
		return bold + table(rows.map(htmlRow).join('\n'), 'table-layout:fixed');
	});
	const banner = `background-color:${bannerColors[tone]};color:#ffffff;border-radius:10px 10px 0 0;padding:20px;${sans};${breakAnywhere}`;
	const badgeStyle =
		'display:inline-block;border:1px solid #ffffff;border-radius:11px;padding:1px 10px;font-size:13px;line-height:18px;font-weight:600';
	return `<tr><td bgcolor="${bannerColors[tone]}" style="${banner}"><span style="${badgeStyle}">${escapeText(badge)}</span>
<div style="font-size:22px;line-height:28px;font-weight:700;padding-top:10px">${escapeText(headline)}</div></td></tr>
<tr><td style="border:${thinLine};border-top:0;border-radius:0 0 10px 10px;padding:14px 20px">
${[...charts, ...texts].join('\n')}
</td></tr>`;
}

function htmlRow(row: Row): string {
	switch (row.kind) {
		case 'sentence':
			return wideRow(`• ${escapeText(row.text)}`);
		case 'value':
			return labelledRow(row.label, escapeText(row.value));
		case 'link':
			return labelledRow(row.label, link(row.url, button));
		case 'share':
			return shareRow(row);
		case 'item':
			return itemRow(row);
	}
}

/* A section has three columns: label, bar and figure. A longer text spans two or all of them. */

/** The longest name of a category (section 2.3) fits on one line of this width. */
const labelAttributes = 'width="124"';

/** A row of a label and of what belongs to it, which is HTML. */
function labelledRow(label: string, content: string): string {
	const name = cell(escapeText(label), { attributes: labelAttributes, style: 'opacity:.7' });
	return `<tr>${name}${cell(content, { attributes: 'colspan="2"' })}</tr>`;
}

function shareRow({ label, value, share, tone }: ShareRow): string {
	const name = cell(escapeText(label), { attributes: labelAttributes });
	const filled = cell(htmlBar(share, colorOf({ tone })), { style: 'padding-top:10px' });
	const figure = cell(escapeText(value), {
		attributes: 'width="68" align="right"',
		style: 'font-variant-numeric:tabular-nums',
	});
	return `<tr>${name}${filled}${figure}</tr>`;
}

function itemRow({ label, value, tone, rows }: ItemRow): string {
	const name = `<b style="${mono};font-size:13px">${escapeText(label)}</b>`;
	const facts = rows.map((fact) =>
		fact.kind === 'link'
			? link(fact.url, 'color:#2f6fe4')
			: escapeText(`${fact.label}: ${fact.value}`),
	);
	const lines = [name, ...(value === '' ? [] : [escapeText(value)]), ...facts];
	const border = `border-top:${thinLine};border-left:4px solid ${lineColors[tone]};padding:8px 0 8px 12px`;
	return wideRow(lines.join('<br>'), border);
}

/** A bar of which a share is filled. A share above 0 always shows. */
function htmlBar(share: number, color: string): string {
	const percent = share > 0 ? Math.max(2, Math.round(share * 100)) : 0;
	const height = 'height:8px;line-height:8px;font-size:0;border-radius:4px';
	const filled = `<td width="${percent}%" style="${height};background-color:${color}">&nbsp;</td>`;
	const rest = `<td style="${height}">&nbsp;</td>`;
	const cells = `${percent > 0 ? filled : ''}${percent < 100 ? rest : ''}`;
	return table(`<tr>${cells}</tr>`, 'border-radius:4px;background-color:rgba(128,128,128,.22)');
}

function link(url: string, style: string): string {
	return `<a href="${escapeHtml(url)}" style="font-weight:600;${style}">${linkText}</a>`;
}
