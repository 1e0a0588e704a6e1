import { z } from 'zod';
import { addressKey } from './address';
import { invalidResponse } from './errors';
import { contentOf, excerpt, type Fields, fieldOf, isFields } from './json';
import {
	countIn,
	is,
	isBadWord,
	isFalse,
	isFineWord,
	isId,
	isText,
	isTrue,
	isWord,
	lacksPart,
	says,
	saysLack,
	type Trait,
	wordsOf,
} from './spellings';

/**
 * Section 2.1. What a decision rests on has to be there; the rest passes as it came, unknown fields included. Whether the
 * balance or a category is well formed is for its user to judge: a report is not thrown away for it.
 */
const report = z
	.object({
		report_id: z.string().min(1),
		address: z.string().min(1),
		risk: z.object({ level: z.string().min(1), score: z.number().finite() }).passthrough(),
	})
	.passthrough();

export type Report = z.infer<typeof report>;

/**
 * The name of the field by which a value says that it is no final report. Reports have no states (section 3), so a state
 * that is not known to be that of something complete is one of those.
 */
export function flawOf(fields: Fields): string | undefined {
	const level = isFields(fields.risk) ? fields.risk.level : undefined;
	// A state may repeat the level, or say in another word what came of the screening.
	const isFine = (word: string) => isFineWord(word) || isWord(word, 'verdict') || word === level;
	for (const [name, value] of Object.entries(fields)) {
		if (
			(is(name, 'state') && !wordsOf(value).every(isFine)) ||
			(is(name, 'anyState') && isText(value) && isBadWord(value)) ||
			(is(name, 'good') && (isFalse(value) || value === 0)) ||
			(is(name, 'bad') && (isTrue(value) || value === 1)) ||
			((is(name, 'error') || is(name, 'gap')) && says(value)) ||
			(is(name, 'warning') && saysLack(value)) ||
			(is(name, 'code') && !isFineCode(value)) ||
			(is(name, 'doneAt') && value === null) ||
			(is(name, 'progress') && isUnderway(value))
		)
			return name;
	}
	return undefined;
}

function isFineCode(code: unknown): boolean {
	const number = countIn(code);
	return number === undefined ? !isText(code) || isFineWord(code) : [0, 200, 201].includes(number);
}

/** As a share or in percent: 1 may mean either. */
export function isUnderway(progress: unknown): boolean {
	const text = isText(progress) ? progress.replace('%', '') : progress;
	const [, done, all] = isText(text)
		? (/^\s*(\d{1,9})\s*(?:of|\/)\s*(\d{1,9})\s*$/i.exec(text) ?? [])
		: [];
	if (all !== undefined) return Number(done) < Number(all);
	const number = isText(text) && text.trim() !== '' ? Number(text) : text;
	return typeof number === 'number' && number !== 1 && !(number >= 100);
}

/**
 * The same of what a report holds: there the names are the service's own, so a state that is not known says nothing. Its risk
 * is as final as what it says of itself, and what describes it is the service's word on it.
 */
function innerFlawOf(fields: Fields): string | undefined {
	for (const [name, inner] of Object.entries(fields)) {
		if (lacksPart(name, inner)) return name;
		const isRisk = name === 'risk';
		if (
			!isFields(inner) ||
			!(isRisk || ['envelope', 'meta', 'bad', 'step'].some((one) => is(name, one as Trait)))
		)
			continue;
		const flaw = is(name, 'meta') ? flawOf(stateless(inner)) : undefined;
		if (flaw !== undefined) return `${name}.${flaw}`;
		for (const [part, value] of Object.entries(inner)) {
			if (
				(is(part, 'anyState') && wordsOf(value).some(isBadWord)) ||
				(is(part, 'bad') && isTrue(value)) ||
				(isRisk && is(part, 'bad') && Array.isArray(value) && says(value)) ||
				(isRisk && is(part, 'good') && isFalse(value)) ||
				(isRisk && (is(part, 'error') || is(part, 'gap')) && says(value)) ||
				(isRisk && ((is(part, 'warning') && saysLack(value)) || lacksPart(part, value)))
			)
				return `${name}.${part}`;
		}
	}
	return undefined;
}

/** Without what may be a word of the service's own, such as a kind of wallet. */
const stateless = (fields: Fields): Fields =>
	Object.fromEntries(
		Object.entries(fields).filter(
			([name, value]) => !is(name, 'state') && !(is(name, 'code') && countIn(value) === undefined),
		),
	);

export const mostWraps = 3;

/** The report that a value is or wraps, untouched as it came, or where it says that it has none. */
function look(
	value: unknown,
	wraps = mostWraps,
): { report?: Report | undefined; flaw?: string | undefined } {
	if (!isFields(value)) return {};
	const flaw = flawOf(value);
	if (flaw !== undefined) return { flaw };
	if (report.safeParse(value).success) {
		const inner = innerFlawOf(value);
		return inner === undefined ? { report: value as Report } : { flaw: inner };
	}
	if (wraps === 0) return {};
	const found: Report[] = [];
	for (const [name, inner] of Object.entries(value)) {
		const seen: ReturnType<typeof look> = is(name, 'envelope')
			? look(inner, wraps - 1)
			: { flaw: is(name, 'meta') && isFields(inner) ? flawOf(inner) : undefined };
		if (seen.flaw !== undefined) return { flaw: `${name}.${seen.flaw}` };
		if (seen.report) found.push(seen.report);
	}
	const isOne = new Set(found.map(resultKey)).size < 2;
	return isOne ? { report: found[0] } : { flaw: 'several reports' };
}

/** What is the same for two reports that say the same of one address. */
export const resultKey = ({ address, chain, risk }: Report) =>
	contentOf([addressKey(address), chain, risk]);

/** The report that a value is or wraps, untouched as it came; undefined if there is no final one. */
export function reportIn(value: unknown): Report | undefined {
	return look(value).report;
}

/** RFC 9110, section 15.3.7: the service sent a part of what was asked for. */
export const partialContent = 206;

/**
 * The report in a body (section 2.1), bare or in up to three envelopes. Throws `invalid_response`, which names the ID of the
 * report, because it may be paid and can be fetched later.
 */
export function parseReport(body: unknown, httpCode: number): Report {
	const { report: found, flaw } = look(body);
	const isPartial = httpCode === partialContent;
	if (found && !isPartial) return found;
	const report_id = wrappedReportIdIn(body);
	const known = { ...(report_id !== undefined && { report_id }), body: excerpt(body) };
	if (isPartial) throw invalidResponse('a part of a risk report', httpCode, known);
	if (flaw !== undefined) {
		throw invalidResponse(`a risk report that is not final (see '${flaw}')`, httpCode, known);
	}
	const place = report.safeParse(body).error?.issues[0]?.path.join('.') || 'the body';
	throw invalidResponse(
		`an invalid risk report ('${place}' is missing or invalid)`,
		httpCode,
		known,
	);
}

function wrappedReportIdIn(value: unknown, wraps = mostWraps): string | undefined {
	if (Array.isArray(value)) {
		return value.length === 1 && wraps > 0 ? wrappedReportIdIn(value[0], wraps - 1) : undefined;
	}
	if (!isFields(value)) return undefined;
	const named = fieldOf(value, 'report_id');
	if (isId(named)) return String(named).trim();
	if (wraps === 0) return undefined;
	for (const [name, inner] of Object.entries(value)) {
		const found = is(name, 'envelope') ? wrappedReportIdIn(inner, wraps - 1) : undefined;
		if (found !== undefined) return found;
	}
	return undefined;
}
