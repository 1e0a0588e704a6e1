import { isJsonObject, type JsonObject } from '../../nodes/WalletScreening/shared/json';

/** A schema of an OpenAPI file, with what it refers to and nothing else of the file. */
export interface CompleteSchema extends JsonObject {
	readonly schema: unknown;
	/** The schemas to which `{ $ref: '#/definitions/0' }` and so on refer, in the order of use. */
	readonly definitions: readonly unknown[];
}

/**
 * The schema of the JSON answer to a request that succeeds. It has no examples and defaults where
 * they would hide values that it allows.
 *
 * @param endpoint the method, and the end of the path with `{}` for a parameter
 * @throws an Error with a message for the user if the document has no such schema, or if it refers
 * to another file, to nothing or in a circle
 * @example In sandbox/openapi.yaml, `post /bulk` gives
 * { schema: { $ref: '#/definitions/0' }, definitions: [{ type: 'object', properties: … }] }
 */
export function answerSchema(document: JsonObject, endpoint: string): CompleteSchema {
	const operation = operationAt(document, endpoint);
	/** Goes from an object into its first field with such a name. */
	const enter = (object: JsonObject, isNext: (name: string) => boolean): JsonObject =>
		resolve(object[Object.keys(object).find(isNext) ?? ''], document);
	const responses = enter(operation, (name) => name === 'responses');
	const success = enter(responses, (status) => status.startsWith('2'));
	const content = enter(success, (name) => name === 'content');
	const { schema } = enter(content, (type) => type.includes('json'));
	if (!isJsonObject(schema) || Object.keys(schema).length === 0)
		throw new Error('The file has no schema of an answer in JSON');
	return completeSchema(schema, document);
}

/** The operation of an endpoint at `/v1`, or else at the shortest path that ends so. */
function operationAt(document: JsonObject, endpoint: string): JsonObject {
	const [method = '', end = ''] = endpoint.split(' ');
	const paths = Object.entries(document.paths as JsonObject)
		.map(([name, item]) => ({ path: withoutNames(name), item }))
		.filter(({ path }) => path.endsWith(end))
		.sort((one, other) => one.path.length - other.path.length);
	const exact = paths.filter(({ path }) => path === `/v1${end}`);
	for (const { item } of [...exact, ...paths]) {
		const operation = resolve(item, document)[method];
		if (operation !== undefined) return resolve(operation, document);
	}
	return {};
}

/** @example withoutNames('/v1/bulk/{job_id}/') // '/v1/bulk/{}' */
const withoutNames = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}').replace(/\/$/, '');

/** Collects what a schema refers to, at all depths. A schema may refer to itself in a property. */
function completeSchema(schema: JsonObject, document: JsonObject): CompleteSchema {
	const references: string[] = [];
	const numberOf = (reference: string): number => {
		if (!references.includes(reference)) references.push(reference);
		return references.indexOf(reference);
	};
	const withNumbers = (value: unknown): unknown =>
		mapReferences(withAllValues(value), (reference) => `#/definitions/${numberOf(reference)}`);
	const renamed = withNumbers(schema);
	const definitions: unknown[] = [];
	// The list grows while its entries are read.
	for (const reference of references)
		definitions.push(withNumbers(resolve({ $ref: reference }, document)));
	return { schema: renamed, definitions };
}

/** A copy of a value in which each `$ref` is replaced. */
const mapReferences = (value: unknown, replace: (reference: string) => string): unknown =>
	JSON.parse(JSON.stringify(value), (key, entry: unknown) =>
		key === '$ref' && typeof entry === 'string' ? replace(entry) : entry,
	);

/**
 * The keys of a schema that show more of a value than one example does. They are a guess: a schema
 * with one of them may still need its `default` to show a value.
 */
const shapeKeys = ['enum', 'properties', 'items', 'oneOf', 'anyOf', 'allOf'];
/**
 * The keys of a schema that fix a value of an example: after an `if`, only the case in which it
 * holds would be seen.
 */
const fixedValueKeys = ['example', 'examples', 'default', 'if'];

/**
 * A schema without what would hide values that it allows, at all depths.
 *
 * @example { enum: ['queued', 'scored'], example: 'queued' } → { enum: ['queued', 'scored'] }
 */
function withAllValues(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(withAllValues);
	if (!isJsonObject(schema)) return schema;
	const hasShape = shapeKeys.some((key) => isObject(schema[key]));
	const entries = Object.entries(schema).filter(
		([key]) => !hasShape || !fixedValueKeys.includes(key),
	);
	return Object.fromEntries(
		entries.map(([key, value]) => [
			key,
			// The keys of `properties` are names of fields, and a field may be named `default`.
			key === 'properties' && isJsonObject(value)
				? Object.fromEntries(
						Object.entries(value).map(([name, property]) => [name, withAllValues(property)]),
					)
				: withAllValues(value),
		]),
	);
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * An object, or the one that it refers to, over any number of references; an empty one for any other
 * value.
 *
 * @throws an Error with a message for the user if it refers to another file, to nothing or in a
 * circle
 * @example { $ref: '#/components/schemas/Job' } → the object at `components`, `schemas`, `Job`
 */
function resolve(value: unknown, document: JsonObject): JsonObject {
	const passed = new Set<string>();
	let target = value;
	while (isJsonObject(target) && typeof target.$ref === 'string') {
		const { $ref: reference } = target;
		if (passed.has(reference)) throw new Error(`The file refers in a circle: ${reference}`);
		passed.add(reference);
		target = targetOf(reference, document);
	}
	return isJsonObject(target) ? target : {};
}

/** What a reference points to in the document. */
function targetOf(reference: string, document: JsonObject): unknown {
	const [file, ...names] = reference.split('/');
	if (file !== '#') throw new Error(`The file refers to another one: ${reference}`);
	let target: unknown = document;
	for (const name of names.map(decodeName))
		target = isObject(target) ? (target as JsonObject)[name] : undefined;
	if (target === undefined) throw new Error(`The file refers to nothing: ${reference}`);
	return target;
}

/** @example decodeName('~1v1~1bulk~1%7Bid%7D') // '/v1/bulk/{id}' */
const decodeName = (name: string) =>
	decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
