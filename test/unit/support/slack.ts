type Element = Record<string, unknown>;

/** Every object in a message for Slack that has a type, in the order of reading. */
export function objectsIn(value: unknown): Element[] {
	if (typeof value !== 'object' || value === null) return [];
	const inner = Object.values(value).flatMap(objectsIn);
	return 'type' in value ? [value as Element, ...inner] : inner;
}
