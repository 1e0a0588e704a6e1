import { styleText } from 'node:util';

/** A screened wallet, as far as the table shows it. */
export interface WalletRow {
	readonly address: string;
	/** Whose wallet it is. */
	readonly note: string;
	readonly chain: string;
	readonly level: string;
	readonly score: number;
	readonly outcome: string;
}

const headings = ['Wallet', 'Address', 'Chain', 'Level', 'Score', 'Decision'];

const colors: Partial<Record<string, 'green' | 'yellow' | 'red'>> = {
	green: 'green',
	yellow: 'yellow',
	red: 'red',
	allow: 'green',
	review: 'yellow',
	block: 'red',
};

/**
 * The wallets as a table of columns two spaces apart, which fits into 80 characters: addresses
 * leave out their middle.
 */
export function tableOf(wallets: readonly WalletRow[], isColored: boolean): string {
	const rows = wallets.map(({ note, address, chain, level, score, outcome }) => {
		const shortened = `${address.slice(0, 6)}…${address.slice(-6)}`;
		return [note, shortened, chain, level, score.toFixed(3), outcome];
	});
	const table = [headings, ...rows];
	const widths = headings.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
	const cellOf = (text: string, column: number) => {
		const cell = text.padEnd(widths[column]!);
		const color = colors[text];
		return isColored && color ? styleText(color, cell) : cell;
	};
	return table.map((row) => row.map(cellOf).join('  ').trimEnd()).join('\n');
}
