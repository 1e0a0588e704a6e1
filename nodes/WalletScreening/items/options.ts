import type { IExecuteFunctions } from 'n8n-workflow';
import { invalidInput } from '../service/errors';

/** The collection "Options", with the defaults of the public names. */
export interface Options {
	simplify: boolean;
	/** How often a 5xx or a network fault is followed by another try. */
	maxRetries: number;
	/** Seconds that one request may take. */
	requestTimeout: number;
	/** How many requests may be under way at once. */
	concurrency: number;
}

const numbers = {
	maxRetries: { label: 'Max Retries', value: 5, least: 0, most: 100 },
	requestTimeout: { label: 'Request Timeout', value: 30, least: 0.001, most: 3600 },
	concurrency: { label: 'Concurrency', value: 200, least: 1, most: 1000 },
};

/** Reads the options once, from the first item: they are the same for all. Throws `invalid_input`. */
export function readOptions(context: IExecuteFunctions): Options {
	const given = context.getNodeParameter('options', 0, {}) as Record<string, unknown>;
	const number = (name: keyof typeof numbers) => {
		const { label, value, least, most } = numbers[name];
		// An option that was added and left empty means its default.
		const chosen =
			given[name] === undefined || given[name] === null || given[name] === ''
				? value
				: Number(given[name]);
		if (!(chosen >= least && chosen <= most)) {
			throw invalidInput(
				label,
				`'${label}' is not a number from ${least} to ${most}`,
				`Correct '${label}' in the options, or remove it.`,
			);
		}
		return chosen;
	};
	return {
		simplify: given.simplify === true,
		maxRetries: Math.floor(number('maxRetries')),
		requestTimeout: number('requestTimeout'),
		concurrency: Math.floor(number('concurrency')),
	};
}
