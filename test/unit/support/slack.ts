type Element = Record<string, unknown>;

/** Every object in a message for Slack that has a type, in the order of reading. */
export function objectsIn(value: unknown): Element[] {
	if (typeof value !== 'object' || value === null) return [];
	const inner = Object.values(value).flatMap(objectsIn);
	return 'type' in value ? [value as Element, ...inner] : inner;
}

/** A message for Slack as lines: a block per paragraph, `*` around bold and backticks around code. */
export function slackText({ blocks }: { blocks: Element[] }): string {
	return blocks.map((block) => linesIn(block).join('\n')).join('\n\n');
}

function linesIn({ type, elements, text }: Element): string[] {
	if (type === 'header') return [(text as { text: string }).text];
	const inner = (elements as Element[]).map((element) =>
		element.type === 'rich_text_section' || element.type === 'rich_text_list'
			? linesIn(element)
			: [written(element)],
	);
	if (type === 'rich_text_list') return inner.map((lines) => `• ${lines.join('')}`);
	return type === 'rich_text_section' ? [inner.flat().join('')] : inner.flat();
}

function written({ type, text, url, style }: Element): string {
	const { bold, code } = (style ?? {}) as { bold?: boolean; code?: boolean };
	const mark = bold ? '*' : code ? '`' : '';
	return `${mark}${String(text)}${mark}${type === 'link' ? ` → ${String(url)}` : ''}`;
}
