import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { dirname, join } from 'node:path/posix';
import * as workflow from 'n8n-workflow';
import * as zod from 'zod';
import { n8n } from '../../../package.json';
import { resources } from '../../../nodes/WalletScreening/actions';
import { runCommand } from '../../../tools/host/child';
import { filesIn } from '../../../tools/host/folder';
import { projectFolder } from '../../../tools/host/paths';
import { withPackage } from '../../support/n8n/unpackedPackage';

const beside = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
const built = /^dist\/(credentials|nodes)\/.+\.(js|js\.map|json|svg)$/;
/** The folder in which n8n looks for the schemas of the operations. */
const schemaFolder = 'dist/nodes/WalletScreening/__schema__/v1.0.0';
const ofTests = /(^|\/)(tests?|__tests__|__mocks__)\/|\.(test|spec)\.\w+$/;

/** The text of each file of the package, by its path. */
let files: ReadonlyMap<string, string>;
beforeAll(async () => {
	files = await withPackage(async (folder) => {
		const paths = await filesIn(folder);
		const named = async (path: string) =>
			[relative(folder, path).replaceAll(sep, '/'), await readFile(path, 'utf8')] as const;
		return new Map(await Promise.all(paths.map(named)));
	});
});
/** The files whose text is one that must not be published. */
const filesWhere = (isWrong: (text: string, path: string) => boolean) =>
	[...files].filter(([path, text]) => isWrong(text, path)).map(([path]) => path);

it('the package holds what it must and nothing else', () => {
	const paths = [...files.keys()];
	const strange = (path: string) => !built.test(path) || ofTests.test(path);
	expect(paths.filter((path) => !beside.includes(path) && strange(path))).toEqual([]);
	const iconsAndMaps = [...files].flatMap(([path, text]) =>
		[...text.matchAll(/["']file:([^"']+)["']|^\/\/# sourceMappingURL=(.+)$/gm)].map(
			([, icon, map]) => join(dirname(path), (icon ?? map)!),
		),
	);
	expect(iconsAndMaps.length).toBeGreaterThan(4);
	const schemas = resources.flatMap(({ value, operations }) =>
		operations.map((one) => `${schemaFolder}/${value}/${one.value}.json`),
	);
	const needed = [...beside, ...n8n.credentials, ...n8n.nodes, ...iconsAndMaps, ...schemas];
	expect(paths).toEqual(expect.arrayContaining(needed));
	// n8n's check looks only at the first of these.
	const unwanted = /^(dependencies|optionalDependencies|bundled?Dependencies)$/;
	const manifest = JSON.parse(files.get('package.json')!) as object;
	expect(Object.keys(manifest).filter((field) => unwanted.test(field))).toEqual([]);
});

it('no file writes to the console, or says where the package was made', async () => {
	const registry = await runCommand(['npm', 'config', 'get', 'registry'], { cwd: projectFolder });
	const places = [projectFolder, new URL(registry.trim()).host];
	const machine = /(^|[\s"'`(=])(\/(home|root|tmp|Users|work)\/|[A-Z]:\\Users)/m;
	const writes = (text: string, path: string) => path.endsWith('.js') && /\bconsole\b/.test(text);
	const isLocal = (text: string) =>
		machine.test(text) || places.some((place) => text.includes(place));
	expect([filesWhere(writes), filesWhere(isLocal)]).toEqual([[], []]);
});

it('all code is ASCII, which Node.js loads in less time', () => {
	const isOther = (text: string, path: string) => path.endsWith('.js') && /[^\0-\x7f]/.test(text);
	expect(filesWhere(isOther)).toEqual([]);
});

it('the credential stands by itself, with its test', () => {
	const exported: { WalletScreeningApi?: new () => { test?: object } } = {};
	const load = new Function('module', 'require', files.get(n8n.credentials[0]!)!);
	const module = { exports: exported };
	/** The modules that n8n provides to a package. */
	const hostModules: Record<string, unknown> = { 'n8n-workflow': workflow, zod };
	load(module, (name: string) => hostModules[name]);
	expect(new module.exports.WalletScreeningApi!().test).toHaveProperty('request.url');
});
