import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Content, Markup, markup } from './markup';

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
