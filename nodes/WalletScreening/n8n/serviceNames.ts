import { type Additions, usual } from '../service/dialect/names';
import { isName } from '../service/dialect/values';
import { invalidInput, type ScreeningError } from '../service/errors';
import { isFields } from '../service/json';

/**
 * What the credential adds to the usual names of the service: an object, or its JSON. Undefined if it adds nothing. Throws
 * `invalid_input` for an unknown key, and for a value that is no list of texts.
 */
export function readServiceNames(field: unknown): Additions | undefined {
	const given = typeof field === 'string' ? parsed(field) : (field ?? {});
	if (!isFields(given)) throw refused('is not a JSON object');
	const { words = {}, ...names } = given;
	if (!isFields(words)) throw refused('has "words" that are not a JSON object');
	check(names, Object.keys(usual), '');
	check(words, Object.keys(usual.words), '"words".');
	return Object.keys(given).length === 0 ? undefined : (given as Additions);
}

function parsed(text: string): unknown {
	if (text.trim() === '') return {};
	try {
		return JSON.parse(text);
	} catch {
		throw refused('is not valid JSON');
	}
}

function check(lists: object, keys: string[], path: string): void {
	for (const [key, list] of Object.entries(lists) as Array<[string, unknown]>) {
		const name = path + JSON.stringify(key.slice(0, 60));
		if (!keys.includes(key)) throw refused(`has the unknown key ${name}`, keys);
		const isList =
			Array.isArray(list) && list.every((name) => typeof name === 'string' && isName(name));
		if (!isList) throw refused(`has no list of names under ${name}`);
	}
}

function refused(what: string, keys?: string[]): ScreeningError {
	const known = keys ? ` The keys are ${keys.join(', ')}.` : '';
	return invalidInput(
		'Service Names',
		`'Service Names' ${what}`,
		`It adds to lists of names, e.g. {"results": ["verdicts"]}.${known}`,
	);
}
