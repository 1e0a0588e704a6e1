const { mkdir, rm, writeFile } = require('node:fs/promises');
const { basename, dirname, relative } = require('node:path');
const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { credentials, nodes } = require('./package.json').n8n;

/** The code of all nodes in one file, which n8n loads in a third of the time that a hundred files take. */
const bundle = 'dist/nodes/WalletScreening/package.js';
/** The source of a file that n8n looks for, as `./nodes/…`. */
const sourceOf = (file) => file.replace(/^dist/, '.').replace(/\.js$/, '');

const options = {
	bundle: true,
	platform: 'node',
	target: 'node20',
	packages: 'external',
	// n8n reads it for stack traces; the sources themselves are in the repository.
	sourcemap: true,
	sourcesContent: false,
};

const clean = () => rm('dist', { recursive: true, force: true });

const compileNodes = () =>
	build({
		...options,
		stdin: {
			contents: nodes.map((file) => `export * from '${sourceOf(file)}';`).join('\n'),
			resolveDir: __dirname,
		},
		outfile: bundle,
	});

/** A credential stands by itself: who looks for its test finds it in its file. */
const compileCredentials = () =>
	Promise.all(
		credentials.map((file) => build({ ...options, entryPoints: [sourceOf(file)], outfile: file })),
	);

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

const iconsAndCodex = () =>
	src(['nodes/**/*.svg', 'nodes/**/*.node.json', 'credentials/**/*.svg'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

exports.default = series(clean, parallel(compileNodes, compileCredentials, entries, iconsAndCodex));
