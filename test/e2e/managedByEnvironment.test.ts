/**
 * Tests the installation by environment variables, as in containers. n8n 3 will install community
 * packages in this way, too.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { name, version } from '../../package.json';
import type { N8n } from '../../tools/host/instance';
import type { Workflow } from '../../tools/host/workflow';
import { projectFolder } from '../../tools/host/paths';
import { dataOf, logIn } from '../../tools/host/rest';
import { withPackage } from '../support/n8n/unpackedPackage';
import { prepareEmptyN8n } from '../support/n8n/communityNodes';

const templates = join(projectFolder, 'templates');

/** The result of n8n's check of an installation for the next major version. */
interface Report {
	workflowResults: unknown[];
	instanceResults: Array<{ ruleId: string }>;
}

const typesOf = async (n8n: N8n) =>
	(await n8n.nodeTypes()).map((type) => type.name).filter((type) => type.startsWith(name));

test('n8n installs the package that its environment names with its checksum, and no other', async () => {
	const { registry, start, close } = await prepareEmptyN8n('managed');
	let n8n: N8n | undefined;
	const restart = async (checksum: string) => {
		await n8n?.stop();
		n8n = await start({
			N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
			N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
			N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name, version, checksum }]),
		});
		return n8n;
	};
	try {
		const checksum = await withPackage(async (folder) => await registry.publish(folder));
		const refused = await restart(`${checksum}x`);
		expect(await typesOf(refused)).toEqual([]);
		expect(await refused.log()).toContain('Failed to verify package checksum');

		const installed = await restart(checksum);
		const types = ['', 'Tool', 'Trigger'].map((end) => `${name}.walletScreening${end}`);
		expect((await typesOf(installed)).sort()).toEqual(types);

		const rest = await logIn(installed.url, installed.login);
		const removal = rest('DELETE', `/community-packages?name=${name}`);
		await expect(removal).rejects.toThrow('managed via environment variables');

		for (const file of await readdir(templates)) {
			const template = await readFile(join(templates, file), 'utf8');
			await installed.saveWorkflow(JSON.parse(template) as Workflow);
		}
		// n8n's own rules for n8n 3.
		const check = rest('POST', '/breaking-changes/report/refresh?version=v3');
		const { report } = await dataOf<{ report: Report }>(check);
		expect(report.workflowResults).toEqual([]);
		const ofInstance = report.instanceResults.map(({ ruleId }) => ruleId);
		expect(ofInstance).not.toContain('unverified-packages-v3');
	} finally {
		await n8n?.stop();
		await close();
	}
});
