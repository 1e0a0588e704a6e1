import type { Category, Detail, Summary, Tone } from './summary';

/**
 * Mail clients know neither style sheets nor layout, only tables and inline styles. Text, lines and page have no colour of
 * their own, or one that is seen on any page: whether it is dark or light is for the client to say.
 */
export const sans =
	"font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
export const mono =
	"font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";
export const anywhere = 'word-break:break-word;overflow-wrap:anywhere';
export const quiet = 'opacity:.7';
export const line = '1px solid rgba(128,128,128,.28)';

/** White text is readable on these, and bars of these are seen on white and on black. */
export const banners: Record<Tone, string> = {
	good: '#067647',
	caution: '#b54708',
	bad: '#b42318',
};
const bars: Record<Tone, string> = { good: '#667085', caution: '#dc6803', bad: '#d92d20' };
const goodSignBar = '#079455';
const button = '#1f5fd6';
/** Of the longest name of a category (section 2.3), on one line. */
const labelWidth = 'width="124"';

/** A document for a mail. */
export function htmlOf(summary: Summary): string {
	const { title, tone, decision, risks, moreRisks, goodSigns, reportUrl, reportLink } = summary;
	const details =
		reportUrl || reportLink === undefined
			? summary.details
			: [...summary.details, { label: 'Report link', value: reportLink }];
	const sections = [
		decision ? decisionSection(decision) : '',
		risks ? categorySection('Risk categories', risks, bars[tone], moreRisks) : '',
		goodSigns.length > 0 ? categorySection('Good sign', goodSigns, goodSignBar, 0) : '',
		section('Details', table(details.map(detailRow).join(''), 'table-layout:fixed')),
		reportUrl ? linkRow(reportUrl) : '',
	];
	return page(title, bannerRow(summary), sections);
}

/** A document of a banner and the sections below it, both rows of tables. */
export function page(title: string, banner: string, sections: string[]): string {
	return `<!doctype html>
<html lang="en" style="color-scheme:light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escape(title)}</title>
</head>
<body style="margin:0;padding:0">
${table(`<tr><td align="center" style="padding:16px 12px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
${table(
	`${banner}
<tr><td style="border:${line};border-top:0;border-radius:0 0 10px 10px;padding:4px 20px 20px">
${table(sections.join('\n'))}
</td></tr>`,
	'max-width:600px;text-align:left;border-collapse:separate',
)}
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>`)}
</body>
</html>
`;
}

/** The row at the top, in the colour of the tone. `verdict` is a word of this package, so that it needs no escape. */
export function bannerRow(
	banner: Pick<Summary, 'tone' | 'verdict' | 'headline' | 'address'>,
): string {
	const { tone, verdict, headline, address } = banner;
	const color = banners[tone];
	return `<tr><td bgcolor="${color}" style="background-color:${color};color:#ffffff;border-radius:10px 10px 0 0;padding:20px;${sans};${anywhere}">
<div style="font-size:13px;line-height:18px"><span style="display:inline-block;border:1px solid #ffffff;border-radius:11px;padding:1px 10px;font-weight:600">${verdict}</span></div>
<div style="font-size:22px;line-height:28px;font-weight:700;padding:10px 0 ${address === undefined ? 0 : 8}px">${escape(headline)}</div>
${address === undefined ? '' : `<div style="font-size:13px;line-height:19px;${mono}">${escape(address)}</div>\n`}</td></tr>`;
}

function decisionSection({ outcome, reasons }: NonNullable<Summary['decision']>): string {
	const points = reasons.map(
		(reason) =>
			`<tr>${cell('width:14px', '•', 'width="14"')}${cell(anywhere, escape(reason))}</tr>`,
	);
	return section(`Decision: ${outcome}`, table(points.join('')));
}

function categorySection(heading: string, rows: Category[], color: string, more: number): string {
	const note = rows.length === 0 ? 'not given' : more > 0 ? `… and ${more} more in the report` : '';
	const noteRow = note && `<tr>${cell(quiet, note, 'colspan="3"')}</tr>`;
	const body = rows.map((row) => categoryRow(row, color)).join('\n');
	return section(heading, table(`${body}${noteRow}`, 'table-layout:fixed'));
}

function categoryRow({ label, value, share }: Category, color: string): string {
	const head = cell(anywhere, escape(label), labelWidth);
	if (share === undefined) return `<tr>${head}${cell(anywhere, escape(value), 'colspan="2"')}</tr>`;
	const figure = `padding-left:12px;text-align:right;font-variant-numeric:tabular-nums;${anywhere}`;
	return `<tr>${head}${cell('padding-top:10px', bar(share, color))}${cell(figure, escape(value), 'width="68" align="right"')}</tr>`;
}

/** A share above 0 always shows. */
function bar(share: number, color: string): string {
	const percent = share > 0 ? Math.max(2, Math.round(share * 100)) : 0;
	const height = 'height:8px;line-height:8px;font-size:0;border-radius:4px';
	const filled =
		percent > 0
			? `<td width="${percent}%" bgcolor="${color}" style="width:${percent}%;${height};background-color:${color}">&nbsp;</td>`
			: '';
	const rest = percent < 100 ? `<td style="${height}">&nbsp;</td>` : '';
	return `<table role="presentation" aria-hidden="true" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#d9dce1" style="background-color:rgba(128,128,128,.22);border-radius:4px"><tr>${filled}${rest}</tr></table>`;
}

function detailRow({ label, value }: Detail): string {
	return `<tr>${cell(quiet, label, labelWidth)}${cell(anywhere, escape(value))}</tr>`;
}

function linkRow(url: string): string {
	return `<tr><td style="padding-top:20px">
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="${button}" style="background-color:${button};border-radius:6px"><a href="${escape(url)}" style="display:inline-block;padding:10px 18px;${sans};font-size:14px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">Open the report</a></td></tr></table>
</td></tr>
<tr>${cell(`padding-top:12px;font-size:12px;line-height:18px;${quiet};${anywhere}`, escape(url))}</tr>`;
}

/** A row with a heading above its content; both are HTML. */
export function section(heading: string, content: string): string {
	return `<tr><td style="padding-top:18px">
<div style="${sans};font-size:13px;line-height:18px;font-weight:700;padding-bottom:4px">${heading}</div>
${content}
</td></tr>`;
}

/** A table as wide as its place; `rows` are HTML. */
export function table(rows: string, style = ''): string {
	return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"${style && ` style="${style}"`}>${rows}</table>`;
}

/** A cell; `content` is HTML. Outlook gives it no font of the table around it. */
export function cell(style: string, content: string, attributes = ''): string {
	return `<td valign="top"${attributes && ` ${attributes}`} style="padding:4px 0;${sans};font-size:14px;line-height:20px;${style}">${content}</td>`;
}

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** For the content of an element and for an attribute in quotes. */
export function escape(text: string): string {
	return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
