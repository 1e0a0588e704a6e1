import { neutralizeLinks } from '../shared/neutralize';
import {
	type HeatMap,
	type ItemRow,
	linkText,
	type Message,
	type Part,
	type Row,
	type ScoreHistogram,
	type ShareRow,
	type Tone,
} from './message';

/*
 * Mail clients know only tables and inline styles. Every colour must be visible on light and dark
 * pages, because the client decides which it is.
 */
const sans =
	"font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const mono = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";
const breakAnywhere = 'word-break:break-word;overflow-wrap:anywhere';
const thinLine = '1px solid rgba(128,128,128,.28)';
/** Colours on which white text is readable. */
const banners: Record<Tone, string> = { good: '#067647', caution: '#b54708', bad: '#b42318' };
/** Colours that can be seen on white and on black. */
const marks: Record<Tone, string> = { good: '#079455', caution: '#dc6803', bad: '#d92d20' };
const grey = '#667085';
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
	parts = [],
	histogram,
	heatMap,
}: Message): string {
	const charts = [
		...(parts.length > 0 ? [partsBar(parts)] : []),
		...(histogram ? [histogramTable(histogram)] : []),
		...(heatMap && heatMap.rows.length > 0 ? [heatMapTable(heatMap)] : []),
	];
	const texts = sections.map(({ heading, rows }) => {
		const bold = heading ? table(wideRow(`<b>${escapeText(heading)}</b>`, 'padding-top:18px')) : '';
		return bold + table(rows.map(htmlRow).join('\n'), 'table-layout:fixed');
	});
	const banner = `background-color:${banners[tone]};color:#ffffff;border-radius:10px 10px 0 0;padding:20px;${sans};${breakAnywhere}`;
	const badgeStyle =
		'display:inline-block;border:1px solid #ffffff;border-radius:11px;padding:1px 10px;font-size:13px;line-height:18px;font-weight:600';
	return `<tr><td bgcolor="${banners[tone]}" style="${banner}"><span style="${badgeStyle}">${escapeText(badge)}</span>
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
	const filled = cell(bar(share, colorOf({ tone })), { style: 'padding-top:10px' });
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
	const border = `border-top:${thinLine};border-left:4px solid ${marks[tone]};padding:8px 0 8px 12px`;
	return wideRow(lines.join('<br>'), border);
}

/** A bar of which a share is filled. A share above 0 always shows. */
function bar(share: number, color: string): string {
	const percent = share > 0 ? Math.max(2, Math.round(share * 100)) : 0;
	const height = 'height:8px;line-height:8px;font-size:0;border-radius:4px';
	const filled = `<td width="${percent}%" style="${height};background-color:${color}">&nbsp;</td>`;
	const rest = `<td style="${height}">&nbsp;</td>`;
	const cells = `${percent > 0 ? filled : ''}${percent < 100 ? rest : ''}`;
	return table(`<tr>${cells}</tr>`, 'border-radius:4px;background-color:rgba(128,128,128,.22)');
}

const colorOf = ({ tone }: { tone?: Tone | undefined }) => (tone ? marks[tone] : grey);

/** One bar of several parts, and what each of them is. */
function partsBar(parts: Part[]): string {
	const segments = parts.map(
		(part) =>
			`<td width="${Math.max(1, Math.round(part.share * 100))}%" style="height:20px;line-height:20px;font-size:0;background-color:${colorOf(part)}">&nbsp;</td>`,
	);
	const names = parts.map(
		(part) => `<b style="color:${colorOf(part)}">&#9632;</b>&nbsp;${escapeText(part.label)}`,
	);
	return table(`<tr>${segments.join('')}</tr>`) + table(wideRow(names.join(' &nbsp; ')));
}

/** A column for each part of the range, as high as it has scores. */
function histogramTable({ columns, highest }: ScoreHistogram): string {
	const cells = columns.map((parts) => {
		const blocks = parts.map(
			(part) =>
				`<div title="${escapeText(part.label)}" style="height:${Math.max(2, Math.round(part.share * 48))}px;background-color:${colorOf(part)}"></div>`,
		);
		return `<td valign="bottom" height="50" style="padding:0 1px;font-size:0;line-height:0;border-bottom:${thinLine}">${blocks.join('')}</td>`;
	});
	const end = cell(escapeText(highest), { attributes: 'align="right"' });
	const ends = `<tr>${cell('score 0')}${end}</tr>`;
	const columnsTable = table(`<tr>${cells.join('')}</tr>`, 'table-layout:fixed');
	return chartTitle('Results by score') + columnsTable + table(ends);
}

/**
 * The nearer a share is to 1 (section 2.3), the redder its cell. The score stays plain: its range is
 * not specified.
 */
function heatMapTable({ columns, rows }: HeatMap): string {
	const small = 'font-size:11px;padding:4px 3px';
	const figure = (content: string, style = '') =>
		cell(content, {
			attributes: 'align="right"',
			style: `${small};white-space:nowrap;${style}`,
		});
	const head = [...columns, 'score'].map((name) => figure(`<b>${escapeText(name)}</b>`)).join('');
	const lines = rows.map(({ label, tone, shares, score }) => {
		const border = `border-left:4px solid ${marks[tone]}`;
		const name = cell(escapeText(label), {
			attributes: `colspan="${columns.length + 1}"`,
			style: `${border};${mono};${small}`,
		});
		const cells = shares.map((share) => {
			const opacity = Math.min(1, Math.max(0, share ?? 0)) * 0.75;
			const heat = `background-color:rgba(217,45,32,${opacity.toFixed(2)})`;
			return figure(decimal(share), heat);
		});
		return `<tr>${name}</tr><tr>${cells.join('')}${figure(decimal(score))}</tr>`;
	});
	return chartTitle('Scores of the worst wallets') + table(`<tr>${head}</tr>${lines.join('\n')}`);
}

/** The name of a chart, above it. */
const chartTitle = (title: string) => table(wideRow(`<b>${title}</b>`, 'padding-top:14px'));

/** Writes a number with two decimals, as HTML. One above 0 never looks like 0. */
function decimal(number: number | undefined): string {
	const text = number?.toFixed(2) ?? '';
	return escapeHtml(text === '0.00' && number !== 0 ? '<0.01' : text);
}

function link(url: string, style: string): string {
	return `<a href="${escapeHtml(url)}" style="font-weight:600;${style}">${linkText}</a>`;
}

function wideRow(content: string, style = ''): string {
	return `<tr>${cell(content, { attributes: 'colspan="3"', style })}</tr>`;
}

/** A cell; `content` is HTML. In Outlook, a cell does not inherit the font of its table. */
function cell(content: string, { attributes = '', style = '' } = {}): string {
	return `<td valign="top" ${attributes} style="padding:4px 0;${sans};font-size:14px;line-height:20px;${breakAnywhere};${style}">${content}</td>`;
}

/** A table as wide as its place; `rows` are HTML. */
function table(rows: string, style = ''): string {
	return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="${style}">${rows}</table>`;
}

/** A text as the content of an element, in which nothing becomes a link. */
function escapeText(text: string): string {
	return escapeHtml(neutralizeLinks(text));
}

/** Escapes a text for the content of an element and for an attribute in quotes. */
function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
