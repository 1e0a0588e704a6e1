import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../tools/host/child';
import { pack, sources } from '../../../tools/host/package';
import { projectFolder } from '../../../tools/host/paths';

let folder: string;
let integrity: string;

/** Copies what `npm ci` has installed here. Hard links take a second, copies a quarter of a minute. */
async function copyInstalledPackages(): Promise<void> {
	const [from, to] = [projectFolder, folder].map((one) => join(one, 'node_modules'));
	await mkdir(to!);
	const copy = async (options: string) =>
		await runCommand(['cp', options, `${from}/.`, `${to}/`], { cwd: folder });
	// A folder on another file system takes no hard links.
	await copy('-al').catch(async () => await copy('-a'));
}

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'wallet-screening-copy-'));
	const tarball = await pack(folder);
	const digest = createHash('sha512').update(await readFile(tarball));
	integrity = `sha512-${digest.digest('base64')}`;
	await rm(tarball);
	for (const source of sources) {
		await cp(join(projectFolder, source), join(folder, source), { recursive: true });
	}
	await copyInstalledPackages();
});

afterAll(async () => await rm(folder, { recursive: true }));

const nodes = ['20', '22', '24'];
/**
 * This Node.js made the package above, and the next one makes it again. The two images of ci.yml,
 * with Node.js 20 and 24, so compare all three.
 */
const [thisNode = ''] = process.versions.node.split('.');
const node = nodes[(nodes.indexOf(thisNode) + 1) % nodes.length]!;

it(`another folder and Node.js ${node} give the same bytes`, async () => {
	const program = `node-${process.platform}-${process.arch}@${node}`;
	const command = 'node --version && npm run --silent build >&2 && npm pack --json';
	const output = await runCommand(['npx', '--yes', `--package=${program}`, '-c', command], {
		cwd: folder,
	});
	expect(output).toMatch(new RegExp(`^v${node}\\.`));
	expect(JSON.parse(output.slice(output.indexOf('[')))).toMatchObject([{ integrity }]);
});
