import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { name, version } from '../../../package.json';
import { runCommand } from '../../../tools/host/child';
import { projectFolder } from '../../../tools/host/paths';
import { startInternet } from '../../support/servers/internet';
import { withPackage } from '../../support/n8n/unpackedPackage';
import { createRegistry } from '../../support/servers/registry';

const command = join(projectFolder, 'node_modules/@n8n/scan-community-package/scanner/cli.mjs');
const commit = 'c0ffee'.padEnd(40, '0');

/** The folders of the package and of its sources. */
interface Release {
	readonly built: string;
	readonly sources: string;
}

async function archiveOf(folder: string): Promise<Buffer> {
	const archive = `${folder}.tgz`;
	await runCommand(['tar', '-czf', archive, '-C', join(folder, '..'), commit], { cwd: folder });
	return readFile(archive);
}

/**
 * Publishes this package to stand-ins for npm and GitHub, and lets n8n's own command for
 * verification take it from there.
 *
 * @param spoil what goes wrong before
 * @returns what the command says
 */
async function scan(spoil: (release: Release) => Promise<void> = async () => {}): Promise<string> {
	const home = await mkdtemp(join(tmpdir(), 'wallet-screening-scan-'));
	const registry = await createRegistry();
	const internet = await startInternet(registry.sites);
	try {
		return await withPackage(async (built) => {
			const sources = join(home, commit);
			await mkdir(sources);
			for (const source of ['nodes', 'credentials', 'package.json']) {
				await cp(join(projectFolder, source), join(sources, source), { recursive: true });
			}
			await spoil({ built, sources });
			await registry.publish(built, { commit, archive: await archiveOf(sources) });
			// Without NODE_ENV, or the rules take every file for one of n8n's own tests.
			const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, ...internet.environment };
			return await runCommand([process.execPath, command, name], { cwd: home, env });
		});
	} finally {
		await internet.close();
		await rm(home, { recursive: true, force: true });
	}
}

const rulesIn = (output: string) =>
	[...output.matchAll(/^ +\d+:\d+ .* (\S+)$/gm)].map(([, rule = '']) => rule.split('/').at(-1));

it('n8n verifies the package, from its name on', async () => {
	const output = await scan();
	expect(output).toContain(`✅ Package ${name}@${version} has passed all security checks`);
	expect(rulesIn(output)).toEqual([]);
});

it('n8n finds in sources and package what was put there, and nothing else', async () => {
	const output = await scan(async ({ built, sources }) => {
		// The less there is to lint the better.
		const folders = await readdir(join(sources, 'nodes/WalletScreening'), { withFileTypes: true });
		for (const folder of folders.filter((entry) => entry.isDirectory())) {
			await rm(join(folder.parentPath, folder.name), { recursive: true });
		}
		await rm(join(built, 'dist/nodes/WalletScreening/package.js'));
		// An exception in the code itself does not count.
		const finding = '// eslint-disable-next-line\nconsole.log(process.env.HOME);\n';
		const node = 'nodes/WalletScreening/WalletScreening.node';
		await appendFile(join(sources, `${node}.ts`), finding);
		await appendFile(join(built, `dist/${node}.js`), finding);
	});
	expect(output).toContain('has failed security checks');
	const found = ['no-console', 'no-restricted-globals'];
	expect(rulesIn(output).sort()).toEqual([...found, ...found].sort());
});
