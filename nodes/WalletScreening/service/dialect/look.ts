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
	const word = typeof value === 'string' && !hasDigit(value) ? v.kindOf(value) : undefined;
	if (word && (kind || wrappers)) return [{ name, value, kind: word, isSwitch: false }];
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
	const { risk, address } = value;
	const isReport = risk !== undefined;
	const level = lettersOf(String(isFields(risk) ? risk.level : ''));
	const parts = fields.filter((field) => isFields(field.value));
	const asides = parts.filter(({ about, wrappers }) => about || (isReport && wrappers));
	const fieldsAside = asides.flatMap((field) => v.fieldsOf(field.value));
	const isLevel = (word: unknown) => lettersOf(String(word)) === level;
	const alarm =
		isReport && level === 'green' ? alarmIn(v, [...fields, ...v.fieldsOf(risk)]) : undefined;
	const flaw =
		flawIn(v, fields, isLevel, (field) => saidBy(v, field)) ??
		(isReport ? faultIn(v, value) : undefined) ??
		(alarm && { flaw: `'${alarm.name}' is ${quoted(alarm.value)} beside a green level` }) ??
		flawIn(v, fieldsAside);
	if (flaw) return flaw;
	const looks = (all: unknown[]) =>
		wraps > 0
			? all.map((one) => look(v, one, wraps - 1)).filter((one) => one.report ?? one.flaw)
			: [];
	const wrapped = parts.filter(({ wrappers }) => wrappers).map((field) => field.value);
	const inner = looks(wrapped);
	const own: Look[] = isReport ? [{ report: value as unknown as Report }] : [];
	const [only = {}] = [...own, ...inner];
	// Without a report, lists are of a job. Beside one they may say something else of the address.
	const lists = only.report ? fields.filter(({ results }) => results).flatMap(listedIn) : [];
	const found = [...own, ...inner, ...looks(lists.filter((one) => isFields(one) && one.risk))];
	const flawed = found.find((one) => one.flaw !== undefined);
	if (flawed) return flawed;
	const contents = found.map(({ report }) => report && contentOfReport(report));
	if (new Set(contents).size > 1) return { flaw: 'there are several reports' };
	const { report } = only;
	if (!report) return only;
	const around = [value, ...wrapped, ...asides.map((field) => field.value)].filter(isFields);
	const double = around.map((one) => riskTwice(report, one)).find((one) => one !== undefined);
	if (double !== undefined) return { flaw: double };
	const named = fields.filter((field) => field.address).map((field) => field.value);
	const isOther = [address, ...named.filter(isKnownAddress)].some(
		(one) => isFilled(one) && addressKey(one) !== addressKey(report.address),
	);
	return isOther ? { flaw: 'it is the report of another address' } : only;
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
