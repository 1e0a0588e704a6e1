import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../host/child';
import { projectFolder } from '../host/paths';
import { verify } from '../verify/verify';
import { released } from './changelog';

const cwd = projectFolder;
const changelog = join(projectFolder, 'CHANGELOG.md');
const files = ['package.json', 'package-lock.json', 'CHANGELOG.md'];

async function release(version: string): Promise<string> {
	const changes = await run(['git', 'status', '--porcelain'], { cwd });
	if (changes !== '') throw new Error(`Commit these changes first:\n${changes}`);
	const today = new Date().toISOString().slice(0, 10);
	const text = released(await readFile(changelog, 'utf8'), version, today);
	const findings = await verify();
	if (findings.length > 0) throw new Error(findings.join('\n'));

	// The first release has the version that the package was born with.
	await run(['npm', 'version', version, '--no-git-tag-version', '--allow-same-version'], { cwd });
	await writeFile(changelog, text);
	await run(['git', 'commit', '-m', `Release ${version}`, '--', ...files], { cwd });
	await run(['git', 'tag', '-a', `v${version}`, '-m', `Release ${version}`], { cwd });
	return `Tagged v${version}. "git push --follow-tags" publishes it.\n`;
}

async function main() {
	const [version = ''] = process.argv.slice(2);
	if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Usage: npm run release -- 1.2.3');
	process.stdout.write(await release(version));
}

main().catch((error: Error) => {
	process.stderr.write(`${error.message}\n`);
	process.exitCode = 1;
});
