import { invalidInput } from '../service/errors';
import { type Read, switchIn } from './parameters';

/** The collection "Options", with the defaults of the public names. */
export interface Options {
	simplify: boolean;
	alertText: boolean;
	includeInputFields: boolean;
	onlyNotGreen: boolean;
	onlyChanges: boolean;
	/** How often a request is sent again after a 5xx or a network fault. */
	maxRetries: number;
	/** How often a screening with a lost answer is sent again, because the service may bill each. */
	resends: number;
	/** Seconds that one request may take. */
	requestTimeout: number;
	/** How many requests or jobs may be in progress at once; undefined: the operation chooses. */
	concurrency: number | undefined;
	/** Seconds: the longest pause between two looks at a bulk job in the first minute. */
	pollInterval: number;
	/** Minutes that a wait for bulk jobs may take. */
	timeout: number;
	/** How many reports a digest lists. */
	mostListed: number;
}

/** The least and the most that the editor and an expression may give. */
export const limits = {
	concurrency: [1, 1000],
	maxRetries: [0, 100],
	mostListed: [1, 1000],
	pollInterval: [0.01, 3600],
	requestTimeout: [0.001, 3600],
	timeout: [0, 7 * 24 * 60],
} as const;

/** Reads the options once, from the first item: they are the same for all. Throws `invalid_input`. */
export function readOptions(read: Read): Options {
	const given = (read('options', {}) ?? {}) as Record<string, unknown>;

	// An option that was added and left empty means its default.
	const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
	const flag = (name: keyof Options, label: string) =>
		isEmpty(given[name]) ? false : switchIn(given[name], label);
	function number<T>(name: keyof typeof limits, label: string, otherwise: T) {
		const value = given[name];
		const [least, most] = limits[name];
		if (isEmpty(value)) return otherwise;
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

	const maxRetries = whole(number('maxRetries', 'Max Retries', 5));
	return {
		simplify: flag('simplify', 'Simplify'),
		alertText: flag('alertText', 'Alert Text'),
		includeInputFields: flag('includeInputFields', 'Include Input Fields'),
		onlyNotGreen: flag('onlyNotGreen', 'Only Not Green'),
		onlyChanges: flag('onlyChanges', 'Only Changes'),
		maxRetries,
		resends: isEmpty(given.maxRetries) ? 1 : maxRetries,
		requestTimeout: number('requestTimeout', 'Request Timeout (Seconds)', 30),
		concurrency: whole(number('concurrency', 'Concurrency', undefined)),
		pollInterval: number('pollInterval', 'Poll Interval (Seconds)', 2),
		timeout: number('timeout', 'Timeout (Minutes)', 30),
		mostListed: whole(number('mostListed', 'Max Listed Items', 50)),
	};
}
