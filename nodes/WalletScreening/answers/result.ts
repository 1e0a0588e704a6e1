import { quoted } from '../service/json';
import { addressOf, findAddress, isLikeAddress } from './addresses';
import type { Contract, ServiceNames } from './contract';
import type { Field, Statement } from './fields';
import type { Place } from './places';
import { findFlaw, isReport, type Report } from './report';

/** What an answer has for an address: a report, or what came in the place of one. */
export interface Result {
	/** Undefined if it names none. */
	address: string | undefined;
	/** Undefined if it lacks something, or if anything speaks against it. */
	report?: Report | undefined;
	/** As the service sent it. */
	value: unknown;
	/** Why it is no final report, if that is known. */
	flaw?: string | undefined;
	/** What to add to the names of the service if it is a final report all the same. */
	add?: ServiceNames | undefined;
}

/** Reads a result. `around` holds its place and the places around it that speak of it, the inner ones first. */
export function readResult(contract: Contract, place: Place, around: Place[]): Result {
	const { value, name, failing } = place;
	const address = addressOf(value) ?? (isLikeAddress(name) ? name : findAddress(value));
	const lack = isReport(value) ? findFlaw(value, contract.report) : undefined;
	if (lack) return { address, value, ...lack };
	const field = findContradiction(place, around);
	if (field) {
		const isWord = isReport(value) && (field.statement === 'unknown' || field.statement === 'code');
		const add = isWord ? { complete: [String(field.value)] } : undefined;
		return { address, value, flaw: `'${field.name}' is ${quoted(field.value)}`, add };
	}
	if (failing !== undefined) return { address, value, flaw: `it stands under ${quoted(failing)}` };
	return isReport(value) ? { address, value, report: value as Report } : { address, value };
}

/** The first field that says that a result is no final report. A number as a state counts only in the result itself. */
function findContradiction(place: Place, around: Place[]): Field | undefined {
	for (const one of around) {
		const field = one.fields.find(
			(it) => speaksAgainst(it) || (it.statement === 'code' && one === place),
		);
		if (field) return field;
	}
	return undefined;
}

const contradicting: Statement[] = ['running', 'failed', 'unknown', 'wrong', 'open', 'some'];
/** A verdict on a wallet may be anything, and `rejected: true` is one, too. */
const speaksAgainst = ({ meaning, statement }: Field) =>
	statement !== undefined &&
	contradicting.includes(statement) &&
	!['likeState', 'verdict', 'event', 'failed'].includes(meaning!);
