/**
 * Formats the expressions in the templates, in which Prettier sees only a text. With `--check`, it
 * changes nothing, and fails if a template is not formatted.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { runScript } from '../host/script';
import { readTemplate, templateFolder, templateNames } from '../trial/templates';
import { formatExpressions } from './expressions';

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
	const unformatted: string[] = [];
	for (const name of templateNames) {
		const path = join(templateFolder, `${name}.json`);
		const formatted = await formatTemplate(name, path);
		if (formatted === (await readFile(path, 'utf8'))) continue;
		unformatted.push(name);
		if (!values.check) await writeFile(path, formatted);
	}
	if (values.check && unformatted.length > 0)
		throw new Error(`Call npm run format for the templates ${unformatted.join(', ')}`);
}

/** @throws an Error that names the node whose expression is not JavaScript */
async function formatTemplate(name: string, path: string): Promise<string> {
	const template = readTemplate(name);
	const nodes = await Promise.all(
		template.nodes.map(async (node) => {
			try {
				return await formatExpressions(node);
			} catch (error) {
				const { message } = error as Error;
				throw new Error(`The node "${node.name}" of templates/${name}.json: ${message}`);
			}
		}),
	);
	const options = { ...(await resolveConfig(path)), filepath: path };
	return await format(JSON.stringify({ ...template, nodes }, null, 2), options);
}

runScript(main);
