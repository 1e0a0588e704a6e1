import { z } from 'zod';
import { isJsonObject } from '../shared/json';
import { isId, type ReportLike } from './report';
import type { ServiceNames } from './standardNames';

/* What a report has to hold so that it counts (section 2). */

const requiredText = z
	.string({ message: 'is not a text' })
	.regex(/\S/, { message: 'is an empty text' });
const reportId = requiredText.refine(isId, { message: 'is not an ID' });
const noAmount = { message: 'is not a number from 0 up' };
/**
 * A score, or a category, which is a fraction (section 2.3). A number below 0 stands for one that
 * is not known.
 */
const amount = z.number(noAmount).finite(noAmount).min(0, noAmount);

/** The schema of a report that counts. */
export type ReportSchema = z.ZodType;

/**
 * Makes the schema of section 2, with the categories that the service has. No all-clear depends on
 * the fields that are not here (`chain`, `balance`, `tx_count`, `report_url`), unless a rule of the
 * user needs one: then it is a reason to review.
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

/** Why a report does not count, and the names to teach so that it does. */
export interface Flaw {
	flaw: string;
	proposedNames?: ServiceNames | undefined;
}

/**
 * Finds what a report lacks of section 2; undefined for nothing.
 * @example findFlaw({ address, report_id, risk: { level: 'green', score: null } }, schema)
 * // { flaw: "'risk.score' is not a number from 0 up", proposedNames: undefined }
 */
export function findFlaw(report: ReportLike, schema: ReportSchema): Flaw | undefined {
	const [issue] = schema.safeParse(report).error?.issues ?? [];
	if (!issue) return undefined;
	const [, fieldOfRisk, category] = issue.path;
	const isOfCategory = fieldOfRisk === 'categories' && category !== undefined;
	const names = isOfCategory ? listNumericCategories(report) : [];
	// No error may propose to do without the category `sanctions`.
	const proposedNames = names.includes('sanctions') ? { categories: names } : undefined;
	return { flaw: `'${issue.path.join('.')}' ${issue.message}`, proposedNames };
}

/** Lists the categories that a report has as numbers. */
function listNumericCategories({ risk: { categories } }: ReportLike): string[] {
	const entries = isJsonObject(categories) ? Object.entries(categories) : [];
	return entries.flatMap(([name, value]) => (amount.safeParse(value).success ? name : []));
}
