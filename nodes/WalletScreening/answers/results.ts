import { addressKey } from '../address/key';
import { invalidResponse } from '../shared/errors';
import { isJsonObject } from '../shared/json';
import { excerptJson, quoteJson } from '../shared/text';
import type { Contract } from './contract';
import type { Contradictions, ResultContext } from './contradictions';
import type { Field } from './fields';
import { addressOf, findAddress } from './namedAddress';
import type { Place } from './places';
import { contentOfReport, isId, isReportLike, type Report } from './report';
import { findFlaw, type Flaw } from './reportSchema';
import type { ServiceNames } from './standardNames';
import { effectsOf } from './statements';
import { normalizeName } from './vocabulary';

/** The result of an address in an answer: a report, or what came in the place of one. */
export interface Result {
	/** Undefined if the result names no address. */
	address: string | undefined;
	/** Undefined for a report that lacks something, or that anything contradicts. */
	report?: Report | undefined;
	/** The result as the service sent it. */
	value: unknown;
	/** The name around it under which nothing is a final report, e.g. `failed`. */
	notFinalUnder?: string | undefined;
	/** Why it is no final report, if that is known. */
	flaw?: string | undefined;
	/** The names to teach if it is a final report all the same. */
	proposedNames?: ServiceNames | undefined;
}

/**
 * Reads a result.
 *
 * @example
 *     { address, report_id, risk }                     a report
 *     { address, report_id, risk: {} }                 flaw: 'risk.level' is not a text
 *     { address, report_id, risk, status: "queued" }   flaw: 'status' is "queued"
 *     { address }, in a list `failed`                  flaw: it is under "failed"
 */
export function readResult(
	contract: Contract,
	contradictions: Contradictions,
	place: Place,
	context: ResultContext,
): Result {
	const { value, kind, name, notFinalUnder } = place;
	const address = addressOf(value) ?? (kind === 'mapEntry' ? name : findAddress(value));
	const contradiction = contradictions.find(place, context);
	const objection =
		findFlawOfReport(contract, value) ??
		(contradiction && describeContradiction(contract, contradiction, place)) ??
		findNotFinalName(place);
	if (objection) return { address, value, notFinalUnder, ...objection };
	// What lacks nothing of section 2 is a whole report.
	return isReportLike(value) ? { address, value, report: value as Report } : { address, value };
}

/** Finds what a report lacks of section 2. */
function findFlawOfReport({ reportSchema }: Contract, value: unknown): Flaw | undefined {
	return isReportLike(value) ? findFlaw(value, reportSchema) : undefined;
}

/**
 * Describes a field that contradicts a result. A word or a number that the node does not know may
 * mean that a report is final. A sentence or a sign cannot be taught.
 */
function describeContradiction(contract: Contract, field: Field, place: Place): Flaw {
	const { name, value } = field;
	const flaw = `'${name}' is ${quoteJson(value)}`;
	if (!effectsOf(field.statements.oneResult).isUnknown) return { flaw };
	const mayMeanComplete =
		isReportLike(place.value) && normalizeName(value) !== '' && contract.mayMeanEnd(value);
	return {
		flaw: `${flaw}, which the node does not know`,
		proposedNames: mayMeanComplete ? { complete: [String(value)] } : undefined,
	};
}

/** Finds the name around a result under which nothing is a final report. */
function findNotFinalName({ notFinalUnder }: Place): Flaw | undefined {
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
	const own = findOwnResults(results, subject);
	// A result that is not a report makes the others doubtful. Without one of its own, the error
	// names a result of another subject.
	const first = own.find(({ report }) => !report) ?? own[0] ?? results[0];
	const values = first ? [first, ...own].map(({ value }) => value) : [body];
	const report_id = values.map(idOf).find(isId);
	const details = {
		...(report_id !== undefined && { report_id: String(report_id) }),
		body: excerptJson(body),
	};
	const facts = { httpCode: status, details, proposedNames: first?.proposedNames };
	const refuse = (what: string) => invalidResponse(what, facts);
	const name = address ?? first?.address;
	const whose = name === undefined ? '' : ` for ${name}`;

	if (!first) throw refuse(`no report${whose}`);
	if (!first.report)
		throw refuse(`no final report${whose}: ${first.flaw ?? excerptJson(first.value)}`);
	if (own.length === 0)
		throw refuse(address ? `the report of another address${whose}` : 'a report of another ID');
	const contents = new Set(own.map(({ report }) => contentOfReport(report!)));
	if (contents.size > 1) throw refuse(`several reports that differ${whose}`);
	return first.report;
}

/** The ID of a report, or what stands there. */
const idOf = (value: unknown): unknown => (isJsonObject(value) ? value.report_id : undefined);

/**
 * Finds the results that are about the subject. For the ID of a report, these are the reports with
 * this ID, and the failures of their addresses, which have no ID.
 */
function findOwnResults(results: Result[], { address, report_id }: Subject): Result[] {
	const ofAddress = results.filter((result) => address === undefined || isAbout(result, address));
	if (report_id === undefined) return ofAddress;
	const withId = ofAddress.filter(({ value }) => idOf(value) === report_id);
	const failures = ofAddress.filter(
		(result) =>
			!result.report &&
			idOf(result.value) === undefined &&
			withId.some((one) => one.address !== undefined && isAbout(result, one.address)),
	);
	return [...withId, ...failures];
}

/** Whether a result is about an address. One that names none counts as about each. */
const isAbout = (result: Result, address: string): boolean =>
	result.address === undefined || addressKey(result.address) === addressKey(address);
