import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { Screening } from './screenings';

export interface Terminal {
	/** Characters in a line. */
	readonly width: number;
	readonly colors: boolean;
}

const colorOf: Record<string, 'green' | 'yellow' | 'red'> = {
	green: 'green',
	yellow: 'yellow',
	red: 'red',
};

/** A text of at most `length` characters, which leaves out its middle where it is longer. */
export function shortened(text: string, length: number): string {
	if (text.length <= length) return text;
	const head = Math.ceil((length - 1) / 2);
	return `${text.slice(0, head)}…${text.slice(text.length - (length - 1 - head))}`;
}

function render(screenings: Screening[], addressLength: number, colors: boolean): string {
	const table = new Table({
		head: ['Address', 'Chain', 'Level', 'Score', 'Sanctions', 'Decision'],
		colAligns: ['left', 'left', 'left', 'right', 'right', 'left'],
		style: { head: [], border: [], compact: true },
	});
	for (const { address, chain, level, score, sanctions, decision } of screenings) {
		const color = colorOf[level];
		table.push([
			shortened(address, addressLength),
			chain,
			colors && color ? styleText(color, level) : level,
			score.toFixed(3),
			sanctions.toFixed(3),
			decision,
		]);
	}
	return table.toString();
}

/** The screenings as a table; addresses are shortened only where they do not fit. */
export function tableOf(screenings: Screening[], { width, colors }: Terminal): string {
	const longest = Math.max(...screenings.map(({ address }) => address.length));
	const full = render(screenings, longest, false);
	const excess = Math.max(0, full.indexOf('\n') - width);
	return render(screenings, Math.max(9, longest - excess), colors);
}
