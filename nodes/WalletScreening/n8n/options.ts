import { invalidInput } from '../service/errors';
import type { IExecuteFunctions } from 'n8n-workflow';
import { isUnset, isOn, numberFrom, optionReader, type Read } from './parameters';

/** The collection "Options", with the defaults of the public names. */
export interface Options {
	simplify: boolean;
	alertText: boolean;
	includeInputFields: boolean;
	onlyNotGreen: boolean;
	onlyChanges: boolean;
	markExecution: boolean;
	/** Whether an address with an invalid checksum is refused. */
	checkAddresses: boolean;
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
	const flag = optionReader(given);
	function number(name: keyof typeof limits, label: string): number | undefined {
		if (isUnset(given[name])) return undefined;
		const [least, most] = limits[name];
		const chosen = numberFrom(given[name]);
		if (chosen >= least && chosen <= most) return chosen;
		throw invalidInput(
			label,
			`'${label}' is not a number from ${least} to ${most}`,
			`Correct '${label}' in the options, or remove it.`,
		);
	}

	const maxRetries = Math.floor(number('maxRetries', 'Max Retries') ?? 5);
	const concurrency = number('concurrency', 'Concurrency');
	return {
		simplify: flag('simplify', 'Simplify'),
		alertText: flag('alertText', 'Alert Text'),
		includeInputFields: flag('includeInputFields', 'Include Input Fields'),
		onlyNotGreen: flag('onlyNotGreen', 'Only Not Green'),
		onlyChanges: flag('onlyChanges', 'Only Changes'),
		markExecution: flag('markExecution', 'Mark Execution'),
		checkAddresses: flag('checkAddresses', 'Check Addresses', true),
		maxRetries,
		resends: isUnset(given.maxRetries) ? 1 : maxRetries,
		requestTimeout: number('requestTimeout', 'Request Timeout (Seconds)') ?? 30,
		concurrency: concurrency && Math.floor(concurrency),
		pollInterval: number('pollInterval', 'Poll Interval (Seconds)') ?? 2,
		timeout: number('timeout', 'Timeout (Minutes)') ?? 30,
		mostListed: Math.floor(number('mostListed', 'Max Listed Items') ?? 50),
	};
}

/** Whether the execution is to be marked; an invalid value, which the operation refuses, is not on. */
export function wantsMark(context: IExecuteFunctions): boolean {
	return isOn(context.getNodeParameter('options.markExecution', 0, false));
}
