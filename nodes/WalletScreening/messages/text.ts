import { blocks, type Message, type Row } from './message';
import { plain, plainUrl } from '../shared/plain';

/** Writes a message as plain text. Each line begins with a word or a mark of this package, and no value leaves its line. */
export function renderText({ title, sections }: Message): string {
	const paragraphs = sections.map(({ heading, rows }) => {
		if (heading === undefined) return rows.map(lineOf);
		const lines = rows.flatMap((row) => [
			`- ${lineOf(row)}`,
			...(row.rows ?? []).map((inner) => `  ${lineOf(inner)}`),
		]);
		return [plain(heading), ...lines];
	});
	return [[title], ...paragraphs].map((lines) => lines.join('\n')).join('\n\n');
}

function lineOf({ label, value, share, url }: Row): string {
	if (url !== undefined) return `${label}: ${plainUrl(url)}`;
	const named = plain([label, value].filter(Boolean).join(': '));
	return share === undefined ? named : `${blocks(share)} ${named}`;
}
