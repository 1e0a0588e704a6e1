import type { Page } from 'playwright-core';
import { name as packageName } from '../../../package.json';
import { freshFolder } from '../../../tools/host/folder';
import { startInstance } from '../../../tools/host/instance';
import { startInternet } from '../servers/internet';
import { createRegistry } from '../servers/registry';

/** Prepares an n8n without this package. Its installer reaches a stand-in for npm's registry. */
export async function prepareEmptyN8n(name: string, version?: string) {
	const registry = await createRegistry();
	const internet = await startInternet(registry.sites);
	const environment: Record<string, string> = internet.environment;
	const userFolder = await freshFolder(name);
	return {
		registry,
		/** Starts n8n. `more` are environment variables. */
		start: async (more: Record<string, string> = {}) =>
			await startInstance({
				userFolder,
				environment: { ...environment, ...more },
				...(version && { version }),
			}),
		close: internet.close,
	};
}

/** Returns what a person can do on n8n's page of community nodes. */
export function communityNodes(page: Page, url: string) {
	const cards = page.getByTestId('community-package-card');
	const confirm = async () =>
		await page
			.getByRole('dialog')
			.getByRole('button', { name: /^(Confirm|Update|Uninstall)/ })
			.click();
	return {
		/** Fills in the form of an installation. `install` makes the last click. */
		async fillIn(): Promise<void> {
			await page.goto(`${url}/settings/community-nodes`);
			await page.getByRole('button', { name: /^Install/ }).click();
			await page.locator('input[name=packageNameInput]').fill(packageName);
			await page.getByTestId('user-agreement-checkbox').click();
		},
		install: async () => await page.getByTestId('install-community-package-button').click(),
		/** Waits until the page shows this version of the package. */
		waitForVersion: async (version: string) =>
			await cards
				.filter({ hasText: packageName })
				.getByText(`v${version}`)
				.waitFor({ timeout: 60_000 }),
		async update(): Promise<void> {
			await page.goto(`${url}/settings/community-nodes`);
			await cards.getByRole('button', { name: 'Update' }).click();
			await confirm();
		},
	};
}
