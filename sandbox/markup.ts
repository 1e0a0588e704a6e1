const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** HTML that `markup` made, in which all values are escaped. */
export class Markup {
	constructor(readonly text: string) {}
}

export type Content = Markup | string | number | readonly Content[];

function textOf(content: Content): string {
	if (content instanceof Markup) return content.text;
	if (typeof content === 'object') return content.map(textOf).join('');
	return String(content).replace(/[&<>"']/g, (character) => entities[character]!);
}

/**
 * Makes HTML of a template literal. It escapes each value, except `Markup` and lists of `Markup`.
 */
export function markup(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
	return new Markup(String.raw({ raw: parts }, ...contents.map(textOf)));
}
