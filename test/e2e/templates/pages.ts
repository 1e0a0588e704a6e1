import { seed } from '../../support/data/random';
import {
	greenAddress,
	notGreenAddress,
	sanctionedAddress,
} from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import { foundation } from '../../support/templates/foundation';
import { makeHostileRows } from '../../support/templates/hostileTexts';
import { stage } from '../../support/templates/stage';
import { readPage } from '../../support/templates/page';
import { callWorkflow } from '../../support/templates/workflowCalls';
import { pastTime } from '../../support/templates/times';

/** The pages that workflows show to people who have a password. */
export function pageTests(): void {
	const results = table('Screening Results');
	const payments = table('Screening Payments');
	const cases = table('Screening Cases');
	beforeAll(async () => {
		for (const file of ['board', 'cases']) await stage.publishTemplate(file);
	});
	beforeEach(() => Promise.all([results, payments, cases].map(async (one) => await one.clear())));
	afterAll(() => stage.withdrawAll());

	const paths = ['board', 'cases', 'wallet'];
	test.each(paths)('no one sees screening-%s without the password', async (path) => {
		for (const password of ['', 'another']) {
			const { status, html } = await readPage(`screening-${path}`, password);
			expect([status, html.includes('<table')]).toEqual([401, false]);
		}
	});

	test('the board says first what waits and since when, counts the log, and names the policy', async () => {
		const addresses = [greenAddress, notGreenAddress, sanctionedAddress, 'two words'];
		const asked = addresses.map((address) => ({ address }));
		await callWorkflow(foundation.screening, asked);
		const none = await readPage('screening-board');
		expect(none.html).toContain('<section class="todo none" data-count="0">');
		await payments.insert(
			{ reference: 'P-1', status: 'needs 1 person' },
			{ reference: 'P-2', status: 'needs 2 people' },
			{ reference: 'P-3' },
			{ reference: 'P-4', status: 'approved, NOT released' },
			{ reference: 'P-5', status: 'released' },
		);
		await cases.insert(
			{ reference: 'P-6', status: 'open', report_until: pastTime },
			{ reference: 'P-13', status: 'open', report_until: '2025-12-01T00:00:00.000Z' },
			{ reference: 'P-7', status: 'answered', report_until: pastTime, reported_at: pastTime },
			{ reference: 'P-8', status: 'true match', confirmed_at: pastTime, report_until: pastTime },
		);
		const now = { status: 'released', released_at: new Date().toISOString() };
		await payments.insert(
			{
				reference: 'P-9',
				...now,
				summary: 'Block: sanctions is 0.9 (any value other than 0 means block)',
			},
			{ reference: 'P-10', ...now, summary: "Block: the address is on the sanctions list 'OFAC'" },
			// Two people may release what another rule blocked.
			{ reference: 'P-11', ...now, summary: 'Block: mixer is 0.9 (0.5 or more means block)' },
			{
				reference: 'P-12',
				...now,
				summary: 'Block: sanctions is 0 and mixer is 1 (both mean block)',
			},
		);
		const { words, html } = await readPage('screening-board');
		for (const known of [
			/2 sanctions cases to answer, 2 with an OVERDUE report: .* P-13, report OVERDUE, was due Sun 30 Nov 2025, NOT frozen P-6, report OVERDUE, was due Wed 31 Dec 2025, NOT frozen No approval releases them/,
			/1 sanctions case to confirm: .* P-7, reported, NOT frozen /,
			/2 payments with a sanctions hit released in the last 7 days: .* P-9; P-10 /,
		])
			expect(words).toMatch(known);
		expect(html).toContain('<section class="todo none" data-count="9">');
		const since = String.raw`since|came in on \d+ \w+ \d{4}, \d\d:\d\d \(.+?\)`;
		for (const first of [
			'2 payments need approval',
			'1 payment not screened',
			'1 payment approved, but not released or release unknown',
		])
			expect(words).toMatch(
				new RegExp(`To do now .*${first}: .*(${since}).* Screening results today`),
			);
		expect(words).toContain('1 block, 1 not screened, 1 review, 1 allow');
		expect(words).toContain('Screening results today 4 Not screened: 1.');
		expect(words).toContain('Block decisions today 1');
		expect(words).toContain('Billed screenings this month 3 Counted in the log. Last month: 0');
		expect(words).toContain('Our policy, version 1, by Set Up.');
	});

	test('the cases say their state, the amount, and who has to act', async () => {
		const address = greenAddress;
		const first = { first_by: 'ann@example.com', first_reason: 'known customer' };
		const at = { decided_at: pastTime, report_id: 'rep_1', category: 'mixer' };
		const two = { status: 'needs 2 people', summary: 'Block: sanctions' };
		await payments.insert(
			{ reference: 'P-1', amount: '12 ETH', address, ...two },
			{ reference: 'P-2', amount: '7 ETH', address, status: 'needs 1 person', ...first },
			{ reference: 'P-3', address, status: 'released', decided_by: 'policy' },
			{ reference: 'P-4', address, status: 'rejected', decided_by: 'bob@example.com', ...at },
			{ reference: 'P-6', address, amount: '1 ETH', to_do: 'correct the address' },
		);
		const filed = { frozen_at: pastTime, ticket: 'T-2', filed_at: pastTime, files: '/a/b/hit' };
		const later = '2999-12-31T12:00:00.000Z';
		const answered = {
			answer: 'false positive',
			answer_by: 'ann@example.com',
			answer_at: pastTime,
		};
		const explained = { ...answered, answer_reason: 'Another wallet', proof: 'ticket T-6' };
		const one = (reference: string, more: object) => ({
			case_key: `${reference}|${address}`,
			reference,
			address,
			status: 'open',
			...more,
		});
		await cases.insert(
			one('P-5', { ticket: 'T-1', report_until: later }),
			one('P-7', { ...filed, report_until: pastTime, amount: '9 ETH' }),
			one('P-8', filed),
			one('P-9', {
				...filed,
				...explained,
				status: 'answered',
				report_until: pastTime,
				reported_at: pastTime,
			}),
			one('P-10', {
				...filed,
				...explained,
				status: 'false positive',
				report_until: pastTime,
				confirmed_by: 'ben@example.com',
				confirmed_at: pastTime,
				confirmed_reason: 'I compared',
			}),
		);
		// The case of this payment has its card.
		await payments.insert({ ...one('P-7', {}), case_key: undefined, status: 'sanctions: stopped' });
		const { words, links } = await readPage('screening-cases');
		for (const known of [
			/needs 2 approvals P-1 12 ETH .*Block: sanctions .*two approvers release it, or one rejects it/,
			/needs 1 approval P-2 7 ETH .*known customer.*one more approver .* cannot be released by ann@example.com/,
			/not screened P-6 1 ETH .*To do: correct the address/,
			/STOPPED: needs an answer, report to the authority OVERDUE P-7 9 ETH .*Report to the authority by Wed 31 Dec 2025 .*hit.pdf and .json, ticket T-2/,
			/STOPPED: needs confirmation P-9 .*Reported to the authority Wed 31 Dec 2025 .*false positive, by ann@example.com, .*Another wallet.*a second approver, not ann@example.com, confirms/,
			/STOPPED: needs an answer, NO deadline P-8 .*enter report_days/,
			/STOPPED: needs an answer P-5 .*NOT frozen.*Not filed yet/,
		])
			expect(words).toMatch(known);
		expect(words).not.toMatch(/P-3|P-4|P-10|sanctions: stopped/);
		const closed = await readPage('screening-cases?show=closed');
		expect(closed.words).toMatch(
			/Closed: false positive P-10 .*Confirmed by ben@example.com, .*I compared/,
		);
		expect(closed.words).toMatch(
			/rejected P-4 .*mixer .*Decided by bob@example.com, 31 Dec 2025, 19:00/,
		);
		expect(closed.words).not.toMatch(/P-1 |P-3|P-5|P-7/);
		const toAnswer = links.filter((link) => link.startsWith('../form/answer-a-case?'));
		expect(toAnswer).toHaveLength(4);
		const answers = links.filter((link) => link.startsWith('../form/answer-a-payment?'));
		expect(answers.map((link) => link.split('=')[1]).sort()).toEqual(['P-1', 'P-2']);
	});

	test('a wallet has all that was decided on it, however it is spelled, and an unknown one no all-clear', async () => {
		const item = { address: sanctionedAddress, reference: 'P-1' };
		await callWorkflow(foundation.screening, [
			item,
			item,
			item,
			{ address: greenAddress, reference: 'P-2' },
		]);
		await payments.insert({ ...item, amount: '12 ETH' });
		const path = `screening-wallet?address=${sanctionedAddress.toLowerCase()}`;
		const { words, html } = await readPage(path);
		expect(words).toMatch(
			/P-1 12 ETH .*send it again.* block, sanctions hit P-1 score 0\.\d+ .*Our policy/,
		);
		expect(words).not.toContain(greenAddress);
		// Three scores, the newest at the right.
		expect(html).toMatch(/<polyline points="10 \d+ 368 \d+ 726 \d+"/);
		expect(words).toContain(
			'The latest screening is a sanctions hit. It has no case yet: send nothing',
		);
		const one = { case_key: 'P-1|', reference: 'P-1', address: sanctionedAddress };
		await cases.insert({ ...one, status: 'open' });
		expect((await readPage(path)).words).toContain(
			'STOPPED: a sanctions case on this wallet is open',
		);
		await cases.setAll({ status: 'false positive', confirmed_at: pastTime });
		expect((await readPage(path)).words).toContain(
			'Two approvers closed its case: false positive.',
		);
		await cases.setAll({ status: 'true match' });
		expect((await readPage(path)).words).toContain('True match: two approvers confirmed');
		const green = await readPage(`screening-wallet?address=${greenAddress}`);
		expect(green.words).toContain('Latest decision: allow.');
		for (const [query, says] of [
			['', 'Enter an address.'],
			['?address=', 'Enter an address.'],
			['?address=0x12', 'no all-clear'],
		]) {
			const unknown = await readPage(`screening-wallet${query}`);
			expect(unknown.html).toContain(says);
			expect(unknown.words).not.toContain('P-1');
		}
	});

	test(`hostile rows do nothing on a page (TEST_SEED=${seed})`, async () => {
		const search = encodeURIComponent(`"><script>alert(1)</script>`);
		const paths = ['board', 'cases', 'wallet?address=%25', `wallet?address=${search}`];
		const look = async (path: string) => {
			const found = await readPage(`screening-${path}`);
			expect(found.status).toBe(200);
			return found;
		};
		await callWorkflow(foundation.screening, [{ address: sanctionedAddress }, { address: 'x y' }]);
		await payments.insert({ reference: 'P-1', status: 'needs 1 person' });
		const honest = await Promise.all(paths.map(look));
		const known = honest.flatMap(({ elements, attributes }) => [...elements, ...attributes]);
		// The list of facts of a case, which the honest rows do not have.
		known.push('dt', 'dd');
		const common = ['reference', 'address', 'chain', 'summary', 'report_url'];
		const hostile = (count: number, ...more: string[]) =>
			makeHostileRows(count, [...common, ...more], seed);
		const log = ['outcome', 'level', 'report_id', 'policy', 'policy_version', 'report', 'error'];
		await results.insert(...hostile(1_000, ...log));
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
		await cases.insert(
			...hostile(150, 'case_key', 'ticket', 'files', 'status', 'answer_reason', 'proof', 'frozen'),
		);
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
