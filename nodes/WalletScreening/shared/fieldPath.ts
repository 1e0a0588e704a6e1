import { fieldOf, type JsonObject, objectIn } from './json';
import { quoteName } from './text';

/**
 * The value of the field with exactly this name, else of nested fields with dots between their names.
 * A nested object may be the JSON text of a data table.
 *
 * @example valueAt({ customer: '{"country":"KP"}' }, 'customer.country') // 'KP'
 */
export function valueAt(item: JsonObject, path: string): unknown {
	return namesOn(item, path).reduce<unknown>((value, name) => {
		const fields = fieldsOrElements(value);
		return fields && fieldOf(fields, name);
	}, item);
}

/** The name of the field of the item that a path is, or leads into. */
export const topNameOn = (item: JsonObject, path: string): string => namesOn(item, path)[0]!;

/** The names on a path: one if the item has a field with exactly this name. */
function namesOn(item: JsonObject, path: string): string[] {
	const whole = path.trim();
	return Object.hasOwn(item, whole) ? [whole] : whole.split('.');
}

/** The fields of an object, or the elements of a list under their numbers. */
const fieldsOrElements = (value: unknown): JsonObject | undefined =>
	Array.isArray(value) ? (value as object as JsonObject) : objectIn(value);

const maxNamesShown = 20;

/**
 * Names the fields that are there where a path finds none, for the description of an error. A CSV
 * file may begin with a byte order mark, which then is the invisible beginning of its first name.
 */
export function describeFields(item: JsonObject, path: string): string {
	let holder: { fields: JsonObject; name: string } = { fields: item, name: 'The item' };
	for (const name of namesOn(item, path)) {
		const fields = fieldsOrElements(fieldOf(holder.fields, name));
		if (!fields) break;
		holder = { fields, name: quoteName(name) };
	}
	const names = Object.keys(holder.fields).map(quoteName);
	if (names.length === 0) return `${holder.name} has no fields.`;
	const more = names.length - maxNamesShown;
	const shown = names.slice(0, maxNamesShown).join(', ') + (more > 0 ? ` and ${more} more` : '');
	const hasInvisibleCharacter = names.some((name) => name.includes('\\u{'));
	const advice = hasInvisibleCharacter
		? ' \\u{…} is the code of an invisible character: rename that field, or save a CSV file without a byte order mark.'
		: '';
	return `${holder.name} has these fields: ${shown}.${advice}`;
}
