import type { INodeProperties } from 'n8n-workflow';
import { maxPerJob } from '../client/client';
import { isFields } from '../shared/json';
import { requireBoolean, requireNumber } from '../shared/userInput';
import { field, shownIf, toggle } from './fields';
import type { ParameterReader } from './parameters';

/** An option as the editor lists it. Its name is its key in `optionFields`. */
type OptionField = Omit<INodeProperties, 'name'>;

/**
 * A switch that is on when the user adds it. Without it, it is off, or on if `onByDefault` names
 * it.
 */
const switchOption = (displayName: string, description: string) =>
	({ displayName, type: 'boolean', default: true, description }) as const satisfies OptionField;

/** A number in these limits, which hold for the editor and for an expression. */
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

/**
 * Evidence, and the reference in it: the fields are in Decision Options if a decision is made, else
 * in Options.
 */
export const evidenceFields = {
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
type EvidenceName = keyof typeof evidenceFields;

/** All else that the collection "Options" of an operation or of the trigger may offer. */
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

type OptionName = keyof typeof optionFields;
/** The options whose fields have this type. */
type NameOfType<Type> = {
	[Name in OptionName]: (typeof optionFields)[Name]['type'] extends Type ? Name : never;
}[OptionName];
type SwitchName = NameOfType<'boolean'>;
type NumberName = NameOfType<'number'>;

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

/** The switches that are on until the user adds them and turns them off. */
const onByDefault: SwitchName[] = ['checkAddresses', 'fetchResults', 'ignoreRepeats'];

/** For all that asks the service. */
interface RequestValues {
	/** Requests, or bulk jobs, in progress at once; undefined: the operation chooses. */
	concurrency: number | undefined;
	/** How often a failed request is sent again. */
	maxRetries: number;
	/** How often a screening with a lost answer is sent again, because the service may bill each. */
	resends: number;
	/** Seconds that one request may take. */
	requestTimeout: number;
}

/** For what sends addresses: Screen, Submit, and Screen and Wait. */
interface AddressValues {
	/** Whether a mistyped address is refused before it is sent. */
	checkAddresses: boolean;
	/** Addresses that a bulk job holds at most; Screen makes none. */
	addressesPerJob: number;
}

/** For Screen and Wait. */
interface WaitValues {
	/** Seconds between two looks at a job in the first minute, at most. */
	pollInterval: number;
	/** Minutes that all bulk jobs of a run may take together. */
	timeout: number;
}

/** For the items of reports. */
interface ReportValues {
	/** Whether an item has ready-made alert texts. */
	alertText: boolean;
	/** Whether an item keeps the fields of its input item. */
	includeInputFields: boolean;
	/** Whether all-clears are left out: `policy/allClear.ts` says what is one. */
	onlyNotGreen: boolean;
	/** Whether an item has a few fields instead of the report. */
	simplify: boolean;
	/** The fields of a report item that an agent gets; undefined: those that `simplify` leaves. */
	outputFields?: readonly string[] | undefined;
}

/** For the trigger. */
interface DeliveryValues {
	/** Whether results that a delivery lacks are fetched. */
	fetchResults: boolean;
	/** Whether a delivery that was accepted before starts nothing. */
	ignoreRepeats: boolean;
}

/**
 * The values of all options, of which an operation uses those that it offers. The others have the
 * value of an option that the user did not add.
 */
export interface Options
	extends RequestValues, AddressValues, WaitValues, ReportValues, DeliveryValues {
	/** Items that a digest lists at most. */
	mostListed: number;
	/** Whether Compare leaves out items without a change. */
	onlyChanges: boolean;
}

/** Makes the collection "Options" with the options of these names, in the order of their labels. */
export function createOptionsField(...names: Array<OptionName | EvidenceName>) {
	const all: INodeProperties[] = [
		...shownIf({ '/addDecision': [false] }, Object.values(evidenceFields)),
		...Object.entries(optionFields).map(([name, option]) => ({ name, ...option })),
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
 * @throws {ScreeningError} `invalid_input`
 */
export function readOptions(read: ParameterReader): Options {
	const collection = read('options', {});
	const given = isFields(collection) ? collection : {};
	const readSwitch = (name: SwitchName) => readSwitchOption(name, given[name]);
	const readNumber = (name: NumberName) => readNumberOption(name, given[name]);
	return {
		addressesPerJob: readNumber('addressesPerJob'),
		alertText: readSwitch('alertText'),
		checkAddresses: readSwitch('checkAddresses'),
		concurrency: isUnset(given.concurrency) ? undefined : readNumber('concurrency'),
		fetchResults: readSwitch('fetchResults'),
		ignoreRepeats: readSwitch('ignoreRepeats'),
		includeInputFields: readSwitch('includeInputFields'),
		mostListed: readNumber('mostListed'),
		maxRetries: readNumber('maxRetries'),
		onlyChanges: readSwitch('onlyChanges'),
		onlyNotGreen: readSwitch('onlyNotGreen'),
		pollInterval: readNumber('pollInterval'),
		requestTimeout: readNumber('requestTimeout'),
		resends: isUnset(given.maxRetries) ? 1 : readNumber('maxRetries'),
		simplify: readSwitch('simplify'),
		timeout: readNumber('timeout'),
	};
}

/** Whether the user did not add an option, or added it and left it empty: both mean the default. */
const isUnset = (value: unknown) => (value ?? '') === '';

/** @throws {ScreeningError} `invalid_input` */
function readSwitchOption(name: SwitchName, given: unknown): boolean {
	const { displayName } = optionFields[name];
	return isUnset(given) ? onByDefault.includes(name) : requireBoolean(given, displayName);
}

/** @throws {ScreeningError} `invalid_input` */
function readNumberOption(name: NumberName, given: unknown): number {
	const { displayName, typeOptions, default: preset } = optionFields[name];
	if (isUnset(given)) return Number(preset);
	const { minValue, maxValue } = typeOptions;
	const advice = `Correct '${displayName}' in the options, or remove it.`;
	return requireNumber(given, displayName, [minValue, maxValue], advice);
}
