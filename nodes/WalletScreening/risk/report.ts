import { ScreeningError } from '../service/errors';
import { type Fields, fieldOf } from '../service/json';
import { isSameJson } from './canonical';
import { show } from './values';
import { objectIn } from './json';
import { filled } from './names';

/** A report (section 2.1) of any age and origin: each value may be missing, or of another type. */
export interface AnyReport {
	report_id?: unknown;
	address?: unknown;
	chain?: unknown;
	risk: { level?: unknown; score?: unknown; categories?: unknown };
	balance?: unknown;
	tx_count?: unknown;
	report_url?: unknown;
}

/** A report that an item holds. */
export interface Found {
	/** For reading: a simplified report is whole here. */
	report: AnyReport;
	/** For evidence: the fields as the item has them, without those that this node adds. */
	fields: Fields;
}

/** The category that speaks for an address and not against it (section 2.3). */
export const goodSign = 'clean_exchange';

/** What this node adds beside the fields of a report. */
const added = ['decision', 'change', 'alert', 'evidence', 'verification', 'asked_chain'];

/** What an item says about its report: beside another report, or a failure, it would be taken for new. */
export const ofReport = [
	...['report_id', 'report_url', 'risk', 'risk_level', 'risk_score', 'risk_categories'],
	...added,
];

/**
 * The report in a field of an item (dots for nested fields), or, without a path, the item itself: whole, simplified, or as
 * JSON text. Throws `invalid_input` if the item contains no report, or stands for a failure: a report beside that is older.
 */
export function reportAt(item: Fields, path: string): Found {
	const fields = fieldsAt(item, path);
	const failure = isInDetails(path) ? undefined : failureAround(item, path);
	if (failure) throw noReport('', failure, fields);
	const report = asReport(fields);
	if (report) return { report, fields: ownFields(fields) };
	throw noReport(path, whyNone(fields), fields);
}

/** Whether the item, or an object in it that the path leads through, stands for a failure. */
function failureAround(item: Fields, path: string): string | undefined {
	const names = path.trim().split('.');
	return names
		.map((_, at) => objectIn(valueAt(item, names.slice(0, at).join('.'))))
		.map((fields) => fields && failureOf(fields))
		.find((failure) => failure !== undefined);
}

/** A report that was made before something after it failed is in the details of the failure. */
function isInDetails(path: string): boolean {
	return path.trim().split('.')[0] === 'details';
}

/** The object at a path of an item. Throws `invalid_input` if no object is there. */
export function fieldsAt(item: Fields, path: string): Fields {
	const fields = objectIn(valueAt(item, path));
	if (!fields) throw noReport(path, 'there is no object', {});
	return fields;
}

/** The value of a field: of the one with this very name, else of nested ones with dots between their names. */
export function valueAt(item: Fields, path: string): unknown {
	const name = path.trim();
	if (name === '') return item;
	if (Object.hasOwn(item, name)) return item[name];
	return name.split('.').reduce<unknown>((value, key) => fieldOf(objectOrList(value), key), item);
}

/** What a dot leads into: the fields of an object, or the entries of a list by their index. */
function objectOrList(value: unknown): Fields {
	return Array.isArray(value) ? (value as object as Fields) : (objectIn(value) ?? {});
}

/** The chain that was asked for, if the report is of another one: this node says so in the item. */
export function askedChainOf(item: Fields, path: string): string {
	return filled(fieldsAt(item, path).asked_chain) ?? '';
}

/** All fields count as the report's, except those that this node adds. */
export function ownFields(fields: Fields): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !added.includes(name)));
}

/** The report that a value is, whole or simplified or as JSON text; undefined if it is no report. */
export function asReport(value: unknown): AnyReport | undefined {
	const fields = objectIn(value);
	if (!fields || whyNone(fields)) return undefined;
	const risk = objectIn(fields.risk);
	if (risk) return { ...fields, risk };
	const { risk_level: level, risk_score: score, risk_categories: categories } = fields;
	return { ...fields, risk: { level, score, categories } };
}

/** The categories of a report by their keys (section 2.3); undefined if it has none. */
export function categoriesOf({ risk }: AnyReport): Fields | undefined {
	return objectIn(risk.categories);
}

/** Undefined for a report. An item that stands for a failure may still hold the report that was put into the node. */
function whyNone(fields: Fields): string | undefined {
	const failure = failureOf(fields);
	if (failure) return failure;
	if (!filled(fields.address)) return "'address' is missing";
	const risk = objectIn(fields.risk);
	if (fields.risk !== undefined && !risk) return "'risk' is not an object";
	const isSimplified = ['risk_level', 'risk_score', 'risk_categories'].some(
		(name) => name in fields,
	);
	if (!risk && !isSimplified) return "neither 'risk' nor 'risk_level' is there";
	if (risk && differ(fields, risk)) {
		return "'risk' and 'risk_level', 'risk_score' or 'risk_categories' belong to two different reports";
	}
	return undefined;
}

function failureOf({ error }: Fields): string | undefined {
	return error ? `it says that something failed: ${show(error, 200)}` : undefined;
}

/** Whether an item that holds a report in both forms says two things. */
function differ({ risk_level, risk_score, risk_categories }: Fields, risk: Fields): boolean {
	const pairs = [
		[risk_level, risk.level],
		[risk_score, risk.score],
		[objectIn(risk_categories) ?? risk_categories, objectIn(risk.categories) ?? risk.categories],
	];
	return pairs.some(
		([simplified, whole]) => simplified !== undefined && !isSameJson(simplified, whole),
	);
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
		'Connect items with a report of this node, whole or simplified, or name the field that holds the report.',
		known ? { known: { address: known } } : {},
	);
}
