import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { maxPerJob } from '../client/client';
import { requireBoolean, requireChoice, requireNumber } from '../shared/userInput';
import { choice, field, select, shownIf, toggle } from './fields';
import type { ParameterReader } from './parameters';

type OptionField = Omit<INodeProperties, 'name'>;

/** A switch that is on when the user adds it. Without it, it is off, or on if `onByDefault` names it. */
const switchOption = (displayName: string, description: string) =>
	({ displayName, type: 'boolean', default: true, description }) as const satisfies OptionField;

/** A number from the least to the most that the editor and an expression may give. */
const numberOption = (
	displayName: string,
	[minValue, maxValue]: [number, number],
	rest: Pick<OptionField, 'default' | 'description' | 'placeholder' | 'typeOptions'>,
) => ({
	displayName,
	type: 'number' as const,
	...rest,
	typeOptions: { minValue, maxValue, ...rest.typeOptions },
});

/** What is recorded beside a report: in Decision Options if a decision is made, else in Options. */
export const recordFields = {
	addEvidence: {
		...toggle(
			'Add Evidence',
			'addEvidence',
			'Whether to add a record of the report, the rules, the decision and their times, with digests that an auditor can verify',
		),
		default: true,
	},
	reference: field('Reference', 'reference', {
		placeholder: 'e.g. a payment or customer ID',
		description: 'Your own reference, for example a payment ID. It appears in evidence and alerts.',
	}),
};
type RecordName = keyof typeof recordFields;

/** All else that the collection "Options" of an operation or of the trigger may offer, as the editor lists it. */
const optionFields = {
	addressesPerJob: numberOption('Addresses per Job', [1, maxPerJob], {
		default: maxPerJob,
		description:
			'How many addresses a bulk job may hold. Smaller jobs help if the service has very large reports.',
	}),
	alertText: switchOption(
		'Alert Text',
		'Whether to add ready-made alert texts: title, plain text, HTML e-mail, Slack blocks',
	),
	checkAddresses: switchOption(
		'Check Addresses',
		'Whether to refuse a mistyped address before it is sent. The node finds it by its checksum.',
	),
	concurrency: numberOption('Max Requests at Once', [1, 1000], {
		default: '',
		placeholder: 'e.g. 20',
		description:
			'How many requests, or bulk jobs, may be in progress at once. Leave empty to let the node choose. The node keeps to the rate limit of the key in any case.',
	}),
	fetchResults: switchOption(
		'Fetch Results',
		'Whether to fetch the results if the delivery contains only a job ID',
	),
	ignoreRepeats: switchOption(
		'Ignore Repeats',
		'Whether to ignore a delivery already accepted in the last 24 hours',
	),
	includeInputFields: switchOption(
		'Include Input Fields',
		'Whether to add the fields of the input item to each output item. Fields of the report take precedence.',
	),
	mostListed: numberOption('Max Listed Items', [1, 1000], {
		default: 50,
		description: 'The message lists at most this many items. It counts all of them.',
	}),
	maxRetries: numberOption('Max Retries', [0, 100], {
		default: 5,
		description:
			'How often to send a request again when the service is unavailable or the connection breaks. The service may charge for each screening that it carried out. Without this option, the node repeats a screening with a lost response only once.',
	}),
	onlyChanges: switchOption(
		'Only Changes',
		'Whether to leave out items whose report is the same as the earlier one',
	),
	onlyNotGreen: switchOption(
		'Only Not Green',
		'Whether to leave out reports whose level is green. Items without a report, unknown levels, and reports with the decision review or block stay.',
	),
	pollInterval: numberOption('Poll Interval (Seconds)', [0.01, 3600], {
		default: 2,
		description:
			'The longest pause between two status requests in the first minute. Later pauses grow to 30 seconds.',
	}),
	requestTimeout: numberOption('Request Timeout (Seconds)', [0.001, 3600], {
		typeOptions: { numberPrecision: 3 },
		default: 30,
		description: 'How long one request may take',
	}),
	simplify: {
		...switchOption(
			'Simplify',
			'Whether to return a simplified version of the response instead of the raw data',
		),
		// A tool has Output for it.
		displayOptions: { hide: { '@tool': [true] } },
	},
	timeout: numberOption('Timeout (Minutes)', [0, 7 * 24 * 60], {
		default: 30,
		description:
			'How long to wait for all bulk jobs together. The service keeps processing the job afterwards.',
	}),
};

export type OptionName = keyof typeof optionFields;

/** The options of each operation that sends requests, and of each that gives reports which it can decide on. */
export const requestOptions = ['concurrency', 'maxRetries', 'requestTimeout'] as const;
export const reportOptions = [
	'addEvidence',
	'alertText',
	'includeInputFields',
	'reference',
	'simplify',
] as const;

/** The switches that are on until the user adds them and turns them off. */
const onByDefault: OptionName[] = ['checkAddresses', 'fetchResults', 'ignoreRepeats'];

/** The values of the options. */
export interface Options {
	/** Addresses that a bulk job holds at most. */
	addressesPerJob: number;
	alertText: boolean;
	checkAddresses: boolean;
	/** Requests, or bulk jobs, in progress at once; undefined: the operation chooses. */
	concurrency: number | undefined;
	fetchResults: boolean;
	ignoreRepeats: boolean;
	includeInputFields: boolean;
	/** Items that a digest lists at most. */
	mostListed: number;
	/** How often a failed request is sent again. */
	maxRetries: number;
	onlyChanges: boolean;
	onlyNotGreen: boolean;
	/** Seconds. */
	pollInterval: number;
	/** Seconds. */
	requestTimeout: number;
	/** How often a screening with a lost answer is sent again, because the service may bill each. */
	resends: number;
	simplify: boolean;
	/** Minutes. */
	timeout: number;
	/** The fields of a report item that an agent gets; undefined: those that `simplify` leaves. */
	outputFields?: readonly string[] | undefined;
}

/** The collection "Options" with the named ones of all options, as the editor lists them. */
export function createOptionsField(...names: Array<OptionName | RecordName>) {
	const all: INodeProperties[] = [
		...shownIf({ '/addDecision': [false] }, Object.values(recordFields)),
		...Object.entries(optionFields).map(([name, rest]) => ({ name, ...rest })),
	];
	return {
		...field('Options', 'options', { type: 'collection', placeholder: 'Add option', default: {} }),
		options: all
			.filter(({ name }) => names.some((wanted) => wanted === name))
			// Not by locale: Node.js takes milliseconds to load its rules, at each start of n8n.
			.sort((one, other) => (one.displayName < other.displayName ? -1 : 1)),
	};
}

/**
 * Reads the options once, from the first item: they are the same for all.
 * @throws {ScreeningError} `invalid_input`
 */
export function readOptions(read: ParameterReader): Options {
	const given = (read('options', {}) ?? {}) as Record<string, unknown>;
	const values = Object.fromEntries(
		Object.keys(optionFields).map((name) => [name, optionValue(name as OptionName, given[name])]),
	) as unknown as Options;
	return { ...values, resends: isUnset(given.maxRetries) ? 1 : values.maxRetries };
}

/** Whether the user did not add an option, or added it and left it empty: both mean the default. */
const isUnset = (value: unknown) => (value ?? '') === '';

function optionValue(name: OptionName, given: unknown): boolean | number | undefined {
	const option = optionFields[name];
	const label = option.displayName;
	if (option.type === 'boolean') {
		return isUnset(given) ? onByDefault.includes(name) : requireBoolean(given, label);
	}
	const { minValue, maxValue } = option.typeOptions;
	if (isUnset(given)) return option.default === '' ? undefined : Number(option.default);
	const advice = `Correct '${label}' in the options, or remove it.`;
	return requireNumber(given, label, [minValue, maxValue], advice);
}

/* How much of a report an AI agent gets: its context is short, and too many fields confuse it. */

type Choice = INodePropertyOptions;

const outputs = [
	choice('Raw', 'raw', 'All fields, with the report as the service sent it'),
	choice('Selected Fields', 'selected', 'The fields that you select'),
	choice('Simplified', 'simplified', 'The ten most useful fields'),
];
/** The values of Output with which a tool gives reports. */
export const reportOutputs = outputs.map(({ value }) => String(value));

const outputFields = field('Output Fields', 'outputFields', {
	type: 'multiOptions',
	default: ['address', 'level', 'outcome', 'score', 'summary'],
	description:
		'The fields that the agent gets. It always gets the report ID, the outcome of a decision, and another chain than the one that was asked for.',
	options: [
		choice('Address', 'address'),
		choice('Alert', 'alert'),
		choice('Chain', 'chain'),
		choice('Evidence', 'evidence'),
		choice('Highest Category', 'highest_category'),
		choice('Highest Score', 'highest_score'),
		choice('Level', 'level'),
		choice('Outcome', 'outcome'),
		choice('Reasons', 'reasons'),
		choice('Reference', 'reference'),
		choice('Report', 'report'),
		choice('Report ID', 'report_id'),
		choice('Report URL', 'report_url'),
		choice('Score', 'score'),
		choice('Summary', 'summary'),
	],
});

/** The parameter Output of a tool, with `others` before it, and the fields to select. */
export function createToolOutputFields(
	preselected = 'simplified',
	others: Choice[] = [],
): INodeProperties[] {
	return shownIf({ '@tool': [true] }, [
		select('Output', 'output', preselected, [...others, ...outputs], {
			description: 'How much of a report the agent gets',
		}),
		...shownIf({ output: ['selected'] }, [outputFields]),
	]);
}

/**
 * Reads what a tool gives of each report, once, from the first item. Bulk Job: Get also offers `job`, for which no report leaves.
 * @throws {ScreeningError} `invalid_input`
 */
export function readToolOutput(read: ParameterReader): Pick<Options, 'simplify' | 'outputFields'> {
	const output = requireChoice(read('output', 'simplified'), 'Output', ['job', ...reportOutputs]);
	if (output !== 'selected') return { simplify: output === 'simplified', outputFields: undefined };
	const names = (outputFields.options ?? []).map((option) => String((option as Choice).value));
	const selected = [read('outputFields', outputFields.default)].flat();
	return {
		simplify: false,
		outputFields: selected.map((name) => requireChoice(name, 'Output Fields', names)),
	};
}
