import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { chromium, type Locator, type Page, selectors } from 'playwright-core';
import type { N8n } from '../../../tools/host/instance';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { chromium as chromiumProgram, requireProgram } from '../../../tools/host/programs';

/** n8n's editor in a browser, with its owner logged in. */
export interface Editor {
	readonly page: Page;
	openWorkflow(workflow: Saved<Workflow>): Promise<void>;
	/** Opens the panel of a node of the workflow, and closes the panel that is open. */
	openNode(name: string): Promise<void>;
	/** Waits until the editor marks exactly these nodes as faulty. */
	expectMarks(...names: string[]): Promise<void>;
	/** Waits until the open node shows exactly the parameters with these labels, in this order. */
	expectLabels(...labels: string[]): Promise<void>;
	/** Picks an option of a parameter of the open node. */
	choose(parameter: string, option: string): Promise<void>;
	switchOn(parameter: string): Promise<void>;
	/** Clicks the button that runs the open node. */
	executeStep(): Promise<void>;
	/** Runs the open node, and waits until it has succeeded. @returns the panel with its output */
	runStep(view: 'table' | 'json'): Promise<Locator>;
	close(): Promise<void>;
}

const browserArguments = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-sync',
	'--disable-background-networking',
	'--disable-component-update',
];

/** The part of an n8n that a browser needs. */
type BrowsedN8n = Pick<N8n, 'url' | 'login'>;

const maxPageWaitMs = 150_000;
const maxLookMs = 15_000;
const usualViewport = { width: 1400, height: 900 };

async function preparePage(page: Page): Promise<void> {
	// On a busy machine, a large canvas takes over half a minute.
	page.setDefaultTimeout(maxPageWaitMs);
	// n8n's pages load fonts and news from other hosts, and would wait for a slow network.
	await page.route(/^https:/, async (route) => await route.abort());
}

async function logIn(page: Page, { url, login }: BrowsedN8n): Promise<void> {
	await page.goto(`${url}/signin`);
	await page.locator('input[type=email]').fill(login.email);
	await page.locator('input[type=password]').fill(login.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL(/\/home\//);
}

/**
 * Calls `look` until it returns what is expected.
 *
 * @throws after `maxLookMs`, with the difference
 */
export async function expectToBecome<T>(expected: T, look: () => Promise<T>): Promise<void> {
	const deadline = Date.now() + maxLookMs;
	let seen = await look();
	while (!isDeepStrictEqual(seen, expected) && Date.now() < deadline) {
		await sleep(50);
		seen = await look();
	}
	expect(seen).toEqual(expected);
}

/** Opens the editor of an n8n in the Chromium of this machine. */
export async function openEditor(
	n8n: BrowsedN8n,
	{ viewport = usualViewport, slowMo = 0 } = {},
): Promise<Editor> {
	selectors.setTestIdAttribute('data-test-id');
	const executablePath = requireProgram(chromiumProgram);
	const browser = await chromium.launch({ executablePath, args: browserArguments, slowMo });
	const page = await browser.newPage({ viewport });
	await preparePage(page);
	await logIn(page, n8n);
	const panel = page.getByTestId('ndv');
	const parameters = panel.getByTestId('node-parameters');
	const executeStep = async () => await panel.getByTestId('node-execute-button').click();
	const field = (parameter: string): Locator =>
		parameters.getByTestId(`parameter-input-${parameter}`).first();

	return {
		page,
		async openWorkflow({ id }: Saved<Workflow>): Promise<void> {
			await page.goto(`${n8n.url}/workflow/${id}`);
			await page.getByTestId('canvas-node').first().waitFor();
		},
		async openNode(name: string): Promise<void> {
			if (await panel.isVisible()) {
				// The event reaches the button even if an open list of options covers it.
				await panel.getByTestId('ndv-close-button').dispatchEvent('click');
				await panel.waitFor({ state: 'hidden' });
			}
			await page.locator(`[data-test-id=canvas-node][data-node-name="${name}"]`).dblclick();
			await parameters.waitFor();
		},
		async expectMarks(...names: string[]): Promise<void> {
			// Before the nodes are drawn, none is marked.
			await page.getByTestId('canvas-node').first().waitFor();
			const marked = page.locator('[data-test-id=canvas-node]:has([data-test-id=node-issues])');
			await expectToBecome(names.sort(), async () => {
				const nodes = await marked.evaluateAll((all) => all.map(({ dataset }) => dataset.nodeName));
				return nodes.map(String).sort();
			});
		},
		async expectLabels(...labels: string[]): Promise<void> {
			const shown = parameters.getByTestId('input-label').filter({ visible: true });
			// After the label come its hint, and the buttons that appear under the pointer.
			await expectToBecome(labels, async () =>
				(await shown.allInnerTexts()).map((text) => text.split('\n')[0]!.trim()),
			);
		},
		async choose(parameter: string, option: string): Promise<void> {
			await field(parameter).click();
			const named = { hasText: new RegExp(`^\\s*${option}\\s*$`) };
			await page.locator('.option-headline', named).filter({ visible: true }).click();
		},
		switchOn: async (parameter: string) => await field(parameter).locator('.el-switch').click(),
		executeStep,
		async runStep(view: 'table' | 'json'): Promise<Locator> {
			await executeStep();
			const output = page.getByTestId('output-panel');
			await output.getByTestId('node-run-status-success').waitFor();
			await output.getByTestId(`radio-button-${view}`).click();
			return output;
		},
		close: async () => await browser.close(),
	};
}
