import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export const projectFolder = resolve(__dirname, '..');

/** Everything that is made here and can be made again; git ignores it. */
export const cacheFolder = join(projectFolder, '.cache');

const name = 'n8n-nodes-wallet-screening';

function cachesOfUser(): string {
	const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
	if (process.platform === 'win32' && LOCALAPPDATA) return LOCALAPPDATA;
	if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
	return XDG_CACHE_HOME || join(homedir(), '.cache');
}

/** What is downloaded once for all clones that a user has; `WALLET_SCREENING_CACHE` moves it. */
export const downloadFolder = resolve(
	process.env.WALLET_SCREENING_CACHE || join(cachesOfUser(), name),
);
