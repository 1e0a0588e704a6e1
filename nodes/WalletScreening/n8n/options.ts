import type { IExecuteFunctions } from 'n8n-workflow';
import { invalidInput } from '../service/errors';

/** The collection "Options", with the defaults of the public names. */
export interface Options {
	simplify: boolean;
	alertText: boolean;
	/** How often a 5xx or a network fault is followed by another try. */
	maxRetries: number;
	/** Seconds that one request may take. */
	requestTimeout: number;
	/** How many requests or jobs may be under way at once; undefined: the operation chooses. */
	concurrency: number | undefined;
	/** Seconds before the first look at a bulk job. */
	pollInterval: number;
	/** Minutes that a bulk job may take. */
	timeout: number;
}

/** Reads the options once, from the first item: they are the same for all. Throws `invalid_input`. */
export function readOptions(context: IExecuteFunctions): Options {
	const given = context.getNodeParameter('options', 0, {}) as Record<string, unknown>;

	// An option that was added and left empty means its default.
	function number<T>(
		name: keyof Options,
		label: string,
		least: number,
		most: number,
		otherwise: T,
	) {
		const value = given[name];
		if (value === undefined || value === null || value === '') return otherwise;
		const isText = typeof value === 'string' && value.trim() !== '';
		const chosen = typeof value === 'number' || isText ? Number(value) : NaN;
		if (chosen >= least && chosen <= most) return chosen;
		throw invalidInput(
			label,
			`'${label}' is not a number from ${least} to ${most}`,
			`Correct '${label}' in the options, or remove it.`,
		);
	}
	const whole = <T>(value: number | T) => (typeof value === 'number' ? Math.floor(value) : value);

	return {
		simplify: given.simplify === true,
		alertText: given.alertText === true,
		maxRetries: whole(number('maxRetries', 'Max Retries', 0, 100, 5)),
		requestTimeout: number('requestTimeout', 'Request Timeout', 0.001, 3600, 30),
		concurrency: whole(number('concurrency', 'Concurrency', 1, 1000, undefined)),
		pollInterval: number('pollInterval', 'Poll Interval', 0.01, 3600, 2),
		timeout: number('timeout', 'Timeout', 0, 7 * 24 * 60, 30),
	};
}
