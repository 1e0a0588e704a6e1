import { seed } from '../../support/random';
import { greenAddress, notGreenAddress, sanctionedAddress } from './addresses';
import { table } from './dataTable';
import { callWorkflow, foundation } from './foundation';
import { hostileRows } from './hostile';
import { partsOf } from './html';
import { past, reader, stage } from './stage';

/** The pages that workflows show to people who have a password. */
export function pageTests(): void {
	const results = table('Screening Results');
	const page = async (path: string, password = reader.password) => {
		const authorization = `Basic ${btoa(`${reader.user}:${password}`)}`;
		const url = `${stage.n8n.url}/webhook/${path}`;
		const response = await fetch(url, password ? { headers: { authorization } } : {});
		const html = await response.text();
		return { status: response.status, html, ...partsOf(html) };
	};
	const payments = table('Screening Payments');
	const cases = table('Screening Cases');
	beforeAll(async () => {
		for (const file of ['board', 'cases']) await stage.publishTemplate(file);
	});
	beforeEach(() => Promise.all([results, payments, cases].map(async (one) => await one.clear())));
	afterAll(() => stage.withdrawAll());

	const paths = ['board', 'cases', 'wallet'];
	test.each(paths)('nobody sees screening-%s without the password', async (path) => {
		for (const password of ['', 'another']) {
			const { status, html } = await page(`screening-${path}`, password);
			expect([status, html.includes('<table')]).toEqual([401, false]);
		}
	});

	test('the board says first what waits and since when, counts the log, and names the policy', async () => {
		const addresses = [greenAddress, notGreenAddress, sanctionedAddress, 'two words'];
		const asked = addresses.map((address) => ({ address }));
		await callWorkflow(foundation.screening, asked);
		const none = await page('screening-board');
		expect(none.html).toContain('<section class="todo none" data-count="0">');
		await payments.insert(
			{ reference: 'P-1', status: 'needs 1 person' },
			{ reference: 'P-2', status: 'needs 2 people' },
			{ reference: 'P-3' },
			{ reference: 'P-4', status: 'approved, NOT released' },
			{ reference: 'P-5', status: 'released' },
		);
		const { words, html } = await page('screening-board');
		expect(html).toContain('<section class="todo none" data-count="4">');
		const since = String.raw`since|came on \d+ \w+ \d{4}, \d\d:\d\d \(.+?\)`;
		for (const first of ['2 wait for people', '1 not screened', '1 approved, NOT released'])
			expect(words).toMatch(new RegExp(`To do now .*${first}: .*(${since}).* Results today`));
		expect(words).toContain('1 block, 1 not screened, 1 review, 1 allow');
		expect(words).toContain('Results today 4 1 of them not screened.');
		expect(words).toContain('Blocked today 1');
		expect(words).toContain('Billed this month 3 Screenings in the log. Last month: 0');
		expect(words).toContain('Our policy, version 1, by Set Up, since');
	});

	test('the cases say their state, the amount, and who has to act', async () => {
		const address = greenAddress;
		const first = { first_by: 'ann@example.com', first_reason: 'known customer' };
		const at = { decided_at: past, report_id: 'rep_1', category: 'mixer' };
		const two = { status: 'needs 2 people', summary: 'Block: sanctions' };
		await payments.insert(
			{ reference: 'P-1', amount: '12 ETH', address, ...two },
			{ reference: 'P-2', amount: '7 ETH', address, status: 'needs 1 person', ...first },
			{ reference: 'P-3', address, status: 'released', decided_by: 'policy' },
			{ reference: 'P-4', address, status: 'rejected', decided_by: 'bob@example.com', ...at },
			{ reference: 'P-6', address, amount: '1 ETH', to_do: 'correct the address' },
		);
		const filed = { frozen_at: past, ticket: 'T-2', filed_at: past, files: '/a/b/hit' };
		await cases.insert(
			{ case_key: 'P-5|x', reference: 'P-5', address, ticket: 'T-1' },
			{ case_key: 'P-7|x', reference: 'P-7', address, ...filed, report_until: past },
			{ case_key: 'P-8|x', reference: 'P-8', address, ...filed },
			{
				case_key: 'P-9|x',
				reference: 'P-9',
				address,
				...filed,
				report_until: past,
				reported_at: past,
			},
		);
		const { words, links } = await page('screening-cases');
		for (const known of [
			/needs 2 people 12 ETH P-1 .*Block: sanctions .*Two approvers have to answer/,
			/needs 1 person 7 ETH P-2 .*known customer.* answer: not ann@example.com/,
			/rejected .*P-4 mixer .*Decided by bob@example.com on 31 Dec 2025, 19:00/,
			/not screened 1 ETH P-6 .*To do: correct the address/,
			/frozen, OVERDUE Sanctions case P-7 .*Filed: hit.json, .pdf.*to your authority by 31 Dec 2025, /,
			/frozen Sanctions case P-9 .*Reported to your authority on 31 Dec 2025 /,
			/frozen, NO deadline Sanctions case P-8 .*Set report_days/,
			/NOT frozen Sanctions case P-5 .*Ticket T-1\. Not filed yet\./,
		])
			expect(words).toMatch(known);
		expect(words).not.toContain('P-3');
		const answers = links.filter((link) => link.startsWith('../form/answer-a-payment?'));
		expect(answers.map((link) => link.split('=')[1]).sort()).toEqual(['P-1', 'P-2']);
	});

	test('a wallet has all that was decided on it, however it is spelled, and an unknown one no all-clear', async () => {
		await callWorkflow(foundation.screening, [
			{ address: sanctionedAddress, reference: 'P-1' },
			{ address: greenAddress, reference: 'P-2' },
		]);
		await payments.insert({ reference: 'P-1', address: sanctionedAddress, amount: '12 ETH' });
		const path = `screening-wallet?address=${sanctionedAddress.toLowerCase()}`;
		const { words, html } = await page(path);
		expect(words).toMatch(/12 ETH P-1 .*send it again.* block score 0\.\d+ P-1 .*Our policy/);
		expect(words).not.toContain(greenAddress);
		expect(html).toContain('points="');
		for (const [query, says] of [
			['', 'Enter an address.'],
			['?address=', 'Enter an address.'],
			['?address=0x12', 'no all-clear'],
		]) {
			const unknown = await page(`screening-wallet${query}`);
			expect(unknown.html).toContain(says);
			expect(unknown.words).not.toContain('P-1');
		}
	});

	test(`hostile rows do nothing on a page (TEST_SEED=${seed})`, async () => {
		const search = encodeURIComponent(`"><script>alert(1)</script>`);
		const paths = ['board', 'cases', 'wallet?address=%25', `wallet?address=${search}`];
		const look = async (path: string) => {
			const found = await page(`screening-${path}`);
			expect(found.status).toBe(200);
			return found;
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
		await payments.insert(
			...hostile(
				150,
				'status',
				'amount',
				'first_by',
				'decided_by',
				'problem',
				'category',
				'report_id',
				'to_do',
			),
		);
		await cases.insert(...hostile(150, 'case_key', 'ticket', 'files'));
		const shown: boolean[] = [];
		for (const path of paths) {
			const { elements, attributes, links, words } = await look(path);
			expect([...elements, ...attributes].filter((one) => !known.includes(one))).toEqual([]);
			const isOurs = (link: string) => /^(https?:\/\/|screening-|\.\.\/form\/)/.test(link);
			expect(links.filter((link) => !isOurs(link))).toEqual([]);
			// What is shown at all is shown as it is.
			if (/^(cases|wallet\?address=%25)$/.test(path))
				shown.push(words.includes('<script>alert(1)</script>'));
		}
		expect(shown).toEqual([true, true]);
	});
}
