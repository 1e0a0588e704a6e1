import { neutralizeLinks } from '../shared/neutralize';
import { drawBar, type Message, type Row, type Tone } from './message';

type Element = Record<string, unknown>;

/** The object around the blocks, which the Slack node's "Blocks" field takes. The node may add a block of its own. */
export type SlackMessage = { blocks: Element[] };

const toneSymbols: Record<Tone, string> = { good: '✅', caution: '⚠️', bad: '⛔' };
/** Slack takes 3,000 characters in a block; this leaves room for a heading. */
const maxBlockSize = 2_900;

/**
 * Writes a message as Slack's blocks. Slack finds no formatting, mention or link in `plain_text` and `rich_text`. The link to the
 * report is no button, because that needs an app to answer.
 */
export function renderSlack({ title, tone, sections }: Message): SlackMessage {
	const header = { type: 'plain_text', text: `${toneSymbols[tone]} ${title}`, emoji: false };
	const parts = sections.flatMap(({ heading, rows }) =>
		splitRows(rows).map((part, index) => {
			const list = { type: 'rich_text_list', style: 'bullet', elements: part.map(paragraph) };
			if (heading === undefined || index > 0) return { type: 'rich_text', elements: [list] };
			return { type: 'rich_text', elements: [paragraph({ label: heading }), list] };
		}),
	);
	return { blocks: [{ type: 'header', text: header }, ...parts] };
}

/** Splits the rows of a section into parts that each fit into a block. */
function splitRows(rows: Row[]): Row[][] {
	const parts: Row[][] = [];
	for (const row of rows) {
		const part = parts.at(-1);
		if (part && sizeOf([...part, row]) <= maxBlockSize) part.push(row);
		else parts.push([row]);
	}
	return parts;
}

/** How many characters the rows take at most, with bars and spaces. */
export function sizeOf(rows: Row[]): number {
	const sizes = rows.map(({ label = '', value = '', url = '', rows: inner = [] }) => {
		return neutralizeLinks(`${label}${value}`).length + url.length + 15 + sizeOf(inner);
	});
	return sizes.reduce((sum, size) => sum + size, 0);
}

function paragraph(row: Row): Element {
	return { type: 'rich_text_section', elements: elementsOf(row) };
}

function elementsOf({ label, value, share, url, rows }: Row): Element[] {
	if (url) return [{ type: 'link', url, text: 'Open the report', style: { bold: true } }];
	return [
		...(share === undefined ? [] : [textElement(`${drawBar(share)} `)]),
		...(label ? [textElement(label, rows ? { code: true } : { bold: true })] : []),
		...(value ? [textElement(label ? ` ${value}` : value)] : []),
		...(rows ?? []).flatMap((row) => [textElement('\n'), ...elementsOf(row)]),
	];
}

function textElement(content: string, style?: Element): Element {
	return { type: 'text', text: neutralizeLinks(content), ...(style && { style }) };
}
