/** A number with what it counts, e.g. "1 address" or "3 addresses". */
export function counted(count: number, one: string, many = `${one}s`): string {
	return `${count} ${count === 1 ? one : many}`;
}
