import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Browser, chromium, type Locator, type Page, selectors } from 'playwright-core';
import type { N8n, Saved, Workflow } from '../../../tools/host/instance';
import { chromium as part, required } from '../../../tools/host/parts';

/** n8n's editor in a browser, with its owner logged in. */
export interface Editor {
	readonly page: Page;
	openWorkflow(workflow: Saved<Workflow>): Promise<void>;
	/** Opens the panel of a node of the workflow. */
	openNode(name: string): Promise<void>;
	/** Waits until the nodes that the editor marks as faulty are these. */
	marks(...names: string[]): Promise<void>;
	/** Waits until the open node shows parameters with these labels, in this order, and no others. */
	shows(...labels: string[]): Promise<void>;
	/** The options that "Add option" offers, in order, if there are several. */
	addableOptions(): Promise<string[]>;
	/** Adds the option of a collection that has only one. */
	addOnlyOption(): Promise<void>;
	/** Picks an option of a parameter of the open node. */
	choose(parameter: string, option: string): Promise<void>;
	switchOn(parameter: string): Promise<void>;
	/** Runs the open node, or stops where it fails. */
	executeStep(): Promise<void>;
	close(): Promise<void>;
}

const quiet = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

async function launch(): Promise<Browser> {
	const executablePath = required(part);
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({ executablePath, args: quiet });
}

async function logIn(page: Page, { url, login }: N8n): Promise<void> {
	await page.goto(`${url}/signin`);
	await page.locator('input[type=email]').fill(login.email);
	await page.locator('input[type=password]').fill(login.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL(/\/home\//);
}

/** Looks until it sees what is expected, and fails with the difference after 15 seconds. */
export async function becomes<T>(expected: T, look: () => Promise<T>): Promise<void> {
	const deadline = Date.now() + 15_000;
	let seen = await look();
	while (!isDeepStrictEqual(seen, expected) && Date.now() < deadline) {
		await sleep(50);
		seen = await look();
	}
	expect(seen).toEqual(expected);
}

export interface EditorOptions {
	readonly colorScheme?: 'light' | 'dark';
	readonly width?: number;
	readonly height?: number;
}

/** Opens the editor of an n8n in the Chromium of this machine. */
export async function openEditor(
	n8n: N8n,
	{ colorScheme = 'light', width = 1400, height = 900 }: EditorOptions = {},
): Promise<Editor> {
	const browser = await launch();
	const page = await browser.newPage({ viewport: { width, height }, colorScheme });
	await logIn(page, n8n);
	const panel = page.getByTestId('ndv');
	const parameters = panel.getByTestId('node-parameters');
	const field = (parameter: string): Locator =>
		parameters.getByTestId(`parameter-input-${parameter}`).first();

	return {
		page,
		async openWorkflow({ id }) {
			await page.goto(`${n8n.url}/workflow/${id}`);
			await page.getByTestId('canvas-node').first().waitFor();
		},
		async openNode(name) {
			await page.locator(`[data-test-id=canvas-node][data-node-name="${name}"]`).dblclick();
			await parameters.waitFor();
		},
		async marks(...names) {
			const marked = page.locator('[data-test-id=canvas-node]:has([data-test-id=node-issues])');
			await becomes(names.sort(), async () => {
				const nodes = await marked.evaluateAll((all) => all.map(({ dataset }) => dataset.nodeName));
				return nodes.map(String).sort();
			});
		},
		async shows(...labels) {
			const shown = parameters.getByTestId('input-label').filter({ visible: true });
			// Behind a label stand the buttons that show while the pointer is over it, and the hint.
			await becomes(labels, async () =>
				(await shown.allInnerTexts()).map((text) => text.split('\n')[0]!.trim()),
			);
		},
		async addableOptions() {
			await parameters.getByTestId('collection-parameter-add').click();
			const offered = page.getByTestId('collection-parameter-option').filter({ visible: true });
			await offered.first().waitFor();
			return await offered.allInnerTexts();
		},
		async addOnlyOption() {
			await parameters.getByTestId('collection-parameter-add').click();
		},
		async choose(parameter, option) {
			await field(parameter).click();
			await page
				.locator('.option-headline', { hasText: new RegExp(`^\\s*${option}\\s*$`) })
				.filter({ visible: true })
				.click();
		},
		async switchOn(parameter) {
			await field(parameter).locator('.el-switch').click();
		},
		async executeStep() {
			await panel.getByTestId('node-execute-button').click();
		},
		close: async () => await browser.close(),
	};
}
