import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';
import { seed } from '../../support/data/random';
import { greenAddress, sanctionedAddress } from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import { foundation } from '../../support/templates/foundation';
import { makeHostileRows } from '../../support/templates/hostileTexts';
import { stage } from '../../support/templates/stage';
import { callWorkflow } from '../../support/templates/workflowCalls';
import { pastTime } from '../../support/templates/times';

/** The mail of each Monday about the screenings of a week. */
export function weeklyReportTests(): void {
	test('the weekly report has counts, the worst, and every row as CSV without formulas', async () => {
		await table('Screening Results').clear();
		await callWorkflow(foundation.screening, [
			...[greenAddress, sanctionedAddress].map((address) => ({ address, reference: 'W' })),
			{ address: '=HYPERLINK("https://evil.example")', reference: '+1' },
		]);
		const failed = { address: greenAddress, reference: 'W-2', outcome: 'not screened' };
		const hostile = makeHostileRows(50, ['policy', 'report_id'], seed);
		await table('Screening Results').insert(failed, ...hostile);
		await callWorkflow(foundation.screening, [{ address: greenAddress, reference: 'W-2' }]);
		const cases = table('Screening Cases');
		await cases.clear();
		const closed = { status: 'false positive', answer_by: 'ann@example.com' };
		await cases.insert(
			{ reference: 'W-3', amount: '9 ETH', status: 'open', report_until: pastTime },
			{ reference: '<img src=x>', status: 'answered', reported_at: pastTime },
			{
				reference: 'W-4',
				...closed,
				confirmed_by: 'ben@example.com',
				confirmed_at: new Date().toISOString(),
			},
			{ reference: 'W-5', ...closed, confirmed_at: pastTime },
		);
		const weekly = await stage.importTemplate('weekly-report');
		await stage.runFrom(weekly, 'Every Monday at Eight');
		const [letter] = stage.mail.letters;
		const counts = `Weekly report: 2 open, 1 OVERDUE. 1 sanctions hit – 1 block, ${hostile.length + 1} not screened, 2 allow: `;
		expect(letter?.subject?.startsWith(counts)).toBe(true);
		for (const known of [sanctionedAddress, 'Reference: W', 'Failed before'])
			expect(letter?.html).toContain(known);
		for (const known of [
			'Sanctions cases: 2 open, 1 closed since last Monday',
			'W-3, 9 ETH: report to the authority by Wed 31 Dec 2025, OVERDUE, needs an answer',
			'Closed: W-4: false positive, by ann@example.com and ben@example.com',
		])
			for (const text of [letter?.text, letter?.html]) expect(text).toContain(known);
		expect(letter?.html).not.toMatch(/<img|W-5/);
		await cases.clear();
		const [file] = letter!.attachments;
		const csv = Buffer.from(file!.content as ArrayBuffer);
		const rows = parse(csv, { columns: true }) as IDataObject[];
		const outcomes = rows.map(({ outcome }) => outcome).filter(Boolean);
		expect(outcomes).toEqual(['allow', 'block', 'not screened', 'not screened', 'allow']);
		for (const value of rows.flatMap((row) => Object.values(row))) {
			expect(String(value)).not.toMatch(/^[=+@\s-]/);
		}
	});
}
