import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version as zod3 } from 'zod/package.json';
import { version as zod4 } from 'zod4/package.json';

/** Whether code of the package of that name was loaded. */
const isLoaded = (name: string) =>
	Object.keys(require.cache).some(
		(path) => path.includes(`/node_modules/${name}/`) && !path.endsWith('.json'),
	);

test('what is published runs on zod 4, and n8n beside it on its own zod 3', async () => {
	expect(zod4).toMatch(/^4\./);
	expect(zod3).toMatch(/^3\.25\./);
	expect(isLoaded('zod4')).toBe(false);

	await import('../../nodes/WalletScreening/policy/policy');
	expect(isLoaded('zod4')).toBe(true);
	expect(isLoaded('zod')).toBe(false);

	await import('n8n-core');
	expect(isLoaded('zod')).toBe(true);
});

test('only what is tested on both uses zod', () => {
	const root = join(__dirname, '../..');
	const files = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => join(folder, name)),
	);
	const users = files.filter((file) => /['"]zod['"]/.test(readFileSync(join(root, file), 'utf8')));
	const tested = [
		'answers/reportSchema.ts',
		'policy/conditionSchema.ts',
		'policy/parsePolicy.ts',
		'policy/policySchema.ts',
		'policy/schemaParts.ts',
		'transport/serviceNames.ts',
	];
	expect(users.sort()).toEqual(tested.map((file) => `nodes/WalletScreening/${file}`));
});
