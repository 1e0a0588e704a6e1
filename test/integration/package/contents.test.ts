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

const changed = (path: string, text: string) =>
	contentFaults(new Map([...files, [path, text]]), places);

it.each(['.env', 'dist/nodes/Example/Example.node.test.js', 'dist/tsconfig.tsbuildinfo'])(
	'names %s, which does not belong in a package',
	(path) => {
		expect(changed(path, '')).toEqual([`${path}: does not belong in the package`]);
	},
);

it.each([
	'LICENSE',
	...[credential, `${credential}.map`, 'dist/credentials/walletScreening.dark.svg'],
])('misses %s', (path) => {
	const others = new Map([...files].filter(([file]) => file !== path));
	expect(contentFaults(others, places)).toEqual([`${path}: is missing`]);
});

it.each(['dependencies', 'bundledDependencies'])('refuses %s', (field) => {
	const manifest = { ...JSON.parse(files.get('package.json')!), [field]: {} };
	expect(changed('package.json', JSON.stringify(manifest))).toEqual([
		`package.json: ${field} is not allowed`,
	]);
});

it('refuses the name of the place where it is made', () => {
	expect(changed(node, `const from = '${places[1]}';`)).toEqual([`${node}: holds '${places[1]}'`]);
});

it.each([
	['console.log(key)', 'writes to the console'],
	["const at = '/home/someone/project';", 'holds a path of a machine'],
	['const at = "C:\\Users\\someone";', 'holds a path of a machine'],
])('refuses the code %s', (code, fault) => {
	expect(changed(node, code)).toEqual([`${node}: ${fault}`]);
});
