import { readFile } from 'node:fs/promises';
import { sample } from 'openapi-sampler';
import { parse } from 'yaml';
import type { ScreeningError } from '../../nodes/WalletScreening/shared/errors';
import { isJsonObject, type JsonObject } from '../../nodes/WalletScreening/shared/json';
import type { ServiceNames } from '../../nodes/WalletScreening/answers/standardNames';
import type { Job } from '../../nodes/WalletScreening/answers/jobAnswer';
import { Reader } from '../../nodes/WalletScreening/answers/reader';
import type { CheckResult } from './service';

/** The value of each text in the example of an answer. */
const text = 'sample-1';

/** Reads the answer of an endpoint as the nodes do. @returns what they do not know of a job */
type ReadAnswer = (reader: Reader, body: unknown) => Partial<Pick<Job, 'proposedNames' | 'unread'>>;

const readReport: ReadAnswer = (reader, body) => {
	reader.readReport({ body, status: 200 }, {});
	return {};
};

/** The endpoints that answer in JSON: the method, and the end of the path. */
const endpoints: Record<string, ReadAnswer> = {
	'post /screen': readReport,
	'get /reports/{}': readReport,
	'post /bulk': (reader, body) => {
		reader.readSubmittedJob({ body, status: 202 });
		return {};
	},
	'get /bulk/{}': (reader, body) => reader.readJob({ body, status: 200 }, text),
};

/**
 * Reads the answers that the vendor's OpenAPI file (3.x) describes, as the nodes do, and sends
 * nothing. The file does not show which words end a job.
 *
 * @param print prints a finding, which is a sentence
 * @throws an Error with a message for the user if there is no such file, or it is no OpenAPI file
 * @example
 * In the file, a job has its ID in `slip` and its state in `lifecycle`, and one of the states is
 * `scored`. The findings:
 *
 *     post /bulk: The service answered with no ID of a bulk job.
 *     The nodes do not know "lifecycle": "scored" of a job. Ask the vendor.
 *
 * The result: { names: { jobId: ['slip'], state: ['lifecycle'] }, isUnderstood: false }
 */
export async function checkFile(
	file: string,
	print: (finding: string) => void,
): Promise<CheckResult> {
	const document = withAllValues(await readDocument(file));
	let names: ServiceNames = {};
	const findings = new Set<string>();
	for (const [endpoint, read] of Object.entries(endpoints)) {
		try {
			for (const body of examplesOf(document, endpoint)) {
				const reading = readExample(body, read, names);
				names = reading.names;
				for (const field of reading.unread)
					findings.add(`The nodes do not know ${field} of a job. Ask the vendor.`);
				if (reading.error) findings.add(`${endpoint}: ${reading.error.message}.`);
			}
		} catch (error) {
			findings.add(`${endpoint}: ${(error as Error).message}.`);
		}
	}
	findings.forEach(print);
	return { names, isUnderstood: findings.size === 0 };
}

/** @throws an Error with a message for the user if there is no such file, or it is no OpenAPI file */
async function readDocument(file: string): Promise<JsonObject> {
	const text = await readFile(file, 'utf8').catch((error: Error) => {
		throw new Error(`--openapi cannot read "${file}": ${error.message}`);
	});
	let document: unknown;
	try {
		document = parse(text);
	} catch (error) {
		throw new Error(`"${file}" is neither JSON nor YAML: ${(error as Error).message}`);
	}
	if (isJsonObject(document) && isJsonObject(document.paths)) return document;
	throw new Error(`"${file}" is no OpenAPI file: it has no 'paths'.`);
}

/** What the nodes make of an example of an answer. */
interface ExampleReading {
	/** The names that they have to be taught, with those of earlier examples. */
	readonly names: ServiceNames;
	/** Fields of a job that they do not know, even with these names. */
	readonly unread: readonly string[];
	/** Why they cannot read it without these names. */
	readonly error?: ScreeningError;
}

/** Reads an example of an answer with these names. If the nodes propose more, it reads it again. */
function readExample(body: unknown, read: ReadAnswer, names: ServiceNames): ExampleReading {
	let taught = names;
	try {
		const { proposedNames } = read(new Reader(names), body);
		// Only the name of a field is certain. A person has to say which of its words end a job.
		if (proposedNames?.state) taught = { ...names, ...proposedNames };
		const { unread = [] } = read(new Reader(taught), body);
		return { names: taught, unread };
	} catch (thrown) {
		const error = thrown as ScreeningError;
		// The names of an earlier example stay: this one may be the answer of a failure.
		return { names: { ...error.proposedNames, ...taught }, unread: [], error };
	}
}

/** The keys of a schema that show more of a value than one example does. */
const shapeKeys = ['enum', 'properties', 'items', 'oneOf', 'anyOf', 'allOf'];
/**
 * The keys of a schema that fix a value of an example: after an `if`, only the case in which it
 * holds would be seen.
 */
const fixedValueKeys = ['example', 'examples', 'default', 'if'];

/**
 * The document without what would hide values that a schema allows.
 *
 * @example { enum: ['queued', 'scored'], example: 'queued' } → { enum: ['queued', 'scored'] }
 */
const withAllValues = (document: JsonObject) =>
	JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
		if (!isJsonObject(value) || !shapeKeys.some((key) => isObject(value[key]))) return value;
		return Object.fromEntries(
			Object.entries(value).filter(([key]) => !fixedValueKeys.includes(key)),
		);
	}) as JsonObject;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The keys of a schema whose lists have branches. */
const branchKeys = ['oneOf', 'anyOf'];

/**
 * Examples of the answer to a request that succeeds, which together show each word and each branch
 * of its schema. Of branches in branches, they show those with one number at all depths.
 *
 * @param endpoint the method, and the end of the path with `{}` for a parameter
 * @throws an Error with a message for the user if the document has no schema of such an answer
 */
function examplesOf(document: JsonObject, endpoint: string): unknown[] {
	const examples = new Set<string>();
	for (let branch = 0; branch < longestList(document, branchKeys); branch++) {
		const inBranch = withEntryAt(document, branchKeys, branch);
		for (let at = 0; at < longestList(inBranch, ['enum']); at++)
			examples.add(exampleOf(withEntryAt(inBranch, ['enum'], at), endpoint));
	}
	return [...examples].map((json): unknown => JSON.parse(json));
}

/** The length of the longest list under one of these keys; 1 without any. */
function longestList(document: JsonObject, keys: string[]): number {
	let longest = 1;
	JSON.stringify(document, (key, value: unknown) => {
		if (keys.includes(key) && Array.isArray(value)) longest = Math.max(longest, value.length);
		return value;
	});
	return longest;
}

/**
 * The document in which each list under one of these keys has one entry only.
 *
 * @example With `enum` and 1, `[queued, scored]` becomes `[scored]`, and `[ETH]` stays `[ETH]`. An entry
 * that is beyond the end of a list is its last one.
 */
const withEntryAt = (document: JsonObject, keys: string[], at: number) =>
	JSON.parse(JSON.stringify(document), (key, value: unknown) =>
		keys.includes(key) && Array.isArray(value) ? [value[Math.min(at, value.length - 1)]] : value,
	) as JsonObject;

/**
 * The first example that the schema of an answer allows, as JSON.
 *
 * @throws an Error with a message for the user if the document has no such schema
 * @example In sandbox/openapi.yaml, `post /bulk` gives {"job_id":"sample-1","status":"queued"}.
 */
function exampleOf(document: JsonObject, endpoint: string): string {
	const [method = '', end = ''] = endpoint.split(' ');
	const isPath = (name: string) =>
		name
			.replaceAll(/\{[^}]*\}/g, '{}')
			.replace(/\/$/, '')
			.endsWith(end);
	/** Goes from an object into its first field with such a name. */
	const enter = (object: JsonObject, isNext: (name: string) => boolean): JsonObject =>
		followReferences(object[Object.keys(object).find(isNext) ?? ''], document);
	const operation = enter(enter(document.paths as JsonObject, isPath), (name) => name === method);
	const responses = enter(operation, (name) => name === 'responses');
	const success = enter(responses, (status) => status.startsWith('2'));
	const content = enter(success, (name) => name === 'content');
	const schema = enter(
		enter(content, (type) => type.includes('json')),
		(name) => name === 'schema',
	);
	if (Object.keys(schema).length === 0)
		throw new Error('The file has no schema of an answer in JSON');
	const json = JSON.stringify(sample(schema, { quiet: true }, document)) ?? 'null';
	return json.replaceAll('"string"', JSON.stringify(text));
}

/**
 * An object, or the one that it refers to; an empty one for any other value.
 *
 * @throws an Error with a message for the user if it refers to another file
 * @example { $ref: '#/components/schemas/Job' } → the object at `components`, `schemas`, `Job`
 */
function followReferences(value: unknown, document: JsonObject): JsonObject {
	if (!isJsonObject(value)) return {};
	if (typeof value.$ref !== 'string') return value;
	const [file, ...names] = value.$ref.split('/');
	if (file !== '#') throw new Error(`The file refers to another one: ${value.$ref}`);
	const target = names
		.map(decodeName)
		.reduce<unknown>(
			(object, name) => (isObject(object) ? (object as JsonObject)[name] : undefined),
			document,
		);
	return followReferences(target, document);
}

/** @example decodeName('~1v1~1bulk~1%7Bid%7D') // '/v1/bulk/{id}' */
const decodeName = (name: string) =>
	decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
