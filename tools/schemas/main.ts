import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { runScript } from '../host/script';
import { outputSchemas, schemaFolder } from './schemas';

async function main() {
	// If they cannot be made, the old ones stay.
	const schemas = outputSchemas();
	await rm(schemaFolder, { recursive: true, force: true });
	for (const [path, schema] of schemas) {
		const filepath = join(schemaFolder, path);
		const style = { ...(await resolveConfig(filepath)), filepath };
		await mkdir(dirname(filepath), { recursive: true });
		await writeFile(filepath, await format(JSON.stringify(schema, null, '\t'), style));
	}
}

runScript(main);
