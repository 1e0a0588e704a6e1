import { z } from 'zod';
import { normalizeName, type ServiceNames, standardNames } from '../answers/contract';
import { invalidInput, type ScreeningError } from '../shared/errors';
import { jsonOrNothing } from '../shared/json';

const keys = Object.keys(standardNames) as Array<keyof ServiceNames>;
/** A name or a word counts by its letters and digits. */
const name = z.string().refine((text) => normalizeName(text) !== '');
const schema = z.object(Object.fromEntries(keys.map((key) => [key, z.array(name).optional()])));

/**
 * What the credential adds to the standard names of the service: an object, or its JSON. Undefined if it adds nothing.
 * @throws ScreeningError `invalid_input` for an unknown key, and for a value that is no list of texts, with the key.
 */
export function readServiceNames(field: unknown): ServiceNames | undefined {
	const given = typeof field === 'string' ? parsedField(field) : (field ?? {});
	const { error } = schema.strict().safeParse(given);
	const [issue] = error?.issues ?? [];
	if (issue?.code === 'unrecognized_keys')
		throw invalidNames(`has the unknown key ${JSON.stringify(issue.keys[0]!.slice(0, 60))}`);
	if (issue?.path[0] !== undefined)
		throw invalidNames(`has no list of texts under ${JSON.stringify(issue.path[0])}`);
	if (issue) throw invalidNames('is not a JSON object');
	return Object.keys(given as ServiceNames).length === 0 ? undefined : (given as ServiceNames);
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
