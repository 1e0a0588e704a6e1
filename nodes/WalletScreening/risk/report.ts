import { createReader, type Reader } from '../service/dialect/reader';
import { isLikeAddress } from '../service/dialect/values';
import { type AnyReport as Checked, type Reading, readReport } from '../service/report';
import { ScreeningError } from '../service/errors';
import { type Fields, fieldOf } from '../service/json';
import { filled, objectIn, show } from './values';

let usual: Reader | undefined;
/** Made when it is first needed: it takes 2 ms. */
const reader = () => (usual ??= createReader());

/** The values of a report, for texts. What decides on a report takes only one that is known not to contradict itself. */
export type AnyReport = Omit<Checked, symbol>;

/** A report that an item holds. */
export interface Found {
	/** For reading: a simplified report is whole here. */
	report: Checked;
	/** For evidence: the fields of its object; if that is the item itself, without those that this node adds. */
	fields: Fields;
}

/** The category that speaks for an address and not against it (section 2.3). */
export const goodSign = 'clean_exchange';

/** What this node says of a report, in fields beside those of the report. */
export const verdicts = ['decision', 'change', 'alert', 'verification'];

/** All fields that this node adds. */
const added = [...verdicts, 'evidence', 'asked_chain'];

/** What an item says about its report: beside another report, or a failure, it would be taken for new. */
export const ofReport = [
	...['report_id', 'report_url', 'risk', 'risk_level', 'risk_score', 'risk_categories'],
	...added,
];

/** The report in a field of an item (dots for nested fields), or, without a path, the item itself. Throws `invalid_input`. */
export function reportAt(item: Fields, path: string): Found {
	const way = wayTo(item, path);
	const fields = way.at(-1)!;
	// A report that was made before something after it failed is in the details of the failure.
	if (path.trim().split('.')[0] !== 'details') {
		const failed = way.slice(0, -1).map(failureOf).find(Boolean);
		const failure = failed ?? unfinishedAround(item, path);
		if (failure) throw noReport('', failure, fields);
	}
	const { report, flaw } = readingOf(fields);
	if (report) return { report, fields: path.trim() === '' ? ownFields(fields) : fields };
	throw noReport(path, flaw, fields);
}

/**
 * Whether the object at the end of a path is not final, or one around it: what wraps a report, holds a list, or, if the path
 * leads through a list, the item itself. They may be of a job that still runs. Other objects have states of their own.
 */
function unfinishedAround(item: Fields, path: string): string | undefined {
	const steps = stepsOn(item, path);
	const leadsThroughList = steps.some(
		({ name, value }) => Array.isArray(value) || isLikeAddress(name),
	);
	const isOfAnswer = (at: number) =>
		at === steps.length - 1 ||
		Array.isArray(steps[at + 1]!.value) ||
		reader().wraps(steps[at]!.name);
	return steps
		.filter((_, at) => (at === 0 ? leadsThroughList : isOfAnswer(at)))
		.map(({ value }) => objectIn(value))
		.map((fields) => fields && reader().unfinished(fields))
		.find(Boolean);
}

/** The objects that a path leads through, from the item itself to the one at its end. Throws `invalid_input` if none is there. */
export function wayTo(item: Fields, path: string): Fields[] {
	const objects = stepsOn(item, path).map(({ value }) => objectIn(value));
	if (!objects.at(-1)) throw noReport(path, 'there is no object', {});
	return objects.filter((fields) => fields !== undefined);
}

/** The names and values that a path leads through, from the item itself to the one at its end. */
function stepsOn(item: Fields, path: string): Array<{ name: string; value: unknown }> {
	const whole = path.trim();
	const names = Object.hasOwn(item, whole) ? [whole] : whole.split('.');
	const steps = [{ name: '', value: item as unknown }];
	if (whole === '') return steps;
	for (const name of names) {
		// A dot leads to a field of an object, or to an entry of a list by its index.
		const outer = steps.at(-1)!.value;
		const fields = Array.isArray(outer) ? (outer as object as Fields) : objectIn(outer);
		steps.push({ name, value: fieldOf(fields ?? {}, name) });
	}
	return steps;
}

/** The value of a field: of the one with this very name, else of nested ones with dots between their names. */
export function valueAt(item: Fields, path: string): unknown {
	return stepsOn(item, path).at(-1)!.value;
}

/** The chain that was asked for, if the report is of another one: this node says so beside it, or the item around it does. */
export function askedChainOf(item: Fields, path: string): string {
	const all = wayTo(item, path).flatMap(({ asked_chain }) => filled(asked_chain) ?? []);
	return all.at(-1) ?? '';
}

/** A report of the service in which no field passes for one that this node adds: its `decision` is named `service_decision`. */
export function apart<Report extends object>(report: Report): Report {
	if (!added.some((name) => Object.hasOwn(report, name))) return report;
	const freeName = (name: string): string =>
		Object.hasOwn(report, name) || added.includes(name) ? freeName(`service_${name}`) : name;
	const nameOf = (name: string) => (added.includes(name) ? freeName(name) : name);
	const fields = Object.entries(report).map(([name, value]) => [nameOf(name), value]);
	return Object.fromEntries(fields) as Report;
}

/** All fields count as the report's, except those that this node adds. */
export function ownFields(fields: Fields): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !added.includes(name)));
}

/** The report that a value is, whole or simplified or as JSON text; undefined if it is no report. */
export function asReport(value: unknown): Checked | undefined {
	const fields = objectIn(value);
	return fields && readingOf(fields).report;
}

/** The fields of a report (section 2.1) on one level. */
export function simplify(report: AnyReport) {
	const { report_id, address, chain, risk, balance, tx_count, report_url } = report;
	const { level: risk_level, score: risk_score, categories: risk_categories } = risk;
	const ofRisk = { risk_level, risk_score, risk_categories };
	return { report_id, address, chain, ...ofRisk, balance, tx_count, report_url };
}

/** The categories of a report by their keys (section 2.3); undefined if it has none. */
export function categoriesOf({ risk }: AnyReport): Fields | undefined {
	return objectIn(risk.categories);
}

/** An item that stands for a failure may still hold the report that was put into the node. */
function readingOf(fields: Fields): Reading<Checked> {
	const failure = failureOf(fields);
	if (failure) return { flaw: failure };
	const read = readReport(withParsed(withParsed(fields, 'risk'), 'risk_categories'));
	const flaw = read.report && reader().flawOfRisk(read.report);
	return flaw === undefined ? read : { flaw };
}

/** A data table holds an object as JSON text. */
function withParsed(fields: Fields, name: string): Fields {
	const inner = objectIn(fields[name]);
	const value = inner && name === 'risk' ? withParsed(inner, 'categories') : inner;
	return value === undefined || value === fields[name] ? fields : { ...fields, [name]: value };
}

function failureOf({ error }: Fields): string | undefined {
	return error ? `it says that something failed: ${show(error, 200)}` : undefined;
}

/** The error of an item that contains no report at `path`. `why` ends its message; `fields` may name the address. */
export function noReport(
	path: string,
	why: string | undefined,
	{ address }: Fields,
): ScreeningError {
	const place = path.trim() === '' ? 'The item' : `The field '${show(path, 100)}'`;
	const known = filled(address)?.slice(0, 256);
	return new ScreeningError(
		'invalid_input',
		`${place} contains no report: ${why}`,
		'Give a report, whole or simplified, or the name of the field that holds it.',
		known ? { known: { address: known } } : {},
	);
}
