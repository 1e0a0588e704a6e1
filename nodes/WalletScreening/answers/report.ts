import { z } from 'zod';
import { addressKey } from '../address/key';
import {
	type Fields,
	isFields,
	isFilled,
	isGiven,
	isNumber,
	tryStringify,
	objectIn,
} from '../shared/json';
import { equalsIgnoringCase } from '../shared/text';

/*
 * Three types describe a report, from the least strict:
 *
 *     ReportLike    a risk, and an address or an ID    what the reader looks for in an answer
 *     AnyReport     an address and a risk              what the node can show and decide on, of any age and origin
 *     Report        all that section 2 promises        what the service has to send: `findFlaw` has found nothing missing
 */

/** An object that is meant as a report. It may lack anything but a risk, and an address or an ID. */
export interface ReportLike {
	address?: unknown;
	report_id?: unknown;
	risk: Fields;
}

/** A report (section 2.1) of any origin: all but the address may be missing or of another type. */
export interface AnyReport {
	report_id?: unknown;
	address: string;
	chain?: unknown;
	risk: { level?: unknown; score?: unknown; categories?: unknown };
	balance?: unknown;
	tx_count?: unknown;
	report_url?: unknown;
}

/** A report as section 2 promises it, with a number for each category. It is as the service sent it, with its unknown fields. */
export interface Report extends AnyReport {
	report_id: string;
	risk: { level: string; score: number; categories: Fields };
}

/** Whether a value is meant as a report. */
export const isReportLike = (value: unknown): value is ReportLike =>
	isFields(value) && isFields(value.risk) && (isFilled(value.address) || isFilled(value.report_id));

/** A report, or why the value is not one. */
export type ParsedReport = { report: AnyReport; flaw?: never } | { report?: never; flaw: string };

/** Parses the report (section 2.1) that an object is, or that its JSON text holds. The report stays as the service sent it. */
export function parseReport(value: unknown): ParsedReport {
	const fields = objectIn(value);
	if (!fields) return { flaw: 'there is no object' };
	if (!isFilled(fields.address)) return { flaw: "'address' is missing" };
	if (!isFields(fields.risk)) return { flaw: "'risk' is not an object" };
	if (!isFields(fields.risk.categories ?? {})) return { flaw: "'categories' is not an object" };
	return { report: fields as object as AnyReport };
}

/** Whether a value can be an ID, and a segment of a path. JavaScript does not hold a number exactly that is not safe. */
export const isId = (value: unknown): value is string | number =>
	Number.isSafeInteger(value) || (isFilled(value) && !['.', '..'].includes(value.trim()));

const requiredText = z
	.string({ message: 'is not a text' })
	.regex(/\S/, { message: 'is an empty text' });
const reportId = requiredText.refine(isId, { message: 'is not an ID' });
const noAmount = { message: 'is not a number from 0 up' };
/** A score, or a category, which is a fraction (section 2.3). A number below 0 stands for one that is not known. */
const amount = z.number(noAmount).finite(noAmount).min(0, noAmount);

/** The schema of a report that counts. */
export type ReportSchema = z.ZodType;

/**
 * Makes the schema of section 2, with the categories that the service has. No all-clear depends on the fields that are not here
 * (`chain`, `balance`, `tx_count`, `report_url`), unless a rule of the user needs one: then it is a reason to review.
 */
export function createReportSchema(categories: string[]): ReportSchema {
	return z.object({
		report_id: reportId,
		address: requiredText,
		risk: z.object({
			level: requiredText,
			score: amount,
			categories: z.object(Object.fromEntries(categories.map((name) => [name, amount])), {
				message: 'is not an object',
			}),
		}),
	});
}

/** Why a value is no report that counts, and the names that would make it one if the user teaches them. */
interface Flaw {
	flaw: string;
	proposedNames?: { categories: string[] } | undefined;
}

/**
 * Finds what a report lacks of section 2; undefined for nothing.
 * @example findFlaw({ address, report_id, risk: { level: 'green', score: null } }, schema)
 * // { flaw: "'risk.score' is not a number from 0 up", proposedNames: undefined }
 */
export function findFlaw(report: ReportLike, schema: ReportSchema): Flaw | undefined {
	const [issue] = schema.safeParse(report).error?.issues ?? [];
	if (!issue) return undefined;
	const [, part, category] = issue.path;
	const isOfCategory = part === 'categories' && category !== undefined;
	const names = isOfCategory ? listNumericCategories(report) : [];
	// No error may propose to do without the category `sanctions`.
	const proposedNames = names.includes('sanctions') ? { categories: names } : undefined;
	return { flaw: `'${issue.path.join('.')}' ${issue.message}`, proposedNames };
}

/** Lists the categories that a report has as numbers. */
function listNumericCategories({ risk: { categories } }: ReportLike): string[] {
	const entries = isFields(categories) ? Object.entries(categories) : [];
	return entries.flatMap(([name, value]) => (amount.safeParse(value).success ? name : []));
}

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
export const goodSign = 'clean_exchange';

/** The categories of a report by their keys (section 2.3); none if they are missing. */
export function categoriesOf({ risk }: AnyReport): Fields {
	return isFields(risk.categories) ? risk.categories : {};
}

/** A category of a report. Its value is a fraction (section 2.3), if the report keeps to the specification. */
export interface CategoryValue {
	key: string;
	value: unknown;
}

/** The categories that are evidence against an address, the highest first. */
export function risksOf(report: AnyReport): CategoryValue[] {
	return Object.entries(categoriesOf(report))
		.map(([key, value]) => ({ key, value }))
		.filter(({ key }) => key !== goodSign)
		.sort((one, other) => sortValue(other.value) - sortValue(one.value));
}

/** A value that is no number counts as the highest, so that it stands out. */
function sortValue(value: unknown): number {
	if (isNumber(value)) return value;
	return isGiven(value) ? Number.MAX_VALUE : -Number.MAX_VALUE;
}

/** The content of a report about its address: two reports with the same content are the same. */
export function contentOfReport(report: AnyReport): unknown {
	const { address, chain, risk } = report;
	return tryStringify([addressKey(address), chain, risk]) ?? report;
}

/** Whether a level is the one that gives no cause for concern. The specification leaves open which others there are (section 2.2). */
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
