/** The layers of CONTRIBUTING: a folder calls only folders below it, and no two files import each other. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '../../../nodes/WalletScreening');
/** From the top to the bottom. Folders of one layer do not call each other. */
const layers = [['operations', 'trigger'], ['n8n'], ['risk'], ['service'], ['pace', 'address']];

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => file.replaceAll('\\', '/'));

function importedBy(file: string): string[] {
	const text = readFileSync(join(root, file), 'utf8');
	return Array.from(text.matchAll(/ from '(\.[^']+)'/g), ([, path]) => {
		const target = relative(root, join(root, dirname(file), path!)).replaceAll('\\', '/');
		return files.includes(`${target}.ts`) ? `${target}.ts` : `${target}/index.ts`;
	});
}

const layerOf = (file: string) =>
	layers.findIndex((folders) => folders.includes(file.split('/')[0]!));

test('every file stands in a layer, or is a node', () => {
	const outside = files.filter((file) => layerOf(file) < 0);
	expect(outside.sort()).toEqual(['WalletScreening.node.ts', 'WalletScreeningTrigger.node.ts']);
});

test.each(files)('%s calls only layers below its own', (file) => {
	const isAllowed = (target: string) =>
		target.split('/')[0] === file.split('/')[0] || layerOf(target) > layerOf(file);
	expect(importedBy(file).filter((target) => !isAllowed(target))).toEqual([]);
});

/** The host has the first two. The libraries are built into the package, with their licences. */
const packages: Record<string, RegExp> = {
	'n8n-workflow': /./,
	zod: /./,
	crypto: /./,
	'@noble/hashes/blake2': /^nodes\/WalletScreening\/address\//,
	'@noble/hashes/sha3': /^nodes\/WalletScreening\/address\//,
	'@scure/base': /^nodes\/WalletScreening\/address\//,
};

test.each([
	...files.map((file) => `nodes/WalletScreening/${file}`),
	'credentials/WalletScreeningApi.credentials.ts',
])('%s imports no package but those that it may', (file) => {
	const text = readFileSync(join(root, '../..', file), 'utf8');
	const imported = Array.from(
		text.matchAll(/^(?:import|\}) .*from '([^.'][^']*)';$/gm),
		([, name]) => name!,
	);
	expect(imported.filter((name) => !packages[name]?.test(file))).toEqual([]);
});

test('no files import each other, by whatever way', () => {
	const left = new Map(files.map((file) => [file, importedBy(file)]));
	for (let size = -1; size !== left.size;) {
		size = left.size;
		for (const [file, targets] of left) {
			if (!targets.some((target) => left.has(target))) left.delete(file);
		}
	}
	expect([...left.keys()]).toEqual([]);
});
