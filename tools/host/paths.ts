import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export const projectFolder = resolve(__dirname, '..', '..');

/** Files that are made here and can be made again; git ignores them. */
export const cacheFolder = join(projectFolder, '.cache');

/** Files that are downloaded once for all clones of a user; `WALLET_SCREENING_CACHE` moves it. */
export const downloadFolder = resolve(
	process.env.WALLET_SCREENING_CACHE || join(homedir(), '.cache', 'n8n-nodes-wallet-screening'),
);
