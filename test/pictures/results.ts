/** Pictures of what the workflows give to people, taken in the trial (`npm run n8n`). */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';
import { scenarioAddress } from '../../sandbox/scenarios';
import { dataOf, logIn, type Login, type Rest } from '../../tools/host/rest';
import { until } from '../../tools/host/until';
import { pathOfTable } from '../../tools/trial/tables';
import { startTrial } from '../support/n8n/trial';
import { stopCommand } from '../../tools/host/child';
import { type Editor, openEditor } from '../support/n8n/editor';
import { withUnpacked } from '../support/templates/unpackedPack';

/** A trial in which a person is logged in. */
export interface Visit {
	readonly editor: Editor;
	readonly page: Page;
	/** The first page of the trial. */
	readonly trial: string;
	/** The address of its n8n. */
	readonly n8n: string;
	readonly rest: Rest;
}

const width = 900;
/** A wallet of a steady score that is a sanctions hit from the second day on. */
const drifting = scenarioAddress('amberSanctionedFromDay1');

/** Starts the trial, or visits the one at this address, and logs in as its first approver. */
export async function visitTrial(running?: string) {
	const started = running ? undefined : startTrial();
	const trial = running ?? (await started!.firstPage());
	const first = await (await fetch(trial)).text();
	const n8n = new URL(/href="(http:\S+?)\/workflow\//.exec(first)![1]!).origin;
	const [, email = '', password = ''] = />([\w.]+@[\w.]+)<.+?>(\S+?)<\/span>/.exec(first)!;
	const login: Login = { email, password };
	const editor = await openEditor({ url: n8n, login });
	editor.page.setDefaultTimeout(60_000);
	const visit: Visit = { editor, page: editor.page, trial, n8n, rest: await logIn(n8n, login) };
	const close = async () => {
		await editor.close();
		if (started) await stopCommand(started.process, 30_000);
	};
	return { visit, close };
}

/** The address of a page behind a password, with it, from the first page of the trial. */
async function addressOf({ trial }: Visit, path: string): Promise<string> {
	const first = await (await fetch(trial)).text();
	return new RegExp(`href="(http:[^"]+/${path})"`).exec(first)![1]!;
}

/**
 * Takes a picture of a part of the page, of so many pixels in height at most.
 *
 * @returns the words on it
 */
async function shoot(part: Locator, path: string, height = 1100): Promise<string> {
	const page = part.page();
	await part.scrollIntoViewIfNeeded();
	const box = (await part.boundingBox())!;
	await page.setViewportSize({ width, height: Math.ceil(Math.min(box.height + box.y, height)) });
	const clip = { x: 0, y: 0, width, height: Math.min(box.height + box.y + 16, height) };
	await page.screenshot({ path, clip, animations: 'disabled' });
	return await part.innerText();
}

/** Opens a form that wants a login, and allows it to know the account. */
async function openForm({ page, n8n }: Visit, path: string): Promise<void> {
	await page.setViewportSize({ width, height: 1100 });
	await page.goto(`${n8n}/form/${path}`);
	const allow = page.getByRole('button', { name: 'Allow access' });
	const form = page.locator('form');
	await allow.or(form).first().waitFor();
	if (await allow.isVisible()) await allow.click();
	await form.first().waitFor();
}

/** Sends the form, and waits for what follows it. */
async function next(page: Page, words: string | RegExp): Promise<void> {
	await page.locator('#submit-btn, button[type=submit]').first().click();
	await page.getByText(words).filter({ visible: true }).first().waitFor();
}

const rowsOf = async ({ rest }: Visit, name: string) => {
	const path = `${await pathOfTable(rest, name)}/rows`;
	return (await dataOf<{ data: IDataObject[] }>(rest('GET', `${path}?take=250`))).data;
};

/** Sends a payment to this wallet, and gives its ID once n8n has decided on it. */
async function pay(visit: Visit, address: string): Promise<string> {
	const body = new URLSearchParams({ address, other: '', amount: '12.50 ETH' });
	await fetch(`${visit.trial}/payments`, { method: 'POST', body });
	return await until('the payment', async () => {
		const rows = await rowsOf(visit, 'Screening Payments');
		const row = rows.findLast(
			(one) => one.address === address && /^needs/.test(String(one.status)),
		);
		return row && String(row.reference);
	});
}

const takeBoard = async (visit: Visit, path: string) => {
	await visit.page.setViewportSize({ width, height: 1100 });
	await visit.page.goto(await addressOf(visit, 'screening-board'));
	return await shoot(visit.page.locator('body'), path, 1000);
};

const takeCases = async (visit: Visit, path: string) => {
	await visit.page.setViewportSize({ width, height: 1100 });
	await visit.page.goto(await addressOf(visit, 'screening-cases'));
	return await shoot(visit.page.locator('body'), path, 766);
};

const takeWallet = async (visit: Visit, path: string) => {
	await visit.page.setViewportSize({ width, height: 1100 });
	const wallet = await addressOf(visit, 'screening-wallet');
	await visit.page.goto(`${wallet}?address=${drifting}`);
	return await shoot(visit.page.locator('body'), path, 900);
};

const takePreview = async (visit: Visit, path: string) => {
	const { page } = visit;
	await openForm(visit, 'screening-policy');
	await next(page, 'What you can write');
	const [rules, , , json] = await page.locator('textarea').all();
	await json!.fill('');
	await rules!.fill('sanctions is not 0: block\nlevel is red: review\nmixer at least 0.5: block');
	await page.locator('input.form-required').last().fill('Mixers are a higher risk for us.');
	await next(page, /decisions of the last 30 days would change/);
	return await shoot(page.locator('body'), path, 962);
};

const takeApproval = async (visit: Visit, path: string) => {
	const { page } = visit;
	const id = await pay(visit, scenarioAddress('darknet'));
	await openForm(visit, `answer-a-payment?reference=${id}`);
	await next(page, 'Who decides');
	return await shoot(page.locator('body'), path, 1100);
};

const takeMissing = async (visit: Visit, path: string) => {
	await openForm(visit, 'what-is-missing');
	await next(visit.page, 'workflows are not ready');
	return await shoot(visit.page.locator('body'), path, 700);
};

const takePayout = async (visit: Visit, path: string) => {
	const { page } = visit;
	const wallets = ['harmless', 'sanctioned', 'drifting', 'harmless', 'rejected'] as const;
	const rows = wallets.map(
		(name, at) => `P-${2001 + at};${scenarioAddress(name)};ETH;${at + 1}.50`,
	);
	const buffer = Buffer.from(['reference;address;chain;amount', ...rows].join('\n'));
	await openForm(visit, 'payout-run');
	await page
		.locator('input[type=file]')
		.setInputFiles({ name: 'payouts.csv', mimeType: 'text/csv', buffer });
	await next(page, /Pay \d+ of 5 rows/);
	return await shoot(page.locator('body'), path, 900);
};

/** The payment with a sanctions hit of the past month. */
const stopped = async (visit: Visit) =>
	(await rowsOf(visit, 'Screening Payments')).find(({ status }) =>
		/^sanctions/.test(String(status)),
	)!.reference;

/**
 * Waits until n8n has gone on after the last page, which asks about that each second. Before, the
 * link has no answer.
 */
const untilDownloadable = async (page: Page) =>
	await page.waitForResponse(
		async (response) =>
			response.url().includes('/n8n-execution-status') && (await response.text()) === 'waiting',
	);

const takePack = async (visit: Visit, path: string) => {
	const { page } = visit;
	await openForm(visit, 'screening-audit');
	await page
		.locator('input[type=text]')
		.first()
		.fill(String(await stopped(visit)));
	await next(page, /SHA-256 of index\.html/);
	const [, digest = ''] = /SHA-256 of index\.html: (\w{64})/.exec(await page.innerText('body'))!;
	await untilDownloadable(page);
	const downloading = page.waitForEvent('download');
	await page.getByRole('link', { name: /^Download/ }).click();
	const zip = await readFile(await (await downloading).path());
	return await withUnpacked(zip, async (files) => {
		await page.setViewportSize({ width, height: 1100 });
		await page.goto(`file://${files}/index.html`);
		await page.fill('#digest', digest);
		const names = await readdir(files);
		await page.setInputFiles(
			'#chosen',
			names.map((name) => join(files, name)),
		);
		await page.locator('#verdict:is(.good, .bad)').waitFor();
		// The end of the digest does not stand for the whole.
		await page.locator('#digest').evaluate((field) => Object.assign(field, { scrollLeft: 0 }));
		return await shoot(page.locator('body'), path, 940);
	});
};

interface SlackText {
	readonly text: string;
	readonly type?: string;
	readonly style?: { readonly bold?: boolean };
	readonly url?: string;
	readonly elements?: SlackText[];
}
interface Block extends Omit<SlackText, 'text'> {
	readonly text?: SlackText;
	readonly fields?: SlackText[];
}

const safe = (text: string) => text.replace(/[<>&"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
/** Slack's own marks of bold and italic text, links among them. */
const marked = (text: string) =>
	safe(text.replace(/&amp;/g, '&').replace(/&lt;/g, '<').replace(/&gt;/g, '>'))
		.replace(/\*([^*\n]+)\*/g, '<b>$1</b>')
		.replace(/(^|\s)_([^_\n]+)_/g, '$1<i>$2</i>')
		.replace(/\n/g, '<br>');

function drawn(block: Block | SlackText): string {
	const { type, elements = [] } = block;
	if (type === 'divider') return '<hr>';
	if (type === 'header') {
		// A machine without a font of such signs draws an empty box.
		const sign = /^\p{Extended_Pictographic}\uFE0F?/u;
		const title = safe((block as Block).text!.text.replace(sign, '\u25CF'));
		return `<h3>${title.replace('\u25CF', '<span class="sign">\u25CF</span>')}</h3>`;
	}
	if (type === 'text' || type === 'link') {
		const text = safe((block as SlackText).text ?? block.url ?? '');
		const bold = (block as SlackText).style?.bold ? `<b>${text}</b>` : text;
		return type === 'link' ? `<a>${bold}</a>` : bold;
	}
	if (type === 'button')
		return `<span class="button">${safe(((block as Block).text as SlackText).text)}</span>`;
	if (type === 'rich_text_list')
		return `<ul>${elements.map((one) => `<li>${drawn(one)}`).join('')}</ul>`;
	if (/^rich_text/.test(String(type)) || type === 'actions')
		return `<div>${elements.map(drawn).join(' ')}</div>`;
	if (type === 'context')
		return `<small>${elements.map(({ text }) => marked(text)).join(' ')}</small>`;
	const { text, fields = [] } = block as Block;
	return `<div>${text ? marked(text.text) : ''}</div>${fields.map((one) => `<div>${marked(one.text)}</div>`).join('')}`;
}

/** A message as Slack shows its blocks. */
export async function takeSlack(page: Page, blocks: unknown, path: string): Promise<string> {
	await page.setViewportSize({ width: 720, height: 600 });
	await page.setContent(`<style>
body { margin: 0; font: 15px/22px Lato, Arial, sans-serif; color: #1d1c1d; background: #fff }
.sign { color: #d92d20 } .message { padding: 20px; width: 640px; display: grid; grid-template-columns: 36px 1fr; gap: 10px } .face { width: 36px; height: 36px; border-radius: 6px; background: #1f2a44 }
h3 { font-size: 18px; line-height: 24px; margin: 4px 0 } small { color: #616061; font-size: 13px } hr { border: 0; border-top: 1px solid #ddd; margin: 10px 0 }
ul { margin: 0; padding-left: 22px } a { color: #1264a3 } .button { display: inline-block; border: 1px solid #bbb; border-radius: 4px; padding: 4px 12px; font-weight: 700; margin: 6px 0 }
.app { font-weight: 900 } .tag { background: #e8e8e8; border-radius: 2px; font-size: 10px; padding: 1px 3px; color: #616061 }
</style><div class="message"><div class="face"></div><div><span class="app">Wallet Screening</span> <span class="tag">APP</span> <small>${/\d\d:\d\d/.exec(JSON.stringify(blocks))?.[0] ?? ''}</small>
${(blocks as Block[]).map(drawn).join('')}</div></div>`);
	const message = page.locator('.message');
	await message.screenshot({ path });
	return await message.innerText();
}

/** The pictures that the trial gives, with the template that each shows. */
export const results = {
	'results/board': [takeBoard, 'board'],
	'results/cases': [takeCases, 'cases'],
	'results/wallet': [takeWallet, 'cases'],
	'results/policy-preview': [takePreview, 'change-the-policy'],
	'results/approval': [takeApproval, 'approve-answer'],
	'results/audit-pack': [takePack, 'audit-pack-make'],
	'results/payout': [takePayout, 'screen-a-payout-run'],
	'results/what-is-missing': [takeMissing, 'set-up-missing'],
} as const;

/** Keeps what a page holds when a picture of it fails. */
export async function keepPage(page: Page, name: string): Promise<void> {
	await writeFile(join(tmpdir(), `${name.replace('/', '-')}.html`), await page.content());
}
