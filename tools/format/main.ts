/**
 * Formats the expressions in the templates, in which Prettier sees only a text. With `--check`, it
 * changes nothing, and fails if a template is not formatted.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { readTemplate, templateFolder, templateNames } from '../trial/templates';
import { formatExpressions } from './expressions';

async function main(onlyChecks: boolean): Promise<void> {
	const unformatted: string[] = [];
	for (const name of templateNames) {
		const path = join(templateFolder, `${name}.json`);
		const formatted = await formatTemplate(name, path);
		if (formatted === (await readFile(path, 'utf8'))) continue;
		unformatted.push(name);
		if (!onlyChecks) await writeFile(path, formatted);
	}
	if (onlyChecks && unformatted.length > 0)
		throw new Error(`Call npm run format for the templates ${unformatted.join(', ')}`);
}

async function formatTemplate(name: string, path: string): Promise<string> {
	const template = readTemplate(name);
	const nodes = await formatExpressions(template.nodes);
	const options = { ...(await resolveConfig(path)), filepath: path };
	return await format(JSON.stringify({ ...template, nodes }, null, 2), options);
}

main(process.argv.includes('--check')).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
