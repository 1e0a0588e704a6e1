import { readTime } from '../policy/policySchema';
import { invalidInput } from '../shared/errors';
import { field } from './fields';
import type { ParameterReader } from './parameters';

/* The option Screened At of Decide, for a report that is used again. */

const label = 'Screened At';

export const screenedAtField = field(label, 'screenedAt', {
	placeholder: 'e.g. 2026-11-26T09:12:00Z',
	description:
		'When the service made the report, if you use a report again. The evidence records this time, and the summary shows how old the report is.',
});

/**
 * Reads when the report was made that is used again; undefined if the user does not give it.
 * @throws {ScreeningError} `invalid_input`
 */
export function readScreenedAt(read: ParameterReader<'options'>): Date | undefined {
	const given = read('options.screenedAt', '');
	if ((given ?? '') === '') return undefined;
	const time = readTime(given);
	if (!time || time.getTime() > Date.now()) {
		throw invalidInput(
			label,
			`'${label}' is not a time in the past with its zone`,
			'Give a time such as 2026-11-26T09:12:00Z, or remove the option.',
		);
	}
	return time;
}
