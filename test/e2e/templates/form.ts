import { chromium, type Page } from 'playwright-core';
import { until } from '../../../host/until';
import { chromium as part, required } from '../../../host/parts';
import type { Saved, Workflow } from '../../../host/instance';
import { reportOn } from '../../../sandbox/reports';
import template from '../../../templates/check-a-wallet-form.json';
import { greenAddress, sanctionedAddress } from './addresses';
import { postForm } from './person';
import type { Stage } from './stage';

const hrefsOf = (all: Array<{ href?: string }>) => all.map(({ href }) => String(href));

/** The form in which a colleague checks a wallet, in a browser. */
export function formTests(stageOf: () => Stage): void {
	let stage: Stage;
	let workflow: Saved<Workflow>;
	let page: Page;
	let close: () => Promise<void>;
	beforeAll(async () => {
		stage = stageOf();
		workflow = await stage.importTemplate(template);
		await stage.n8n.publishWorkflow(workflow);
		const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
		const browser = await chromium.launch({ executablePath: required(part), args });
		close = async () => await browser.close();
		page = await browser.newPage();
	});
	afterAll(async () => {
		await close?.();
		await stage.n8n.unpublishWorkflow(workflow);
	});

	/** What the page says after this address was entered. */
	const check = async (address: string, onPage = page, path = 'check-a-wallet') => {
		await onPage.goto(`${stage.n8n.url}/form/${path}`);
		await onPage.getByLabel('Address').fill(address);
		await onPage.getByRole('button', { name: 'Check' }).click();
		// The result is a page of its own, in a frame.
		const seen = async () => {
			const bodies = onPage.frames().map((frame) => frame.locator('body').innerText());
			return (await Promise.all(bodies)).join('\n');
		};
		const isShown = async () => {
			const text = await seen().catch(() => '');
			return /Decision: \w|Not screened:/.test(text) ? text : undefined;
		};
		return await until('the result', isShown, { seen });
	};
	const reportUrlOf = (address: string) =>
		reportOn(address, undefined, stage.sandbox.baseUrl).report_url;
	const links = async () => {
		const all = page.frames().map((frame) => frame.locator('a').evaluateAll(hrefsOf));
		return (await Promise.all(all)).flat();
	};

	test('shows the decision, the level and the link to the report', async () => {
		const blocked = await check(sanctionedAddress);
		expect(blocked).toMatch(/is red.*Decision: block/s);
		expect(blocked).toContain(sanctionedAddress);
		expect(await links()).toContain(reportUrlOf(sanctionedAddress));
		if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/form.png` });
		expect(await check(greenAddress)).toMatch(/is green.*Decision: allow/s);
	});

	test.each([401, 503])(
		'says that it is no clearance when the service answers %i',
		async (status) => {
			stage.sandbox.addFault({ effect: { kind: 'answer', status } });
			const page = await check(greenAddress);
			expect(page).toMatch(/Not screened: this is not a clearance/);
			expect(page).not.toMatch(/Allow|is green/);
		},
	);

	test('protected as its first note says, shows the result to those who know user and password', async () => {
		const login = { user: 'team', password: 'Screening-1' };
		const credential = { name: 'Form', type: 'httpBasicAuth', data: login };
		const { id, name, type } = await stage.n8n.saveCredential(credential);
		const path = 'check-a-wallet-protected';
		const form = await stage.importTemplate(template, {
			'When Somebody Enters a Wallet': {
				credentials: { [type]: { id, name } },
				parameters: { authentication: 'basicAuth', options: { path, buttonLabel: 'Check' } },
			},
		});
		await stage.n8n.publishWorkflow(form);
		const url = `${stage.n8n.url}/form/${path}`;
		expect((await fetch(url)).status).toBe(401);
		expect((await postForm(url, [greenAddress, ''])).status).toBe(401);
		expect(stage.sandbox.requests).toEqual([]);
		const httpCredentials = { username: login.user, password: login.password };
		const context = await page.context().browser()!.newContext({ httpCredentials });
		const blocked = await check(sanctionedAddress, await context.newPage(), path);
		expect(blocked).toMatch(/Decision: block/);
		await stage.n8n.unpublishWorkflow(form);
	});

	test('says what is wrong with an invalid address', async () => {
		expect(await check('two words')).toMatch(/contains a space/);
		expect(stage.sandbox.requests).toEqual([]);
	});
}
