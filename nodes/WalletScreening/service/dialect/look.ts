import { checkAddress } from '../../address/check';
import { addressKey } from '../../address/key';
import { type Fields, isFields, isFilled, quoted } from '../json';
import {
	contentOfReport,
	flawOfReport,
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
	const { name, value, wrappers, progress, unscreened } = field;
	// A report has no share without one.
	const kind = field.kind ?? (unscreened === undefined ? undefined : 'failed');
	const said = v.saidBy(field);
	if (said.length > 0 || progress) return said;
	if (!kind && !wrappers) return [];
	const word = typeof value === 'string' && !hasDigit(value) ? v.kindOf(value) : undefined;
	if (word) return [{ name, value, kind: word, isSwitch: false }];
	if (!kind || isFinding(kind)) return [];
	const flag = flagIn(value);
	const isOdd = isUnfinished(kind) && flag === undefined && says(value) && !hasDigit(value);
	const isEnd = kind === 'complete' || kind === 'final';
	const isNoEnd = isEnd && !isTime(value) && (!flag || Array.isArray(value) || isUnderway(value));
	const isNotFinal = isOdd || isNoEnd || flag === isUnfinished(kind);
	return isNotFinal && !isMeasures(value) ? [{ name, value, kind: 'running', isSwitch: true }] : [];
}

/** Numbers under names, such as durations, say nothing of what is done. */
const isMeasures = (value: unknown) =>
	isFields(value) && Object.values(value).every((one) => typeof one === 'number');

/** A field that speaks against a green level, by what the service found. */
const alarmIn = (v: Vocabulary, fields: Field[]) =>
	fields.find(
		(field) =>
			saidBy(v, field).some(({ kind }) => kind === 'alarm') ||
			(field.kind === 'good' && switchIn(field.value) === false),
	);

/** What a value lacks of a report, or what contradicts it (sections 2.1 to 2.3). */
function faultIn(v: Vocabulary, fields: Fields): Look | undefined {
	const flaw = flawOfReport(fields);
	if (flaw !== undefined) return { flaw };
	const { level, categories } = fields.risk as Report['risk'];
	if (isUnfinished(v.kindOf(level))) return { flaw: "'level' is missing or invalid" };
	const scores: Fields = isFields(categories) ? categories : {};
	const lacking = v.categories.find((name) => !isShare(scores[name]));
	const beside = v.fieldsOf(categories).filter(({ value }) => typeof value !== 'number');
	if (lacking === undefined) {
		const inRisk = [...v.fieldsOf(fields.risk), ...beside];
		return flawIn(v, inRisk, undefined, (field) => saidBy(v, field));
	}
	const flawed = `'risk.categories.${lacking}' is no number from 0 up`;
	if (Number.isFinite(scores[lacking])) return { flaw: flawed };
	const given = Object.keys(scores).filter((name) => isShare(scores[name]));
	return { flaw: flawed, add: { categories: given } };
}

/** The report that a value is or wraps, untouched as it came. */
export function look(v: Vocabulary, value: unknown, wraps = 4): Look {
	if (!isFields(value)) return {};
	const fields = v.fieldsOf(value);
	const isReport = value.risk !== undefined;
	const around = asidesIn(v, fields, isReport);
	const flaw = flawAt(v, value, fields) ?? flawIn(v, around.flatMap(v.fieldsOf));
	if (flaw) return flaw;
	const looks = (all: unknown[]) =>
		wraps > 0
			? all.map((one) => look(v, one, wraps - 1)).filter((one) => one.report ?? one.flaw)
			: [];
	const own: Look[] = isReport ? [{ report: value as unknown as Report }] : [];
	const wrapped = fields.flatMap((field) => (field.wrappers ? [field.value] : [])).filter(isFields);
	const wrapping = [...own, ...looks(wrapped)];
	// Without a report, lists are of a job. Beside one they may say something else of the address.
	const isBeside = wrapping.some(({ report }) => report);
	const lists = isBeside ? fields.filter(({ results }) => results).flatMap(listedIn) : [];
	const listed = lists.filter(isFields);
	const found = [...wrapping, ...looks(listed.filter(({ risk }) => risk))];
	const only = found.find((one) => one.flaw !== undefined) ?? found[0] ?? {};
	if (!only.report) return only;
	const { address } = only.report;
	const ofAddress = listed.filter((one) => (one.address ?? address) === address);
	const envelope = [...(isReport ? [] : [value, ...wrapped]), ...around, ...ofAddress];
	const double =
		severalIn(found) ??
		envelope.map((one) => riskTwice(only.report!, one)).find((one) => one !== undefined) ??
		otherAddressIn(only.report, value.address, fields);
	return double === undefined ? only : { flaw: double };
}

/** What the fields of an object say against the report that it is, or that lies in it. */
function flawAt(v: Vocabulary, value: Fields, fields: Field[]): Look | undefined {
	const { risk } = value;
	const level = lettersOf(String(isFields(risk) ? risk.level : ''));
	const isLevel = (word: unknown) => lettersOf(String(word)) === level;
	const said = flawIn(v, fields, isLevel, (field) => saidBy(v, field));
	if (said || risk === undefined) return said;
	const alarm = level === 'green' && alarmIn(v, [...fields, ...v.fieldsOf(risk)]);
	const flaw = alarm && `'${alarm.name}' is ${quoted(alarm.value)} beside a green level`;
	return faultIn(v, value) ?? (flaw ? { flaw } : undefined);
}

/** The objects that describe what lies beside them, and in these; beside a report also what could wrap one. */
function asidesIn(v: Vocabulary, fields: Field[], isReport: boolean, depth = 3): Fields[] {
	const own = fields.filter(({ about, wrappers }) => about || (isReport && wrappers));
	const objects = own.map(({ value }) => value).filter(isFields);
	if (depth === 0) return objects;
	return objects.flatMap((one) => [one, ...asidesIn(v, v.fieldsOf(one), isReport, depth - 1)]);
}

function severalIn(found: Look[]): string | undefined {
	if (found.length === 1) return undefined;
	const contents = new Set(found.map(({ report }) => report && contentOfReport(report)));
	return contents.size > 1 ? 'there are several reports' : undefined;
}

function otherAddressIn(report: Report, address: unknown, fields: Field[]): string | undefined {
	const named = fields.flatMap((field) => (field.address ? [field.value] : []));
	const isOther = (one: unknown) =>
		isFilled(one) && one !== report.address && addressKey(one) !== addressKey(report.address);
	const others = [address, ...named.filter(isKnownAddress)].filter(isOther);
	return others.length > 0 ? 'it is the report of another address' : undefined;
}

/** The entries of a list, or of an object with an address for each name. */
function listedIn({ value }: Field): unknown[] {
	if (!isFields(value)) return Array.isArray(value) ? value : [];
	return Object.entries(value).flatMap(([name, one]) => (isLikeAddress(name) ? [one] : []));
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
