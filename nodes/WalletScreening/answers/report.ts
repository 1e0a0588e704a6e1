import { addressKey } from '../address/key';
import { canonicalJson, halfCharacter } from '../shared/canonical';
import {
	hasValue,
	isJsonObject,
	isNonBlankText,
	isNumber,
	type JsonObject,
	objectIn,
} from '../shared/json';
import { equalsIgnoringCase } from '../shared/text';

/*
 * Three types describe a report here, from the least strict:
 *
 *     ReportLike    a risk; an address or an ID    what the reader looks for in an answer
 *     AnyReport     a risk; an address             what the node can show and decide on, of any age
 *     Report        all of section 2               what the service has to send, `reportSchema.ts`
 *
 * `ServiceReport` in `description/outputItems.ts` lists its fields for n8n's editor.
 */

/**
 * An object that is meant as a report. It may lack anything but a risk, and an address or an ID.
 */
export interface ReportLike {
	address?: unknown;
	report_id?: unknown;
	risk: JsonObject;
}

/**
 * A report (section 2.1) of any origin. It has an address and a risk; anything else may be missing
 * or of another type.
 */
export interface AnyReport {
	report_id?: unknown;
	address: string;
	chain?: unknown;
	risk: { level?: unknown; score?: unknown; categories?: unknown };
	balance?: unknown;
	tx_count?: unknown;
	report_url?: unknown;
}

/**
 * A report as section 2 promises it, with a number for each category. It is as the service sent it,
 * with its unknown fields.
 */
export interface Report extends AnyReport {
	report_id: string;
	risk: { level: string; score: number; categories: JsonObject };
}

/** Whether a value is meant as a report. */
export const isReportLike = (value: unknown): value is ReportLike =>
	isJsonObject(value) &&
	isJsonObject(value.risk) &&
	(isNonBlankText(value.address) || isNonBlankText(value.report_id));

/** A report, or why the value is not one. */
export type ParsedReport = { report: AnyReport; flaw?: never } | { report?: never; flaw: string };

/**
 * Parses the report (section 2.1) that an object is, or that its JSON text holds. The report stays
 * as the service sent it.
 */
export function parseReport(value: unknown): ParsedReport {
	const fields = objectIn(value);
	if (!fields) return { flaw: 'there is no object' };
	if (!isNonBlankText(fields.address)) return { flaw: "'address' is missing" };
	if (!isJsonObject(fields.risk)) return { flaw: "'risk' is not an object" };
	if (!isJsonObject(fields.risk.categories ?? {})) return { flaw: "'categories' is not an object" };
	return { report: fields as object as AnyReport };
}

/**
 * Whether a value can be an ID, and a segment of a path, which has no half of a character.
 * JavaScript does not hold a number exactly that is not safe.
 */
export const isId = (value: unknown): value is string | number =>
	Number.isSafeInteger(value) ||
	(isNonBlankText(value) && !['.', '..'].includes(value.trim()) && !halfCharacter.test(value));

/** The categories that every report has (section 2.3). */
export const reportCategories = [
	'sanctions',
	'darknet',
	'mixer',
	'scam',
	'stolen',
	'clean_exchange',
];

/** The one category that is in favour of an address (section 2.3). */
export const favourableCategory = 'clean_exchange';

/** The categories of a report by their keys (section 2.3); none if they are missing. */
export function categoriesOf({ risk }: AnyReport): JsonObject {
	return isJsonObject(risk.categories) ? risk.categories : {};
}

/** A category of a report. Its value is a fraction (section 2.3), if the service keeps to that. */
export interface CategoryValue {
	key: string;
	value: unknown;
}

/** The categories that are evidence against an address, the highest first. */
export function risksOf(report: AnyReport): CategoryValue[] {
	return Object.entries(categoriesOf(report))
		.map(([key, value]) => ({ key, value }))
		.filter(({ key }) => key !== favourableCategory)
		.sort((one, other) => sortValue(other.value) - sortValue(one.value));
}

/** A value that is no number counts as the highest, so that it stands out. */
function sortValue(value: unknown): number {
	if (isNumber(value)) return value;
	return hasValue(value) ? Number.MAX_VALUE : -Number.MAX_VALUE;
}

/**
 * The content of a report: what it states about its address. Two reports of the same content are
 * the same, in any order of their fields. One that canonical JSON cannot hold equals only itself.
 */
export function contentOfReport(report: AnyReport): unknown {
	const { address, chain = null, risk } = report;
	try {
		return canonicalJson([addressKey(address), chain, risk]);
	} catch {
		return report;
	}
}

/**
 * Whether a level is the one that gives no cause for concern. The specification leaves open which
 * others there are (section 2.2).
 */
export const isGreen = (level: unknown): boolean => equalsIgnoringCase(level, 'green');

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
