import type { INodeProperties } from 'n8n-workflow';
import { maxPerJob } from '../client/client';
import { isJsonObject, type JsonObject } from '../shared/json';
import { requireBoolean, requireNumber, requireWholeNumber } from '../shared/userInput';
import { evidenceFields, type EvidenceName } from './evidenceSettings';
import { field, shownIf } from './fields';
import type { ParameterReader } from './parameters';
import { screenedAtField } from './screenedAt';

/* The collection "Options": each option, how the editor lists it, and how its value is read. */

/** The value of each option that is the same for all items. */
interface OptionValues {
	addressesPerJob: number;
	alertText: boolean;
	checkAddresses: boolean;
	/** Requests, or bulk jobs, in progress at once; undefined: the operation chooses. */
	concurrency: number | undefined;
	fetchResults: boolean;
	ignoreRepeats: boolean;
	includeInputFields: boolean;
	maxRetries: number;
	mostListed: number;
	onlyChanges: boolean;
	/** `policy/allClear.ts` defines which reports are left out. */
	onlyNotGreen: boolean;
	/** Seconds. */
	pollInterval: number;
	/** Seconds. */
	requestTimeout: number;
	simplify: boolean;
	/** Minutes. */
	timeout: number;
}
type OptionName = keyof OptionValues;

/** An option as the editor lists it. Its name is its key in `allOptions`. */
type OptionField = Omit<INodeProperties, 'name'>;

/** An option: how the editor lists it, and how its value is read. */
interface Option<Value> {
	field: OptionField;
	/**
	 * Reads what the user gave, which may be nothing.
	 * @throws {ScreeningError} `invalid_input`
	 */
	read(given: unknown): Value;
}

/**
 * Whether the user did not add an option, or added it and left it empty: both mean the default. So
 * does an expression that gives undefined: the default of each option is safe.
 */
const isUnset = (value: unknown) => (value ?? '') === '';

/** A switch. It is on when the user adds it, and has the value `valueIfUnset` until then. */
const switchOption = (
	displayName: string,
	description: string,
	{
		valueIfUnset = false,
		...rest
	}: { valueIfUnset?: boolean } & Pick<OptionField, 'displayOptions'> = {},
): Option<boolean> => ({
	field: { displayName, type: 'boolean', default: true, description, ...rest },
	read: (given) => (isUnset(given) ? valueIfUnset : requireBoolean(given, displayName)),
});

/**
 * A number in these limits, which hold for the editor and for an expression. `preset` is its value
 * until the user gives one; with undefined, the editor shows an empty field. With `isCount` it has no
 * fraction.
 */
const numberOption = <Preset extends number | undefined>(
	displayName: string,
	[minValue, maxValue]: [number, number],
	preset: Preset,
	{
		isCount = false,
		...rest
	}: { isCount?: boolean } & Pick<OptionField, 'description' | 'placeholder' | 'typeOptions'>,
): Option<number | Preset> => ({
	field: {
		displayName,
		type: 'number',
		default: preset ?? '',
		...rest,
		typeOptions: { minValue, maxValue, ...rest.typeOptions },
	},
	read(given) {
		if (isUnset(given)) return preset;
		const requireValue = isCount ? requireWholeNumber : requireNumber;
		const advice = `Correct '${displayName}' in the options, or remove it.`;
		return requireValue(given, displayName, [minValue, maxValue], advice);
	},
});

/** The options that an operation or the trigger may offer, beside `itemOptions`. */
const allOptions: { [Name in OptionName]: Option<OptionValues[Name]> } = {
	addressesPerJob: numberOption('Addresses per Job', [1, maxPerJob], maxPerJob, {
		isCount: true,
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
		{ valueIfUnset: true },
	),
	concurrency: numberOption('Max Requests at Once', [1, 1000], undefined, {
		isCount: true,
		placeholder: 'e.g. 20',
		description:
			'How many requests, or bulk jobs, may be in progress at once. Leave empty to let the node choose. The node keeps to the rate limit of the key in any case.',
	}),
	fetchResults: switchOption(
		'Fetch Results',
		'Whether to fetch the results if the delivery contains only a job ID',
		{ valueIfUnset: true },
	),
	ignoreRepeats: switchOption(
		'Ignore Repeats',
		'Whether to ignore a delivery already accepted in the last 24 hours',
		{ valueIfUnset: true },
	),
	includeInputFields: switchOption(
		'Include Input Fields',
		'Whether to add the fields of the input item to each output item. Fields of the report take precedence.',
	),
	mostListed: numberOption('Max Listed Items', [1, 1000], 50, {
		isCount: true,
		description: 'The message lists at most this many items. It counts all of them.',
	}),
	maxRetries: numberOption('Max Retries', [0, 100], 5, {
		isCount: true,
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
	pollInterval: numberOption('Poll Interval (Seconds)', [0.01, 3600], 2, {
		description:
			'The longest pause between two status requests in the first minute. Later pauses grow to 30 seconds.',
	}),
	requestTimeout: numberOption('Request Timeout (Seconds)', [0.001, 3600], 30, {
		typeOptions: { numberPrecision: 3 },
		description: 'How long one request may take',
	}),
	simplify: switchOption(
		'Simplify',
		'Whether to return a simplified version of the response instead of the raw data',
		// A tool has Output for it.
		{ displayOptions: { hide: { '@tool': [true] } } },
	),
	timeout: numberOption('Timeout (Minutes)', [0, 7 * 24 * 60], 30, {
		description:
			'How long to wait for all bulk jobs together. The service keeps processing them afterwards.',
	}),
};

/**
 * The options whose value each item may have for itself. They are read beside the other settings for
 * its report. n8n shows the evidence here if no decision is made.
 */
const itemOptions: INodeProperties[] = [
	...shownIf({ '/addDecision': [false] }, Object.values(evidenceFields)),
	screenedAtField,
];
type ItemOptionName = EvidenceName | 'screenedAt';

/** The options of each operation that sends requests. */
export const requestOptions = ['concurrency', 'maxRetries', 'requestTimeout'] as const;
/** The options of each operation that gives reports on which it can decide. */
export const reportOptions = [
	'addEvidence',
	'alertText',
	'includeInputFields',
	'reference',
	'simplify',
] as const;

/** Makes the collection "Options" with the options of these names, in the order of their labels. */
export function createOptionsField(...names: Array<OptionName | ItemOptionName>) {
	const all: INodeProperties[] = [
		...itemOptions,
		...Object.entries(allOptions).map(([name, option]) => ({ name, ...option.field })),
	];
	const options = all
		.filter(({ name }) => names.some((wanted) => wanted === name))
		// Not by locale: Node.js takes milliseconds to load its rules, at each start of n8n.
		.sort((one, other) => (one.displayName < other.displayName ? -1 : 1));
	const collection = field('Options', 'options', {
		type: 'collection',
		placeholder: 'Add option',
		default: {},
	});
	return { ...collection, options };
}

/**
 * Reads the options of these names. One that is not offered has the value of an option that the user
 * did not add.
 * @throws {ScreeningError} `invalid_input` for the first one that cannot be used
 */
export function readOptions<Name extends OptionName>(
	read: ParameterReader<'options'>,
	names: readonly Name[],
): Pick<OptionValues, Name> {
	const given = readCollection(read);
	const entries = names.map((name) => [name, allOptions[name].read(given[name])]);
	return Object.fromEntries(entries) as Pick<OptionValues, Name>;
}

/** What the user gave in the collection. */
function readCollection(read: ParameterReader<'options'>): JsonObject {
	const collection = read('options', {});
	return isJsonObject(collection) ? collection : {};
}

/** The options that count for the run of each operation. */
export interface RunOptions {
	alertText: boolean;
	/** Requests, or bulk jobs, in progress at once; undefined: the operation chooses. */
	concurrency: number | undefined;
	includeInputFields: boolean;
	maxRetries: number;
	/** Seconds. */
	requestTimeout: number;
	/**
	 * How often a screening is sent again after its answer was lost: once by default, because the
	 * service may bill each.
	 */
	resends: number;
}

/**
 * Reads the options that count for the run of each operation.
 * @throws {ScreeningError} `invalid_input` for the first one that cannot be used
 */
export function readRunOptions(read: ParameterReader<'options'>): RunOptions {
	const options = readOptions(read, [...requestOptions, 'alertText', 'includeInputFields']);
	const hasMaxRetries = !isUnset(readCollection(read).maxRetries);
	return { ...options, resends: hasMaxRetries ? options.maxRetries : 1 };
}
