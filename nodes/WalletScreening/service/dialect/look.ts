import { checkAddress } from '../../address/check';
import { addressKey } from '../../address/key';
import { type Fields, isFields, isFilled, quoted } from '../json';
import {
	type AnyReport,
	contentOfReport,
	flawOfReport,
	isPlain,
	isShare,
	type Reading,
	type Report,
	riskTwice,
} from '../report';
import type { Additions } from './names';
import {
	flagIn,
	hasDigit,
	isId,
	isLikeAddress,
	isName,
	isTime,
	isUnderway,
	lettersOf,
	says,
	switchIn,
} from './values';
import { type Field, isFinding, isUnfinished, type Said, type Vocabulary } from './vocabulary';

/** A report, or why a value is none, and what to add to the names of the service. */
export type Look = Reading<Report> & { add?: Additions };

/**
 * What fields say against a report in or beside them. Reports have no states (section 3), so a word that is not known to be
 * of something final speaks against it, unless it is fine: the level, or any word of what only describes a report.
 */
export function flawIn(
	v: Vocabulary,
	fields: Field[],
	isFine = (_: unknown) => true,
	saidBy = v.saidBy,
): Look | undefined {
	for (const field of fields) {
		const { name, value, error, event } = field;
		const all = saidBy(field);
		const said = event ? all.filter(({ kind }) => kind === 'failed') : all;
		const word = said.find((one) => one.kind === 'unknown' && !isFine(one.value));
		if (!word && !(error && says(value)) && !said.some(({ kind }) => isUnfinished(kind))) continue;
		const add = word && { words: { final: [word.value].filter(isName).map(String) } };
		return { flaw: `'${name}' is ${quoted(value)}`, ...(add && { add }) };
	}
	return undefined;
}

/**
 * What a field of a report says. There is nothing to count in one: a number or a list under the name of a switch is one, and
 * so is a word under a name that may also hold an object.
 */
function saidBy(v: Vocabulary, field: Field): Said[] {
	const { name, value, wrappers, progress, unscreened, more } = field;
	// A report has no share without one, and no rest.
	const hasRest = unscreened !== undefined || (more !== undefined && switchIn(value));
	const kind = field.kind ?? (hasRest ? 'failed' : undefined);
	const said = v.saidBy(field);
	if (said.length > 0 || progress) return said;
	if (!kind && !wrappers) return [];
	const word = typeof value === 'string' && !hasDigit(value) ? v.kindOf(value) : undefined;
	if (word) return [{ name, value, kind: word, isSwitch: false }];
	if (!kind) return [];
	const flag = flagIn(value);
	if (isFinding(kind)) return flag ? [{ name, value, kind, isSwitch: true }] : [];
	const isOdd = isUnfinished(kind) && flag === undefined && says(value) && !hasDigit(value);
	const isEnd = kind === 'complete' || kind === 'final';
	const isPart = Array.isArray(value) || (isFields(value) && Object.values(value).includes(false));
	const isNoEnd = isEnd && !isTime(value) && (!flag || isPart || isUnderway(value));
	const isNotFinal = isOdd || isNoEnd || flag === isUnfinished(kind);
	return isNotFinal && !isMeasures(value) ? [{ name, value, kind: 'running', isSwitch: true }] : [];
}

/** Numbers under names, such as durations, say nothing of what is done. */
const isMeasures = (value: unknown) =>
	isFields(value) && Object.values(value).every((one) => typeof one === 'number');

/** What a value lacks of a report, or what contradicts it (sections 2.1 to 2.3). */
function faultIn(v: Vocabulary, fields: Fields): Look | undefined {
	const flaw = flawOfReport(fields);
	if (flaw !== undefined) return { flaw };
	const { level, categories } = fields.risk as Report['risk'];
	if (isUnfinished(v.kindOf(level))) return { flaw: "'level' is missing or invalid" };
	const scores: Fields = isFields(categories) ? categories : {};
	const lacking = v.categories.find((name) => !isShare(scores[name]));
	if (lacking === undefined) return undefined;
	const flawed = `'risk.categories.${lacking}' is no number from 0 up`;
	if (Number.isFinite(scores[lacking])) return { flaw: flawed };
	const given = Object.keys(scores).filter((name) => isShare(scores[name]));
	return { flaw: flawed, add: { categories: given } };
}

/** The first thing that is found in any of all. */
function firstOf<One, Found>(all: One[], find: (one: One) => Found | undefined): Found | undefined {
	return all.map(find).find((found) => found !== undefined);
}

/**
 * An object of an answer that known names lead to: one that is or wraps a report, the risk of one, or one that describes what
 * it lies in or beside.
 */
interface Place {
	of: 'answer' | 'risk' | 'about';
	value: Fields;
	fields: Field[];
}

/** The places of an answer, the outer before the inner. All that lie in a report describe it. */
function placesIn(v: Vocabulary, value: unknown, of: Place['of'] = 'answer', depth = 4): Place[] {
	if (!isFields(value)) return [];
	const fields = v
		.fieldsOf(value)
		.filter(({ isUnknown, name }) => !isUnknown || isLikeAddress(name));
	const isReport = of === 'answer' && value.risk !== undefined;
	const inner = fields.flatMap(({ about, wrappers, address, results, value: one }) => {
		if (depth === 0 || !(about || wrappers || address || results)) return [];
		const isAnswer = of === 'answer' && !isReport && wrappers && !about;
		return placesIn(v, one, isAnswer ? of : 'about', depth - 1);
	});
	const risks = isReport ? riskPlaces(v, value.risk) : [];
	return [{ of, value, fields }, ...risks, ...inner];
}

/** The places of a risk. The numbers among its categories have names of their own. */
function riskPlaces(v: Vocabulary, risk: unknown): Place[] {
	const scores = isFields(risk) && isFields(risk.categories) ? Object.entries(risk.categories) : [];
	const others = scores.filter(([, value]) => typeof value !== 'number');
	const beside = others.length > 0 ? placesIn(v, Object.fromEntries(others), 'risk') : [];
	return [...placesIn(v, risk, 'risk'), ...beside];
}

/**
 * The report that a value is or wraps, untouched as it came. No place of the value says that it is not final, or another thing
 * than the report.
 */
export function look(v: Vocabulary, given: unknown): Look {
	const places = placesIn(v, given);
	const reports = places.filter(({ value, of }) => of === 'answer' && value.risk !== undefined);
	const report = reports[0]?.value as unknown as Report | undefined;
	const level = levelOf(report);
	const flaw =
		firstOf(places, (place) => notFinal(v, place, level)) ??
		firstOf(reports, ({ value }) => faultIn(v, value));
	if (flaw) return flaw;
	const contents = reports.map(({ value }) => contentOfReport(value as unknown as Report));
	const against =
		(level === 'green' || !report ? alarmIn(v, places) : undefined) ??
		(new Set(contents).size > 1 ? 'there are several reports' : undefined) ??
		(report && firstOf(places, (place) => otherAddressIn(report, place))) ??
		(report && firstOf(besideIn(v, report, places), (one) => riskTwice(report, one)));
	if (against !== undefined) return { flaw: against };
	return report ? { report } : {};
}

/** What in a risk speaks against a report, wherever that comes from. */
export function flawOfRisk(v: Vocabulary, report: AnyReport): string | undefined {
	if (isPlain(report)) return undefined;
	const { risk } = report;
	const places = riskPlaces(v, risk);
	const scores = isFields(risk.categories) ? risk.categories : {};
	const negative = v.categories.find((name) => (scores[name] as number) < 0);
	return (
		firstOf(places, (place) => notFinal(v, place, ''))?.flaw ??
		(levelOf(report) === 'green' ? alarmIn(v, places) : undefined) ??
		(negative && `'risk.categories.${negative}' is no number from 0 up`)
	);
}

function levelOf(report: Pick<AnyReport, 'risk'> | undefined): string {
	const { level } = isFields(report?.risk) ? report.risk : {};
	return typeof level === 'string' ? lettersOf(level) : '';
}

/** That a place says by a word or a switch that a report is not final. An unknown word counts only where a state may stand. */
function notFinal(v: Vocabulary, { fields, of }: Place, level: string): Look | undefined {
	const isFine = (word: unknown) =>
		of !== 'answer' || (isName(word) && lettersOf(String(word)) === level);
	return flawIn(v, fields, isFine, (field) => saidAt(v, field, of));
}

/** What only describes may count: there, `flagged: 2` is no switch. */
const saidAt = (v: Vocabulary, field: Field, of: Place['of']) =>
	of === 'about' ? v.saidBy(field) : saidBy(v, field);

/** That a field speaks against a green level, by what the service found. */
function alarmIn(v: Vocabulary, places: Place[]): string | undefined {
	const isAlarm = (field: Field, of: Place['of']) =>
		saidAt(v, field, of).some(({ kind }) => kind === 'alarm') ||
		(field.kind === 'good' && (of === 'about' ? switchIn : flagIn)(field.value) === false);
	const alarm = firstOf(places, ({ fields, of }) => fields.find((field) => isAlarm(field, of)));
	return alarm && `'${alarm.name}' is ${quoted(alarm.value)}, and no level says so`;
}

/** What the fields for an address hold, by itself or in an object. */
export const addressesNamed = (fields: Field[]) =>
	fields.flatMap(({ address, value }) =>
		address ? [isFields(value) ? value.address : value] : [],
	);

function otherAddressIn(report: Report, { value, fields, of }: Place): string | undefined {
	const others = [value.address, ...addressesNamed(fields)].filter((one) => isOther(one, report));
	const isForeign = others.some(
		(one) => isKnownAddress(one) || (of === 'answer' && one === value.address),
	);
	return isForeign ? 'it is the report of another address' : undefined;
}

const isOther = (address: unknown, report: Report) =>
	isFilled(address) &&
	address !== report.address &&
	addressKey(address) !== addressKey(report.address);

/** What may say the risk of a report once more: places, and entries of lists unless they name another address. */
function besideIn(v: Vocabulary, report: Report, places: Place[]): Fields[] {
	const listed = places.flatMap(({ fields }) => fields.flatMap(listedIn));
	const own = listed.filter(([key, one]) => ![key, one.address].some((is) => isOther(is, report)));
	const inOwn = own.flatMap(([, one]) => placesIn(v, one, 'about'));
	return [...places, ...inOwn].map(({ value }) => value);
}

/** The entries of a list, or those that have an address for a name. */
function listedIn({ results, name, value }: Field): Array<[key: string, Fields]> {
	const isList = Array.isArray(value);
	const all = results && (isList || isFields(value)) ? Object.entries(value) : [[name, value]];
	return (all as Array<[string, unknown]>).flatMap(([key, one]): Array<[string, Fields]> => {
		if (!isFields(one) || !(isList || isLikeAddress(key))) return [];
		return [[isList ? '' : key, one]];
	});
}

/** Whether a text is an address, and no ID of a wallet. */
function isKnownAddress(value: unknown): boolean {
	if (!isLikeAddress(value)) return false;
	const { checksum, format } = checkAddress(value);
	return checksum !== 'invalid' && format !== null;
}

/** The ID of a report in a value, also if its risk is not there: section 4.2 gives the report. */
export function reportIdIn(v: Vocabulary, value: unknown, wraps = 4): string | undefined {
	if (!isFields(value)) return undefined;
	if (isId(value.report_id)) return String(value.report_id).trim();
	const inner = v.fieldsOf(value).filter(({ wrappers }) => wrappers && wraps > 0);
	return inner.map((field) => reportIdIn(v, field.value, wraps - 1)).find((id) => id !== undefined);
}
