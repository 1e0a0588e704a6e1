import { lettersOf, type ServiceNames, standardNames } from '../answers/contract';
import { invalidInput, type ScreeningError } from '../service/errors';
import { isFields, jsonOrNothing } from '../service/json';

const keys = Object.keys(standardNames);

/**
 * What the credential adds to the usual names of the service: an object, or its JSON. Undefined if it adds nothing. Throws
 * `invalid_input` for an unknown key, and for a value that is no list of texts.
 */
export function readServiceNames(field: unknown): ServiceNames | undefined {
	const given = typeof field === 'string' ? parsedField(field) : (field ?? {});
	if (!isFields(given)) throw invalidNames('is not a JSON object');
	for (const [key, list] of Object.entries(given)) {
		const name = JSON.stringify(key.slice(0, 60));
		if (!keys.includes(key)) throw invalidNames(`has the unknown key ${name}`);
		const isList =
			Array.isArray(list) && list.every((one) => typeof one === 'string' && lettersOf(one) !== '');
		if (!isList) throw invalidNames(`has no list of texts under ${name}`);
	}
	return Object.keys(given).length === 0 ? undefined : (given as ServiceNames);
}

function parsedField(text: string): unknown {
	if (text.trim() === '') return {};
	const value = jsonOrNothing(text);
	if (value === undefined) throw invalidNames('is not valid JSON');
	return value;
}

const invalidNames = (what: string): ScreeningError =>
	invalidInput(
		'Service Names',
		`'Service Names' ${what}`,
		`It holds lists of names and words, e.g. {"complete": ["scored"]}. Its keys are ${keys.join(', ')}.`,
	);
