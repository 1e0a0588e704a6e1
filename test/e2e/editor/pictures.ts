import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { itemsOf, startFreshInstance } from '../../../host/instance';
import { projectFolder } from '../../../host/paths';
import type { Alert } from '../../../nodes/WalletScreening/risk/alert';
import { startSandbox } from '../../../sandbox/server';
import { serviceCredential } from '../../support/workflows';
import { openEditor } from './editor';
import { completedNode, screeningWorkflow, screenNode, triggerWorkflow } from './workflows';

const folder = join(projectFolder, 'docs/images');
const picture = (name: string) => join(folder, `${name}.png`);

/** On the list of sanctioned addresses of the US Treasury. */
const sanctioned = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';

const blocking = {
	address: sanctioned,
	addDecision: true,
	decisionRules: {
		rules: [{ field: 'sanctions', operator: 'gte', value: '0.5', outcome: 'block' }],
	},
};

/** Takes the pictures of the README in the real editor. */
async function main(): Promise<void> {
	const sandbox = await startSandbox();
	const n8n = await startFreshInstance('pictures');
	const editor = await openEditor(n8n, { width: 1360, height: 860 });
	try {
		await mkdir(folder, { recursive: true });
		const { page } = editor;
		const credential = await n8n.saveCredential(
			serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl),
		);
		const workflow = await n8n.saveWorkflow(
			screeningWorkflow(credential, { ...blocking, options: { simplify: true } }),
		);

		await editor.openWorkflow(workflow);
		await editor.openNode(screenNode);
		await editor.executeStep();
		const output = page.getByTestId('output-panel');
		await output.getByTestId('node-run-status-success').waitFor();
		await output.getByTestId('radio-button-json').click();
		await page.locator('.el-notification').waitFor({ state: 'hidden' });
		await page.screenshot({ path: picture('node') });

		await editor.openWorkflow(await n8n.saveWorkflow(triggerWorkflow(credential)));
		await editor.openNode(completedNode);
		await page.getByText('Webhook URLs', { exact: true }).click();
		await page.getByTestId('ndv').getByText('Production URL', { exact: true }).first().click();
		await page.mouse.move(0, 0);
		await page.screenshot({ path: picture('trigger') });

		const alerting = await n8n.saveWorkflow(
			screeningWorkflow(credential, { ...blocking, options: { alertText: true } }),
		);
		const execution = await n8n.runWorkflow(alerting);
		const { html } = itemsOf(execution, screenNode)[0]?.json.alert as unknown as Alert;
		await page.setViewportSize({ width: 640, height: 400 });
		await page.setContent(html);
		await page.screenshot({ path: picture('alert'), fullPage: true });
	} finally {
		await editor.close();
		await n8n.stop();
		await sandbox.close();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
