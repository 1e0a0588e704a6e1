import { neutralizeLinks } from '../shared/neutralize';
import { clip, formatCount } from '../shared/text';
import { textBar } from './textBar';
import {
	type FactRow,
	type ItemRow,
	linkText,
	type Message,
	type Row,
	type Section,
	type Tone,
} from './message';

/** A block of Slack, or a part of one. */
type SlackElement = Record<string, unknown>;

/**
 * The object around the blocks, which the Slack node's "Blocks" field takes. The node may add a
 * block of its own.
 */
export type SlackMessage = { blocks: SlackElement[] };

const toneSymbols: Record<Tone, string> = { good: '✅', caution: '⚠️', bad: '⛔' };

/** Slack takes 3,000 characters in a block; this leaves room for a heading. */
const maxBlockSize = 2_900;
/**
 * Slack refuses a message with some 11,000 characters in all its blocks; this leaves room for the
 * title and the headings.
 */
export const maxRowsSize = 10_300;
/**
 * An item of a digest has at most seven facts beside its link. With this length they fit into a
 * block, even if Slack could make a link of every character, so that each gets a space after it.
 */
const maxShortFact = 120;

/**
 * Writes a message as Slack's blocks. Slack finds no formatting, mention or link in `plain_text`
 * and `rich_text`. The link to the report is no button, because that needs an app to answer.
 */
export function renderSlack({ title, tone, sections }: Message): SlackMessage {
	const header = { type: 'plain_text', text: `${toneSymbols[tone]} ${title}`, emoji: false };
	const blocks = fitIntoMessage(sections).flatMap(({ heading, rows }) =>
		splitRows(rows.map(fitIntoBlock)).map((rowsOfBlock, index) => {
			const entries = rowsOfBlock.map((row) => createSection(createElements(row)));
			const list = { type: 'rich_text_list', style: 'bullet', elements: entries };
			if (heading === undefined || index > 0) return { type: 'rich_text', elements: [list] };
			const headingElement = createSection([createText(heading, { bold: true })]);
			return { type: 'rich_text', elements: [headingElement, list] };
		}),
	);
	return { blocks: [{ type: 'header', text: header }, ...blocks] };
}

/** Leaves out the last rows, which do not fit into a message, and counts them in a sentence. */
function fitIntoMessage(sections: readonly Section[]): Section[] {
	let size = 0;
	let leftOut = 0;
	const fits = (row: Row) => {
		size += slackSizeOf([row]);
		if (size > maxRowsSize) leftOut++;
		return size <= maxRowsSize;
	};
	const fitting = sections.map((section) => ({ ...section, rows: section.rows.filter(fits) }));
	if (leftOut === 0) return fitting;
	const text = `… and ${formatCount(leftOut, 'more line')} for which Slack has no room`;
	return [...fitting, { rows: [{ kind: 'sentence', text }] }];
}

/**
 * Makes an item fit into a block: it has shorter texts if it has to, and no link if even that is too
 * long. Every other fact stays, because each may be the one that matters.
 */
function fitIntoBlock(row: Row): Row {
	if (row.kind !== 'item' || sizeOfRow(row) <= maxBlockSize) return row;
	const short: ItemRow = { ...row, rows: row.rows.map(shortenFact) };
	if (sizeOfRow(short) <= maxBlockSize) return short;
	return { ...short, rows: short.rows.filter(({ kind }) => kind !== 'link') };
}

function shortenFact(fact: FactRow): FactRow {
	return fact.kind === 'link' ? fact : { ...fact, value: clip(fact.value, maxShortFact) };
}

/** Splits the rows of a section into those of each block. */
function splitRows(rows: readonly Row[]): Row[][] {
	const blocks: Row[][] = [];
	for (const row of rows) {
		const block = blocks.at(-1);
		if (block && slackSizeOf([...block, row]) <= maxBlockSize) block.push(row);
		else blocks.push([row]);
	}
	return blocks;
}

/** Characters that the bar and the spaces of a row take at most. */
const maxExtraSize = 15;

/** How many characters the rows take at most in a message. */
export function slackSizeOf(rows: readonly Row[]): number {
	return rows.reduce((sum, row) => sum + sizeOfRow(fitIntoBlock(row)), 0);
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
				createText(`${textBar(row.share)} `),
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
