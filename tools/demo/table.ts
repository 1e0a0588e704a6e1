import { styleText } from 'node:util';

/** A report, as far as the demo shows it, with the note of its wallet. */
export interface Report {
	readonly address: string;
	readonly note: string;
	readonly chain: string;
	readonly level: string;
	readonly score: number;
	readonly outcome: string;
}

const colorOf: Record<string, 'green' | 'yellow' | 'red'> = {
	...{ green: 'green', yellow: 'yellow', red: 'red' },
	...{ allow: 'green', review: 'yellow', block: 'red' },
};

/** A text of at most `length` characters: a longer one leaves out its middle. */
function shortened(text: string, length: number): string {
	if (text.length <= length) return text;
	const head = Math.ceil((length - 1) / 2);
	return `${text.slice(0, head)}…${text.slice(text.length - (length - 1 - head))}`;
}

/** The reports as a table of columns two spaces apart; its addresses are shortened if it is wider than `width` characters. */
export function tableOf(reports: readonly Report[], width: number, isColored: boolean): string {
	const rows = reports.map(({ note, address, chain, level, score, outcome }) => [
		...[note, address, chain, level, score.toFixed(3), outcome],
	]);
	const table = [['Wallet', 'Address', 'Chain', 'Level', 'Score', 'Decision'], ...rows];
	const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
	const excess = widths.reduce((sum, one) => sum + one + 2, -2) - width;
	widths[1] = Math.max(9, widths[1]! - Math.max(0, excess));
	const line = (row: string[], number: number) =>
		row.map((text, column) => {
			const cell = shortened(text, widths[column]!).padEnd(widths[column]!);
			const color = number === 0 ? 'dim' : colorOf[text];
			return isColored && color ? styleText(color, cell) : cell;
		});
	return table.map((row, number) => line(row, number).join('  ').trimEnd()).join('\n');
}
