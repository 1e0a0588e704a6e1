import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { descriptionOf, invalidInput, messageOf, ScreeningError } from '../shared/errors';
import { isObjectOrList } from '../shared/json';

/**
 * Reads a parameter of the node: one of these names, or after a dot a part of one that is a
 * collection. `fallback` is the value of a parameter that n8n hides or does not have.
 * @throws {ScreeningError} `invalid_input` if n8n cannot read it, e.g. because of an expression
 */
export type ParameterReader<Name extends string = string> = (
	name: Name | `${Name}.${string}`,
	fallback?: unknown,
) => unknown;

/** Makes the reader of the parameters as they are for an input item. */
export function createItemReader(context: IExecuteFunctions, itemIndex: number): ParameterReader {
	return explainUnreadable((name, fallback) => {
		const value: unknown = context.getNodeParameter(name, itemIndex, fallback);
		// Undefined in spite of a fallback: only an expression gives that.
		if (value !== undefined || fallback === undefined) return value;
		// `getNode` copies the whole node, so this comes last.
		const given = parameterAt(context, name);
		if (typeof given !== 'string' || !given.startsWith('=')) return value;
		// A mistyped name in an expression must not count as a field that the user left empty.
		throw invalidInput(
			name,
			`The expression of the parameter '${name}' resolves to undefined`,
			"Check the names in it. If the value may be missing, add ?? '' at its end.",
		);
	});
}

/** Makes the reader of the parameters of a trigger. */
export function createWebhookReader(
	context: Pick<IWebhookFunctions, 'getNodeParameter'>,
): ParameterReader {
	return explainUnreadable((name, fallback) => context.getNodeParameter(name, fallback as object));
}

/** Makes a reader with the same values, whose errors are those of this package. */
function explainUnreadable(get: ParameterReader): ParameterReader {
	return (name, fallback) => {
		try {
			return get(name, fallback);
		} catch (error) {
			throw error instanceof ScreeningError ? error : unreadableError(error);
		}
	};
}

function unreadableError(thrown: unknown): ScreeningError {
	return new ScreeningError(
		'invalid_input',
		`n8n could not read a parameter: ${messageOf(thrown)}`,
		descriptionOf(thrown) ?? 'Check the expressions in the parameters of this node for this item.',
	);
}

/** The value of a resource locator, which an expression may also give by itself. */
export function unwrapLocator(value: unknown): unknown {
	const isLocator = isObjectOrList(value) && '__rl' in value;
	return isLocator ? (value as { value?: unknown }).value : value;
}

/**
 * A field of the first item of another node, the one kind of expression that certainly has the same
 * value for all items.
 */
const fieldOfFirstItem = /^=\{\{ *\$\('[^'\\]+'\)\.first\(\)\.json(?:\.\w+)+ *\}\}$/;

/** Whether one of these parameters holds an expression that may differ from item to item. */
export function differsByItem(context: IExecuteFunctions, names: readonly string[]): boolean {
	return names.some((name) => findTexts(parameterAt(context, name)).some(mayDiffer));
}

const mayDiffer = (text: string) => text.startsWith('=') && !fieldOfFirstItem.test(text);

/** All texts of a parameter, also of one that is a collection. */
function findTexts(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return isObjectOrList(value) ? Object.values(value).flatMap(findTexts) : [];
}

/** What the user entered in a parameter, with its expressions. A dot leads into a collection. */
function parameterAt(context: IExecuteFunctions, path: string): unknown {
	const { parameters } = context.getNode();
	return path
		.split('.')
		.reduce<unknown>((value, name) => (value as IDataObject | undefined)?.[name], parameters);
}

/**
 * Makes a reader of these parameters. If no expression in them can differ from item to item, it
 * reads them once and gives each item the same value. `readValue` may read only `names`; the compiler
 * checks it. Any other parameter might differ by item, and the first item's value would be used for
 * all.
 */
export function createSharedReader<Name extends string, T>(
	context: IExecuteFunctions,
	names: readonly Name[],
	readValue: (read: ParameterReader<NoInfer<Name>>) => T,
): (read: ParameterReader<Name>) => T {
	if (differsByItem(context, names)) return readValue;
	let first: { value: T } | undefined;
	return (read) => (first ??= { value: readValue(read) }).value;
}
