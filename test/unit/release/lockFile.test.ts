import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Entry {
	readonly resolved?: string;
	readonly libc?: readonly string[];
	readonly integrity?: string;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = join(__dirname, '../../../package-lock.json');
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
	packages: Record<string, Entry>;
};
const { '': _project, ...entries } = packages;

describe('the lock file', () => {
	it('has the binaries of every platform, which npm leaves out where its registry lacks one', () => {
		const optional = Object.values(entries).flatMap(({ optionalDependencies = {} }) =>
			Object.keys(optionalDependencies),
		);
		expect(optional).toEqual(
			expect.arrayContaining(['@swc/core-darwin-arm64', '@swc/core-win32-x64-msvc']),
		);
		const names = new Set(Object.keys(entries).map((path) => path.split('node_modules/').at(-1)));
		expect(optional.filter((name) => !names.has(name))).toEqual([]);
	});

	it('has the digest of every package, and names no registry', () => {
		const without = Object.keys(entries).filter((path) => !entries[path]?.integrity);
		const naming = Object.keys(entries).filter((path) => entries[path]?.resolved);
		expect({ without, naming }).toEqual({ without: [], naming: [] });
	});

	it('is what npm 10 and npm 11 both leave as it is', () => {
		// npm 11 adds the C library that a binary is for; npm 10 takes it away again.
		expect(Object.keys(entries).filter((path) => entries[path]?.libc)).toEqual([]);
	});
});
