import { styleText } from 'node:util';
import Table from 'cli-table3';
import { noBorders } from '../demo/table';
import { redacted } from './exchange';
import type { Finding, Understood } from './findings';

export interface Screen {
	/** Characters in a line. */
	readonly width: number;
	readonly colors: boolean;
}

const words: Record<Understood, [word: string, color: 'green' | 'red' | 'dim']> = {
	yes: ['yes', 'green'],
	no: ['NO', 'red'],
	'not seen': ['not seen', 'dim'],
};

const widest = 110;
const narrowest = 60;
const lastColumn = 10;

/**
 * One row for each opening, section by section: what it is, what the service does, and whether the nodes understand it.
 */
export function tableOf(findings: readonly Finding[], { width, colors }: Screen): string {
	const room = Math.min(widest, Math.max(narrowest, width)) - lastColumn - 4;
	const first = Math.floor(room * 0.4);
	const bold = (text: string) => (colors ? styleText('bold', text) : text);
	const rowOf = ({ open, found, understood }: Finding) => {
		const [word, color] = words[understood];
		return [plain(open), found, colors ? styleText(color, word) : word];
	};
	const rowsOf = (head: string[], rows: string[][]) => {
		const table = new Table({
			head: head.map(bold),
			colWidths: [first, room - first, lastColumn],
			wordWrap: true,
			chars: noBorders,
			style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
		});
		table.push(...rows);
		return table.toString();
	};
	const sections = [...new Set(findings.map(({ section }) => section))];
	return sections
		.map((section) =>
			rowsOf(
				[section, 'What it does', 'Understood'],
				findings.filter((finding) => finding.section === section).map(rowOf),
			),
		)
		.join('\n\n');
}

/** Without the marks of Markdown. */
const plain = (text: string) => text.replace(/[`_]/g, '');

/** The verdict, and each place that the nodes do not understand, with the shape of the answer. */
export function verdictOf(findings: readonly Finding[], subject: string): string {
	const wrong = findings.filter(({ understood }) => understood === 'no');
	const seen = findings.filter(({ understood }) => understood !== 'not seen').length;
	if (wrong.length === 0) {
		return `The nodes understand ${subject}: ${seen} of ${findings.length} points were seen, and all are understood.`;
	}
	const places = wrong.map(({ section, open, found, exchange }) => {
		const answer = exchange && redacted(exchange);
		return [
			`${section}: ${plain(open)}`,
			`  ${found}`,
			...(answer
				? [
						`  ${answer.request} · status ${answer.status}`,
						`  The answer, without its values: ${JSON.stringify(answer.body)}`,
					]
				: []),
		].join('\n');
	});
	const count = wrong.length === 1 ? '1 point' : `${wrong.length} points`;
	return `The nodes do not understand ${subject} in ${count}:\n\n${places.join('\n\n')}`;
}
