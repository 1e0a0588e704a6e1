import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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

const style = new Markup(readFileSync(join(__dirname, 'page.css'), 'utf8'));

/** With these headers a page runs no script, and loads nothing from elsewhere. */
export const pageHeaders = {
	'content-type': 'text/html; charset=utf-8',
	'content-security-policy':
		"default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; form-action 'self'",
};

/** A whole page as text. `head` stands in its `<head>`, after the title and the style. */
export function pageOf(title: string, body: Content, head: Content = ''): string {
	return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
${head}
</head>
<body>
${body}
</body>
</html>
`.text;
}
