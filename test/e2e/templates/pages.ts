import type { IDataObject } from 'n8n-workflow';
import { parse } from 'parse5';
import { seed } from '../../support/random';
import { greenAddress, notGreenAddress, sanctionedAddress } from './addresses';
import { table } from './dataTable';
import { callWorkflow, foundation } from './foundation';
import { hostileRows } from './hostile';
import { reader, stage } from './stage';

type Node = { nodeName: string; value?: string; childNodes?: Node[] } & {
	attrs?: Array<{ name: string; value: string }>;
};
const nodesIn = (node: Node): Node[] => [
	node,
	...(node.nodeName === 'style' ? [] : (node.childNodes ?? []).flatMap(nodesIn)),
];

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
	const payments = table('Screening Payments');
	const cases = table('Screening Cases');
	beforeAll(async () => {
		for (const file of ['board', 'cases']) await stage.publishTemplate(file);
	});
	beforeEach(() => Promise.all([results, payments, cases].map(async (one) => await one.clear())));
	afterAll(() => stage.withdrawAll());

	test.each(['board', 'cases', 'wallet'])(
		'nobody sees screening-%s without the password',
		async (path) => {
			for (const password of ['', 'another'])
				expect(await page(`screening-${path}`, password)).toMatchObject({
					status: 401,
					html: expect.not.stringContaining('<table'),
				});
		},
	);

	test('the board counts the log, names the policy, and says who waits', async () => {
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

	const wordsOf = async (path: string) =>
		partsOf((await page(path)).html).text.replace(/\s+/g, ' ');

	test('the cases say their state, the amount, and who has to act', async () => {
		const first = { first_by: 'ann@example.com', first_reason: 'known customer' };
		const address = greenAddress;
		await payments.insert(
			...[
				{
					reference: 'P-1',
					amount: '12 ETH',
					status: 'needs 2 people',
					summary: 'Block: sanctions',
				},
				{ reference: 'P-2', amount: '7 ETH', status: 'needs 1 person', ...first },
				{ reference: 'P-3', amount: '5 ETH', status: 'released', decided_by: 'policy' },
				{ reference: 'P-4', amount: '3 ETH', status: 'rejected', decided_by: 'bob@example.com' },
			].map((payment) => ({ ...payment, address })),
		);
		await cases.insert({ case_key: 'P-5|x', reference: 'P-5', address, ticket: 'T-1' });
		const words = await wordsOf('screening-cases');
		expect(words).toMatch(
			/needs 2 people 12 ETH P-1 .*Block: sanctions .*Two approvers have to answer/,
		);
		expect(words).toMatch(
			/needs 1 person 7 ETH P-2 .*known customer.* answer: not ann@example.com/,
		);
		expect(words).toMatch(/rejected 3 ETH P-4 .*Decided by bob@example.com/);
		expect(words).toMatch(
			/NOT frozen Sanctions case P-5 .*Ticket T-1\. Not filed yet\. .*tries again/,
		);
		expect(words).not.toContain('P-3');
		const { links } = partsOf((await page('screening-cases')).html);
		const answers = links.filter((link) => link.startsWith('../form/answer-a-payment?'));
		expect(answers.map((link) => link.split('=')[1]).sort()).toEqual(['P-1', 'P-2']);
	});

	test('a wallet has all that was decided on it, however it is spelled, and an unknown one no all-clear', async () => {
		await callWorkflow(foundation.screening, [
			{ address: sanctionedAddress, reference: 'P-1' },
			{ address: greenAddress, reference: 'P-2' },
		]);
		await payments.insert({ reference: 'P-1', address: sanctionedAddress, amount: '12 ETH' });
		const words = await wordsOf(`screening-wallet?address=${sanctionedAddress.toLowerCase()}`);
		expect(words).toMatch(
			/12 ETH P-1 .*send it again.* block score 0\.\d+ P-1 .*Our policy, version 1/,
		);
		expect(words).not.toContain(greenAddress);
		const { html } = await page(`screening-wallet?address=${sanctionedAddress}`);
		expect(html).toMatch(/points="726,\d/);
		expect((await page('screening-wallet?address=0x12')).html).toContain('no all-clear');
	});

	test(`hostile rows do nothing on a page (TEST_SEED=${seed})`, async () => {
		const search = encodeURIComponent(`"><script>alert(1)</script>`);
		const paths = ['board', 'cases', 'wallet', `wallet?address=${search}`];
		const look = async (path: string) => {
			const { status, html } = await page(`screening-${path}`);
			expect(status).toBe(200);
			return partsOf(html);
		};
		await callWorkflow(foundation.screening, [{ address: sanctionedAddress }, { address: 'x y' }]);
		await payments.insert({ reference: 'P-1', status: 'needs 1 person' });
		const honest = await Promise.all(paths.map(look));
		const known = honest.flatMap(({ elements, attributes }) => [...elements, ...attributes]);
		const common = ['reference', 'address', 'chain', 'summary', 'report_url'];
		const hostile = (count: number, ...more: string[]) =>
			hostileRows(count, [...common, ...more], seed);
		const log = ['outcome', 'level', 'report_id', 'policy', 'policy_version', 'report', 'error'];
		await results.insert(...hostile(5_000, ...log));
		await payments.insert(...hostile(150, 'status', 'amount', 'first_by', 'decided_by', 'problem'));
		await cases.insert(...hostile(150, 'case_key', 'ticket', 'files'));
		const shown: boolean[] = [];
		for (const path of paths) {
			const { elements, attributes, links, text } = await look(path);
			expect([...elements, ...attributes].filter((one) => !known.includes(one))).toEqual([]);
			const isOurs = (link: string) => /^(https?:\/\/|screening-|\.\.\/form\/)/.test(link);
			expect(links.filter((link) => !isOurs(link))).toEqual([]);
			// What is shown at all is shown as it is.
			if (/^(cases|wallet)$/.test(path)) shown.push(text.includes('<script>alert(1)</script>'));
		}
		expect(shown).toEqual([true, true]);
	});
}
