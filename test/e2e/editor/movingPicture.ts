import { writeFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import UPNG from 'upng-js';
import { itemsOf } from '../../../tools/host/instance';
import type { Alert } from '../../../nodes/WalletScreening/risk/alert';
import type { Stage } from '../templates/stage';
import type { Editor } from './editor';
import { screeningWorkflow, screenNode } from './workflows';

/** On the list of sanctioned addresses of the US Treasury, and the example of the README. */
export const sanctioned = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';

/** What the input of the node holds. */
export const payment = { payment: 'P-1042', amount: '2.5 ETH' };

/** The address of the service on the pictures. */
export const serviceAddress = 'https://service.example.com';

/** A policy that blocks a sanctioned address. */
export const blocking = {
	addDecision: true,
	decisionRules: {
		rules: [
			{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review' },
			{ field: 'sanctions', operator: 'gte', value: '0.5', outcome: 'block' },
		],
	},
};

/** The alert about a sanctioned address. */
export async function alertOf({ n8n, service }: Stage): Promise<Alert> {
	const parameters = { ...blocking, address: sanctioned, options: { alertText: true } };
	const workflow = await n8n.saveWorkflow(screeningWorkflow(service, parameters));
	const execution = await n8n.runWorkflow(workflow);
	return itemsOf(execution, screenNode)[0]?.json.alert as unknown as Alert;
}

const size = { width: 1200, height: 700 };
/** Colours in the file. */
const colours = 200;

/** Where the pointer is drawn. */
interface Point {
	x: number;
	y: number;
}

/** Draws the pointer and the caption over the page. */
async function draw(page: Page, { x, y }: Point, caption: string): Promise<void> {
	const pointer = `<svg viewBox="0 0 24 24" style="position:fixed;z-index:99999;left:${x}px;top:${y}px;width:26px;pointer-events:none">
		<path d="M3 2l7 18 2.5-7.5L20 10z" fill="#111" stroke="#fff" stroke-width="1.5"/></svg>`;
	const box = `<div style="position:fixed;z-index:99998;left:40px;bottom:48px;width:240px;padding:14px 18px;border-radius:8px;
		background:#1f2a44;color:#fff;font:600 20px sans-serif">${caption}</div>`;
	await page.evaluate(`(() => {
		const over = document.getElementById('drawn-over') ?? document.createElement('div');
		over.id = 'drawn-over';
		over.innerHTML = ${JSON.stringify(pointer + box)};
		document.body.append(over);
	})()`);
}

/** Films what a first user does: pastes a sanctioned address, runs the node, sees it blocked, and gets the alert. */
export async function takeMovingPicture(
	stage: Stage,
	{ page, openWorkflow, openNode }: Editor,
	path: string,
): Promise<void> {
	const frames: ArrayBuffer[] = [];
	const delays: number[] = [];
	let pointer: Point = { x: size.width - 80, y: size.height - 120 };

	/** Adds what the page shows, for so many milliseconds. */
	async function show(caption: string, milliseconds: number): Promise<void> {
		await draw(page, pointer, caption);
		const shot = await page.screenshot({ animations: 'disabled' });
		const png = UPNG.decode(new Uint8Array(shot).buffer);
		frames.push(UPNG.toRGBA8(png)[0]!);
		delays.push(milliseconds);
	}

	async function moveTo(target: Locator, caption: string): Promise<void> {
		const box = (await target.boundingBox())!;
		const end = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
		const start = pointer;
		const steps = 6;
		for (let step = 1; step <= steps; step++) {
			const share = 1 - (1 - step / steps) ** 2;
			pointer = {
				x: start.x + (end.x - start.x) * share,
				y: start.y + (end.y - start.y) * share,
			};
			await show(caption, 80);
		}
	}

	const { html } = await alertOf(stage);
	const workflow = await stage.n8n.saveWorkflow(
		screeningWorkflow(stage.service, blocking, [payment]),
	);
	await page.setViewportSize(size);
	await openWorkflow(workflow);
	await openNode(screenNode);

	const address = page.getByTestId('parameter-input-address').locator('input');
	const paste = '1. Paste an address';
	await show(paste, 700);
	await moveTo(address, paste);
	await address.click();
	await address.fill(sanctioned);
	await show(paste, 1300);

	const run = '2. Run the step';
	const execute = page.getByTestId('ndv').getByTestId('node-execute-button');
	await moveTo(execute, run);
	await show(run, 600);
	await execute.click();

	const output = page.getByTestId('output-panel');
	await output.getByTestId('node-run-status-success').waitFor();
	await output.getByTestId('radio-button-table').click();
	await page.locator('.el-notification').waitFor({ state: 'hidden' });
	const blocked = '3. Your rule decides: block';
	await show('The report comes', 1800);
	await moveTo(output.getByText('block', { exact: true }).first(), blocked);
	await show(blocked, 2200);

	await page.setContent(
		`<body style="margin:0;background:#e9ecf1"><div style="width:640px;margin:16px auto;zoom:.8;background:#fff">${html}</div></body>`,
	);
	pointer = { x: size.width - 80, y: size.height - 120 };
	await show('4. Your team gets the alert', 4000);

	await writeFile(path, Buffer.from(UPNG.encode(frames, size.width, size.height, colours, delays)));
}
