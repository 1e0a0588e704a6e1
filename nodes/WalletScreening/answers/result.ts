import { addressKey } from '../address/key';
import { invalidResponse } from '../shared/errors';
import { excerpt, type Fields, isFields, quoted } from '../shared/json';
import { addressOf, findAddress, looksLikeAddress } from './addresses';
import type { Contract, ServiceNames } from './contract';
import type { Field, Statement } from './fields';
import type { Place } from './places';
import { contentOfReport, findFlaw, isId, isReport, type Report } from './report';

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
	add?: ServiceNames | undefined;
}

/** Reads a result. `around` holds its place and the places around it that are about it, the inner ones first. */
export function readResult(contract: Contract, place: Place, around: Place[]): Result {
	const { value, name, failing } = place;
	const address = addressOf(value) ?? (looksLikeAddress(name) ? name : findAddress(value));
	const lack = isReport(value) ? findFlaw(value, contract.report) : undefined;
	if (lack) return { address, value, ...lack };
	const field = findContradiction(place, around);
	if (field) {
		const isWord = isReport(value) && (field.statement === 'unknown' || field.statement === 'code');
		const add = isWord ? { complete: [String(field.value)] } : undefined;
		return { address, value, flaw: `'${field.name}' is ${quoted(field.value)}`, add };
	}
	if (failing !== undefined) return { address, value, flaw: `it is under ${quoted(failing)}` };
	return isReport(value) ? { address, value, report: value as Report } : { address, value };
}

/** Finds the first field by which a result is no final report. A number as a state counts only in the result itself. */
function findContradiction(place: Place, around: Place[]): Field | undefined {
	for (const one of around) {
		const field = one.fields.find(
			(it) => isContradiction(it) || (it.statement === 'code' && one === place),
		);
		if (field) return field;
	}
	return undefined;
}

const contradictions: Statement[] = ['running', 'failed', 'unknown', 'wrong', 'open', 'some'];
/** Whether a field contradicts a report. A verdict on a wallet may be anything, and `rejected: true` is one, too. */
const isContradiction = ({ meaning, statement }: Field) =>
	statement !== undefined &&
	contradictions.includes(statement) &&
	!['likeState', 'verdict', 'event', 'failed'].includes(meaning!);

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
	{ address, report_id }: Subject,
	{ body, status }: { body: unknown; status: number },
): Report {
	const own = results.filter(({ address: found, value }) => {
		const isOther = address !== undefined && addressKey(found ?? address) !== addressKey(address);
		return !isOther && (report_id === undefined || (value as Fields).report_id === report_id);
	});
	const first = own.find(({ report }) => !report) ?? own[0] ?? results[0];
	const { report_id: id } = (first?.value ?? (isFields(body) ? body : {})) as Fields;
	const details = { ...(isId(id) && { report_id: String(id) }), body: excerpt(body) };
	const refuse = (what: string) => invalidResponse(what, status, details, first?.add);
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
