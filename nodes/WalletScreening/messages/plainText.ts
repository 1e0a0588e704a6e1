import { neutralizeMarkup, plainUrl } from '../shared/neutralize';
import { textBar } from './textBar';
import type { Message, Row } from './message';

/**
 * Writes a message as plain text. Each line begins with a word or a mark of this package, and no
 * value leaves its line.
 */
export function renderText({ title, sections }: Message): string {
	const paragraphs = sections.map(({ heading, rows }) =>
		heading === undefined
			? rows.map(writeLine)
			: [neutralizeMarkup(heading), ...rows.flatMap(writeListEntry)],
	);
	return [[title], ...paragraphs].map((lines) => lines.join('\n')).join('\n\n');
}

function writeListEntry(row: Row): string[] {
	const facts = row.kind === 'item' ? row.rows : [];
	return [`- ${writeLine(row)}`, ...facts.map((fact) => `  ${writeLine(fact)}`)];
}

function writeLine(row: Row): string {
	switch (row.kind) {
		case 'sentence':
			return neutralizeMarkup(row.text);
		case 'link':
			return `${row.label}: ${plainUrl(row.url)}`;
		case 'share':
			return `${textBar(row.share)} ${neutralizeMarkup(`${row.label}: ${row.value}`)}`;
		case 'value':
		case 'item':
			return neutralizeMarkup([row.label, row.value].filter(Boolean).join(': '));
	}
}
