/** Whether two names of levels or chains are the same, without regard to case and to white space around them. */
export function sameName(one: unknown, other: unknown): boolean {
	return typeof one === 'string' && typeof other === 'string' && plain(one) === plain(other);
}

/** The text, if there is one that is not blank. */
export function filled(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

const snakeCase = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** The key of a category for people: `clean_exchange` is "clean exchange". Whatever is no such key stays as it is. */
export function inWords(key: unknown): unknown {
	return typeof key === 'string' && snakeCase.test(key) ? key.replaceAll('_', ' ') : key;
}

/** The key as a label: `clean_exchange` is "Clean exchange". Undefined for whatever is no such key. */
export function labelOf(key: string): string | undefined {
	return snakeCase.test(key) ? capitalized(key.replaceAll('_', ' ')) : undefined;
}

/** With a capital letter at the start. */
export function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

function plain(name: string): string {
	return name.trim().toLowerCase();
}
