import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../tools/host/child';
import { pack } from '../../../tools/host/package';

/** Calls `work` with a temporary folder that has the unpacked package, as npm would publish it. */
export async function withPackage<T>(work: (folder: string) => Promise<T>): Promise<T> {
	const folder = await mkdtemp(join(tmpdir(), 'wallet-screening-package-'));
	try {
		const tarball = await pack(folder);
		await runCommand(['tar', '-xzf', tarball, '-C', folder], { cwd: folder });
		return await work(join(folder, 'package'));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
