import { runCommand } from '../../../tools/host/child';
import { installN8n } from '../../../tools/host/install';
import { locate, requireProgram, testPrograms } from '../../../tools/host/programs';
import { projectFolder } from '../../../tools/host/paths';
import { reportProgress } from '../../../tools/host/progress';
import { defaultN8nVersion } from '../../../tools/host/versions';

/** Installs the programs that `npm run test:all` starts and that this system does not have. */
async function installPrograms(): Promise<void> {
	const missing = testPrograms.filter((program) => locate(program) === undefined);
	const names = missing.map(({ name }) => name).join(', ');
	if (missing.length > 0) {
		if (process.getuid?.() !== 0 || process.platform !== 'linux') {
			throw new Error(
				`Missing: ${names}. This command can install them only as root on Debian or Ubuntu. Install them yourself, then start it again.`,
			);
		}
		// Run level 1 keeps the installed services from starting.
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
		const apt = (...words: string[]) =>
			runCommand(['apt-get', ...words], { cwd: projectFolder, env });
		const options = ['--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=600'];
		await reportProgress(`Installing ${names}`, async () => {
			await apt('update');
			await apt('install', ...options, ...missing.map(({ debian }) => debian));
		});
	}
	for (const program of testPrograms) console.log(`${program.name}: ${requireProgram(program)}`);
}

/** Installs all that `npm run test:all` starts. */
async function main(): Promise<void> {
	await installPrograms();
	await installN8n(defaultN8nVersion);
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
