/** What was tested together, in which versions. */
export interface Line {
	readonly n8n: string;
	/** The major version. */
	readonly node: string;
	readonly zod: string;
	readonly ran: string;
}

const begin = '<!-- npm run test:compatibility writes this table -->';
const end = '<!-- end of the table -->';

/** The lines as a table in Markdown. */
export function tableOf(lines: readonly Line[]): string {
	return [
		'| n8n | Node.js | zod | what passes |',
		'| --- | --- | --- | --- |',
		...lines.map(({ n8n, node, zod, ran }) => `| ${n8n} | ${node} | ${zod} | ${ran} |`),
	].join('\n');
}

/**
 * The text with this table in the place that is marked for it.
 *
 * @throws when no place is marked
 */
export function withTable(text: string, table: string): string {
	const [before, rest] = text.split(begin);
	const after = rest?.split(end)[1];
	if (after === undefined) throw new Error(`"${begin}" and "${end}" do not mark a place`);
	return `${before}${begin}\n\n${table}\n\n${end}${after}`;
}
