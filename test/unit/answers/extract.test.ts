import { extractReport, parseReport } from '../../../nodes/WalletScreening/answers/report';
import { reportBody } from '../../support/unit/reports';

// Each row has the categories, the category and the score of a simplified item, and why.
test.each<[object, unknown, unknown, string]>([
	[{ mixer: 0.2, scam: 0.4, clean_exchange: 0.9 }, 'scam', 0.4, 'the good sign is no risk'],
	[{ mixer: 0, scam: 0 }, null, 0, 'a report without a risk names no category'],
	[{}, null, null, 'a report without categories has no highest one'],
	[{ mixer: 0.9, scam: 'high' }, 'scam', 'high', 'a value that is no number stands out'],
])(
	'a simplified report with %j has the category %j and the score %j, because %s',
	(categories, highest_category, highest_score) => {
		const given = reportBody({ risk: { categories } });
		const { report_id, report_url } = given;
		expect(extractReport(given)).toEqual({
			highest_category,
			highest_score,
			report_id,
			report_url,
		});
	},
);

test('a report without categories is one', () => {
	const report = { address: 'a', risk: {} };
	expect(parseReport(report)).toEqual({ report });
});
