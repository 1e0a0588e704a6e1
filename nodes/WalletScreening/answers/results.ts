import { addressKey } from '../address/key';
import { invalidResponse } from '../shared/errors';
import { type Fields, isFields } from '../shared/json';
import { excerptJson, quoteJson } from '../shared/text';
import { addressOf, findAddress, looksLikeAddress } from './addresses';
import type { Contract, ServiceNames } from './contract';
import type { Field, Statement } from './fields';
import type { Place } from './places';
import { contentOfReport, findFlaw, isId, isReportLike, type Report } from './report';

/** The result of an address in an answer: a report, or what came in the place of one. */
export interface Result {
	/** Undefined if the result names no address. */
	address: string | undefined;
	/** Undefined for a report that lacks something, or that anything contradicts. */
	report?: Report | undefined;
	/** The result as the service sent it. */
	value: unknown;
	/** Why it is no final report, if that is known. */
	flaw?: string | undefined;
	/** The names to teach if it is a final report all the same. */
	proposedNames?: ServiceNames | undefined;
}

/** Why a result is no final report. */
type ResultFlaw = Pick<Result, 'proposedNames'> & { flaw: string };

/**
 * Reads a result.
 *
 * @param around its place and the places around it that are about it, the inner ones first
 * @example
 *     { address, report_id, risk }                    { address, report }
 *     { address, report_id, risk: {} }                { address, flaw: "'risk.level' is no text" }
 *     { address, report_id, risk, status: "queued" }  { address, flaw: "'status' is \"queued\"" }
 *     { address }, in a list `failed`                 { address, flaw: 'it is under "failed"' }
 */
export function readResult(contract: Contract, place: Place, around: Place[]): Result {
	const { value, name } = place;
	const address = addressOf(value) ?? (looksLikeAddress(name) ? name : findAddress(value));
	const flaw =
		findLack(contract, value) ?? findContradiction(place, around) ?? findNotFinalName(place);
	if (flaw) return { address, value, ...flaw };
	return isReportLike(value) ? { address, value, report: value as Report } : { address, value };
}

/** Finds what a report lacks of section 2. */
function findLack({ reportSchema }: Contract, value: unknown): ResultFlaw | undefined {
	return isReportLike(value) ? findFlaw(value, reportSchema) : undefined;
}

/** Finds the first field by which a result is no final report. A number as a state counts only in the result itself. */
function findContradiction(place: Place, around: Place[]): ResultFlaw | undefined {
	for (const holder of around) {
		const field = holder.fields.find(
			(one) => isContradiction(one) || (one.statement === 'number' && holder === place),
		);
		if (field) return describeContradiction(field, place);
	}
	return undefined;
}

const contradictions: Statement[] = [
	'running',
	'failed',
	'unknown',
	'error',
	'notDone',
	'incomplete',
];

/** Whether a field contradicts a report. A verdict on a wallet may be anything, and `rejected: true` is one, too. */
const isContradiction = ({ name, meaning, statement }: Field): boolean =>
	statement !== undefined &&
	contradictions.includes(statement) &&
	!['likeState', 'verdict', 'event'].includes(meaning!) &&
	!(meaning === 'failed' && /rejected/i.test(name));

/** Describes a field that contradicts a result. A word or a number that nobody knows may mean that a report is complete. */
function describeContradiction({ name, value, statement }: Field, place: Place): ResultFlaw {
	const mayMeanComplete =
		isReportLike(place.value) && (statement === 'unknown' || statement === 'number');
	return {
		flaw: `'${name}' is ${quoteJson(value)}`,
		proposedNames: mayMeanComplete ? { complete: [String(value)] } : undefined,
	};
}

/** Finds the name around a result under which nothing is a final report. */
function findNotFinalName({ notFinalUnder }: Place): ResultFlaw | undefined {
	return notFinalUnder === undefined
		? undefined
		: { flaw: `it is under ${quoteJson(notFinalUnder)}` };
}

/** The address or the ID by which a report was asked for. */
export interface Subject {
	address?: string;
	report_id?: string;
}

/**
 * Selects the one report of a subject among the results of an answer.
 * @throws {ScreeningError} `invalid_response`, with the ID of the report, which may be paid for
 */
export function selectReport(
	results: Result[],
	subject: Subject,
	{ body, status }: { body: unknown; status: number },
): Report {
	const { address } = subject;
	const own = results.filter((result) => isAbout(result, subject));
	// A result that is no report makes the others doubtful. Without one of its own, the error names a result of another subject.
	const first = own.find(({ report }) => !report) ?? own[0] ?? results[0];
	const { report_id } = (first?.value ?? (isFields(body) ? body : {})) as Fields;
	const details = {
		...(isId(report_id) && { report_id: String(report_id) }),
		body: excerptJson(body),
	};
	const facts = { httpCode: status, details, proposedNames: first?.proposedNames };
	const refuse = (what: string) => invalidResponse(what, facts);
	const name = address ?? first?.address;
	const whose = name === undefined ? '' : ` for ${name}`;

	if (!first) throw refuse(`no report${whose}`);
	if (!first.report) throw refuse(`no final report${whose}: ${first.flaw}`);
	if (own.length === 0)
		throw refuse(address ? `the report of another address${whose}` : 'a report of another ID');
	const contents = new Set(own.map(({ report }) => contentOfReport(report!)));
	if (contents.size > 1) throw refuse(`several reports that differ${whose}`);
	return first.report;
}

/** Whether a result is about the subject. One that names no address is about the one that was asked for. */
function isAbout({ address, value }: Result, subject: Subject): boolean {
	const isOfAddress =
		subject.address === undefined ||
		address === undefined ||
		addressKey(address) === addressKey(subject.address);
	const isOfId =
		subject.report_id === undefined || (value as Fields).report_id === subject.report_id;
	return isOfAddress && isOfId;
}
