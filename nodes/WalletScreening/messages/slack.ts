import { neutralizeLinks } from '../shared/neutralize';
import { drawBar } from './bar';
import { type FactRow, linkText, type Message, type Row, type Tone } from './message';

/** A block of Slack, or a part of one. */
type SlackElement = Record<string, unknown>;

/**
 * The object around the blocks, which the Slack node's "Blocks" field takes. The node may add a
 * block of its own.
 */
export type SlackMessage = { blocks: SlackElement[] };

const toneSymbols: Record<Tone, string> = { good: '✅', caution: '⚠️', bad: '⛔' };
/**
 * Slack takes 3,000 characters in a block; this leaves room for a heading. An item alone may have
 * more, if its texts and the address of its report are as long as they may be.
 */
const maxBlockSize = 2_900;

/**
 * Writes a message as Slack's blocks. Slack finds no formatting, mention or link in `plain_text`
 * and `rich_text`. The link to the report is no button, because that needs an app to answer.
 */
export function renderSlack({ title, tone, sections }: Message): SlackMessage {
	const header = { type: 'plain_text', text: `${toneSymbols[tone]} ${title}`, emoji: false };
	const parts = sections.flatMap(({ heading, rows }) =>
		splitRows(rows.map(fitIntoBlock)).map((part, index) => {
			const entries = part.map((row) => createSection(createElements(row)));
			const list = { type: 'rich_text_list', style: 'bullet', elements: entries };
			if (heading === undefined || index > 0) return { type: 'rich_text', elements: [list] };
			const headingElement = createSection([createText(heading, { bold: true })]);
			return { type: 'rich_text', elements: [headingElement, list] };
		}),
	);
	return { blocks: [{ type: 'header', text: header }, ...parts] };
}

/** Leaves out the last facts of an item that does not fit into a block. */
function fitIntoBlock(row: Row): Row {
	if (row.kind !== 'item') return row;
	const rows = [...row.rows];
	while (rows.length > 0 && sizeOfRow({ ...row, rows }) > maxBlockSize) rows.pop();
	return { ...row, rows };
}

/** Splits the rows of a section into parts that each fit into a block. */
function splitRows(rows: Row[]): Row[][] {
	const parts: Row[][] = [];
	for (const row of rows) {
		const part = parts.at(-1);
		if (part && slackSizeOf([...part, row]) <= maxBlockSize) part.push(row);
		else parts.push([row]);
	}
	return parts;
}

/** Characters that the bar and the spaces of a row take at most. */
const maxExtraSize = 15;

/** How many characters the rows take at most. */
export function slackSizeOf(rows: Row[]): number {
	return rows.reduce((sum, row) => sum + sizeOfRow(row), 0);
}

function sizeOfRow(row: Row): number {
	switch (row.kind) {
		case 'sentence':
			return neutralizeLinks(row.text).length + maxExtraSize;
		case 'link':
			// In an item, it begins with a line break.
			return `\n${linkText}${row.url}`.length;
		case 'value':
		case 'share':
			return neutralizeLinks(row.label + row.value).length + maxExtraSize;
		case 'item':
			return neutralizeLinks(row.label + row.value).length + maxExtraSize + slackSizeOf(row.rows);
	}
}

function createElements(row: Row): SlackElement[] {
	switch (row.kind) {
		case 'sentence':
			return [createText(row.text)];
		case 'value':
		case 'link':
			return createFactElements(row);
		case 'share':
			return [
				createText(`${drawBar(row.share)} `),
				createText(row.label, { bold: true }),
				createText(` ${row.value}`),
			];
		case 'item':
			return [
				createText(row.label, { code: true }),
				...(row.value === '' ? [] : [createText(` ${row.value}`)]),
				...row.rows.flatMap((fact) => [createText('\n'), ...createFactElements(fact)]),
			];
	}
}

function createFactElements(row: FactRow): SlackElement[] {
	return row.kind === 'link'
		? [{ type: 'link', url: row.url, text: linkText, style: { bold: true } }]
		: [createText(row.label, { bold: true }), createText(` ${row.value}`)];
}

function createSection(elements: SlackElement[]): SlackElement {
	return { type: 'rich_text_section', elements };
}

function createText(content: string, style?: SlackElement): SlackElement {
	return { type: 'text', text: neutralizeLinks(content), ...(style && { style }) };
}
