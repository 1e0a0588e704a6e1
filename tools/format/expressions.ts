import { format, resolveConfig } from 'prettier';
import { projectFolder } from '../host/paths';

/** An expression of up to this many characters in each line stays as it is. */
const maxLineLength = 120;

/**
 * Formats the JavaScript of all expressions in a parameter of a node, between `{{` and `}}`. n8n's
 * editor shows an expression as it was saved, so a long one in a single line can't be read there.
 *
 * @throws if the code of an expression is not JavaScript
 */
export async function formatExpressions(value: unknown): Promise<unknown> {
	if (typeof value === 'string')
		return value.startsWith('=') ? await formatExpressionsIn(value) : value;
	if (Array.isArray(value)) return await Promise.all(value.map(formatExpressions));
	if (typeof value !== 'object' || value === null) return value;
	const fields = Object.entries(value).map(
		async ([name, one]) => [name, await formatExpressions(one)] as const,
	);
	return Object.fromEntries(await Promise.all(fields));
}

async function formatExpressionsIn(text: string): Promise<string> {
	// A group in the pattern of `split` puts what it matched between the parts: each second part is
	// code.
	const parts = text.split(/\{\{([\s\S]*?)\}\}/);
	const formatted = await Promise.all(
		parts.map(async (part, index) => (index % 2 === 0 ? part : `{{${await formatCode(part)}}}`)),
	);
	return formatted.join('');
}

async function formatCode(code: string): Promise<string> {
	const isShort = code.split('\n').every((line) => line.length <= maxLineLength);
	if (isShort) return code;
	const config = await resolveConfig(`${projectFolder}/expression.js`);
	const statement = await format(`(${code}\n)`, { ...config, useTabs: false, parser: 'babel' });
	const trimmed = statement.trim();
	// A comment at the end stands after the semicolon, which then can't be taken away.
	if (!trimmed.endsWith(';')) return code;
	const formatted = trimmed.slice(0, -1);
	// n8n ends an expression at the first two closing braces, also within a text.
	return /\{\{|\}\}/.test(formatted) ? code : ` ${formatted} `;
}
