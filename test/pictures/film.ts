import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../../package.json';
import { startSandbox } from '../../sandbox/server';
import { stopCommand } from '../../tools/host/child';
import type { N8n } from '../../tools/host/instance';
import { cacheFolder } from '../../tools/host/paths';
import { reportProgress } from '../../tools/host/progress';
import { until } from '../../tools/host/until';
import { sanctioned } from '../support/data/knownAddresses';
import { withPackage } from '../support/n8n/unpackedPackage';
import { startTrial } from '../support/n8n/trial';
import { communityNodesPage, prepareEmptyN8n } from '../support/n8n/communityNodes';
import { type Editor, openEditor } from '../support/n8n/editor';
import { record } from './recording';

const size = { width: 1280, height: 800 };
const file = join(cacheFolder, 'film.mp4');

const format = ['-fps_mode', 'cfr', '-r', '12', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'];

type Say = (text: string) => Promise<void>;

async function filmInstall({ url }: N8n, { page }: Editor, say: Say): Promise<void> {
	const nodes = communityNodesPage(page, url);
	await say('n8n installs the package by its name');
	await nodes.fillIn();
	await nodes.install();
	await nodes.waitForVersion(version);
	await say('Two nodes are installed: one screens wallets, one receives webhooks');
}

async function filmCredential(
	{ url }: N8n,
	{ page }: Editor,
	service: { apiKey: string; baseUrl: string },
	say: Say,
): Promise<void> {
	await page.goto(`${url}/home/credentials`);
	await say('The credential holds the key of the service. Here, the service is a sandbox');
	await page.getByRole('button', { name: 'Create credential' }).last().click();
	await page.getByTestId('new-credential-type-select').locator('input').fill('Wallet Screening');
	await page.locator('.el-select-dropdown__item', { hasText: 'Wallet Screening API' }).click();
	await page.getByTestId('new-credential-type-button').click();
	for (const [name, value] of Object.entries(service)) {
		await page.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
	}
	await page.getByTestId('credential-save-button').click();
	await page.getByText('Connection tested successfully').waitFor();
	await say('n8n has tested the key, without a screening');
}

async function filmScreening(
	{ url }: N8n,
	{ page, runStep, switchOn }: Editor,
	say: Say,
): Promise<void> {
	await page.goto(`${url}/workflow/new`);
	await say('A first workflow: click, then screen an address');
	await page.getByTestId('canvas-plus-button').click();
	const search = page.getByTestId('node-creator-search-bar');
	const offered = page.getByTestId('node-creator-item-name');
	await offered.getByText('Trigger manually').click();
	await page.getByTestId('canvas-handle-plus').last().click();
	await search.fill('Wallet Screening');
	await offered.getByText('Wallet Screening', { exact: true }).click();
	await offered.getByText('Screen address', { exact: true }).click();
	await page.getByTestId('parameter-input-address').locator('input').fill(sanctioned);
	await say('The US Treasury has sanctioned this address');
	await runStep('table');
	await say('The report: its level is red');
	await switchOn('addDecision');
	await page.getByTestId('ndv').getByRole('button', { name: 'Add rule' }).click();
	const rules = page.getByTestId('fixed-collection-decisionRules');
	const chosen = rules.locator('.el-select');
	await chosen.nth(6).click();
	await page
		.locator('.option-headline', { hasText: 'Sanctions' })
		.filter({ visible: true })
		.click();
	await say('A rule of your own: sanctions of at least 0.5 block the payment');
	await rules.getByPlaceholder('0.5').last().fill('0.5');
	await chosen.nth(8).click();
	await page.locator('.option-headline', { hasText: 'Block' }).filter({ visible: true }).click();
	await runStep('table');
	await say('The decision: block, with the reasons');
}

async function filmTeam(trial: string, { page }: Editor, say: Say): Promise<void> {
	await page.goto(trial);
	await say('The ready workflows after a month, in "npm run n8n": you send a payment');
	await page.getByRole('link', { name: 'Send a test payment' }).click();
	await page.getByRole('button', { name: 'Send' }).click();
	await say('The payment waits, because its wallet is on a sanctions list');
	const [held = ''] = /P-\d+/.exec(await page.locator('table').innerText()) ?? [];
	const letter = page.locator('a.entry', { hasText: held });
	await until('the alert', async () => {
		await page.goto(`${trial}/mail`);
		return (await letter.isVisible()) || undefined;
	});
	await letter.click();
	await say('The team has the alert, with the reasons and a link to decide');
	await page.goto(trial);
	const board = page.locator('a[href*=screening-board]').first();
	await page.goto((await board.getAttribute('href'))!);
	await say('The board: what came of all screenings, and what to look at first');
	await page.mouse.wheel(0, 500);
	await page.waitForTimeout(4000);
}

/**
 * Makes a film of the package in one take: from its name, in an n8n without it, to the board of a
 * team.
 */
async function main(): Promise<void> {
	await mkdir(cacheFolder, { recursive: true });
	const sandbox = await startSandbox();
	const empty = await prepareEmptyN8n('film');
	await withPackage(async (folder) => await empty.registry.publish(folder));
	const trial = startTrial();
	const firstPage = await reportProgress('Preparing a month of screenings', trial.firstPage);
	const n8n = await reportProgress('Starting n8n', async () => await empty.start());
	const editor = await openEditor(n8n, { viewport: size, slowMo: 300 });
	try {
		await editor.page.goto(`${n8n.url}/settings/community-nodes`);
		const { say, stop: end } = await record(editor.page, [...format, file]);
		try {
			await filmInstall(n8n, editor, say);
			const { baseUrl, keys } = sandbox;
			await filmCredential(n8n, editor, { apiKey: keys.readWrite, baseUrl }, say);
			await filmScreening(n8n, editor, say);
			await filmTeam(firstPage, editor, say);
		} finally {
			await end();
		}
	} finally {
		await editor.close();
		await n8n.stop();
		await stopCommand(trial.process, 30_000);
		await empty.close();
		await sandbox.close();
	}
	console.log(file);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
