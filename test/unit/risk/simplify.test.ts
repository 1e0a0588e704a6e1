import { simplify } from '../../../nodes/WalletScreening/risk/report';
import { reportBody } from '../support/answers';

test('a report becomes its fields on one level, in the order of the public names', () => {
	const report = reportBody({ internal: 1 });
	const { report_id, address, chain, risk, balance, tx_count, report_url } = report;
	const { level: risk_level, score: risk_score, categories: risk_categories } = risk;
	const expected = {
		...{ report_id, address, chain, risk_level, risk_score, risk_categories },
		...{ balance, tx_count, report_url },
	};
	expect(JSON.stringify(simplify(report))).toBe(JSON.stringify(expected));
	expect(report).toEqual(reportBody({ internal: 1 }));
});
