import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '../../../nodes/WalletScreening');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.ts'),
);

function importedBy(file: string): string[] {
	const text = readFileSync(join(root, file), 'utf8');
	return Array.from(text.matchAll(/ from '(\.[^']+)'/g), ([, path]) => {
		const target = relative(root, join(root, dirname(file), path!));
		return files.includes(`${target}.ts`) ? `${target}.ts` : `${target}/index.ts`;
	});
}

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
