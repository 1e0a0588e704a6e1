import type { INodeProperties } from 'n8n-workflow';
import { maxPerJob } from '../client/client';
import { isJsonObject } from '../shared/json';
import { requireBoolean, requireNumber } from '../shared/userInput';
import { evidenceFields, type EvidenceName } from './evidenceSettings';
import { field, shownIf } from './fields';
import type { ParameterReader } from './parameters';

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
 * until the user gives one; with undefined, the editor shows an empty field.
 */
const numberOption = <Preset extends number | undefined>(
	displayName: string,
	[minValue, maxValue]: [number, number],
	preset: Preset,
	rest: Pick<OptionField, 'description' | 'placeholder' | 'typeOptions'>,
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
		const advice = `Correct '${displayName}' in the options, or remove it.`;
		return requireNumber(given, displayName, [minValue, maxValue], advice);
	},
});

/**
 * All that the collection "Options" of an operation or of the trigger may offer, beside the fields
 * of `evidenceSettings.ts`.
 */
const allOptions = {
	addressesPerJob: numberOption('Addresses per Job', [1, maxPerJob], maxPerJob, {
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
	/** Requests, or bulk jobs, in progress at once; undefined: the operation chooses. */
	concurrency: numberOption('Max Requests at Once', [1, 1000], undefined, {
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
		description: 'The message lists at most this many items. It counts all of them.',
	}),
	maxRetries: numberOption('Max Retries', [0, 100], 5, {
		description:
			'How often to send a request again when the service is unavailable or the connection breaks. The service may charge for each screening that it carried out. Without this option, the node repeats a screening with a lost response only once.',
	}),
	onlyChanges: switchOption(
		'Only Changes',
		'Whether to leave out items whose report is the same as the earlier one',
	),
	/** `policy/allClear.ts` says which reports are left out. */
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

type OptionName = keyof typeof allOptions;

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

/** The value of each option. */
type OptionValues = {
	[Name in OptionName]: ReturnType<(typeof allOptions)[Name]['read']>;
};

/**
 * The values of all options, of which an operation uses those that it offers. The others have the
 * value of an option that the user did not add.
 */
export interface Options extends OptionValues {
	/**
	 * How often a screening is sent again after its answer was lost: once by default, because the
	 * service may bill each.
	 */
	resends: number;
	/** The fields of a report item that an agent gets; undefined: those that `simplify` leaves. */
	outputFields?: readonly string[] | undefined;
}

/** Makes the collection "Options" with the options of these names, in the order of their labels. */
export function createOptionsField(...names: Array<OptionName | EvidenceName>) {
	const all: INodeProperties[] = [
		...shownIf({ '/addDecision': [false] }, Object.values(evidenceFields)),
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
 * Reads the options with the values of one item.
 * @throws {ScreeningError} `invalid_input` for the first one that cannot be used
 */
export function readOptions(read: ParameterReader): Options {
	const collection = read('options', {});
	const given = isJsonObject(collection) ? collection : {};
	const entries = Object.entries(allOptions).map(([name, option]) => [
		name,
		option.read(given[name]),
	]);
	const values = Object.fromEntries(entries) as OptionValues;
	return { ...values, resends: isUnset(given.maxRetries) ? 1 : values.maxRetries };
}
