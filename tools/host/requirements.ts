import { mkdir, statfs } from 'node:fs/promises';
import { downloadFolder } from './paths';
import { bundledNode, needsOf } from './versions';

/** Gigabytes. n8n takes 2.2 of them, and npm's cache 0.7. */
const needed = 3.5;

/** @throws when there is no room for the download of n8n */
export async function requireRoom(): Promise<void> {
	await mkdir(downloadFolder, { recursive: true });
	const { bavail, bsize } = await statfs(downloadFolder);
	const free = (bavail * bsize) / 1e9;
	if (free >= needed) return;
	throw new Error(`n8n needs ${needed} GB in ${downloadFolder}, which has ${free.toFixed(1)} GB left.
Make room, or set WALLET_SCREENING_CACHE to a folder on another disk.`);
}

/**
 * Advice for a person if the native parts of n8n could not be built. `log` is the path of the file
 * with the reason.
 */
export function nativeRemedies(version: string, log: string): string {
	return `n8n needs its database, sqlite3, which could not be built here: ${log}
Do one of these, then start the command again:

- Let this machine reach github.com, which has a prebuilt sqlite3.
- Install Python 3, make and a C++ compiler, which build it (as root on Debian: apt-get install python3 make g++).
- Install Node.js ${needsOf(version).node[1]}, if the one that npm has (${bundledNode}) does not run here, as on Alpine Linux.`;
}
