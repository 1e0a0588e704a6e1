import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { itemsOf, type N8n, startFreshInstance, type Workflow } from '../../../host/instance';
import { projectFolder } from '../../../host/paths';
import type { Alert } from '../../../nodes/WalletScreening/risk/alert';
import { startSandbox } from '../../../sandbox/server';
import { serviceCredential } from '../../support/workflows';
import { type Editor, openEditor } from './editor';
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

const templates = join(projectFolder, 'templates');

/** Pixels around a canvas. */
const margin = 16;

/** Takes a picture of each template as a user sees it after the import. */
async function takeCanvases(n8n: N8n, editor: Editor): Promise<void> {
	const { page } = editor;
	await mkdir(join(folder, 'templates'), { recursive: true });
	await page.setViewportSize({ width: 1500, height: 860 });
	for (const file of await readdir(templates)) {
		const template = JSON.parse(await readFile(join(templates, file), 'utf8')) as Workflow;
		await editor.openWorkflow(await n8n.saveWorkflow(template));
		const zoom = page.locator('.vue-flow__transformationpane');
		// The key fits the whole workflow into the window, which moves for a moment.
		await page.keyboard.press('1');
		let [last, place] = ['', await zoom.getAttribute('style')];
		while (place !== last) {
			last = String(place);
			await page.waitForTimeout(500);
			place = await zoom.getAttribute('style');
		}
		await page.addStyleTag({
			content: `:is([data-test-id=canvas-controls], [class*=executionButtons], .vue-flow__panel,
				[class*=nodeCreatorPlus], [data-test-id*=radio-button]) { visibility: hidden }`,
		});
		const nodes = await page.locator('.vue-flow__node').all();
		const found = await Promise.all(nodes.map(async (node) => await node.boundingBox()));
		const boxes = found.filter((box) => box !== null);
		const x = Math.min(...boxes.map((box) => box.x)) - margin;
		const y = Math.min(...boxes.map((box) => box.y)) - margin;
		const width = Math.max(...boxes.map((box) => box.x + box.width)) + margin - x;
		const height = Math.max(...boxes.map((box) => box.y + box.height)) + margin - y;
		const path = join(folder, 'templates', file.replace('.json', '.png'));
		await page.screenshot({ path, clip: { x, y, width, height } });
	}
}

/** Takes the pictures of the README and of the index of templates in the real editor. */
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

		await takeCanvases(n8n, editor);

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
