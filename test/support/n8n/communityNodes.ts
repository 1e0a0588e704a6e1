import type { Page } from 'playwright-core';
import { name as packageName } from '../../../package.json';
import { freshFolder } from '../../../tools/host/folder';
import { type N8n, startInstance } from '../../../tools/host/instance';
import { startInternet } from '../servers/internet';
import { createRegistry, type Registry } from '../servers/registry';

/** An n8n without this package. Its installer reaches a stand-in for npm's registry. */
interface EmptyN8n {
	readonly registry: Registry;
	/** Starts it, with these environment variables in addition to its own. */
	start(environment?: Record<string, string>): Promise<N8n>;
	/** Closes the registry. The caller stops n8n itself. */
	close(): Promise<void>;
}

/**
 * Prepares an n8n that is not started yet.
 *
 * @param name the name of n8n's folder
 */
export async function prepareEmptyN8n(name: string, version?: string): Promise<EmptyN8n> {
	const registry = await createRegistry();
	const internet = await startInternet(registry.sites);
	const userFolder = await freshFolder(name);
	return {
		registry,
		start: async (environment = {}) =>
			await startInstance({
				userFolder,
				environment: { ...internet.environment, ...environment },
				...(version && { version }),
			}),
		close: internet.close,
	};
}

/** What an owner can do on n8n's page of community nodes. */
interface CommunityNodesPage {
	/** Opens the form of an installation, and fills it in. */
	fillIn(): Promise<void>;
	/** Makes the last click of the form. */
	install(): Promise<void>;
	/** Waits until the page shows this version of the package. */
	waitForVersion(version: string): Promise<void>;
	/** Opens the page, and updates the package. */
	update(): Promise<void>;
}

/** @param url the address of n8n */
export function communityNodesPage(page: Page, url: string): CommunityNodesPage {
	const cards = page.getByTestId('community-package-card');
	const confirm = async () =>
		await page
			.getByRole('dialog')
			.getByRole('button', { name: /^(Confirm|Update|Uninstall)/ })
			.click();
	return {
		async fillIn(): Promise<void> {
			await page.goto(`${url}/settings/community-nodes`);
			await page.getByRole('button', { name: /^Install/ }).click();
			await page.locator('input[name=packageNameInput]').fill(packageName);
			await page.getByTestId('user-agreement-checkbox').click();
		},
		install: async () => await page.getByTestId('install-community-package-button').click(),
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
