import { contentFaults } from '../../../tools/verify/contents';

const credential = 'dist/credentials/ExampleApi.credentials.js';
const node = 'dist/nodes/Example/Example.node.js';
const manifest = { n8n: { credentials: [credential], nodes: [node] } };
const sound = {
	'package.json': JSON.stringify(manifest),
	'README.md': '# Example',
	LICENSE: 'MIT',
	'CHANGELOG.md': '# Changelog',
	[credential]: "exports.icon = 'file:example.svg';",
	'dist/credentials/example.svg': '<svg/>',
	[node]: 'exports.Example = class {};\n//# sourceMappingURL=Example.node.js.map\n',
	[`${node}.map`]: '{}',
	'dist/nodes/Example/Example.node.json': '{}',
};

function faults(changes: Record<string, string | undefined>, names: string[] = []) {
	const files = Object.entries({ ...sound, ...changes }).filter(
		(file): file is [string, string] => file[1] !== undefined,
	);
	return contentFaults(new Map(files), names);
}

it('finds nothing in a package that holds what it must and nothing else', () => {
	// The address of a page is no path of a machine.
	const page = 'See https://example.com/home/page and ~/.n8n/nodes.';
	expect(faults({ 'README.md': page }, ['/somewhere/else'])).toEqual([]);
});

it.each(['.env', 'dist/nodes/Example/Example.node.test.js', 'dist/tsconfig.tsbuildinfo'])(
	'names %s, which does not belong in a package',
	(path) => {
		expect(faults({ [path]: '' })).toEqual([`${path}: does not belong in the package`]);
	},
);

it.each(['package.json', ...[credential, 'dist/credentials/example.svg', `${node}.map`]])(
	'misses %s',
	(path) => {
		expect(faults({ [path]: undefined })).toEqual([`${path}: is missing`]);
	},
);

it.each(['dependencies', 'bundledDependencies'])('refuses %s', (field) => {
	const changed = JSON.stringify({ ...manifest, [field]: {} });
	expect(faults({ 'package.json': changed })).toEqual([`package.json: ${field} is not allowed`]);
});

it.each([
	['console.log(key)', 'writes to the console'],
	["const at = '/home/someone/project';", 'holds a path of a machine'],
	['const at = "C:\\Users\\someone";', 'holds a path of a machine'],
	["const from = 'packages.example:8080';", "holds 'packages.example:8080'"],
])('refuses the code %s', (code, fault) => {
	expect(faults({ [node]: code }, ['packages.example:8080'])).toEqual([`${node}: ${fault}`]);
});
