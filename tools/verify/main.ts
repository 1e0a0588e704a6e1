import { verify } from './verify';

async function main() {
	const findings = await verify();
	for (const finding of findings) process.stdout.write(`${finding}\n`);
	process.stdout.write(
		findings.length === 0
			? "The package is ready to be published: n8n's check finds nothing in its sources or in the tarball.\n"
			: `${findings.length} findings: the package must not be published.\n`,
	);
	process.exitCode = findings.length === 0 ? 0 : 1;
}

void main();
