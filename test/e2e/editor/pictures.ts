import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { N8n, Workflow } from '../../../host/instance';
import { projectFolder } from '../../../host/paths';
import { defaultN8nVersion } from '../../../host/versions';
import { reportOn } from '../../../sandbox/reports';
import { signatureHeaders } from '../../../sandbox/webhook';
import { secrets } from '../../support/triggers';
import { greenAddress, notGreenAddress } from '../templates/addresses';
import { type Stage, startStage, webhookUrl } from '../templates/stage';
import { type Editor, openEditor } from './editor';
import {
	alertOf,
	blocking,
	payment,
	sanctioned,
	serviceAddress,
	takeMovingPicture,
} from './movingPicture';
import { completedNode, screeningWorkflow, screenNode, triggerWorkflow } from './workflows';

const folder = join(projectFolder, 'docs/images');
const picture = (name: string) => join(folder, `${name}.png`);
const templates = join(projectFolder, 'templates');

const templateOf = async (name: string) =>
	JSON.parse(await readFile(join(templates, name), 'utf8')) as Workflow;

/** Pixels around the nodes and notes of a template. */
const aroundNotes = { beside: 16, above: 16, below: 16 };
/** Pixels around nodes, below which their names stand. */
const aroundNames = { beside: 64, above: 24, below: 68 };

/** What a canvas shows beside the workflow. */
const withoutControls = `:is([data-test-id=canvas-controls], [class*=executionButtons], .vue-flow__panel,
	[class*=nodeCreatorPlus], [data-test-id*=radio-button]) { visibility: hidden }`;

/** Fits the whole workflow into the window, and waits until it stands still. */
async function fit(page: Page): Promise<void> {
	const zoom = page.locator('.vue-flow__transformationpane');
	await page.keyboard.press('1');
	let [last, place] = ['', await zoom.getAttribute('style')];
	while (place !== last) {
		last = String(place);
		await page.waitForTimeout(500);
		place = await zoom.getAttribute('style');
	}
}

/** The picture of the nodes on the canvas. */
async function takeNodes(page: Page, margin: typeof aroundNotes): Promise<Buffer> {
	const found = await page.locator('.vue-flow__node').all();
	const boxes = (await Promise.all(found.map(async (node) => await node.boundingBox()))).filter(
		(box) => box !== null,
	);
	const x = Math.min(...boxes.map((box) => box.x)) - margin.beside;
	const y = Math.min(...boxes.map((box) => box.y)) - margin.above;
	const width = Math.max(...boxes.map((box) => box.x + box.width)) + margin.beside - x;
	const height = Math.max(...boxes.map((box) => box.y + box.height)) + margin.below - y;
	return await page.screenshot({ clip: { x, y, width, height } });
}

/** Takes a picture of each template as a user sees it after the import. */
async function takeTemplates(n8n: N8n, editor: Editor): Promise<void> {
	const { page } = editor;
	await mkdir(join(folder, 'templates'), { recursive: true });
	await page.setViewportSize({ width: 1500, height: 860 });
	for (const file of await readdir(templates)) {
		await editor.openWorkflow(await n8n.saveWorkflow(await templateOf(file)));
		await fit(page);
		await page.addStyleTag({ content: withoutControls });
		const path = join(folder, 'templates', file.replace('.json', '.png'));
		await writeFile(path, await takeNodes(page, aroundNotes));
	}
}

/** Columns and rows of the payment workflow without its notes. */
const places: Record<string, [column: number, row: number]> = {
	'When a Transaction Comes In': [0, 1],
	'Screen the Sender': [1, 1],
	'Write the Answer': [2, 0],
	'Answer the Caller': [3, 0],
	'What Was Decided?': [2.5, 1],
	'Let It Through': [4, 0],
	'Download the PDF': [4, 1],
	'Send the Team an E-Mail': [5, 1],
	'Warn of the E-Mail': [6, 1],
	'Write the Error Answer': [2, 2],
	'Answer: Not Screened': [3, 2],
	'Write the Alert': [4.5, 2],
	'Tell the Team in Slack': [5.5, 2],
};

/** Takes a picture of both ways through the payment workflow, each after a run with real parts. */
async function takePayment(stage: Stage, editor: Editor): Promise<void> {
	const { page } = editor;
	const { n8n } = stage;
	const whole = await templateOf('screen-incoming-transaction.json');
	const nodes = whole.nodes.filter(({ name }) => name in places);
	const webhook = { webhookId: 'payment', parameters: { path: 'payment' } };
	const changes = Object.fromEntries(
		nodes.map(({ name }) => {
			const [column, row] = places[name]!;
			const position: [number, number] = [column * 240, row * 190];
			return [name, { position, ...(name === 'When a Transaction Comes In' && webhook) }];
		}),
	);
	const workflow = await stage.importTemplate({ ...whole, nodes }, changes);
	await n8n.publishWorkflow(workflow);
	await page.setViewportSize({ width: 1900, height: 900 });

	const ways: Array<[caption: string, picture: Buffer]> = [];
	for (const [from, colour, caption] of [
		[greenAddress, '#0a7d3c', 'A clean sender: the answer is 200, and the payment goes through.'],
		[
			sanctioned,
			'#c02519',
			'A sanctioned sender: the answer is 409, and the team gets an e-mail with the PDF and a Slack message.',
		],
	] as const) {
		await fetch(webhookUrl(stage, 'payment'), {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...stage.callerHeader },
			body: JSON.stringify({ transaction_id: 'T-1', from, chain: 'ETH' }),
		});
		const [newest] = await n8n.executionsOf(workflow);
		await n8n.finishedExecution(newest!.id);
		await page.goto(`${n8n.url}/workflow/${workflow.id}/executions/${newest!.id}`);
		await page.getByTestId('canvas-node').first().waitFor();
		await page.addStyleTag({
			content: `${withoutControls} .vue-flow__background { display: none }`,
		});
		await page.locator('.vue-flow__pane').click({ position: { x: 8, y: 8 } });
		await fit(page);
		const shot = await takeNodes(page, aroundNames);
		ways.push([`<h2 style="color:${colour}">${caption}</h2>`, shot]);
	}
	await page.setViewportSize({ width: 1500, height: 600 });
	await page.setContent(
		`<body style="margin:0;background:#fff;font:16px sans-serif">${ways
			.map(
				([caption, shot]) =>
					`<div style="padding:4px 24px">${caption}</div><img style="width:100%" src="data:image/png;base64,${shot.toString('base64')}">`,
			)
			.join('')}</body>`,
	);
	await page.screenshot({ path: picture('payment'), fullPage: true });
}

async function takeNode(stage: Stage, editor: Editor): Promise<void> {
	const { page } = editor;
	const workflow = await stage.n8n.saveWorkflow(
		screeningWorkflow(stage.service, { ...blocking, address: '={{ $json.from }}' }, [
			{ ...payment, from: sanctioned },
		]),
	);
	await page.setViewportSize({ width: 1500, height: 1160 });
	await editor.openWorkflow(workflow);
	await editor.openNode(screenNode);
	await editor.executeStep();
	const output = page.getByTestId('output-panel');
	await output.getByTestId('node-run-status-success').waitFor();
	await output.getByTestId('radio-button-json').click();
	await page.locator('.el-notification').waitFor({ state: 'hidden' });
	await page.mouse.move(0, 0);
	await page.screenshot({ path: picture('node') });
}

/** Takes a picture of the trigger after a delivery to its Test URL. */
async function takeTrigger(stage: Stage, editor: Editor): Promise<void> {
	const { page } = editor;
	const { n8n } = stage;
	const webhookId = '5e6f3f0a-3f0a-4c1e-9d63-6a2f7b1c0d11';
	await page.setViewportSize({ width: 1500, height: 960 });
	await editor.openWorkflow(await n8n.saveWorkflow(triggerWorkflow(stage.service)));
	await editor.openNode(completedNode);
	await page.getByText('Webhook URLs', { exact: true }).click();
	await page.getByTestId('ndv').getByText('Production URL', { exact: true }).first().click();
	const heard = page.waitForResponse((answer) => /\/workflows\/.*\/run/.test(answer.url()));
	await editor.executeStep();
	await heard;
	const results = [sanctioned, notGreenAddress, greenAddress].map((address) =>
		reportOn(address, undefined, serviceAddress),
	);
	const body = JSON.stringify({ job_id: 'job_8f14e45f', status: 'completed', results });
	await fetch(`${n8n.url}/webhook-test/${webhookId}/webhook`, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			...signatureHeaders({ scheme: 'body', secret: secrets.body }, { body, id: '', seconds: 0 }),
		},
		body,
	});
	const output = page.getByTestId('output-panel');
	await output.getByText('3 items').waitFor();
	await output.getByTestId('radio-button-json').click();
	await page.addStyleTag({
		content: '[role=tooltip], [data-reka-popper-content-wrapper] { display: none }',
	});
	await page.locator('.el-notification').waitFor({ state: 'hidden' });
	await page.mouse.move(0, 0);
	await page.screenshot({ path: picture('trigger') });
}

async function takeCredentialTest({ n8n, sandbox }: Stage, { page }: Editor): Promise<void> {
	const { id } = await n8n.saveCredential({
		name: 'Wallet Screening API',
		type: 'walletScreeningApi',
		data: {
			...{ apiKey: sandbox.keys.readWrite, baseUrl: sandbox.baseUrl, plan: 'pro' },
			webhookSecret: secrets.body,
		},
	});
	await page.setViewportSize({ width: 1200, height: 960 });
	await page.goto(`${n8n.url}/home/credentials/${id}`);
	await page.getByText('Connection tested successfully').waitFor();
	// The name of the service, only on the picture.
	const shown = page.getByTestId('parameter-input-baseUrl').locator('input');
	await shown.evaluate((input, name) => Object.assign(input, { value: name }), serviceAddress);
	const dialog = page.getByTestId('editCredential-modal');
	await dialog.screenshot({ path: picture('credential') });
}

async function takeAlert(stage: Stage, { page }: Editor): Promise<void> {
	const { html } = await alertOf(stage);
	await page.setViewportSize({ width: 640, height: 400 });
	await page.setContent(html);
	await page.screenshot({ path: picture('alert'), fullPage: true });
}

/** Takes the pictures of the README and of the pages in the real editor; arguments name the ones to take. */
async function main(): Promise<void> {
	const chosen = process.argv.slice(2);
	const isWanted = (name: string) => chosen.length === 0 || chosen.includes(name);
	const stage = await startStage('pictures', defaultN8nVersion, {
		WEBHOOK_URL: 'https://n8n.example.com/',
	});
	// The service has a name on the pictures, not a port of this machine.
	stage.sandbox.addFault({
		when: ({ path }) => path === '/v1/screen',
		effect: {
			kind: 'rewrite',
			rewrite: (report) => ({
				...report,
				report_url: `${serviceAddress}/reports/${report.report_id}`,
			}),
		},
	});
	const editor = await openEditor(stage.n8n);
	try {
		await mkdir(folder, { recursive: true });
		for (const [name, take] of [
			['payment', takePayment],
			['node', takeNode],
			['trigger', takeTrigger],
			['credential', takeCredentialTest],
			['screening', takeMovingPicture],
			['alert', takeAlert],
			['templates', async ({ n8n }: Stage) => await takeTemplates(n8n, editor)],
		] as const) {
			if (isWanted(name)) await take(stage, editor, picture(name));
		}
	} finally {
		await editor.close();
		await stage.close();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
