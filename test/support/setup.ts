import { run } from '../../tools/host/child';
import { locate, parts } from '../../tools/host/parts';
import { projectFolder } from '../../tools/host/paths';
import { step } from '../../tools/host/progress';

/** Installs the programs of the system that `npm run test:all` starts, as far as they are missing. */
async function main(): Promise<void> {
	const missing = parts.filter((part) => locate(part) === undefined);
	const names = missing.map(({ name }) => name).join(', ');
	if (missing.length > 0) {
		if (process.getuid?.() !== 0 || process.platform !== 'linux') {
			throw new Error(
				`Missing: ${names}. This command installs them on Debian or Ubuntu, as root. Elsewhere, install them.`,
			);
		}
		// In this run level no service starts by itself.
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
		const apt = (...given: string[]) => run(['apt-get', ...given], { cwd: projectFolder, env });
		const options = ['--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=600'];
		await step(`Installing ${names}`, async () => {
			await apt('update');
			await apt('install', ...options, ...missing.map(({ debian }) => debian));
		});
	}
	for (const part of parts) console.log(`${part.name}: ${locate(part)}`);
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
