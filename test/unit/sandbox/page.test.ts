import { webPage } from '../../../sandbox/page';
import { reportOn } from '../../../sandbox/reports';

describe('web view of a report', () => {
	it('shows the report, and that it is not a real one', () => {
		const report = reportOn('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'ETH', 'http://x');
		const page = webPage(report);
		for (const text of [
			report.address,
			report.report_id,
			report.balance,
			'not a real assessment',
		]) {
			expect(page).toContain(text);
		}
	});

	it('escapes what the client sent', () => {
		const page = webPage(reportOn('<script>"&\'', '<b>', 'http://x'));
		expect(page).toContain('&lt;script&gt;&quot;&amp;&#39;');
		expect(page).not.toContain('<script>');
		expect(page).not.toContain('<b>');
	});
});
