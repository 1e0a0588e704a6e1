import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromium as chromiumProgram, python, requireProgram } from '../../../tools/host/programs';
import { type PackRequest, type RequestedPack, requestPack } from './auditPack';
import { logInOwner } from './people';

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
interface UnpackedPack extends RequestedPack {
	readonly folder: string;
	/** The names of its files, sorted. */
	readonly files: string[];
	read(name: string): Promise<Buffer>;
	/** Reads the rows of all tables. They are in one file. */
	rows(): Promise<IDataObject[]>;
	/** Opens the page of the pack. It is closed after the work on the pack. */
	openPage(): Promise<PackPage>;
}

/** Calls `work` with a pack that the owner requested. Its files are removed afterwards. */
export async function withPack<T>(
	request: PackRequest,
	work: (pack: UnpackedPack) => Promise<T>,
): Promise<T> {
	const requested = await requestPack(await logInOwner(), request);
	return await withUnpacked(requested.bytes, async (folder) => {
		const files = (await readdir(folder)).sort();
		const read = async (name: string) => await readFile(join(folder, name));
		const rows = async () =>
			parse(await read('rows.csv'), { columns: true, bom: true }) as IDataObject[];
		let page: PackPage | undefined;
		const openPage = async () => (page = await PackPage.open(folder));
		try {
			return await work({ ...requested, folder, files, read, rows, openPage });
		} finally {
			await page?.close();
		}
	});
}

/** The page of a pack in a browser without a network, as an auditor may open it. */
class PackPage {
	private constructor(
		private readonly browser: Browser,
		private readonly page: Page,
		private readonly folder: string,
	) {}

	/** @param folder the folder with the files of the pack */
	static async open(folder: string): Promise<PackPage> {
		const browser = await chromium.launch({
			executablePath: requireProgram(chromiumProgram),
			args: ['--no-sandbox'],
		});
		const page = await browser.newPage();
		await page.context().setOffline(true);
		await page.goto(`file://${folder}/index.html`);
		return new PackPage(browser, page, folder);
	}

	/** Reads the text of a part of the page, which a CSS selector names. */
	async textOf(part: string): Promise<string> {
		return (await this.page.innerText(part)).replace(/\s+/g, ' ');
	}

	/** Lists the kinds of elements in a part of the page, sorted. */
	async elementsOf(part: string): Promise<string[]> {
		return await this.page
			.locator(`${part} *`)
			.evaluateAll((all) => [...new Set(all.map(({ tagName }) => tagName))].sort());
	}

	/** Lets the page check these files. @returns `good` or `bad` */
	async verdictOf(files: string[], digest: string): Promise<string> {
		const { page } = this;
		await page.setInputFiles('#chosen', []);
		await page.fill('#digest', digest);
		// The verdict on earlier files must not be taken for the new one.
		await page.locator('#verdict').evaluate((verdict) => (verdict.className = ''));
		await page.setInputFiles(
			'#chosen',
			files.map((name) => join(this.folder, name)),
		);
		await page.locator('#verdict:is(.good, .bad)').waitFor();
		return String(await page.locator('#verdict').getAttribute('class'));
	}

	async close(): Promise<void> {
		await this.browser.close();
	}
}
