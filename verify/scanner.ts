import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { npm, quiet, run } from '../host/child';
import { installOnce } from '../host/install';
import { step } from '../host/progress';

/** Which files of a folder n8n's check looks at. */
export type Leg = 'sources' | 'tarball';

/** What n8n runs before it verifies a package. The TypeScript that it brings along has no compiler to call. */
const dependencies = { '@n8n/scan-community-package': '0.32.0', typescript: '5.9.3' };

async function installScanner(): Promise<string> {
	return installOnce('scan-community-package', { dependencies }, async (cwd) => {
		await step("Downloading n8n's check for community packages, once", () =>
			run([...npm, 'install', '--ignore-scripts', ...quiet], { cwd }),
		);
	});
}

/**
 * Runs n8n's own check for verified packages on a folder.
 *
 * @returns its errors and its warnings, one a line; none where the package would pass
 * @throws when it cannot be run, or finds nothing to look at
 */
export async function scan(folder: string, leg: Leg): Promise<string[]> {
	const scanner = await installScanner();
	const found = await run(
		[
			process.execPath,
			join(__dirname, 'scan.mjs'),
			pathToFileURL(join(scanner, 'node_modules/')).href,
			folder,
			leg,
		],
		// The rules take every file for one of their own tests where they find themselves in a test.
		{ cwd: scanner, env: { ...process.env, NODE_ENV: 'production' } },
	);
	return JSON.parse(found) as string[];
}
