import { isNumber } from '../shared/json';
import { risksOf } from './categories';
import type { AnyReport } from './report';

/** What stands for the report in a simplified item. */
export interface ReportExtract {
	/** Null if no category is above 0. */
	highest_category: string | null;
	highest_score: unknown;
	report_id: unknown;
	report_url: unknown;
}

/** Extracts what a simplified item has of a report. */
export function extractReport(report: AnyReport): ReportExtract {
	const [highest] = risksOf(report);
	const isNone = highest === undefined || (isNumber(highest.value) && highest.value <= 0);
	return {
		highest_category: isNone ? null : highest.key,
		highest_score: highest ? highest.value : null,
		report_id: report.report_id,
		report_url: report.report_url,
	};
}
