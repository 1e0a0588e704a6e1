import { dirname, join } from 'node:path/posix';

/** The files of a package: their text by their path, with slashes. */
export type Files = ReadonlyMap<string, string>;

const beside = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
const built = /^dist\/(credentials|nodes)\/.+\.(js|js\.map|json|svg)$/;
const test = /(^|\/)(tests?|__tests__|__mocks__)\/|\.(test|spec)\.\w+$/;

function strangers(files: Files): string[] {
	return [...files.keys()]
		.filter((path) => !beside.includes(path) && (!built.test(path) || test.test(path)))
		.map((path) => `${path}: does not belong in the package`);
}

interface Manifest {
	readonly n8n: Record<'credentials' | 'nodes', string[]>;
}

function missing(files: Files, { n8n }: Manifest): string[] {
	const iconsAndMaps = [...files].flatMap(([path, text]) =>
		[...text.matchAll(/["']file:([^"']+)["']|^\/\/# sourceMappingURL=(.+)$/gm)].map(
			([, icon, map]) => join(dirname(path), (icon ?? map) as string),
		),
	);
	return [...beside, ...n8n.credentials, ...n8n.nodes, ...iconsAndMaps]
		.filter((path) => !files.has(path))
		.map((path) => `${path}: is missing`);
}

/** n8n's check looks only at the first of these. */
const dependencyFields = [
	'dependencies',
	'optionalDependencies',
	'bundleDependencies',
	'bundledDependencies',
];

function unwanted(files: Files, names: readonly string[]): string[] {
	return [...files].flatMap(([path, text]) => [
		...(path.endsWith('.js') && /\bconsole\b/.test(text) ? [`${path}: writes to the console`] : []),
		...(/(^|[\s"'`(=])(\/(home|root|tmp|Users|work)\/|[A-Z]:\\Users)/m.test(text)
			? [`${path}: holds a path of a machine`]
			: []),
		...names.filter((name) => text.includes(name)).map((name) => `${path}: holds '${name}'`),
	]);
}

/**
 * What of an unpacked package must not be published.
 *
 * @param names what no file may hold, e.g. the folder that the package was made in
 */
export function contentFaults(files: Files, names: readonly string[]): string[] {
	const manifest = JSON.parse(
		files.get('package.json') ?? '{"n8n":{"credentials":[],"nodes":[]}}',
	) as Manifest;
	return [
		...strangers(files),
		...missing(files, manifest),
		...dependencyFields
			.filter((field) => field in manifest)
			.map((field) => `package.json: ${field} is not allowed`),
		...unwanted(files, names),
	];
}
