/** A number with what it counts, e.g. "1 address" or "3 addresses". */
export function counted(count: number, one: string, many = `${one}s`): string {
	return `${count} ${count === 1 ? one : many}`;
}

/** The number that a text writes in decimals, also as JavaScript writes it, e.g. "0.5" or "1e-7"; undefined for any other text. */
export function parseDecimal(text: string): number | undefined {
	const isDecimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());
	const number = isDecimal ? Number(text) : NaN;
	return Number.isFinite(number) ? number : undefined;
}
