import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../tools/host/paths';
import { scan } from '../../tools/verify/scanner';
import { findingsIn, verify, withPackage } from '../../tools/verify/verify';

const minutes = 60_000;

it(
	"passes n8n's check for verified packages without an error or a warning",
	async () => {
		expect(await verify()).toEqual([]);
	},
	10 * minutes,
);

describe("n8n's check of the sources", () => {
	let findings: string[];

	beforeAll(async () => {
		const folder = await mkdtemp(join(tmpdir(), 'wallet-screening-sources-'));
		try {
			const sources = ['nodes', 'credentials', 'package.json'];
			for (const source of sources)
				await cp(join(projectFolder, source), join(folder, source), { recursive: true });
			await appendFile(
				join(folder, 'nodes/WalletScreening/WalletScreening.node.ts'),
				[
					'import { readFileSync } from "node:fs";',
					'// eslint-disable-next-line',
					'console.log(process.env.HOME);',
					'setTimeout(() => undefined, 1);',
				].join('\n'),
			);
			const packageJson = join(folder, 'package.json');
			const { homepage, ...manifest } = JSON.parse(await readFile(packageJson, 'utf8')) as Record<
				string,
				unknown
			>;
			if (homepage === undefined) throw new Error('Nothing to take away from package.json');
			await writeFile(
				packageJson,
				JSON.stringify({ ...manifest, dependencies: { axios: '1.0.0' } }, undefined, 2),
			);
			findings = await scan(folder, 'sources');
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	}, 10 * minutes);

	it.each([
		['a write to the console, comments to the contrary notwithstanding', 'no-console'],
		['a read of the environment', 'no-restricted-globals'],
		['a module that is not allowed', 'no-restricted-imports'],
		['a dependency', 'no-runtime-dependencies'],
		['what is worth a warning alone', 'require-homepage'],
	])('finds %s', (_, rule) => {
		expect(findings.filter((finding) => finding.includes(rule))).not.toEqual([]);
	});
});

it(
	'finds in the tarball what no source holds',
	async () => {
		const findings = await withPackage(async (folder) => {
			const code = join(folder, 'dist/nodes/WalletScreening/WalletScreening.node.js');
			await appendFile(code, '\nconsole.log(process.env);\n//# sourceMappingURL=x.map');
			return await findingsIn(folder);
		});
		expect(findings.map((finding) => finding.replace(/^.*(: |\()/, ''))).toEqual([
			'writes to the console',
			'names a map that is not there',
			expect.stringContaining('no-console'),
			expect.stringContaining('no-restricted-globals'),
		]);
	},
	10 * minutes,
);
