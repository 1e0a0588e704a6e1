import { addressKey } from '../../address/key';
import { type Fields, isFields, quoted } from '../json';
import { type Report, saysRisk } from '../report';
import { addressesNamed, look, reportIdIn } from './look';
import { isOfResult, type Placed, saysLevel } from './placed';
import { isLikeAddress } from './values';
import type { Vocabulary } from './vocabulary';

/** One result of a job: the report, or what came in its place. */
export interface Entry {
	/** Undefined if it names none. */
	address: string | undefined;
	report: Report | undefined;
	value: unknown;
	/** Why it is no report. An entry without one may only mention an address. */
	flaw?: string | undefined;
	/** The ID of the report, if the entry has only that (section 4.2 gives the report). */
	reportId?: string | undefined;
	/** It counts against another report of its address, unless it says the same: a part of one, or what stands elsewhere. */
	isPart?: boolean;
	/** It stands under a name under which nobody puts results, as far as the node knows. */
	isElsewhere?: true;
	/** Stands for the results that the service did not send. */
	rest?: true;
}

/** The results that a field of a body holds. */
export function entriesIn(v: Vocabulary, field: Placed): Entry[] {
	const { name, value, of } = field;
	if (field.unscreened) {
		const listed = Array.isArray(value) && of !== 'about' ? value : [value];
		return listed.flatMap((one: unknown) => {
			const found = unscreenedIn(v, one);
			return found.length > 0 || listed !== value ? found : [withoutReport(undefined, one)];
		});
	}
	if (of === 'about' || field.about) return [];
	const isEntry = isFields(value) && (isIndex(name) || (field.isUnknown && of === 'results'));
	if (isLikeAddress(name) || isEntry) return [value].flat().map((one) => entryOf(v, one, name));
	// A list under a word is of what the word says: `successful`, `screened`.
	const isOfDone = Array.isArray(value) && ['complete', 'success', 'final'].includes(field.kind!);
	if (!field.results && !field.wrappers && !isOfDone) {
		const flaw = `it stands under ${quoted(name)}, where the node knows of no results`;
		return reportsIn(value).map((one) => {
			const entry = { address: addressIn(v, one), report: undefined, value: one, flaw };
			return { ...entry, isPart: true, isElsewhere: true };
		});
	}
	if (isOfResult(value)) return [entryOf(v, value)];
	if (!Array.isArray(value)) return [];
	// Texts repeat what was sent.
	const isEcho = value.every((one) => typeof one === 'string');
	return (isEcho ? value.filter(isLikeAddress) : value).map((one) => entryOf(v, one));
}

const isIndex = (name: string) => /^\d{1,6}$/.test(name);

/** What says a level, in a value or at most three levels in it. */
function reportsIn(value: unknown, depth = 3): Fields[] {
	if (saysLevel(value)) return [value];
	if (depth === 0 || typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap((one) => reportsIn(one, depth - 1));
}

const withoutReport = (address: string | undefined, value: unknown): Entry => {
	return { address, report: undefined, value, flaw: 'it is among those without a report' };
};

/** The addresses without a report in a value: the one that it names, or those in it, also as names. */
function unscreenedIn(v: Vocabulary, value: unknown, key = '', depth = 3): Entry[] {
	const address = key || addressIn(v, value);
	if (address !== undefined) return [withoutReport(address, value)];
	if (depth === 0 || typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, one]) => {
		const isAddress = isLikeAddress(name);
		// A text in an object says why.
		if (typeof one === 'string' && !isAddress && !Array.isArray(value)) return [];
		return unscreenedIn(v, one, isAddress ? name : '', depth - 1);
	});
}

function entryOf(v: Vocabulary, value: unknown, key = ''): Entry {
	const named = addressIn(v, value) ?? (key ? look(v, value).report?.address : undefined);
	// If the value names its address, the service may have numbered it, or given it a name of its own.
	const own = isLikeAddress(key) || !named ? key : '';
	const { report, flaw } = look(v, isFields(value) && own ? { address: own, ...value } : value);
	const address = own || named || report?.address;
	const all = new Set([address, named, report?.address].filter((one) => one !== undefined));
	const isOne = all.size === 1 || new Set([...all].map(addressKey)).size === 1;
	if (report && isOne) return { address, report, value };
	const isPart = !report && flaw === undefined && isFields(value) && saysRisk(value);
	const part = isPart ? 'it is only a part of a report' : undefined;
	const why = report ? 'it is the report of another address' : (flaw ?? part);
	const reportId = why === undefined ? reportIdIn(v, value) : undefined;
	return { address, report: undefined, value, flaw: why, reportId, isPart };
}

function addressIn(v: Vocabulary, value: unknown): string | undefined {
	if (!isFields(value)) return isLikeAddress(value) ? value : undefined;
	if (typeof value.address === 'string') return value.address;
	return addressesNamed(v.fieldsOf(value)).find(isLikeAddress);
}
