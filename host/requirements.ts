import { mkdir, statfs } from 'node:fs/promises';
import { npm, run } from './child';
import { downloadFolder } from './paths';
import { step } from './progress';
import { bundledNode, n8nVersions, type N8nVersionName } from './versions';

const gigabyte = 1e9;
/** n8n takes 2.2 GB; npm keeps 0.7 GB of what it downloads beside that. */
const neededSpace = 3.5 * gigabyte;

async function missingSpace(): Promise<string | undefined> {
	const { bavail, bsize } = await statfs(downloadFolder);
	const free = bavail * bsize;
	if (free >= neededSpace) return undefined;
	const [needed, there] = [neededSpace, free].map((bytes) => (bytes / gigabyte).toFixed(1));
	return `n8n needs ${needed} GB of disk space in ${downloadFolder}, which has ${there} GB left.
Make room, or set WALLET_SCREENING_CACHE to a folder on another disk.`;
}

async function missingRegistry(version: N8nVersionName): Promise<string | undefined> {
	const view = [...npm, 'view', `n8n@${version}`, 'version', '--fetch-retries=0', '--json'];
	try {
		await run(view, { cwd: downloadFolder }, { patience: 60_000 });
		return undefined;
	} catch (error) {
		const { message } = error as Error;
		const summary = /"summary": "(.+)",?$/m.exec(message)?.[1] ?? message;
		return `npm cannot get n8n ${version} from its registry: ${summary}
Connect this machine to the network, or tell npm about your proxy or mirror
(npm config set proxy, npm config set registry).`;
	}
}

/** @throws what this machine lacks for the download of n8n: disk space, or a way to npm's registry */
export async function requireRoom(version: N8nVersionName): Promise<void> {
	await mkdir(downloadFolder, { recursive: true });
	const missing = await step('Looking for disk space and the registry of npm', async () =>
		[await missingSpace(), await missingRegistry(version)].filter(Boolean),
	);
	if (missing.length > 0) throw new Error(missing.join('\n\n'));
}

/**
 * What a person can do when the native parts of n8n could not be made.
 *
 * @param log where it says why
 */
export function nativeRemedies(version: N8nVersionName, log: string): string {
	const [lowest, highest] = n8nVersions[version].node;
	const range = lowest === highest ? `${lowest}` : `${lowest} to ${highest}`;
	return `
n8n needs its database, sqlite3, which could not be built here. n8n itself is not downloaded yet.
Do one of these, then start the command again:

- Let this machine reach github.com, which has a prebuilt sqlite3.
- Install what builds it, Python 3, make and a C++ compiler:
    Debian, Ubuntu   apt-get install python3 make g++
    macOS            xcode-select --install
    Windows          Visual Studio Build Tools ("Desktop development with C++") and Python
  This also takes the headers of Node.js, which come from nodejs.org or lie beside your Node.js.
- Install Node.js ${range}, if the one that npm has (${bundledNode}) does not run here, as on Alpine Linux.

What npm says: ${log}`;
}
