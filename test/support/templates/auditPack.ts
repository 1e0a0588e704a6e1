import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';
import { chromium as browserOf, type Page } from 'playwright-core';
import { chromium, python, requireProgram } from '../../../tools/host/programs';
import { logInOwner, type Person } from './person';
import { stage } from './stage';

/** Publishes the form, and the workflow that it calls. */
export async function publishAuditPack(): Promise<void> {
	await stage.publishTemplate('audit-pack-make');
	await stage.publishTemplate('audit-pack', {
		'When a Person Asks': { webhookId: 'screening-audit' },
	});
}

/** What a person enters into the form. */
interface PackRequest {
	reference?: string;
	from?: string;
	to?: string;
}

/**
 * Requests a pack in the form.
 *
 * @returns the ZIP, and what stands about it on the last page of the form
 */
export async function requestPack(person: Person, request: PackRequest) {
	const { reference = '', from = '', to = '' } = request;
	const form = await person.open('screening-audit');
	const last = await form.send({ Reference: reference, From: from, To: to });
	const [, digest = ''] = /SHA-256 of index\.html: (\w{64})/.exec(last.words) ?? [];
	const [, link = ''] = /href="([^"]*\/webhook-waiting\/[^"]+)"/.exec(last.html) ?? [];
	await last.leave();
	const download = async () => await fetch(link.replaceAll('&amp;', '&'));
	const answer = await download();
	if (!answer.ok) throw new Error(`The link to the pack answered ${answer.status}`);
	const [, fileName = ''] =
		/^attachment; filename="(.+)"$/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
	const bytes = Buffer.from(await answer.arrayBuffer());
	return { digest, fileName, words: last.words, bytes, download };
}

/** Unpacks a ZIP, and calls `work` with the folder of its files, which is removed afterwards. */
export async function withUnpacked<T>(
	zip: Buffer,
	work: (folder: string) => Promise<T>,
): Promise<T> {
	const parent = await mkdtemp(join(tmpdir(), 'pack-'));
	try {
		const file = join(parent, 'pack.zip');
		const folder = join(parent, 'files');
		await writeFile(file, zip);
		execFileSync(requireProgram(python), ['-m', 'zipfile', '-e', file, folder]);
		return await work(folder);
	} finally {
		await rm(parent, { recursive: true });
	}
}

/** A pack that the owner of n8n requested, with its files in a folder. */
interface Pack extends Awaited<ReturnType<typeof requestPack>> {
	folder: string;
	/** The names of its files, sorted. */
	files: string[];
	read(name: string): Promise<Buffer>;
	/** Reads the rows of all tables. They are in one file. */
	rows(): Promise<IDataObject[]>;
	/** Opens the page of the pack. It is closed after the work on the pack. */
	openPage(): Promise<PackPage>;
}

/** Calls `work` with a pack that the owner requested. Its files are removed afterwards. */
export async function withPack<T>(
	request: PackRequest,
	work: (pack: Pack) => Promise<T>,
): Promise<T> {
	const requested = await requestPack(await logInOwner(), request);
	return await withUnpacked(requested.bytes, async (folder) => {
		const files = (await readdir(folder)).sort();
		const read = async (name: string) => await readFile(join(folder, name));
		const rows = async () =>
			parse(await read('rows.csv'), { columns: true, bom: true }) as IDataObject[];
		let page: PackPage | undefined;
		const openPage = async () => (page = await openPackPage(folder));
		try {
			return await work({ ...requested, folder, files, read, rows, openPage });
		} finally {
			await page?.close();
		}
	});
}

type PackPage = Awaited<ReturnType<typeof openPackPage>>;

/** Opens the page of a pack as an auditor does, without a network. */
async function openPackPage(folder: string) {
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
		/** Lets the page check these files. @returns `good` or `bad` */
		async verdictOf(files: string[], digest: string): Promise<string> {
			await page.setInputFiles('#chosen', []);
			await page.fill('#digest', digest);
			// The verdict on earlier files must not be taken for the new one.
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
