import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quiet, run } from '../../../tools/host/child';
import { pack, sources } from '../../../tools/host/package';
import { projectFolder } from '../../../tools/host/paths';

let folder: string;
let integrity: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'wallet-screening-copy-'));
	const tarball = await pack(folder);
	const digest = createHash('sha512').update(await readFile(tarball));
	integrity = `sha512-${digest.digest('base64')}`;
	await rm(tarball);
	for (const source of [...sources, 'package-lock.json']) {
		await cp(join(projectFolder, source), join(folder, source), { recursive: true });
	}
	await run(['npm', 'ci', ...quiet], { cwd: folder });
});

afterAll(async () => await rm(folder, { recursive: true }));

/** This Node.js made the package above. */
const [thisNode] = process.versions.node.split('.');
const otherNodes = ['20', '22', '24'].filter((node) => node !== thisNode);

it.each(otherNodes)('another folder and Node.js %s give the same bytes', async (node) => {
	const program = `node-${process.platform}-${process.arch}@${node}`;
	const command = 'node --version && npm run --silent build >&2 && npm pack --json';
	const output = await run(['npx', '--yes', `--package=${program}`, '-c', command], {
		cwd: folder,
	});
	expect(output).toMatch(new RegExp(`^v${node}\\.`));
	expect(JSON.parse(output.slice(output.indexOf('[')))).toMatchObject([{ integrity }]);
});
