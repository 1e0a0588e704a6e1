import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { chromium, python, requireProgram } from '../../../tools/host/programs';
import { openTimes } from '../../../tools/trial/times';
import { seed } from '../../support/data/random';
import { notGreenAddress, sanctionedAddress } from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import { postForm } from '../../support/browser/form';
import { foundation } from '../../support/templates/foundation';
import { stage } from '../../support/templates/stage';
import { publishAuditPack } from '../../support/templates/auditPack';
import { publishCallbacks } from '../../support/templates/callbacks';
import { makeHostileRows } from '../../support/templates/hostileTexts';
import { callWorkflow } from '../../support/templates/workflowCalls';
import { withPack } from '../../support/templates/unpackedPack';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** One ZIP for an auditor. */
export function auditPackTests(): void {
	const [payments, journal] = [table('Screening Payments'), table('Screening Journal')];
	const [results, callbacks] = [table('Screening Results'), table('Screening Callbacks')];
	beforeAll(async () => {
		[chromium, python].forEach(requireProgram);
		await publishAuditPack();
		// It makes the table of the statuses.
		await publishCallbacks(stage.team);
	});
	afterAll(() => stage.withdrawAll());
	const hostile = '=HYPERLINK("https://evil.example")';

	test('has all rows of a case, its reports, PDFs and policies; any changed byte turns it red', async () => {
		for (const one of [payments, journal, results, callbacks]) await one.clear();
		await callWorkflow(foundation.screening, [
			{ address: sanctionedAddress, reference: 'P-1' },
			{ address: notGreenAddress, reference: 'P-10' },
			{ address: 'two words', reference: 'P-1' },
		]);
		const decided_at = '2026-11-23T10:05:00.000Z';
		const decided = { decided_by: 'ann@example.com', decided_reason: 'known', decided_at };
		await payments.insert(
			...[{ reference: 'P-1', amount: '5 ETH', ...decided }, { reference: 'P-10' }],
		);
		await journal.insert(
			{ subject: 'Payment P-1', person: 'bob@example.com', reason: hostile },
			{ subject: 'Payment P-10' },
		);
		await callbacks.insert(
			{ reference: 'P-1', number: 1, payment_status: 'approved', sent_at: decided_at },
			{ reference: 'P-1', number: 2, payment_status: 'released', problem: 'It answered 503' },
		);
		await withPack({ reference: ' P-1 ' }, async (pack) => {
			const { folder, digest, files, fileName, words, bytes, read, download } = pack;
			expect(words).toMatch(
				/^(?!.*Write it as).*2 results, 1 of them not screened.*Each report is in it as a PDF/,
			);
			expect(fileName).toMatch(/^audit-pack-\d{4}-\d\d-\d\d\.zip$/);
			// The link works again while its day lasts.
			expect(Buffer.from(await (await download()).arrayBuffer()).equals(bytes)).toBe(true);
			expect(files).toEqual(['index.html', expect.stringMatching(/^rep_\w+\.pdf$/), 'rows.csv']);
			expect(sha256(await read('index.html'))).toBe(digest);

			const rows = await pack.rows();
			const subjects = rows.flatMap(({ reference, subject }) => String(reference || subject || []));
			expect(subjects.filter(Boolean).sort()).toEqual([
				...Array<string>(5).fill('P-1'),
				'Payment P-1',
			]);
			expect(rows.map(({ table: name }) => name)).toContain('Screening Policies');
			expect(rows.find(({ subject }) => subject)?.reason).toBe(`'${hostile}`);

			const page = await pack.openPage();
			expect(await page.textOf('#payments')).toMatch(
				/^P-1 Payment not screened Amount 5 ETH Approved by ann@example\.com · 2026-11-23 \d\d:05 \(.+\) · “known” By bob@example\.com · .* · “'=HYPERLINK/,
			);
			expect(await page.textOf('#payments')).toMatch(
				/Payment system approved · taken 2026-11-23 05:05 \(America\/New_York\) Payment system released · not taken · It answered 503/,
			);
			expect(await page.textOf('#results')).toContain('Open the PDF');
			expect(await page.textOf('#policies')).toMatch(
				/Version Since, by What changed Our policy · 1 \d{4}-\d\d-\d\d .* · Set Up Added: sanctions is not 0: block level is red: block/,
			);
			// What has the same reference is listed here each time.
			expect(await page.textOf('#screenings')).toMatch(
				/P-1 · .* Block: .* · Our policy · 1 rep_\w+\.pdf P-1 · .*two words .*'Address'/,
			);
			expect(await page.verdictOf(files, digest)).toBe('good');
			expect(await page.verdictOf(files, sha256(Buffer.from('another')))).toBe('bad');
			for (const name of files) {
				const others = files.filter((one) => one !== name);
				expect(await page.verdictOf(others, digest)).toBe('bad');
				const bytes = await read(name);
				const changed = Buffer.from(bytes);
				changed[Math.floor(bytes.length / 2)]! ^= 1;
				await writeFile(join(folder, name), changed);
				expect(await page.verdictOf(files, digest)).toBe('bad');
				await writeFile(join(folder, name), bytes);
			}
		});
	});

	test.each([
		['an unknown reference', 'P-unknown', ''],
		['days without a row', '', '2999-01-01'],
	])('of %s says that there is nothing, and has the policies', async (_, reference, from) => {
		await callWorkflow(foundation.screening, [{ address: notGreenAddress, reference: 'P-1' }]);
		await withPack({ reference, from }, async ({ files, words, read }) => {
			expect(words).toContain('Audit pack: no results');
			expect(words).toContain('Write the reference as on the page Cases.');
			expect(files).toEqual(['index.html', 'rows.csv']);
			expect(String(await read('index.html'))).toContain('No items received');
			const csv = String(await read('rows.csv'));
			expect(csv).not.toContain(notGreenAddress);
			expect(csv).toContain('Screening Policies');
		});
	});

	test('holds whole days of the time zone of n8n, the first and the last', async () => {
		for (const one of [payments, journal, results]) await one.clear();
		const times = await openTimes(stage.n8n);
		// New York, as n8n has it if nothing else is set, is five hours behind UTC in November.
		const rows = {
			before: '2026-11-10T04:58:00Z',
			first: '2026-11-10T05:02:00Z',
			last: '2026-11-12T04:58:00Z',
			after: '2026-11-12T05:02:00Z',
		};
		for (const [reference, time] of Object.entries(rows)) {
			await payments.insert({ reference, amount: '1 ETH' });
			const now = Date.now();
			await times.shiftAllSince(now - 60_000, Date.parse(time) - now);
		}
		await times.close();
		await withPack({ from: '2026-11-10', to: '2026-11-11' }, async (pack) => {
			const named = (await pack.rows()).filter((row) => row.table === 'Screening Payments');
			expect(named.map(({ reference }) => reference).sort()).toEqual(['first', 'last']);
		});
		await payments.clear();
	});

	test('counts each case once, and shows which days add up', async () => {
		const cases = table('Screening Cases');
		for (const one of [payments, journal, results, cases]) await one.clear();
		const of = (reference: string, facts: IDataObject) => ({
			reference,
			address: sanctionedAddress,
			case_key: reference,
			status: 'open',
			...facts,
		});
		const reported_at = '2026-11-20T10:00:00.000Z';
		const both = { answer_by: 'ann@example.com', confirmed_by: 'ben@example.com' };
		await cases.insert(
			of('C-1', { report_until: '2026-11-01T10:00:00.000Z' }),
			of('C-2', { report_until: '2999-11-01T10:00:00.000Z' }),
			of('C-3', {}),
			of('C-4', { reported_at, status: 'true match', ...both }),
			of('C-5', { status: 'false positive', ...both }),
			of('C-6', { status: 'licensed', report_duty: 'none', ...both }),
			of('C-7', { status: 'licensed', ...both }),
		);
		const result = 'Paid, not screened: P-9';
		const answer = 'The day does not add up: 1 difference';
		await journal.insert({ subject: 'Ledger of 2026-11-25', person: 'n8n', answer, result });
		await withPack({}, async (pack) => {
			const page = await pack.openPage();
			expect(await page.textOf('#cases')).toBe(
				'Sanctions cases: 7. No report expected or made (a false positive, or allowed by a licence before the hit): 2. Reported to the authority: 1, of them late: 0. Not reported yet: 4, of them overdue: 1, without a date: 2.',
			);
			expect(await page.textOf('#days')).toMatch(
				/Ledger of 2026-11-25 The day does not add up: 1 difference · Paid, not screened: P-9 n8n · /,
			);
			expect(await page.textOf('#payments')).not.toContain('Ledger of');
		});
		for (const one of [journal, cases]) await one.clear();
	});

	test(`hostile rows are texts in the files (TEST_SEED=${seed})`, async () => {
		for (const one of [payments, journal, results]) await one.clear();
		await payments.insert(
			...makeHostileRows(100, ['reference', 'status', 'decided_by'], seed).slice(0, 100),
		);
		await journal.insert(
			...makeHostileRows(100, ['subject', 'answer', 'reason'], seed).slice(0, 100),
		);
		const columns = ['reference', 'address', 'summary', 'level', 'policy', 'report', 'error'];
		await results.insert(...makeHostileRows(1_000, columns, seed));
		await withPack({}, async (pack) => {
			const cells = (await pack.rows()).flatMap((row) => Object.values(row).map(String));
			expect(cells.filter((cell) => /^[=+@\s-]/.test(cell))).toEqual([]);
			expect(cells.filter((cell) => cell.includes('HYPERLINK')).length).toBeGreaterThan(100);
			const html = String(await pack.read('index.html'));
			expect(html.split('<script').length).toBe(4);
			expect(html).not.toMatch(/<(img|h1>All clear|a href="(?!https?:))/);
			const page = await pack.openPage();
			expect(await page.textOf('#payments')).toContain('<script>alert(1)</script>');
			expect(await page.elementsOf('#payments')).toEqual(['ARTICLE', 'DD', 'DL', 'DT', 'H3']);
			expect(await page.textOf('#screenings')).toContain('<script>alert(1)</script>');
			expect(await page.elementsOf('#screenings')).toEqual(['TBODY', 'TD', 'TH', 'TR']);
			expect(await page.verdictOf(['index.html', 'rows.csv'], pack.digest)).toBe('good');
		});
		for (const one of [payments, journal, results]) await one.clear();
	});

	test('no one gets it without a login', async () => {
		const answer = await postForm(`${stage.n8n.url}/form/screening-audit`, { 'field-0': 'P-1' });
		expect(answer.status).toBe(401);
	});
}
