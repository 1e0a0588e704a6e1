import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import * as workflow from 'n8n-workflow';
import { n8n } from '../../../package.json';
import { run } from '../../../tools/host/child';
import { filesIn } from '../../../tools/host/folder';
import { projectFolder } from '../../../tools/host/paths';
import { withPackage } from '../../support/package';
import { contentFaults } from './contents';

const node = n8n.nodes[0]!;
const credential = n8n.credentials[0]!;
let files: ReadonlyMap<string, string>;
/** Where this package is made: nothing of it may be published. */
let places: string[];

beforeAll(async () => {
	const registry = await run(['npm', 'config', 'get', 'registry'], { cwd: projectFolder });
	places = [projectFolder, new URL(registry.trim()).host];
	files = await withPackage(async (folder) => {
		const paths = await filesIn(folder);
		const named = async (path: string) =>
			[relative(folder, path).replaceAll(sep, '/'), await readFile(path, 'utf8')] as const;
		return new Map(await Promise.all(paths.map(named)));
	});
});

it('the package holds what it must and nothing else', () => {
	expect(contentFaults(files, places)).toEqual([]);
});

it('the credential stands by itself, with its test', () => {
	const exported: { WalletScreeningApi?: new () => { test?: object } } = {};
	const load = new Function('module', 'require', files.get(credential)!);
	const module = { exports: exported };
	load(module, (name: string) => (name === 'n8n-workflow' ? workflow : undefined));
	expect(new module.exports.WalletScreeningApi!().test).toHaveProperty('request.url');
});

it.each<[string, string | undefined, string]>([
	['.env', '', 'does not belong in the package'],
	['dist/nodes/Example/Example.node.test.js', '', 'does not belong in the package'],
	[`${credential}.map`, undefined, 'is missing'],
	['package.json', JSON.stringify({ n8n, dependencies: {} }), 'dependencies is not allowed'],
	[node, 'console.log(key)', 'writes to the console'],
	[node, "const at = '/home/someone/project';", 'holds a path of a machine'],
])('a fault of %s is found: %j %s', (path, text, fault) => {
	const others = [...files].filter(([file]) => file !== path);
	const changed = new Map(text === undefined ? others : [...others, [path, text]]);
	expect(contentFaults(changed, places)).toEqual([`${path}: ${fault}`]);
});
