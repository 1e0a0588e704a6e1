import type { Category, Summary, Tone } from './summary';
import { clip, withoutMarkup } from './values';

type Element = Record<string, unknown>;

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
	const { title, tone, address, decision, risks, moreRisks, goodSigns } = summary;
	const more = moreRisks > 0 ? [`… and ${moreRisks} more in the report`] : [];
	return {
		blocks: [
			{
				type: 'header',
				text: { type: 'plain_text', text: `${symbols[tone]} ${title}`, emoji: false },
			},
			richText(section(text(address, { code: true }))),
			...(decision ? [richText(...decisionElements(decision))] : []),
			richText(
				section(bold(risks.length > 0 ? 'Risk categories' : 'Risk categories: not given')),
				...preformatted([...risks.map(row), ...more]),
				...(goodSigns.length > 0 ? [section(bold('Good sign'))] : []),
				...preformatted(goodSigns.map(row)),
			),
			richText(section(...detailElements(summary))),
		],
	};
}

function decisionElements({ outcome, reasons }: NonNullable<Summary['decision']>): Element[] {
	return [
		section(bold(`Decision: ${outcome}`)),
		{
			type: 'rich_text_list',
			style: 'bullet',
			elements: reasons.map((reason) => section(text(reason))),
		},
	];
}

function detailElements({ details, reportUrl, reportLink }: Summary): Element[] {
	const lines = details.flatMap(({ label, value }) => [bold(`${label} `), text(`${value}\n`)]);
	const report = reportUrl
		? [{ type: 'link', url: reportUrl, text: 'Open the report', style: { bold: true } }]
		: [bold('Report '), text(reportLink)];
	return [...lines, ...report];
}

function row({ label, value, share }: Category): string {
	const name = clip(label, longestName).padEnd(longestName);
	return [name, ...(share === undefined ? [] : [bar(share)]), value].join(' ');
}

/** What is not nothing is seen, however little it is. */
function bar(share: number): string {
	const filled = share > 0 ? Math.max(1, Math.round(share * barLength)) : 0;
	return '█'.repeat(filled).padEnd(barLength, '░');
}

function preformatted(lines: string[]): Element[] {
	return lines.length > 0
		? [{ type: 'rich_text_preformatted', elements: [text(lines.join('\n'))] }]
		: [];
}

function richText(...elements: Element[]): Element {
	return { type: 'rich_text', elements };
}

function section(...elements: Element[]): Element {
	return { type: 'rich_text_section', elements };
}

function bold(content: string): Element {
	return text(content, { bold: true });
}

function text(content: string, style?: Element): Element {
	return { type: 'text', text: withoutMarkup(content), ...(style && { style }) };
}
