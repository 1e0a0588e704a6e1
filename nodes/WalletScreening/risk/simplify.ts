import type { AnyReport } from './report';

/** The fields of a report (section 2.1) on one level. */
export function simplify({
	report_id,
	address,
	chain,
	risk,
	balance,
	tx_count,
	report_url,
}: AnyReport) {
	return {
		report_id,
		address,
		chain,
		risk_level: risk.level,
		risk_score: risk.score,
		risk_categories: risk.categories,
		balance,
		tx_count,
		report_url,
	};
}
