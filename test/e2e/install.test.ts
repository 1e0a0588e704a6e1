/**
 * The life of the package in an n8n whose owner knows it by its name: n8n itself installs, updates
 * and removes it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { name, version as current } from '../../package.json';
import { startSandbox } from '../../sandbox/server';
import type { N8n } from '../../tools/host/instance';
import { logIn } from '../../tools/host/rest';
import { n8nVersions } from '../../tools/host/versions';
import { sanctioned as address } from '../support/data/knownAddresses';
import { withPackage } from '../support/n8n/unpackedPackage';
import { screeningNode, serviceCredential, workflowOf } from '../support/n8n/workflows';
import { communityNodesPage, prepareEmptyN8n } from '../support/n8n/communityNodes';
import { type Editor, openEditor } from '../support/n8n/editor';

const next = current.replace(/\d+$/, (patch) => String(Number(patch) + 1));
const hook = {
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	webhookId: 'payments',
	parameters: { path: 'payments', responseMode: 'lastNode' },
};

/** Makes an unpacked package the next version of itself, which evidence names. */
async function raiseVersion(folder: string): Promise<void> {
	const files = ['package.json', 'dist/nodes/WalletScreening/package.js'];
	for (const file of files.map((file) => join(folder, file))) {
		const text = await readFile(file, 'utf8');
		const raised = text.replace(`"version": "${current}"`, `"version": "${next}"`);
		await writeFile(file, raised.replaceAll(`${name}@${current}`, `${name}@${next}`));
	}
}

test.each(Object.keys(n8nVersions))(
	'n8n %s installs, updates, keeps and removes the package, and its workflow goes on',
	async (version) => {
		const sandbox = await startSandbox();
		const { registry, start, close } = await prepareEmptyN8n('install', version);
		let n8n: N8n | undefined;
		let editor: Editor | undefined;
		try {
			await withPackage(async (folder) => await registry.publish(folder));
			n8n = await start();
			editor = await openEditor(n8n);
			const page = communityNodesPage(editor.page, n8n.url);
			await page.fillIn();
			await page.install();
			await page.waitForVersion(current);

			const credential = await n8n.saveCredential(
				serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl),
			);
			expect(await n8n.testCredential(credential)).toMatchObject({ status: 'OK' });
			const parameters = { address, options: { addEvidence: true } };
			const workflow = await n8n.saveWorkflow(
				workflowOf('Payments', hook, screeningNode(credential, parameters)),
			);
			await n8n.publishWorkflow(workflow);
			const screened = async () => await (await fetch(`${n8n!.url}/webhook/payments`)).json();
			const byVersion = (version: string) => ({
				level: 'red',
				address,
				evidence: { package: `${name}@${version}` },
			});
			expect(await screened()).toMatchObject(byVersion(current));

			await withPackage(async (folder) => {
				await raiseVersion(folder);
				await registry.publish(folder);
			});
			await page.update();
			await page.waitForVersion(next);
			expect(await screened()).toMatchObject(byVersion(next));

			await editor.close();
			await n8n.stop();
			n8n = await start();
			expect(await screened()).toMatchObject(byVersion(next));

			const rest = await logIn(n8n.url, n8n.login);
			await rest('DELETE', `/community-packages?name=${name}`);
			const types = (await n8n.nodeTypes()).map((type) => type.name);
			expect(types.filter((type) => type.startsWith(name))).toEqual([]);
		} finally {
			await editor?.close();
			await n8n?.stop();
			await close();
			await sandbox.close();
		}
	},
);
