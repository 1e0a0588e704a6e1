import type { Category, Summary, Tone } from './summary';
import { clip, withoutMarkup } from '../values';

export type Element = Record<string, unknown>;

/** What the Slack node's "Blocks" field takes: the object around the blocks. The node may add a block of its own. */
export type SlackMessage = { blocks: Element[] };

const symbols: Record<Tone, string> = { good: '✅', caution: '⚠️', bad: '⛔' };
const barLength = 10;
/** With bar and value a row fits on a phone. */
const longestName = 16;

/**
 * Every value stands in `plain_text` or `rich_text`, in which Slack looks for no formatting, mention or link. The report is
 * a link and not a button: for a button Slack shows a warning unless the app answers clicks.
 */
export function slackOf(summary: Summary): SlackMessage {
	const { title, tone, address, decision, risks } = summary;
	const details = detailElements(summary);
	return {
		blocks: [
			header(tone, title),
			...(address === undefined ? [] : [richText(section(text(address, { code: true })))]),
			...(decision ? [richText(...decisionElements(decision))] : []),
			...(risks ? [richText(...categoryElements(risks, summary))] : []),
			...(details.length > 0 ? [richText(section(...details))] : []),
		],
	};
}

/** The block at the top, with the symbol of the tone. */
export function header(tone: Tone, title: string): Element {
	const content = `${symbols[tone]} ${title}`;
	return { type: 'header', text: { type: 'plain_text', text: content, emoji: false } };
}

function categoryElements(risks: Category[], { moreRisks, goodSigns }: Summary): Element[] {
	const more = moreRisks > 0 ? [`… and ${moreRisks} more in the report`] : [];
	return [
		section(bold(risks.length > 0 ? 'Risk categories' : 'Risk categories: not given')),
		...preformatted([...risks.map(row), ...more]),
		...(goodSigns.length > 0 ? [section(bold('Good sign'))] : []),
		...preformatted(goodSigns.map(row)),
	];
}

function decisionElements({ outcome, reasons }: NonNullable<Summary['decision']>): Element[] {
	return [
		section(bold(`Decision: ${outcome}`)),
		bullets(reasons.map((reason) => section(text(reason)))),
	];
}

function detailElements({ details, reportUrl, reportLink }: Summary): Element[] {
	const lines = details.flatMap(({ label, value }) => [bold(`${label} `), text(`${value}\n`)]);
	if (reportUrl) return [...lines, link(reportUrl, 'Open the report')];
	return reportLink === undefined ? lines : [...lines, bold('Report '), text(reportLink)];
}

function row({ label, value, share }: Category): string {
	const name = clip(label, longestName).padEnd(longestName);
	return [name, ...(share === undefined ? [] : [bar(share)]), value].join(' ');
}

/** A share above 0 always shows. */
function bar(share: number): string {
	const filled = share > 0 ? Math.max(1, Math.round(share * barLength)) : 0;
	return '█'.repeat(filled).padEnd(barLength, '░');
}

function preformatted(lines: string[]): Element[] {
	return lines.length > 0
		? [{ type: 'rich_text_preformatted', elements: [text(lines.join('\n'))] }]
		: [];
}

/** A block of sections and lists. */
export function richText(...elements: Element[]): Element {
	return { type: 'rich_text', elements };
}

/** A list; `items` are sections. */
export function bullets(items: Element[]): Element {
	return { type: 'rich_text_list', style: 'bullet', elements: items };
}

/** A part of a section; `url` is an address of the web. */
export function link(url: string, content: string): Element {
	return { type: 'link', url, text: content, style: { bold: true } };
}

/** A paragraph of texts and links. */
export function section(...elements: Element[]): Element {
	return { type: 'rich_text_section', elements };
}

/** A part of a section. */
export function bold(content: string): Element {
	return text(content, { bold: true });
}

/** A part of a section, without angle brackets. */
export function text(content: string, style?: Element): Element {
	return { type: 'text', text: withoutMarkup(content), ...(style && { style }) };
}
