import type { IDataObject } from 'n8n-workflow';
import { parse } from 'parse5';
import { seed } from '../../support/random';
import { greenAddress, notGreenAddress, sanctionedAddress } from './addresses';
import { table } from './dataTable';
import { callWorkflow, foundation } from './foundation';
import { hostileRows } from './hostile';
import { reader, stage, untilQuiet } from './stage';

type Node = { nodeName: string; value?: string; childNodes?: Node[] } & {
	attrs?: Array<{ name: string; value: string }>;
};
const nodesIn = (node: Node): Node[] => [node, ...(node.childNodes ?? []).flatMap(nodesIn)];

/** What a page says, and what on it does something. */
function partsOf(html: string) {
	const nodes = nodesIn(parse(html) as Node);
	const attributes = nodes.flatMap(({ attrs = [] }) => attrs);
	const valuesOf = (one: string) =>
		attributes.flatMap(({ name, value }) => (name === one ? [value] : []));
	return {
		elements: new Set(nodes.map(({ nodeName }) => nodeName)),
		attributes: new Set(attributes.map(({ name }) => name)),
		links: [...valuesOf('href'), ...valuesOf('action')],
		text: nodes.map(({ value = '' }) => value).join(' '),
	};
}

/** The pages that workflows show to people who have a password. */
export function pageTests(): void {
	const results = table('Screening Results');
	const page = async (path: string, password = reader.password) => {
		const authorization = `Basic ${btoa(`${reader.user}:${password}`)}`;
		const url = `${stage.n8n.url}/webhook/${path}`;
		const response = await fetch(url, password ? { headers: { authorization } } : {});
		return { status: response.status, html: await response.text() };
	};
	const columns = [
		...['reference', 'address', 'chain', 'outcome', 'summary', 'level', 'report_id', 'report_url'],
		...['policy', 'policy_version', 'report', 'reasons', 'evidence', 'error', 'error_class'],
	];
	beforeAll(async () => {
		await stage.publishTemplate('board');
	});
	afterAll(() => stage.withdrawAll());

	test.each(['board'])('nobody sees screening-%s without the password', async (path) => {
		for (const password of ['', 'another'])
			expect(await page(`screening-${path}`, password)).toMatchObject({
				status: 401,
				html: expect.not.stringContaining('<table'),
			});
	});

	test('the board counts the log, names the policy, and says who waits', async () => {
		await results.clear();
		await callWorkflow(
			foundation.screening,
			[greenAddress, notGreenAddress, sanctionedAddress, 'two words'].map((address) => ({
				address,
			})),
		);
		await table('Screening Payments').insert({
			reference: 'P-1',
			status: 'needs 1 person',
		} as IDataObject);
		const { status, html } = await page('screening-board');
		expect(status).toBe(200);
		const { text } = partsOf(html);
		const words = text.replace(/\s+/g, ' ');
		expect(words).toContain('1 block, 1 not screened, 1 review, 1 allow');
		expect(words).toContain('Today 4');
		expect(words).toContain('Blocked today 1');
		expect(words).toContain('Screenings this month 3 0 last month');
		expect(words).toMatch(/Wait for people 1 the oldest: (in )?\d+ seconds?( ago)?/);
		expect(words).toContain('Our policy · 1 · Set Up');
	});

	test(`5,000 hostile rows do nothing on a page, seed ${seed}`, async () => {
		const before = partsOf((await page('screening-board')).html);
		await results.insert(...hostileRows(5_000, columns, seed));
		const { status, html } = await page('screening-board');
		expect(status).toBe(200);
		const after = partsOf(html);
		expect([...after.elements].filter((one) => !before.elements.has(one))).toEqual([]);
		expect([...after.attributes].filter((one) => !before.attributes.has(one))).toEqual([]);
		expect(after.links.filter((one) => /evil|script|data:/i.test(one))).toEqual([]);
		expect(after.text).toMatch(/5001 not screened/);
		await results.clear();
		await untilQuiet();
	});
}
