import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileText, outputSchemas, schemaFolder } from './schemas';

async function main() {
	await rm(schemaFolder, { recursive: true, force: true });
	for (const [path, schema] of outputSchemas()) {
		const file = join(schemaFolder, path);
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, await fileText(schema));
	}
}

void main();
