import { simplify } from '../../../nodes/WalletScreening/risk/simplify';
import { reportBody } from '../support/answers';

test('a report becomes its fields on one level, in the order of the public names', () => {
	const simple = simplify(reportBody({ internal: 1 }));
	expect(simple).toEqual({
		report_id: 'rep_1',
		address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
		chain: 'ETH',
		risk_level: 'green',
		risk_score: 0.02,
		risk_categories: reportBody().risk.categories,
		balance: '12.5 ETH',
		tx_count: 42,
		report_url: 'https://app.example.com/reports/rep_1',
	});
	expect(Object.keys(simple)).toEqual(
		'report_id address chain risk_level risk_score risk_categories balance tx_count report_url'.split(
			' ',
		),
	);
});

test('a score of 0 stays a number, and what the report lacks is not made up', () => {
	const simple = simplify({ report_id: 'r', address: 'a', risk: { level: 'red', score: 0 } });
	expect(JSON.parse(JSON.stringify(simple))).toEqual({
		report_id: 'r',
		address: 'a',
		risk_level: 'red',
		risk_score: 0,
	});
});

test('the report itself is not changed', () => {
	const report = reportBody();
	simplify(report);
	expect(report).toEqual(reportBody());
});
