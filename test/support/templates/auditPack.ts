import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as browserOf, type Page } from 'playwright-core';
import { chromium, python, requireProgram } from '../../../tools/host/parts';
import { logInOwner } from './person';
import { stage } from './stage';

/** Publishes the form, and the workflow that it calls. */
export async function publishAuditPack(): Promise<void> {
	await stage.publishTemplate('audit-pack-make');
	await stage.publishTemplate('audit-pack', {
		'When a Person Asks': { webhookId: 'screening-audit' },
	});
}

/** The pack that the form gives, unpacked, and the digest that it shows. */
export async function fetchPack(reference: string, from = '', to = '') {
	const person = await logInOwner();
	const form = await person.open('screening-audit');
	const last = await form.send({ Reference: reference, From: from, To: to });
	const [, digest = ''] = /SHA-256 of index\.html: (\w{64})/.exec(last.words) ?? [];
	const [, link = ''] = /href="([^"]*\/webhook-waiting\/[^"]+)"/.exec(last.html) ?? [];
	await last.leave();
	const download = async () => await fetch(link.replaceAll('&amp;', '&'));
	const answer = await download();
	const [, fileName = ''] =
		/^attachment; filename="(.+)"$/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
	const bytes = Buffer.from(await answer.arrayBuffer());
	const folder = await mkdtemp(join(tmpdir(), 'pack-'));
	await writeFile(join(folder, '..', fileName), bytes);
	execFileSync(requireProgram(python), [
		'-m',
		'zipfile',
		'-e',
		join(folder, '..', fileName),
		folder,
	]);
	await rm(join(folder, '..', fileName));
	return { folder, digest, fileName, words: last.words, bytes, download };
}

/** Opens the page of a pack as an auditor does, without a network. */
export async function openPackPage(folder: string) {
	const browser = await browserOf.launch({
		executablePath: requireProgram(chromium),
		args: ['--no-sandbox'],
	});
	const page: Page = await browser.newPage();
	await page.context().setOffline(true);
	await page.goto(`file://${folder}/index.html`);
	return {
		textOf: async (part: string) => (await page.innerText(part)).replace(/\s+/g, ' '),
		elementsOf: async (part: string) =>
			await page
				.locator(`${part} *`)
				.evaluateAll((all) => [...new Set(all.map(({ tagName }) => tagName))].sort()),
		/** What the page says of these files. */
		async verdictOf(files: string[], digest: string): Promise<string> {
			await page.setInputFiles('#chosen', []);
			await page.fill('#digest', digest);
			await page.locator('#verdict').evaluate((verdict) => (verdict.className = ''));
			await page.setInputFiles(
				'#chosen',
				files.map((name) => join(folder, name)),
			);
			await page.locator('#verdict:is(.good, .bad)').waitFor();
			return String(await page.locator('#verdict').getAttribute('class'));
		},
		close: () => browser.close(),
	};
}
