/** Whether two names of levels or chains are the same, without regard to case and to white space around them. */
export function sameName(one: unknown, other: unknown): boolean {
	return typeof one === 'string' && typeof other === 'string' && plain(one) === plain(other);
}

/** The text, if there is one that is not blank. */
export function filled(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function plain(name: string): string {
	return name.trim().toLowerCase();
}
