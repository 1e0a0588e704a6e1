import { join } from 'node:path';
import ts from 'typescript';
import { projectFolder } from '../host/paths';

/**
 * A JSON schema with the keywords that n8n reads. `additionalProperties` marks an object whose
 * fields cannot be listed.
 */
export interface JsonSchema {
	type?: string | string[];
	enum?: string[];
	properties?: Record<string, JsonSchema>;
	required?: string[];
	additionalProperties?: true;
	items?: JsonSchema;
	/** The version of the schema file. */
	version?: 1;
}

const definition = join(projectFolder, 'nodes/WalletScreening/description/outputItems.ts');

/** Where n8n looks for the schemas of version 1 of a node. */
export const schemaFolder = join(projectFolder, 'nodes/WalletScreening/__schema__/v1.0.0');

/**
 * The schema of what each operation outputs, by the path of its file below `schemaFolder`, made of
 * the interface `OutputItems`.
 */
export function outputSchemas(): Map<string, JsonSchema> {
	const program = ts.createProgram([definition], {
		strict: true,
		exactOptionalPropertyTypes: true,
		target: ts.ScriptTarget.ES2022,
		module: ts.ModuleKind.CommonJS,
		skipLibCheck: true,
		types: [],
	});
	const checker = program.getTypeChecker();
	const file = checker.getSymbolAtLocation(program.getSourceFile(definition)!)!;
	const outputItems = checker.getExportsOfModule(file).find(({ name }) => name === 'OutputItems')!;
	const items = checker.getDeclaredTypeOfSymbol(outputItems).getProperties();
	return new Map(
		items.map((item) => {
			const type = checker.getTypeOfSymbol(item);
			const schema: JsonSchema = { ...schemaOf(checker, type), version: 1 };
			return [`${item.name.replace('.', '/')}.json`, schema];
		}),
	);
}

function schemaOf(checker: ts.TypeChecker, type: ts.Type): JsonSchema {
	if (type.isUnion()) return schemaOfUnion(checker, type);
	if (type.isStringLiteral()) return { type: 'string', enum: [type.value] };
	const [, name] = primitives.find(([flags]) => type.flags & flags) ?? [];
	if (name !== undefined) return { type: name };
	// n8n's editor shows the first type, and for a value without a type that it is null.
	if (type.flags & ts.TypeFlags.Unknown) return { type: anyType };
	if (checker.isArrayType(type)) {
		const [items] = checker.getTypeArguments(type as ts.TypeReference);
		return { type: 'array', items: schemaOf(checker, items!) };
	}
	return schemaOfObject(checker, type);
}

const anyType = ['string', 'number', 'boolean', 'object', 'array', 'null'];

const primitives: Array<[ts.TypeFlags, string]> = [
	[ts.TypeFlags.StringLike, 'string'],
	[ts.TypeFlags.NumberLike, 'number'],
	[ts.TypeFlags.BooleanLike, 'boolean'],
	[ts.TypeFlags.Null, 'null'],
	// The type `object`.
	[ts.TypeFlags.NonPrimitive, 'object'],
];

/**
 * The schema of a union, without `undefined`. Texts become an `enum`, and objects one object with the
 * fields of all. Of members with several JSON types it has only the names of these, `null` at the
 * end.
 *
 * @example
 *     'allow' | 'block'              { type: 'string', enum: ['allow', 'block'] }
 *     { a: 1; b: 2 } | { a: 1 }      { type: 'object', properties: { a, b }, required: ['a'] }
 *     number | null                  { type: ['number', 'null'] }
 */
function schemaOfUnion(checker: ts.TypeChecker, { types }: ts.UnionType): JsonSchema {
	const members = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
	if (members.every((member) => member.isStringLiteral())) {
		return { type: 'string', enum: members.map(({ value }) => value).sort() };
	}
	const schemas = members.map((member) => schemaOf(checker, member));
	const names = [...new Set(schemas.flatMap(({ type = [] }) => type))];
	if (names.length === 1) return schemas.reduce(mergeSchemas);
	return { type: names.sort((one, other) => Number(one === 'null') - Number(other === 'null')) };
}

/** Merges two schemas of one JSON type. The result fits each value that fits one of them. */
function mergeSchemas(one: JsonSchema, other: JsonSchema): JsonSchema {
	if (one.enum && other.enum) return { ...one, enum: [...new Set([...one.enum, ...other.enum])] };
	if (!one.properties || !other.properties) return one;
	const properties = { ...one.properties };
	for (const [name, schema] of Object.entries(other.properties)) {
		const known = properties[name];
		properties[name] = known ? mergeSchemas(known, schema) : schema;
	}
	const required = one.required?.filter((name) => other.required?.includes(name)) ?? [];
	return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function schemaOfObject(checker: ts.TypeChecker, type: ts.Type): JsonSchema {
	const fields = checker.getPropertiesOfType(type);
	const isOpen = checker.getIndexInfosOfType(type).length > 0;
	const isOptional = ({ flags }: ts.Symbol) => Boolean(flags & ts.SymbolFlags.Optional);
	const required = fields.filter((field) => !isOptional(field)).map(({ name }) => name);
	const schemas = fields.map((field) => [
		field.name,
		schemaOf(checker, checker.getTypeOfSymbol(field)),
	]);
	return {
		type: 'object',
		properties: Object.fromEntries(schemas) as Record<string, JsonSchema>,
		...(required.length > 0 && { required }),
		...(isOpen && { additionalProperties: true }),
	};
}
