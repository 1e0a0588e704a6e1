import { z } from 'zod';
import { serviceNameKeys, type ServiceNames } from '../answers/standardNames';
import { normalizeName } from '../answers/vocabulary';
import { invalidInput, type ScreeningError } from '../shared/errors';
import { tryParseJson } from '../shared/json';

/* What the user taught of the service: the field Service Names of the credential. */

/** A name or a word counts by its letters and digits. */
const serviceName = z.string().refine((text) => normalizeName(text) !== '');
const serviceNamesSchema = z
	.object(Object.fromEntries(serviceNameKeys.map((key) => [key, z.array(serviceName).optional()])))
	.strict();

/**
 * Reads what the credential adds to the standard names of the service: an object, or its JSON.
 * Undefined if it adds nothing.
 * @throws {ScreeningError} `invalid_input` for an unknown key, and for a value that is no list of
 * texts with a letter or digit, with the key
 */
export function readServiceNames(field: unknown): ServiceNames | undefined {
	const given = typeof field === 'string' ? parseServiceNames(field) : (field ?? {});
	const { data: names, error } = serviceNamesSchema.safeParse(given);
	if (!names) throw serviceNamesError(describeIssue(error.issues[0]!));
	return Object.keys(names).length === 0 ? undefined : names;
}

function describeIssue(issue: z.ZodIssue): string {
	if (issue.code === 'unrecognized_keys') {
		return `has the unknown key ${JSON.stringify(issue.keys[0]!.slice(0, 60))}`;
	}
	const [key] = issue.path;
	return key === undefined
		? 'is not a JSON object'
		: `needs a list of texts with letters or digits under ${JSON.stringify(key)}`;
}

function parseServiceNames(text: string): unknown {
	if (text.trim() === '') return {};
	const value = tryParseJson(text);
	if (value === undefined) throw serviceNamesError('is not valid JSON');
	return value;
}

const serviceNamesError = (what: string): ScreeningError =>
	invalidInput(
		'Service Names',
		`'Service Names' ${what}`,
		`It holds lists of names and words, e.g. {"complete": ["scored"]}. Its keys are ${serviceNameKeys.join(', ')}.`,
	);
