import { join } from 'node:path';
import { run } from '../host/child';

/** Which files of a folder n8n's check looks at. */
export type Leg = 'sources' | 'tarball';

/**
 * Runs n8n's own check for verified packages on a folder.
 *
 * @returns its errors and its warnings, one a line; none if the package passes
 * @throws when it cannot be run
 */
export async function scan(folder: string, leg: Leg): Promise<string[]> {
	const found = await run([process.execPath, join(__dirname, 'scan.mjs'), folder, leg], {
		cwd: __dirname,
		// In a test the rules take every file for one of n8n's own tests.
		env: { ...process.env, NODE_ENV: 'production' },
	});
	return JSON.parse(found) as string[];
}
