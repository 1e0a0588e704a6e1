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
	allow: 'green',
	review: 'yellow',
	block: 'red',
};

const borders = ['top', 'bottom', 'left', 'mid', 'right'].flatMap((side) =>
	['', '-mid', '-left', '-right'].map((part) => `${side}${part}`),
);
/** A table of columns two spaces apart. */
export const noBorders = { ...Object.fromEntries(borders.map((name) => [name, ''])), middle: '  ' };

/** A text of at most `length` characters, which leaves out its middle where it is longer. */
export function shortened(text: string, length: number): string {
	if (text.length <= length) return text;
	const head = Math.ceil((length - 1) / 2);
	return `${text.slice(0, head)}…${text.slice(text.length - (length - 1 - head))}`;
}

function render(screenings: readonly Screening[], addressLength: number, colors: boolean): string {
	const colored = (text: string) => {
		const color = colorOf[text];
		return colors && color ? styleText(color, text) : text;
	};
	const heading = (text: string) => (colors ? styleText('dim', text) : text);
	const table = new Table({
		head: ['Wallet', 'Address', 'Chain', 'Level', 'Score', 'Decision'].map(heading),
		colAligns: ['left', 'left', 'left', 'left', 'right', 'left'],
		chars: noBorders,
		style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
	});
	for (const { asked, address, chain, level, score, decision } of screenings) {
		table.push([
			asked?.note ?? '',
			shortened(address, addressLength),
			chain,
			colored(level),
			score.toFixed(3),
			colored(decision),
		]);
	}
	return table.toString();
}

/** The screenings as a table; addresses are shortened only where they do not fit. */
export function tableOf(screenings: readonly Screening[], { width, colors }: Terminal): string {
	const longest = Math.max(...screenings.map(({ address }) => address.length));
	const full = render(screenings, longest, false);
	const excess = Math.max(0, full.indexOf('\n') - width);
	return render(screenings, Math.max(9, longest - excess), colors);
}
