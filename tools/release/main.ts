import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm, run } from '../host/child';
import { projectFolder } from '../host/paths';
import { runScript } from '../host/script';
import { moveUnreleased } from './changelog';

const cwd = projectFolder;
const changelog = join(projectFolder, 'CHANGELOG.md');
/** Evidence names the version; the package itself cannot read its package.json. */
const versionFile = 'nodes/WalletScreening/shared/packageVersion.ts';
const files = ['package.json', 'package-lock.json', 'CHANGELOG.md', versionFile];

async function release(version: string): Promise<string> {
	const changes = await run(['git', 'status', '--porcelain'], { cwd });
	if (changes !== '') throw new Error(`Commit these changes first:\n${changes}`);
	const branch = (await run(['git', 'branch', '--show-current'], { cwd })).trim();
	if (branch !== 'main') throw new Error(`Releases are made on main, and this is '${branch}'.`);
	const today = new Date().toISOString().slice(0, 10);
	const text = moveUnreleased(await readFile(changelog, 'utf8'), version, today);
	await run([...npm, 'run', 'verify'], { cwd });

	// The first release has the version that the package was born with.
	await run([...npm, 'version', version, '--no-git-tag-version', '--allow-same-version'], { cwd });
	await writeFile(changelog, text);
	const named = await readFile(join(cwd, versionFile), 'utf8');
	await writeFile(join(cwd, versionFile), named.replace(/@\d+\.\d+\.\d+/, `@${version}`));
	await run(['git', 'commit', '-m', `Release ${version}`, '--', ...files], { cwd });
	await run(['git', 'tag', '-a', `v${version}`, '-m', `Release ${version}`], { cwd });
	// Without --atomic, a tag is pushed even if main is refused.
	return `Tagged v${version}. "git push --atomic --follow-tags" publishes it.\n`;
}

async function main() {
	const [version = ''] = process.argv.slice(2);
	if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Usage: npm run release -- 1.2.3');
	process.stdout.write(await release(version));
}

runScript(main);
