const { mkdir, readFile, rm, writeFile } = require('node:fs/promises');
const { basename, dirname, join, relative, resolve } = require('node:path');
const esbuild = require('esbuild');
const { dest, parallel, series, src, watch } = require('gulp');
const { credentials, nodes } = require('./package.json').n8n;

/** The code of all nodes in one file, which n8n loads in a third of the time that a hundred files take. */
const bundle = 'dist/nodes/WalletScreening/package.js';
/** The source of a file that n8n looks for, as `./nodes/…`. */
const sourceOf = (file) => file.replace(/^dist/, '.').replace(/\.js$/, '');

/** For `npm run dev`: the package in a running n8n. */
const installed = process.env.INSTALLED;

const clean = () => rm('dist', { recursive: true, force: true });

const bundleTo = (outfile, input) =>
	esbuild.build({
		...input,
		outfile,
		bundle: true,
		platform: 'node',
		target: 'node20',
		external: ['n8n-workflow', 'zod', 'crypto'],
		// n8n reads the map for stack traces; the sources themselves are in the repository, where a debugger finds them.
		sourcemap: true,
		sourcesContent: false,
		...(installed && { sourceRoot: resolve(dirname(outfile)) }),
	});

/** The libraries in the bundle. Their licence, which is MIT, asks for its text in each copy. */
const libraries = ['@noble/hashes', '@scure/base'];

async function licences() {
	const texts = libraries.map(async (name) => {
		const licence = await readFile(`node_modules/${name}/LICENSE`, 'utf8');
		return `This file contains ${name}:\n\n${licence.trim()}`;
	});
	return `/*!\n${(await Promise.all(texts)).join('\n\n').replace(/[“”]/g, '"')}\n*/`;
}

/**
 * Leaves only ASCII in a file, which Node.js compiles in less time: esbuild escapes the rest in texts, but not in regular
 * expressions.
 */
async function escapeRest(file) {
	const code = await readFile(file, 'utf8');
	const escapeOf = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	await writeFile(file, code.replace(/[^\0-\x7f]/g, escapeOf));
}

const compileNodes = async () => {
	const contents = nodes.map((file) => `export * from '${sourceOf(file)}';`).join('\n');
	await bundleTo(bundle, {
		stdin: { contents, resolveDir: __dirname },
		banner: { js: await licences() },
		// The notices in the libraries say the same.
		legalComments: 'none',
	});
	await escapeRest(bundle);
};

/** A credential stands by itself: who looks for its test finds it in its file. */
const compileCredentials = () =>
	Promise.all(credentials.map((file) => bundleTo(file, { entryPoints: [sourceOf(file)] })));

const entries = () =>
	Promise.all(
		nodes.map(async (file) => {
			const name = basename(file).split('.')[0];
			await mkdir(dirname(file), { recursive: true });
			await writeFile(
				file,
				`exports.${name} = require('./${relative(dirname(file), bundle)}').${name};\n`,
			);
		}),
	);

/** Icons, codex files, and the schemas of what the operations output. */
const assets = () =>
	src(['nodes/**/*.{svg,json}', 'credentials/**/*.svg'], { base: '.', encoding: false }).pipe(
		dest('dist'),
	);

const build = series(clean, parallel(compileNodes, compileCredentials, entries, assets));
exports.default = build;

const deliver = () => src('dist/**', { encoding: false }).pipe(dest(join(installed, 'dist')));
exports.watch = () =>
	watch(['nodes/**', 'credentials/**'], { ignoreInitial: false }, series(build, deliver));
