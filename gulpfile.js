const { execFile } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { promisify } = require('node:util');
const { dest, parallel, series, src } = require('gulp');

const clean = () => rm('dist', { recursive: true, force: true });

const compile = () =>
	promisify(execFile)(process.execPath, [
		require.resolve('typescript/bin/tsc'),
		'-p',
		'tsconfig.build.json',
	]);

const iconsAndCodex = () =>
	src(['nodes/**/*.svg', 'nodes/**/*.node.json', 'credentials/**/*.svg'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

exports.default = series(clean, parallel(compile, iconsAndCodex));
