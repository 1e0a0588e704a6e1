import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm, runCommand } from '../host/child';
import { projectFolder } from '../host/paths';
import { reportProgress } from '../host/progress';
import { runScript } from '../host/script';
import { moveUnreleased } from './changelog';
import { replaceVersion } from './versionFile';

const cwd = projectFolder;
const changelog = join(projectFolder, 'CHANGELOG.md');
/** Evidence names the version; the package itself cannot read its package.json. */
const versionFile = join(projectFolder, 'nodes/WalletScreening/shared/packageVersion.ts');
const files = ['package.json', 'package-lock.json', changelog, versionFile];

/** Commits and tags a release. @returns what to do next */
async function release(version: string): Promise<string> {
	await requireCleanMain();
	const today = new Date().toISOString().slice(0, 10);
	const newChangelog = moveUnreleased(await readFile(changelog, 'utf8'), version, today);
	const newVersionFile = replaceVersion(await readFile(versionFile, 'utf8'), version);
	await reportProgress('Verifying the package', () =>
		runCommand([...npm, 'run', 'verify'], { cwd }),
	);

	// The first release has the version that the package was born with.
	await runCommand([...npm, 'version', version, '--no-git-tag-version', '--allow-same-version'], {
		cwd,
	});
	await writeFile(changelog, newChangelog);
	await writeFile(versionFile, newVersionFile);
	await runCommand(['git', 'commit', '-m', `Release ${version}`, '--', ...files], { cwd });
	await runCommand(['git', 'tag', '-a', `v${version}`, '-m', `Release ${version}`], { cwd });
	// Without --atomic, a tag is pushed even if main is refused.
	return `Tagged v${version}. "git push --atomic --follow-tags" publishes it.`;
}

/** @throws an Error if the clone is not on main, or has changes that are not committed */
async function requireCleanMain(): Promise<void> {
	const changes = await runCommand(['git', 'status', '--porcelain'], { cwd });
	if (changes !== '') throw new Error(`Commit these changes first:\n${changes}`);
	const branch = (await runCommand(['git', 'branch', '--show-current'], { cwd })).trim();
	if (branch !== 'main') throw new Error(`Releases are made on main, and this is '${branch}'.`);
}

async function main(): Promise<void> {
	const [version = ''] = process.argv.slice(2);
	if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Usage: npm run release -- 1.2.3');
	console.log(await release(version));
}

runScript(main);
