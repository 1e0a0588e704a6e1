import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { run, start } from '../../host/child';
import { installN8n } from '../../host/install';
import { projectFolder } from '../../host/paths';
import { n8nVersions, type N8nVersionName } from '../../host/versions';
import { type Line, tableOf, withTable } from './table';

/** What was tested together, and how jest is told to. */
interface Combination extends Line {
	readonly projects: readonly string[];
	readonly tests?: string;
}

const versionOf = async (packageFolder: string): Promise<string> => {
	const text = await readFile(join(packageFolder, 'package.json'), 'utf8');
	return (JSON.parse(text) as { version: string }).version;
};
const ownModule = (name: string) => versionOf(join(projectFolder, 'node_modules', name));
const majorOf = (nodeVersion: string) => /\d+/.exec(nodeVersion)?.[0] ?? nodeVersion;

/** The smoke test in a real n8n, with the Node that runs it and the zod that it gives to packages. */
async function inRealN8n(version: N8nVersionName): Promise<Combination> {
	const { folder, command } = await installN8n(version);
	const [node = ''] = command;
	return {
		n8n: version,
		node: majorOf(await run([node, '--version'], { cwd: folder })),
		zod: await versionOf(join(folder, 'node_modules/zod')),
		ran: 'the nodes end to end, in a real n8n',
		projects: ['smoke'],
		tests: `n8n ${version} `,
	};
}

/** The unit tests, and the integration tests in the engine of n8n that this package is developed with. */
async function inEngine(zod: string, ...projects: string[]): Promise<Combination> {
	return {
		n8n: `${await ownModule('n8n-core')} (engine)`,
		node: majorOf(process.version),
		zod: await ownModule(zod),
		ran: 'all unit and integration tests',
		projects,
	};
}

async function passes({ projects, tests }: Combination): Promise<boolean> {
	const jest = join(projectFolder, 'node_modules/jest/bin/jest.js');
	const filter = tests === undefined ? [] : ['--testNamePattern', tests];
	// A slow machine must not look like a version that does not work.
	const patience = ['--testTimeout', '120000'];
	const options = ['--config', 'jest.config.js', '--selectProjects', ...projects];
	const child = start(
		[process.execPath, jest, ...options, ...patience, ...filter],
		{ cwd: projectFolder },
		2,
	);
	const [code] = (await once(child, 'exit')) as [number | null];
	return code === 0;
}

async function main(): Promise<void> {
	const combinations: Combination[] = [];
	for (const version of Object.keys(n8nVersions) as N8nVersionName[]) {
		combinations.push(await inRealN8n(version));
	}
	combinations.push(await inEngine('zod', 'unit', 'integration'), await inEngine('zod4', 'zod4'));

	const failed: Line[] = [];
	for (const combination of combinations) {
		if (!(await passes(combination))) failed.push(combination);
	}
	if (failed.length > 0) throw new Error(`Failed:\n${tableOf(failed)}`);

	console.log(tableOf(combinations));
	const file = join(projectFolder, 'README.md');
	const text = withTable(await readFile(file, 'utf8'), tableOf(combinations));
	await writeFile(file, await format(text, { parser: 'markdown' }));
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
