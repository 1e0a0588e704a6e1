import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Alert } from '../../nodes/WalletScreening/messages/render';
import { itemsOf } from '../../tools/host/workflow';
import { reportOn } from '../../sandbox/reports';
import { sanctioned } from '../support/data/knownAddresses';
import { deliver, hookCredential, secrets } from '../support/n8n/triggers';
import { greenAddress, notGreenAddress } from '../support/templates/templateAddresses';
import { openStage, type Stage, stage } from '../support/templates/stage';
import {
	digestOf,
	type Picture,
	pictureFolder,
	pictureList,
	readPictures,
} from '../support/data/pictures';
import { communityNodesPage, prepareEmptyN8n } from '../support/n8n/communityNodes';
import { type Editor, openEditor } from '../support/n8n/editor';
import { record } from './recording';
import { keepPage, results, takeSlack, visitTrial } from './results';
import {
	blockingPolicy,
	completedNodeName,
	editorWorkflow,
	triggerWebhookId,
	screenNodeName,
	triggerWorkflow,
} from '../support/n8n/editorWorkflows';

const picture = (name: string) => join(pictureFolder, `${name}.png`);

/** The templates whose canvases are shown: one of each group. */
const canvases = [
	'screen-a-wallet',
	'approve-take',
	'sanctions-hit',
	'screen-a-payout-run',
	'watch-bitcoin',
	'seal-the-day',
];

/** The fields of the node's input item. */
const payment = { payment: 'P-1042', amount: '2.5 ETH' };
/** The address of the service on the pictures. */
const serviceAddress = 'https://service.example.com';

/** Hides the buttons that lie over a workflow. */
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
async function takeNodes(page: Page): Promise<Buffer> {
	const found = await page.locator('.vue-flow__node').all();
	const boxes = (await Promise.all(found.map(async (node) => await node.boundingBox()))).filter(
		(box) => box !== null,
	);
	// The name of a node stands below it.
	const x = Math.min(...boxes.map((box) => box.x)) - 40;
	const y = Math.min(...boxes.map((box) => box.y)) - 16;
	const width = Math.max(...boxes.map((box) => box.x + box.width)) + 40 - x;
	const height = Math.max(...boxes.map((box) => box.y + box.height)) + 64 - y;
	return await page.screenshot({ clip: { x, y, width, height } });
}

/** Takes a picture of a template whose credentials are selected. */
async function takeCanvas(stage: Stage, editor: Editor, template: string) {
	const { page } = editor;
	await page.setViewportSize({ width: 1280, height: 800 });
	await editor.openWorkflow(await stage.importTemplate(template));
	await fit(page);
	await page.addStyleTag({ content: withoutControls });
	await mkdir(join(pictureFolder, 'templates'), { recursive: true });
	await writeFile(picture(`templates/${template}`), await takeNodes(page));
}

/** Takes a picture of the trigger after a delivery to its Test URL. */
async function takeTrigger(stage: Stage, editor: Editor): Promise<void> {
	const { page } = editor;
	const { n8n } = stage;
	await page.setViewportSize({ width: 1400, height: 700 });
	const workflow = triggerWorkflow(stage.service);
	// A whole report makes a row of a table as high as the picture.
	workflow.nodes[0]!.parameters = { options: { simplify: true } };
	await editor.openWorkflow(await n8n.saveWorkflow(workflow));
	await editor.openNode(completedNodeName);
	await page.getByText('Webhook URLs', { exact: true }).click();
	await page.getByTestId('ndv').getByText('Production URL', { exact: true }).first().click();
	const heard = page.waitForResponse((answer) => /\/workflows\/.*\/run/.test(answer.url()));
	await editor.executeStep();
	await heard;
	const results = [sanctioned, notGreenAddress, greenAddress].map((address) =>
		reportOn(address, undefined, serviceAddress),
	);
	const body = JSON.stringify({ job_id: 'job_8f14e45f', status: 'completed', results });
	await deliver({ url: `${n8n.url}/webhook-test/${triggerWebhookId}/webhook` }, body);
	const output = page.getByTestId('output-panel');
	await output.getByText('3 items').waitFor();
	await output.getByTestId('radio-button-schema').click();
	await page.addStyleTag({
		content: '[role=tooltip], [data-reka-popper-content-wrapper] { display: none }',
	});
	await page.locator('.el-notification').waitFor({ state: 'hidden' });
	await page.mouse.move(0, 0);
	await page.screenshot({ path: picture('trigger') });
}

async function takeCredentialTest({ n8n, sandbox }: Stage, { page }: Editor): Promise<void> {
	const { keys, baseUrl } = sandbox;
	const service = { apiKey: keys.readWrite, baseUrl };
	const credential = hookCredential(secrets.body, { plan: 'pro' }, service);
	const { id } = await n8n.saveCredential({ ...credential, name: 'Wallet Screening account' });
	await page.setViewportSize({ width: 1200, height: 886 });
	await page.goto(`${n8n.url}/home/credentials/${id}`);
	await page.getByText('Connection tested successfully').waitFor();
	// The name of the service, only on the picture.
	const shown = page.getByTestId('parameter-input-baseUrl').locator('input');
	await shown.evaluate((input, name) => Object.assign(input, { value: name }), serviceAddress);
	const dialog = page.getByTestId('editCredential-modal');
	await dialog.screenshot({ path: picture('credential') });
}

/** Takes a picture of the dialog that installs this package. */
async function takeInstall(): Promise<void> {
	const { start, close } = await prepareEmptyN8n('pictures-install');
	const n8n = await start();
	const { page, close: leave } = await openEditor(n8n);
	try {
		await page.setViewportSize({ width: 980, height: 640 });
		await communityNodesPage(page, n8n.url).fillIn();
		await page.screenshot({ path: picture('install'), animations: 'disabled' });
	} finally {
		await leave();
		await n8n.stop();
		await close();
	}
}

let alert: Alert | undefined;
/** The alert about a sanctioned address, one for all pictures: they show the same time. */
async function createAlert({ n8n, service }: Stage): Promise<Alert> {
	if (alert) return alert;
	const parameters = { ...blockingPolicy, address: sanctioned, options: { alertText: true } };
	const execution = await n8n.runWorkflow(
		await n8n.saveWorkflow(editorWorkflow(service, parameters)),
	);
	alert = itemsOf(execution, screenNodeName)[0]?.json.alert as unknown as Alert;
	return alert;
}

async function takeAlert(stage: Stage, { page }: Editor): Promise<void> {
	const { html } = await createAlert(stage);
	await page.setViewportSize({ width: 640, height: 400 });
	await page.setContent(html);
	await page.screenshot({ path: picture('alert'), fullPage: true });
}

/** A moving picture of few colours, which repeats for ever. */
const movingPng = [
	'-vf',
	'fps=8,split[all][some];[some]palettegen=max_colors=200[colors];[all][colors]paletteuse=dither=none',
	'-plays',
	'0',
	'-f',
	'apng',
];

/**
 * Films what a first user does: pastes a sanctioned address, runs the node, sees it blocked, and
 * gets the alert.
 */
async function takeScreening(
	stage: Stage,
	{ page, ...editor }: Editor,
	path: string,
): Promise<void> {
	const { html } = await createAlert(stage);
	const workflow = editorWorkflow(stage.service, blockingPolicy, [payment]);
	await page.setViewportSize({ width: 1200, height: 700 });
	await editor.openWorkflow(await stage.n8n.saveWorkflow(workflow));
	await editor.openNode(screenNodeName);
	const { say, stop } = await record(page, [...movingPng, path]);
	await say('1. Paste an address');
	await page.getByTestId('parameter-input-address').locator('input').fill(sanctioned);
	await say('2. Run the step');
	await editor.runStep('table');
	await say('3. Your rule decides: block');
	await page.setContent(
		`<body style="margin:0;background:#e9ecf1"><div style="width:640px;margin:16px auto;zoom:.8;background:#fff">${html}</div></body>`,
	);
	await say('4. Your team gets the alert');
	await stop();
}

/** Pictures of the nodes, of the credential and of messages. */
const ofNodes = {
	trigger: takeTrigger,
	install: takeInstall,
	credential: takeCredentialTest,
	screening: takeScreening,
	alert: takeAlert,
	'results/slack': async (stage: Stage, { page }: Editor, path: string) => {
		const { slackBlocks } = await createAlert(stage);
		return await takeSlack(page, slackBlocks.blocks, path);
	},
} satisfies Record<string, (stage: Stage, editor: Editor, path: string) => Promise<string | void>>;

/** Takes one picture. When it fails, the others are taken all the same. */
async function attempt(name: string, { page }: Editor, take: () => Promise<void>): Promise<void> {
	try {
		await take();
	} catch (error) {
		await keepPage(page, name);
		console.error(`${name}: ${(error as Error).message}`);
		process.exitCode = 1;
	}
}

async function takeNodesPictures(names: string[], note: Note): Promise<void> {
	await openStage('pictures', { WEBHOOK_URL: 'https://n8n.example.com/' });
	// The service has a name on the pictures, not a port of this machine.
	const rewrite = (report: { report_id: string }) => ({
		...report,
		report_url: `${serviceAddress}/reports/${report.report_id}`,
	});
	const isScreening = ({ path }: { path: string }) => path === '/v1/screen';
	stage.sandbox.addFault({ when: isScreening, effect: { kind: 'rewrite', rewrite } });
	const editor = await openEditor(stage.n8n);
	try {
		for (const [name, take] of Object.entries(ofNodes).filter(([one]) => names.includes(one)))
			await attempt(name, editor, async () => {
				const text = await take(stage, editor, picture(name));
				await note(name, text ? { text } : {});
			});
		for (const template of canvases.filter((one) => names.includes(`templates/${one}`)))
			await attempt(`templates/${template}`, editor, async () => {
				await takeCanvas(stage, editor, template);
				const templates = { [template]: digestOf(template, 'canvas') };
				await note(`templates/${template}`, { shows: 'canvas', templates });
			});
	} finally {
		await editor.close();
		await stage.close();
	}
}

async function takeTrialPictures(names: string[], note: Note): Promise<void> {
	const { visit, close } = await visitTrial(process.env.TRIAL);
	try {
		for (const [name, [take, template]] of Object.entries(results)) {
			if (!names.includes(name)) continue;
			await attempt(name, visit.editor, async () => {
				const text = await take(visit, picture(name));
				const templates = { [template]: digestOf(template, 'result') };
				await note(name, { shows: 'result', templates, text });
			});
		}
	} finally {
		await close();
	}
}

type Note = (name: string, picture: Picture) => Promise<void>;

/**
 * Takes the pictures of the README and of the pages; arguments name the ones to take. TRIAL is the
 * address of a trial that runs already.
 */
async function main(): Promise<void> {
	const chosen = process.argv.slice(2);
	const isWanted = (name: string) => chosen.length === 0 || chosen.includes(name);
	await mkdir(join(pictureFolder, 'results'), { recursive: true });
	const note: Note = async (name, taken) => {
		const all = Object.entries({ ...readPictures(), [name]: taken }).sort(([a], [b]) =>
			a < b ? -1 : 1,
		);
		await writeFile(pictureList, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
	};
	const ofStage = [...Object.keys(ofNodes), ...canvases.map((one) => `templates/${one}`)];
	const [nodes, trial] = [ofStage.filter(isWanted), Object.keys(results).filter(isWanted)];
	if (nodes.length > 0) await takeNodesPictures(nodes, note);
	if (trial.length > 0) await takeTrialPictures(trial, note);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
